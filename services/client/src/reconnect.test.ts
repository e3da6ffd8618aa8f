import { afterEach, describe, expect, test } from "@jest/globals";
import { collect, quick } from "../test/support/client.ts";
import { chatEvents, chatFrames } from "../test/support/recording.ts";
import { rest, type Step, scripted, stream } from "../test/support/scripted.ts";
import { openStream, sendError, type TestServer } from "../test/support/server.ts";
import { type ClientOptions, createClient, type RetryNotice, StreamError } from "./index.ts";

let server: TestServer;
afterEach(async () => await server?.close());

function chat(more: Partial<ClientOptions> = {}) {
  return createClient(quick(server.url, more)).chat("hello", { sessionId: "s" });
}

const [one, two] = chatFrames();

describe("reconnecting", () => {
  test("treats a silent connection as cut", async () => {
    server = await scripted(
      (res) => void openStream(res, { "x-run-id": "run-1" }).write(`${one}${two}`),
      rest,
    );
    const notices: RetryNotice[] = [];
    const { events, error } = await collect(
      chat({ idleTimeoutMs: 60, onRetry: (notice) => notices.push(notice) }),
    );
    expect({ events, error }).toEqual({ events: chatEvents(), error: undefined });
    expect(notices).toMatchObject([
      { attempt: 1, runId: "run-1", lastSeq: 2, error: { code: "stream_truncated" } },
    ]);
    expect(server.seen[0]?.query.get("interval")).toBe("1");
  });

  test("does not treat a connection with keepalives as silent", async () => {
    server = await scripted(async (res) => {
      const out = openStream(res, { "x-run-id": "run-1" });
      out.write(one);
      const timer = setInterval(() => out.write(": keepalive\n\n"), 20);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      clearInterval(timer);
      out.end(chatFrames().slice(1).join(""));
    });
    expect(await collect(chat({ idleTimeoutMs: 1_000 }))).toEqual({ events: chatEvents(), error: undefined });
    expect(server.seen.length).toBe(1);
  });

  test("waits at least as long as the stream's retry hint says, for all later reconnects", async () => {
    server = await scripted(stream(one, "retry: 70\n\n"), stream(two), rest);
    const notices: RetryNotice[] = [];
    await collect(chat({ onRetry: (notice) => notices.push(notice) }));
    expect(notices.length).toBe(2);
    for (const { delayMs } of notices) expect(delayMs).toBeGreaterThanOrEqual(70);
    expect(notices.map((notice) => notice.attempt)).toEqual([1, 1]);
  });

  test("waits as long as Retry-After says", async () => {
    const busy: Step = (res) => sendError(res, 503, "draining", { headers: { "retry-after": "1" } });
    server = await scripted(stream(one, two), busy, rest);
    const delays: number[] = [];
    const { events } = await collect(chat({ onRetry: ({ delayMs }) => delays.push(delayMs) }));
    expect(events).toEqual(chatEvents());
    expect(delays[0]).toBeLessThan(10);
    expect(delays[1]).toBeGreaterThanOrEqual(1_000);
  });

  test("gives up at once if the retry hint exceeds the time limit", async () => {
    server = await scripted(stream(one, "retry: 60000\n\n"));
    const { error } = await collect(chat());
    expect(error).toMatchObject({ code: "stream_truncated", lastSeq: 1 });
    expect(server.seen.length).toBe(1);
  });

  test("gives up once its attempts are used up, with the run and seq to continue from", async () => {
    server = await scripted(stream(one, two), (res) => res.destroy());
    const { events, error } = await collect(chat());
    expect(events.length).toBe(2);
    expect(error).toMatchObject({
      name: "StreamTruncatedError",
      code: "stream_truncated",
      retryable: true,
      runId: "run-1",
      lastSeq: 2,
      cause: { code: "connection_failed" },
    });
    expect(server.seen.length).toBe(6);
  });

  test("gives up at once if the gateway refuses with an error that is not transient", async () => {
    server = await scripted(stream(one), (res) => sendError(res, 401, "unauthorized"));
    const { error } = await collect(chat());
    expect(error).toMatchObject({ code: "stream_truncated", retryable: false, status: 401 });
    expect(error).toMatchObject({ requestId: "request-1", cause: { code: "unauthorized" } });
    expect(server.seen.length).toBe(2);
  });

  test("does not happen with `reconnect: false`", async () => {
    server = await scripted(stream(one, two));
    const { error } = await collect(chat({ reconnect: false }));
    expect(error).toBeInstanceOf(StreamError);
    expect(server.seen.length).toBe(1);
  });
});
