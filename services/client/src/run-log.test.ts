import { afterEach, describe, expect, test } from "@jest/globals";
import { collect, quick } from "../test/support/client.ts";
import { chatFrames, chatWire, frame, runFrames, runWire } from "../test/support/recording.ts";
import { cursors, rest, scripted, stream } from "../test/support/scripted.ts";
import { openStream, type TestServer } from "../test/support/server.ts";
import { createClient } from "./index.ts";

let server: TestServer;
afterEach(async () => await server?.close());

function chat() {
  return createClient(quick(server.url)).chat("hello", { sessionId: "s" });
}

function log(after = 0) {
  return createClient(quick(server.url)).runs.events("run-1", { after });
}

const [one, , three, four, five, six] = chatFrames();

describe("a run's log", () => {
  test("is read from a cursor to its end", async () => {
    server = await scripted(rest);
    const events = log(2);
    expect(await collect(events)).toEqual({ events: runWire().slice(2), error: undefined });
    expect(server.seen[0]?.path).toBe("/api/v1/runs/run-1/events");
    expect(cursors(server)).toEqual(["2"]);
    expect([events.runId, events.lastSeq]).toEqual(["run-1", 4]);
    expect(await events.result).toMatchObject({ type: "run_finished" });
  });

  test("can be read in the chat dialect", async () => {
    server = await scripted(rest);
    const events = createClient(quick(server.url)).runs.events("run-1", { dialect: "chat", after: 4 });
    expect((await collect(events)).events).toMatchObject([{ type: "tool_call", seq: 5 }, { type: "end" }]);
    expect(Object.fromEntries(server.seen[0]?.query ?? [])).toEqual({ dialect: "chat" });
    expect(server.seen[0]?.headers.accept).toBe("text/event-stream");
    expect(await events.result).toMatchObject({ type: "end", status: "ok" });
  });

  const FAILED = {
    status: "error",
    code: "upstream_timeout",
    error: "Too late.",
    retryable: true,
    node: "a",
  };
  test.each([
    ["run_failed", { ...FAILED, message: "It failed." }, "error", "upstream_timeout", true],
    ["run_cancelled", { status: "cancelled", message: "Stopped." }, "cancelled", "cancelled", false],
    ["run_parked", { status: "needs_review", message: "Look.", code: "p" }, "needs_review", "p", false],
  ])(
    "that ends with %s is read to its end, and its result rejects",
    async (type, data, outcome, code, retryable) => {
      server = await scripted(stream(frame({ ...runWire()[0], seq: 1, type, data })));
      const events = log();
      expect((await collect(events)).error).toBeUndefined();
      const failure = { name: "RunFailedError", runId: "run-1", outcome, code, retryable };
      await expect(events.result).rejects.toMatchObject(failure);
    },
  );

  test("is over if the gateway answers 204", async () => {
    server = await scripted((res) => res.writeHead(204).end());
    const events = log(4);
    expect(await collect(events)).toEqual({ events: [], error: undefined });
    expect(await events.result).toBeUndefined();
  });

  test("is truncated if the gateway answers 204 before the last event was read", async () => {
    server = await scripted(stream(runFrames()[0]), (res) => res.writeHead(204).end());
    expect((await collect(log())).error).toMatchObject({ code: "stream_truncated", lastSeq: 1 });
  });

  test("that was trimmed yields a reset, then the events after the gap", async () => {
    const view = { run_id: "run-1", state: "finished", seq: 4 };
    server = await scripted(stream(`event: reset\ndata: ${JSON.stringify(view)}\n\n`, runFrames()[3]));
    const { events, error } = await collect(log(1));
    expect(error).toBeUndefined();
    expect(events).toEqual([{ type: "reset", run: view }, runWire()[3]]);
  });

  test("that was trimmed yields a reset in the chat dialect too", async () => {
    server = await scripted(stream(one), stream('event: reset\ndata: {"state":"finished"}\n\n', six));
    const { events, error } = await collect(chat());
    expect(error).toBeUndefined();
    expect(events.map((event) => event.type)).toEqual(["started", "reset", "end"]);
  });

  test("may have only one gap after a reset", async () => {
    server = await scripted(stream("event: reset\ndata: {}\n\n", runFrames()[1], runFrames()[3]));
    expect((await collect(log())).error).toMatchObject({ code: "stream_gap", lastSeq: 2 });
  });

  test("passes on events of unknown types, as a newer gateway may send", async () => {
    const news = { ...runWire()[1], type: "step_dreamt", data: { of: "sheep" } };
    server = await scripted(
      stream(runFrames()[0], frame({ ...news, seq: 2 }), runFrames()[2], runFrames()[3]),
    );
    const { events } = await collect(log());
    expect(events[1]).toEqual(news);
    await server.close();
    server = await scripted(stream(one, frame({ seq: 2, done: false, dream: 1 }), three, four, five, six));
    expect((await collect(chat())).events[1]).toEqual({ seq: 2, done: false, dream: 1, type: "other" });
  });
});

