import { afterEach, describe, expect, test } from "@jest/globals";
import { collect, quick } from "../test/support/client.ts";
import { chatEvents, chatFrames, frame, runFrames } from "../test/support/recording.ts";
import { cursors, rest, scripted, stream } from "../test/support/scripted.ts";
import { openStream, type TestServer } from "../test/support/server.ts";
import { type ClientOptions, createClient } from "./index.ts";

let server: TestServer;
afterEach(async () => await server?.close());

function chat(more: Partial<ClientOptions> = {}) {
  return createClient(quick(server.url, more)).chat("hello", { sessionId: "s" });
}

function log() {
  return createClient(quick(server.url)).runs.events("run-1");
}

const [one, two, three, four, five, six] = chatFrames();

describe("events out of order", () => {
  test("a missing event is fetched before any later event is passed on", async () => {
    server = await scripted(stream(one, two, five, six), rest);
    const { events, error } = await collect(chat());
    expect(error).toBeUndefined();
    expect(events).toEqual(chatEvents());
    expect(cursors(server)).toEqual([undefined, "2"]);
  });

  test("a gap that reconnecting does not close is an error with the last seq", async () => {
    server = await scripted(stream(one, two, four, five, six));
    const { events, error } = await collect(chat());
    expect(events).toEqual(chatEvents().slice(0, 2));
    expect(error).toMatchObject({ name: "StreamGapError", code: "stream_gap", runId: "run-1", lastSeq: 2 });
  });

  test("a repeated event is dropped", async () => {
    server = await scripted(stream(one, two, one, two, three, three, four, five, six));
    expect(await collect(chat())).toEqual({ events: chatEvents(), error: undefined });
    expect(server.seen.length).toBe(1);
  });

  test("events that a replica sends again after a reconnect are dropped", async () => {
    server = await scripted(stream(one, two, three), stream(one, two, three, four, five, six));
    expect(await collect(chat())).toEqual({ events: chatEvents(), error: undefined });
    expect(cursors(server)).toEqual([undefined, "3"]);
  });

  test("an event after the last one is a protocol error", async () => {
    const more = frame({ seq: 7, done: false, token: "more" });
    server = await scripted(stream(one, two, three, four, five, six, more));
    const turn = chat();
    const { error } = await collect(turn);
    expect(error).toMatchObject({ code: "stream_invalid", reason: "event_after_end", lastSeq: 6 });
    await expect(turn.result).rejects.toBe(error);
  });

  test("a second last event is a protocol error", async () => {
    server = await scripted(stream(one, two, three, four, five, six, six));
    expect((await collect(chat())).error).toMatchObject({ reason: "event_after_end" });
  });

  test("an event of another run is a protocol error", async () => {
    server = await scripted(stream(runFrames()[0], runFrames("run-2")[1]));
    expect((await collect(log())).error).toMatchObject({ code: "stream_invalid", reason: "foreign_run" });
  });

  test("the client closes a connection that stays open after the last event", async () => {
    server = await scripted((res) => {
      openStream(res, { "x-run-id": "run-1" }).write(chatFrames().join(""));
    });
    expect(await collect(chat())).toEqual({ events: chatEvents(), error: undefined });
    expect(server.seen.length).toBe(1);
  });
});

describe("an invalid stream", () => {
  const bad: [string, string, string][] = [
    ["not JSON", "data: {\n\n", "not_json"],
    ["not an object", "data: [1]\n\n", "not_json"],
    ["without a seq", 'data: {"done":false}\n\n', "bad_event"],
    ["with an id that is not its seq", 'id: 2\ndata: {"seq":1,"done":false}\n\n', "bad_event"],
    ["without done", 'data: {"seq":1}\n\n', "bad_event"],
    ["a token that is not a string", 'data: {"seq":1,"done":false,"token":1}\n\n', "bad_event"],
    ["a tool call without a name", 'data: {"seq":1,"done":false,"tool_call":{}}\n\n', "bad_event"],
    ["an end of unknown outcome", 'data: {"seq":1,"done":true,"status":"dubious"}\n\n', "bad_event"],
    ["a pause without its approval", 'data: {"seq":1,"done":true,"status":"paused"}\n\n', "bad_event"],
    ["a failure without its code", 'data: {"seq":1,"done":true,"error":"no"}\n\n', "bad_event"],
  ];
  test.each(bad)(
    "a chat event that is %s is a protocol error, without a reconnect",
    async (_, text, reason) => {
      server = await scripted(stream(text));
      const { events, error } = await collect(chat());
      expect(events).toEqual([]);
      expect(error).toMatchObject({ code: "stream_invalid", reason, retryable: false });
      expect(server.seen.length).toBe(1);
    },
  );

  const log1 = { run_id: "run-1", seq: 1, at: "2026-01-02T03:04:05.000Z" };
  test.each([
    ["without a run", { ...log1, run_id: undefined, type: "plan", data: {} }],
    ["without data", { ...log1, type: "plan" }],
    ["an end of unknown outcome", { ...log1, type: "run_finished", data: { status: "error", message: "" } }],
    ["a failure without its code", { ...log1, type: "run_failed", data: { status: "error", message: "" } }],
    [
      "a pause without its approval",
      { ...log1, type: "run_paused", data: { status: "paused", message: "" } },
    ],
  ])("a log event that is %s is a protocol error", async (_, event) => {
    server = await scripted(stream(frame(event)));
    expect((await collect(log())).error).toMatchObject({ code: "stream_invalid", reason: "bad_event" });
  });

  test("bytes that are not UTF-8 are a protocol error", async () => {
    const broken = Buffer.concat([Buffer.from(one ?? ""), Buffer.from([0x64, 0x61, 0xff, 0x0a, 0x0a])]);
    server = await scripted((res) => openStream(res).end(broken));
    expect((await collect(chat())).error).toMatchObject({ reason: "not_utf8" });
  });

  test("a web page is not an event stream", async () => {
    server = await scripted((res) => res.writeHead(200, { "content-type": "text/html" }).end("<p>Hello</p>"));
    expect((await collect(chat())).error).toMatchObject({ reason: "not_an_event_stream" });
  });

  test.each([
    ["in one piece", (text: string) => [text]],
    ["over many lines", (text: string) => text.replaceAll("x", "x\ndata: ").split(/(?<=\n)/)],
    ["without ever ending", (text: string) => [text.trimEnd()]],
  ])("an event over the size limit is a protocol error: %s", async (_, pieces) => {
    const large = frame({ seq: 2, done: false, token: "x".repeat(5_000) });
    server = await scripted(async (res) => {
      const out = openStream(res, { "x-run-id": "run-1" });
      out.write(one);
      for (const piece of pieces(large)) out.write(piece);
      // Keep the answer open until the client disconnects.
      await new Promise((resolve) => res.once("close", resolve));
    });
    const { events, error } = await collect(chat({ maxEventBytes: 2_000 }));
    expect(events.length).toBe(1);
    expect(error).toMatchObject({ code: "stream_invalid", reason: "event_too_large" });
  });

  test("the size limit counts bytes, not characters", async () => {
    server = await scripted(
      stream(frame({ seq: 1, done: false, thread_id: "run-1", token: "✓".repeat(700) })),
    );
    expect((await collect(chat({ maxEventBytes: 2_000 }))).error).toMatchObject({
      reason: "event_too_large",
    });
    const { events } = await collect(chat({ maxEventBytes: 3_000, reconnect: false }));
    expect(events.length).toBe(1);
  });
});
