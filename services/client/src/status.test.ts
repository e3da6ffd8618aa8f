import { afterEach, expect, test } from "@jest/globals";
import { collect, quick } from "../test/support/client.ts";
import { cursors, scripted, stream } from "../test/support/scripted.ts";
import type { TestServer } from "../test/support/server.ts";
import { createClient } from "./index.ts";

let server: TestServer;
afterEach(async () => await server?.close());

const log = () => createClient(quick(server.url)).runs.events("run-1", { dialect: "status" });

function frame(event: string, data: object, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const THINKING = { type: "thinking", content: "Looking.", thread_id: "run-1" };
const TOOL = { type: "tool", name: "cost_query", result: { total: 3 } };
const TEXT = { type: "text", content: "It was 3." };
const COMPLETE = { type: "complete", content: "Done.", outcome: "ok", thread_id: "run-1" };
const FAILED = {
  type: "error",
  content: "Too late.",
  code: "upstream_timeout",
  outcome: "error",
  thread_id: "run-1",
};

const begun = frame("status", THINKING, 1) + frame("tool_call", TOOL, 2);
const answered = frame("message", TEXT) + frame("status", COMPLETE, 3);

test("a run is read in the status dialect to its end, and its result is the event that completes it", async () => {
  server = await scripted(stream(begun + answered));
  const events = log();
  expect((await collect(events)).events).toEqual([THINKING, TOOL, TEXT, COMPLETE]);
  expect(Object.fromEntries(server.seen[0]?.query ?? [])).toEqual({ dialect: "status" });
  expect([events.lastSeq, await events.result]).toEqual([3, COMPLETE]);
});

test("an answer that is cut off from the end of its stream is read once", async () => {
  server = await scripted(stream(begun + frame("message", TEXT)), stream(answered));
  const { events, error } = await collect(log());
  expect([events, error]).toEqual([[THINKING, TOOL, TEXT, COMPLETE], undefined]);
  expect(cursors(server)).toEqual([undefined, "2"]);
});

test("a failure is read to its end, and the result rejects", async () => {
  server = await scripted(stream(begun + frame("status", { ...FAILED, retryable: true }, 3)));
  const events = log();
  expect((await collect(events)).error).toBeUndefined();
  const failure = { name: "RunFailedError", outcome: "error", code: "upstream_timeout", retryable: true };
  await expect(events.result).rejects.toMatchObject({ ...failure, runId: "run-1", message: "Too late." });
});

test.each([
  ["an end of an unknown outcome", frame("status", { ...COMPLETE, outcome: "maybe" }, 3)],
  ["a pause without its approval", frame("status", { ...COMPLETE, outcome: "paused" }, 3)],
  ["a failure without a code", frame("status", { ...FAILED, code: undefined }, 3)],
  ["an id that is no seq", `id: x\nevent: status\ndata: ${JSON.stringify(COMPLETE)}\n\n`],
])("%s is a defect, not an end", async (_what, end) => {
  server = await scripted(stream(begun + end));
  expect((await collect(log())).error).toMatchObject({ name: "StreamInvalidError", reason: "bad_event" });
});
