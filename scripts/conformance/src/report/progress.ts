import type { WriteStream } from "node:tty";

export type Progress = { readonly step: () => void; readonly end: () => void };

/** A progress line on a terminal. Prints nothing elsewhere. */
export function progressOn(stream: WriteStream, targets: number): Progress {
  if (stream.isTTY !== true) return { step: () => {}, end: () => {} };
  let answers = 0;
  return {
    step: () => stream.write(`\r${++answers} answers from ${targets} target${targets === 1 ? "" : "s"} …`),
    end: () => stream.write("\r\u001b[K"),
  };
}
