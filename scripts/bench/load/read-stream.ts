import type { Connection, Request } from "./http.ts";
import { kindOf, type Side } from "./requests.ts";

export type StreamReader = {
  /** Every event. */
  readonly any?: (frame: string) => void;
  /** Events that the agent sent. */
  readonly event?: (frame: string) => void;
};

/**
 * Reads one event stream to its end. It only splits frames: a full SSE parser would make the load generator the bottleneck of the burst
 * measure.
 *
 * @throws Error if the stream ends without its terminal event
 */
export async function readStream(
  connection: Connection,
  request: Request,
  side: Side,
  { any, event }: StreamReader,
): Promise<void> {
  let rest = "";
  let last = "";
  let complete = false;
  const take = (frame: string) => {
    any?.(frame);
    const kind = kindOf(side, frame);
    if (kind === "event") event?.(frame);
    else if (kind === "last") complete = true;
    last = frame;
  };
  const status = await connection.send(request, (text) => {
    const data = rest + text;
    let at = 0;
    for (let end = data.indexOf("\n\n"); end >= 0; end = data.indexOf("\n\n", at)) {
      // Keepalives are comments, not events.
      if (!data.startsWith(":", at)) take(data.slice(at, end));
      at = end + 2;
    }
    rest = data.slice(at);
  });
  if (!complete || status !== 200)
    throw new Error(`a stream was cut: ${status} ${(last || rest).slice(0, 300)}`);
}
