import { afterEach, describe, expect, test } from "@jest/globals";
import { collect, quick } from "../test/support/client.ts";
import { chatEvents, chatFrames, chatWire } from "../test/support/recording.ts";
import {
  openStream,
  type Seen,
  sendError,
  sendJson,
  startServer,
  type TestServer,
} from "../test/support/server.ts";
import { createClient } from "./index.ts";
import { chatEvent, runEvent } from "./wire.ts";

let server: TestServer;
afterEach(async () => await server?.close());

/** Answers every request with the whole recorded turn. */
async function serveWholeTurn(): Promise<TestServer> {
  return await startServer((_seen, res) =>
    openStream(res, { "x-run-id": "run-1" }).end(chatFrames().join("")),
  );
}

function keysOf(seen: readonly Seen[]) {
  return seen.map((request) => request.headers["idempotency-key"]);
}

describe("a turn", () => {
  test("streams its events and resolves its result", async () => {
    server = await serveWholeTurn();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    const texts: string[] = [];
    for await (const event of turn) if (event.type === "token") texts.push(event.token);
    expect(texts).toEqual(["grüße 🙂\n\n"]);
    expect(await turn.result).toMatchObject({ status: "ok", message: "Fertig – ✓", tools_used: ["echo"] });
    expect([turn.runId, turn.lastSeq]).toEqual(["run-1", 6]);
  });

  test("sends exactly the options that the caller gave", async () => {
    server = await serveWholeTurn();
    const client = createClient(quick(server.url, { headers: { "x-trace": "t" }, token: "ada.token" }));
    await client.chat("hello", { sessionId: "s" }).result;
    await client.chat("hello", {
      sessionId: "s",
      conversationId: "c",
      inputs: { items: [] },
      plan: true,
      model: "m",
      onDisconnect: "continue",
      multitask: "enqueue",
      idempotencyKey: "my-key",
    }).result;
    const [plain, full] = server.seen;
    expect(plain).toMatchObject({ method: "POST", path: "/api/v1/chat" });
    expect(Object.fromEntries(plain?.query ?? [])).toEqual({ stream: "true" });
    expect(plain?.body).toEqual({ message: "hello", session_id: "s" });
    expect(plain?.headers).toMatchObject({
      "x-trace": "t",
      authorization: "Bearer ada.token",
      "content-type": "application/json",
      accept: "text/event-stream",
    });
    expect(Object.fromEntries(full?.query ?? [])).toEqual({
      stream: "true",
      plan: "true",
      model: "m",
      on_disconnect: "continue",
      multitask: "enqueue",
    });
    expect(full?.body).toEqual({
      message: "hello",
      session_id: "s",
      conversation_id: "c",
      inputs: { items: [] },
    });
    expect(full?.headers["idempotency-key"]).toBe("my-key");
  });

  test("takes any JSON value as progress, from the chat and from the log", async () => {
    const values = ["half", [1, 2], 0.5, null, { done: 1 }];
    for (const progress of values) {
      expect(chatEvent({ seq: 2, done: false, node: "a", progress })).toMatchObject({
        type: "progress",
        progress,
      });
      const event = { run_id: "r", seq: 2, type: "progress", node: "a", at: "2026-01-15T09:30:00.123Z" };
      expect(runEvent({ ...event, data: progress })).toMatchObject({ type: "progress", data: progress });
    }
  });

  test("sends no request before it is read", async () => {
    server = await serveWholeTurn();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([server.seen.length, turn.runId, turn.lastSeq]).toEqual([0, undefined, 0]);
    await turn.result;
    expect(server.seen.length).toBe(1);
  });

  test("resolves its result without iteration, with one request for several readers", async () => {
    server = await serveWholeTurn();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    const [first, second] = await Promise.all([turn.result, turn.result]);
    expect(first).toBe(second);
    expect(server.seen.length).toBe(1);
  });

  test("can be iterated after its result was requested", async () => {
    server = await serveWholeTurn();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    const { result } = turn;
    expect((await collect(turn)).events).toEqual(chatEvents());
    expect(await result).toMatchObject({ status: "ok" });
  });

  test("cannot be iterated twice", async () => {
    server = await serveWholeTurn();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    await collect(turn);
    expect((await collect(turn)).error).toMatchObject({ code: "stream_consumed" });
  });

  test("refuses malformed ids and keys", async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:9" });
    for (const options of [
      { sessionId: "../admin" },
      { sessionId: "" },
      { sessionId: "s", conversationId: "a b" },
      { sessionId: "s", idempotencyKey: "a\nb" },
    ]) {
      expect(() => client.chat("hello", options)).toThrow(
        expect.objectContaining({ code: "invalid_argument" }),
      );
    }
  });
});

