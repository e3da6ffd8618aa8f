import type { ServerResponse } from "node:http";
import { chatFrames, runFrames } from "./recording.ts";
import { openStream, type Seen, startServer, type TestServer } from "./server.ts";

export type Step = (res: ServerResponse, seen: Seen) => unknown;

/** Each connection gets the next step; the last one is for all that follow. */
export async function scripted(...steps: [Step, ...Step[]]): Promise<TestServer> {
  let connection = 0;
  return await startServer((seen, res) => {
    const step = steps[Math.min(connection++, steps.length - 1)];
    return step?.(res, seen);
  });
}

/** These frames, and a proper end of the answer. */
export const stream = (...frames: (string | undefined)[]): Step => {
  return (res) => openStream(res, { "x-run-id": "run-1" }).end(frames.join(""));
};

/** What of the recording follows the reader's cursor. */
export const rest: Step = (res, seen) =>
  openStream(res).end(
    (seen.query.get("dialect") === "chat" ? chatFrames() : runFrames())
      .slice(Number(seen.headers["last-event-id"] ?? 0))
      .join(""),
  );

/** The last event that each request said it had. */
export const cursors = (server: TestServer) => server.seen.map((seen) => seen.headers["last-event-id"]);
