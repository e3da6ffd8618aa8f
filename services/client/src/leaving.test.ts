import { afterEach, describe, expect, test } from "@jest/globals";
import { collect, quick } from "../test/support/client.ts";
import { chatFrames } from "../test/support/recording.ts";
import { openStream, sendError, startServer, type TestServer, until } from "../test/support/server.ts";
import { createClient, type Fetch } from "./index.ts";

let server: TestServer;
afterEach(async () => await server?.close());

/** Answers every request with the whole recorded turn. */
async function serveWholeTurn(): Promise<TestServer> {
  return await startServer((_seen, res) =>
    openStream(res, { "x-run-id": "run-1" }).end(chatFrames().join("")),
  );
}

/** Answers every request with the first event of the turn and keeps the stream open. */
async function serveEndlessTurn(): Promise<TestServer> {
  return await startServer((_seen, res) => openStream(res, { "x-run-id": "run-1" }).write(chatFrames()[0]));
}

describe("leaving a stream", () => {
  test("break closes the connection", async () => {
    server = await serveEndlessTurn();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    for await (const event of turn) {
      expect(event.type).toBe("started");
      break;
    }
    await until(() => server.open() === 0);
    await expect(turn.result).rejects.toMatchObject({ code: "aborted" });
  });

  test("break at the last event still resolves the result", async () => {
    server = await serveWholeTurn();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    for await (const event of turn) if (event.type === "end") break;
    expect(await turn.result).toMatchObject({ status: "ok" });
  });

  test("an abort ends a pending read at once and closes the connection", async () => {
    server = await serveEndlessTurn();
    const controller = new AbortController();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s", signal: controller.signal });
    const reason = new Error("enough");
    const reading = collect(turn);
    await until(() => turn.lastSeq === 1);
    controller.abort(reason);
    const { events, error } = await reading;
    expect(events.length).toBe(1);
    expect(error).toMatchObject({ name: "AbortError", code: "aborted", cause: reason });
    await expect(turn.result).rejects.toBe(error);
    await until(() => server.open() === 0);
  });

  test("an abort ends the wait for an answer and the delay before a retry", async () => {
    server = await startServer((_seen, res) => {
      if (server.seen.length > 1) sendError(res, 503, "draining", { headers: { "retry-after": "5" } });
    });
    for (const waiting of [1, 2]) {
      const controller = new AbortController();
      const client = createClient(quick(server.url));
      const reading = collect(client.chat("hello", { sessionId: "s", signal: controller.signal }));
      await until(() => server.seen.length === waiting);
      controller.abort();
      expect((await reading).error).toMatchObject({ code: "aborted" });
    }
  });

  test("a signal that is already aborted prevents the request", async () => {
    server = await serveWholeTurn();
    const turn = createClient(quick(server.url)).chat("hello", {
      sessionId: "s",
      signal: AbortSignal.abort(),
    });
    expect((await collect(turn)).error).toMatchObject({ code: "aborted" });
    expect(server.seen.length).toBe(0);
  });

  test("the iterator's return aborts a pending read instead of waiting for it", async () => {
    server = await serveEndlessTurn();
    const turn = createClient(quick(server.url)).chat("hello", { sessionId: "s" });
    const iterator = turn[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await until(() => server.open() === 0);
  });

  test("no listener stays on the caller's signal, however the stream ends", async () => {
    server = await serveWholeTurn();
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const client = createClient(quick(server.url));
    await client.chat("hello", { sessionId: "s", signal }).result;
    for await (const _ of client.chat("hello", { sessionId: "s", signal })) break;
    await client.runs.get("nothing", { signal }).catch(() => undefined);
    expect(listeners).toBe(0);
  });

  test("an abort ends a turn whose fetch ignores the signal and never answers", async () => {
    const deaf: Fetch = () => new Promise(() => undefined);
    const controller = new AbortController();
    const turn = createClient({ baseUrl: "http://127.0.0.1:9", fetch: deaf }).chat("hello", {
      sessionId: "s",
      signal: controller.signal,
    });
    const reading = collect(turn);
    controller.abort();
    expect((await reading).error).toMatchObject({ code: "aborted" });
  });

  test("an abort cancels a body that ignores the signal", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(chatFrames()[0])),
      cancel: () => {
        cancelled = true;
      },
    });
    const headers = { "content-type": "text/event-stream", "x-run-id": "run-1" };
    const controller = new AbortController();
    const client = createClient({ baseUrl: "", fetch: async () => new Response(body, { headers }) });
    const turn = client.chat("hello", { sessionId: "s", signal: controller.signal });
    const reading = collect(turn);
    await until(() => turn.lastSeq === 1);
    controller.abort();
    expect((await reading).error).toMatchObject({ code: "aborted" });
    expect(cancelled).toBe(true);
  });

  test("a failed result that nobody reads is not an unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      server = await startServer((_seen, res) => openStream(res, { "x-run-id": "run-1" }).end("data: {\n\n"));
      const client = createClient(quick(server.url));
      await collect(client.chat("hello", { sessionId: "s" }));
      void client.chat("hello", { sessionId: "s" }).result;
      const left = client.chat("hello", { sessionId: "s" })[Symbol.asyncIterator]();
      await left.return?.();
      await until(() => server.seen.length === 2);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});
