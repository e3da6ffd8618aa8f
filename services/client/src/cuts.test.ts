import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { collect, quick } from "../test/support/client.ts";
import { chatEvents, chatFrames, runFrames, runWire } from "../test/support/recording.ts";
import { openStream, type Seen, startServer, type TestServer } from "../test/support/server.ts";
import { ConnectionError, createClient, RunFailedError, StreamTruncatedError } from "./index.ts";

let server: TestServer;
afterEach(async () => await server?.close());

/** How HTTP/1.1 delimits the body. A reader sees a truncated body differently in each framing. */
const FRAMINGS = {
  chunked: (frames: readonly string[]) => ({
    head: "transfer-encoding: chunked\r\n",
    body: `${frames.map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`).join("")}0\r\n\r\n`,
  }),
  // The end of the connection ends the body, so only the last event tells a complete stream from a cut one.
  "closed at the end": (frames: readonly string[]) => ({
    head: "connection: close\r\n",
    body: frames.join(""),
  }),
} as const;

function rawAnswer(framing: keyof typeof FRAMINGS, runId: string, frames: readonly string[]): Buffer {
  const { head, body } = FRAMINGS[framing](frames);
  const common = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-run-id: ${runId}\r\n`;
  return Buffer.from(`${common}${head}\r\n${body}`);
}

function sendCut(socket: Socket, bytes: Buffer, at: number): void {
  socket.write(bytes.subarray(0, at));
  socket.end();
}

/** Number of complete events within the first `at` bytes. */
function wholeEvents(bytes: Buffer, at: number): number {
  const text = bytes.subarray(0, at).toString();
  const start = text.indexOf("\r\n\r\n");
  return start < 0 ? 0 : text.slice(start).split("\n\n").length - 1;
}

/** The offset of the cut, which the tests put at the end of session and run ids. */
function cutOf(sessionOrRun: unknown): number {
  return Number(/\d+$/.exec(String(sessionOrRun))?.[0]);
}

async function inBatches(count: number, act: (at: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += 24) {
    await Promise.all(Array.from({ length: Math.min(24, count - from) }, (_, index) => act(from + index)));
  }
}

describe.each(Object.keys(FRAMINGS) as (keyof typeof FRAMINGS)[])("a chat whose answer is %s", (framing) => {
  const length = rawAnswer(framing, "run-000", chatFrames("run-000")).length;
  const idOf = (at: number) => `run-${String(at).padStart(3, "0")}`;

  test("yields the same events from one run, at whichever byte it is cut", async () => {
    const posts = new Map<number, Seen[]>();
    const cursors = new Map<number, (string | undefined)[]>();
    server = await startServer((seen, res, socket) => {
      if (seen.method === "POST") {
        const at = cutOf((seen.body as { session_id: string }).session_id);
        const before = posts.get(at) ?? [];
        posts.set(at, [...before, seen]);
        const answer = rawAnswer(framing, idOf(at), chatFrames(idOf(at)));
        sendCut(socket, answer, before.length === 0 ? at : answer.length);
        return;
      }
      const runId = seen.path.split("/")[4] ?? "";
      const cursor = seen.headers["last-event-id"];
      cursors.set(cutOf(runId), [...(cursors.get(cutOf(runId)) ?? []), String(cursor)]);
      openStream(res).end(
        chatFrames(runId)
          .slice(Number(cursor ?? 0))
          .join(""),
      );
    });
    const client = createClient(quick(server.url));

    await inBatches(length + 1, async (at) => {
      const stream = client.chat("hello", { sessionId: `s-${at}` });
      const { events, error } = await collect(stream);
      expect({ at, events, error }).toEqual({ at, events: chatEvents(idOf(at)), error: undefined });
      expect(await stream.result).toMatchObject({ status: "ok", message: "Fertig – ✓" });

      const bytes = rawAnswer(framing, idOf(at), chatFrames(idOf(at)));
      const whole = wholeEvents(bytes, at);
      const sent = posts.get(at) ?? [];
      expect(new Set(sent.map((post) => post.headers["idempotency-key"])).size).toBe(1);
      if (at < bytes.indexOf("\r\n\r\n") + 4) {
        // The client did not know the run id yet, so it repeated the POST.
        expect([sent.length, cursors.get(at)]).toEqual([2, undefined]);
      } else {
        expect(sent.length).toBe(1);
        expect(cursors.get(at)).toEqual(
          whole === 6 ? undefined : [whole === 0 ? "undefined" : String(whole)],
        );
      }
    });
  });

  test("is an error without reconnects, at whichever byte before its end it is cut", async () => {
    server = await startServer((seen, _res, socket) => {
      const at = cutOf((seen.body as { session_id: string }).session_id);
      sendCut(socket, rawAnswer(framing, idOf(at), chatFrames(idOf(at))), at);
    });
    const client = createClient(quick(server.url, { retry: false, reconnect: false }));

    await inBatches(length + 1, async (at) => {
      const bytes = rawAnswer(framing, idOf(at), chatFrames(idOf(at)));
      const whole = wholeEvents(bytes, at);
      const stream = client.chat("hello", { sessionId: `s-${at}` });
      const { events, error } = await collect(stream);
      expect(events).toEqual(chatEvents(idOf(at)).slice(0, whole));
      const outcome = await stream.result.then(
        () => "ok",
        (reason: unknown) => reason,
      );
      if (whole === 6) expect([error, outcome]).toEqual([undefined, "ok"]);
      else if (at < bytes.indexOf("\r\n\r\n") + 4) expect(error).toBeInstanceOf(ConnectionError);
      else {
        expect(error).toBeInstanceOf(StreamTruncatedError);
        expect(error).toMatchObject({ code: "stream_truncated", lastSeq: whole, runId: idOf(at) });
      }
      if (whole < 6) expect(outcome).toBe(error);
    });
  });
});

test("a run's log is read completely even if every connection is cut after a few more bytes", async () => {
  let connection = 0;
  server = await startServer((seen, _res, socket) => {
    const rest = runFrames().slice(Number(seen.headers["last-event-id"] ?? 0));
    const bytes = rawAnswer("chunked", "run-1", rest);
    const head = bytes.indexOf("\r\n\r\n") + 4;
    connection++;
    // Every second connection delivers one event and a part of the next one.
    const budget = connection % 2 === 0 ? head + Buffer.byteLength(rest[0] ?? "") + 60 : head + 20;
    sendCut(socket, bytes, budget);
  });
  const { events, error } = await collect(createClient(quick(server.url)).runs.events("run-1"));
  expect(error).toBeUndefined();
  expect(events).toEqual(runWire());
  expect(connection).toBeGreaterThan(6);
});

test("a failed run ends the loop with its last event and rejects the result", async () => {
  server = await startServer((_seen, res) => {
    const end = { seq: 2, thread_id: "run-1", done: true, message: "It failed.", node: "a" };
    const failed = {
      ...end,
      error: "An agent is not available.",
      code: "upstream_unavailable",
      retryable: true,
    };
    openStream(res, { "x-run-id": "run-1" }).end(
      `${chatFrames()[0]}id: 2\ndata: ${JSON.stringify(failed)}\n\n`,
    );
  });
  const stream = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
  const { events, error } = await collect(stream);
  expect(error).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: "end", status: "error", code: "upstream_unavailable" });
  const failure = await stream.result.catch((reason: unknown) => reason);
  expect(failure).toBeInstanceOf(RunFailedError);
  expect(failure).toMatchObject({
    code: "upstream_unavailable",
    retryable: true,
    outcome: "error",
    runId: "run-1",
    node: "a",
  });
});
