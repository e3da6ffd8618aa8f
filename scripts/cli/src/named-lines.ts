import type { Readable } from "node:stream";

/** A longer line is shown in pieces, so that a program that ends no line takes no memory. */
const LONGEST = 8_192;

/** Passes on what a program prints, line by line, each with the program's name before it. */
export function namedLines(stream: Readable, name: string, say: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) say(`${name} | ${line}`);
    for (; rest.length > LONGEST; rest = rest.slice(LONGEST)) say(`${name} | ${rest.slice(0, LONGEST)}`);
  });
  stream.on("end", () => {
    if (rest !== "") say(`${name} | ${rest}`);
  });
}
