import type { Connection, Request } from "./http.ts";
import { kindOf, type Side } from "./requests.ts";

export type StreamReader = {
  /** The first event of any kind. */
  readonly first?: (frame: string) => void;
  /** Every one of the agent's own events. */
  readonly event?: (frame: string) => void;
  /** Every event. */
  readonly any?: (frame: string) => void;
};

export type StreamEnd = {
  readonly status: number;
  /** Whether the last event came before the end. */
  readonly over: boolean;
};

/** Reads one event stream to its end. */
export function readStream(
  connection: Connection,
  request: Request,
  side: Side,
  { first, event, any }: StreamReader,
): Promise<StreamEnd> {
  return new Promise((resolve, reject) => {
    let rest = "";
    let begun = false;
    let over = false;
    const take = (frame: string) => {
      if (!begun) first?.(frame);
      begun = true;
      any?.(frame);
      const kind = kindOf(side, frame);
      if (kind === "event") event?.(frame);
      else if (kind === "last") over = true;
    };
    connection.send(request, {
      data: (text) => {
        const data = rest === "" ? text : rest + text;
        let at = 0;
        for (let end = data.indexOf("\n\n", at); end >= 0; end = data.indexOf("\n\n", at)) {
          // Keepalives are comments, not events.
          if (!data.startsWith(":", at)) take(data.slice(at, end));
          at = end + 2;
        }
        rest = data.slice(at);
      },
      end: (status) => resolve({ status, over }),
      error: reject,
    });
  });
}