describe("sending a turn", () => {
  test("retries after a lost connection, 503, 429 and a running first attempt, under the same key", async () => {
    server = await startServer((_seen, res) => {
      const attempt = server.seen.length;
      if (attempt === 1) res.destroy();
      else if (attempt === 2) sendError(res, 503, "overloaded", { retryable: true });
      else if (attempt === 3) sendError(res, 429, "rate_limited", { retryable: true });
      else if (attempt === 4) sendError(res, 409, "idempotency_in_progress", { retryable: true });
      else openStream(res, { "x-run-id": "run-1" }).end(chatFrames().join(""));
    });
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    expect(await collect(turn)).toEqual({ events: chatEvents(), error: undefined });
    expect(server.seen.length).toBe(5);
    expect(new Set(keysOf(server.seen)).size).toBe(1);
    expect(keysOf(server.seen)[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  test("generates a new key for every turn", async () => {
    server = await serveWholeTurn();
    const client = createClient(quick(server.url));
    await client.chat("hello", { sessionId: "s" }).result;
    await client.chat("hello", { sessionId: "s" }).result;
    expect(new Set(keysOf(server.seen)).size).toBe(2);
  });

  test("rejects with the last error once the retries are used up", async () => {
    server = await startServer((_seen, res) => sendError(res, 503, "overloaded", { retryable: true }));
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    await expect(turn.result).rejects.toMatchObject({
      name: "ApiError",
      code: "overloaded",
      status: 503,
      retryable: true,
      requestId: "request-1",
    });
    expect(server.seen.length).toBe(6);
  });

  test.each([
    [409, "session_busy"],
    [422, "idempotency_mismatch"],
    [400, "invalid_request"],
    [500, "internal"],
  ])("does not retry %i %s", async (status, code) => {
    server = await startServer((_seen, res) => sendError(res, status, code, { extra: { run_id: "other" } }));
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    await expect(turn.result).rejects.toMatchObject({ code, status, details: { run_id: "other" } });
    expect(server.seen.length).toBe(1);
  });

  test("reads the run's log if a retry is answered with the stored answer of the first attempt", async () => {
    server = await startServer((seen, res) => {
      if (server.seen.length === 1) return res.destroy();
      if (seen.method === "GET") return openStream(res).end(chatFrames().join(""));
      res.setHeader("x-run-id", "run-1");
      return sendJson(res, chatWire()[5]);
    });
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    expect((await collect(turn)).events).toEqual(chatEvents());
    expect(server.seen.map((seen) => seen.method)).toEqual(["POST", "POST", "GET"]);
  });

  test("learns the run id from the first event if the x-run-id header is missing", async () => {
    server = await startServer((seen, res) => {
      if (seen.method === "GET") return openStream(res).end(chatFrames().slice(2).join(""));
      return openStream(res).end(chatFrames().slice(0, 2).join(""));
    });
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    expect((await collect(turn)).events).toEqual(chatEvents());
    expect(server.seen[1]?.path).toBe("/api/v1/runs/run-1/events");
    expect(Object.fromEntries(server.seen[1]?.query ?? [])).toEqual({ dialect: "chat" });
  });

  test("times out if no answer comes", async () => {
    server = await startServer(() => undefined);
    const client = createClient(quick(server.url, { requestTimeoutMs: 30, retry: { maxAttempts: 1 } }));
    await expect(client.chat("hello", { sessionId: "s" }).result).rejects.toMatchObject({
      name: "ConnectionError",
      code: "timeout",
      retryable: true,
    });
    expect(server.seen.length).toBe(2);
  });

  test.each([
    ["token", (next: () => number) => ({ token: async () => `${next()}` })],
    ["headers", (next: () => number) => ({ headers: async () => ({ authorization: `Bearer ${next()}` }) })],
  ])("calls the function %s before every request, so that it can renew a token", async (_what, options) => {
    server = await startServer((seen, res) => {
      if (seen.method === "GET") return openStream(res).end(chatFrames().slice(1).join(""));
      return openStream(res, { "x-run-id": "run-1" }).end(chatFrames()[0]);
    });
    let calls = 0;
    const client = createClient(
      quick(
        server.url,
        options(() => ++calls),
      ),
    );
    await client.chat("hello", { sessionId: "s" }).result;
    expect(server.seen.map((seen) => seen.headers.authorization)).toEqual(["Bearer 1", "Bearer 2"]);
  });
});