describe("a paused or parked run", () => {
  const pause = (seq: number) => ({
    ...runWire()[1],
    seq,
    type: "run_paused",
    data: { status: "paused", message: "Please approve.", approval: { id: "approval-1" } },
  });

  test("ends the turn with its approval as the result", async () => {
    const paused = {
      seq: 2,
      done: true,
      thread_id: "run-1",
      status: "paused",
      approval: { id: "approval-1" },
    };
    server = await scripted(stream(one, frame(paused)));
    const turn = chat();
    expect((await collect(turn)).error).toBeUndefined();
    expect(await turn.result).toEqual({ ...paused, type: "end" });
    expect(server.seen.length).toBe(1);
  });

  test("does not end a turn that reconnects after the run was resumed", async () => {
    const paused = { seq: 2, done: false, node: "a", status: "paused", approval: { id: "approval-1" } };
    server = await scripted(stream(one), stream(frame(paused), three, four, five, six));
    const { events, error } = await collect(chat());
    expect(error).toBeUndefined();
    expect(events.map((event) => event.type)).toEqual([
      "started",
      "rest",
      "progress",
      "token",
      "tool_call",
      "end",
    ]);
  });

  test("ends its log if no event follows", async () => {
    server = await scripted(stream(runFrames()[0], frame(pause(2))));
    const events = log();
    expect((await collect(events)).error).toBeUndefined();
    expect(await events.result).toMatchObject({
      type: "run_paused",
      data: { approval: { id: "approval-1" } },
    });
  });

  test("does not end its log if events follow", async () => {
    const [started, , token, finished] = runWire();
    const tail = [token, finished].map((event, index) => ({ ...event, seq: index + 3 }));
    server = await scripted(stream(runFrames()[0], frame(pause(2)), ...tail.map((event) => frame(event))));
    const events = log();
    expect((await collect(events)).events).toEqual([started, pause(2), ...tail]);
    expect(await events.result).toMatchObject({ type: "run_finished" });
  });

  test("is read again if the connection broke after the pause", async () => {
    server = await scripted(
      (res) => {
        openStream(res).write(`${runFrames()[0]}${frame(pause(2))}`, () => res.destroy());
      },
      (res) => res.writeHead(204).end(),
    );
    expect((await collect(log())).error).toBeUndefined();
    expect(cursors(server)).toEqual([undefined, "2"]);
  });

  test("rejects the result if the run needs review", async () => {
    const parked = {
      seq: 2,
      done: true,
      thread_id: "run-1",
      status: "needs_review",
      error: "x",
      code: "poison",
    };
    server = await scripted(stream(one, frame(parked)));
    const failure = await chat().result.catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "RunFailedError", outcome: "needs_review", code: "poison" });
  });

  test("resolves the result as rejected if its proposal was rejected", async () => {
    server = await scripted(stream(one, frame({ ...chatWire()[5], seq: 2, status: "rejected" })));
    expect(await chat().result).toMatchObject({ status: "rejected" });
  });
});
