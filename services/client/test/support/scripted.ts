import type { ServerResponse } from "node:http";
import { chatFrames, runFrames } from "./recording.ts";
import { openStream, type Seen, startServer, type TestServer } from "./server.ts";

export type Step = (res: ServerResponse, seen: Seen) => unknown;

/** A server that answers each request with the next step, and all further ones with the last step. */
export async function scripted(...steps: [Step, ...Step[]]): Promise<TestServer> {
  let connection = 0;
  return await startServer((seen, res) => {
    const step = steps[Math.min(connection++, steps.length - 1)];
    return step?.(res, seen);
  });
}

/** Sends these frames and ends the answer properly. */
export function stream(...frames: (string | undefined)[]): Step {
  return (res) => openStream(res, { "x-run-id": "run-1" }).end(frames.join(""));
}

/** Sends the recorded events after the reader's `Last-Event-ID`. */
export function rest(res: ServerResponse, seen: Seen): unknown {
  const frames = seen.query.get("dialect") === "chat" ? chatFrames() : runFrames();
  return openStream(res).end(frames.slice(Number(seen.headers["last-event-id"] ?? 0)).join(""));
}

/** The `Last-Event-ID` of each request. */
export function cursors(server: TestServer) {
  return server.seen.map((seen) => seen.headers["last-event-id"]);
}
