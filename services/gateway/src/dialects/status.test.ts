import { readdirSync, readFileSync } from "node:fs";
import { gatewayContract } from "@interlock/contracts";
import { describe, expect, test } from "@jest/globals";
import { encodeEvent, isRest, type RunEventBody, relayEvent, type StoredEvent } from "../events/index.ts";
import { statusDialect } from "./status.ts";

const STREAM = { runId: "run1", conversationId: "conv-1" };
const AT = "2026-01-15T09:30:00.000Z";

const folder = new URL("../../../../contracts/gateway/v1/examples/run-event/valid/", import.meta.url);
const EXAMPLES = readdirSync(folder).map((file): [string, StoredEvent] => {
  const event = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  return [file, { seq: event.seq, type: event.type, json: JSON.stringify(event) }];
});

type Read = { id?: string; event: string; data: Record<string, unknown> };

/** What a reader makes of what stands for one event of the run. */
function frames(
  event: StoredEvent,
  last: boolean,
  stream: typeof STREAM | { runId: string } = STREAM,
): Read[] {
  const blocks = statusDialect.open(stream).frame(event, last).split("\n\n").slice(0, -1);
  return blocks.map((block) => {
    const [, id, name = "", data = ""] = /^(?:id: (\d+)\n)?event: (\w+)\ndata: ([^\r\n]*)$/.exec(block) ?? [];
    return { ...(id === undefined ? {} : { id }), event: name, data: JSON.parse(data) };
  });
}

const ofBody = (body: RunEventBody, last = false): Read[] => frames(encodeEvent("run1", 7, AT, body), last);
const isEnd = ({ event, data }: Read) =>
  event === "status" && (data.type === "complete" || data.type === "error");

describe.each(EXAMPLES)("%s", (_file, event) => {
  test.each([true, false])("keeps the contract, and repeats the conversation (last: %s)", (last) => {
    const read = frames(event, last && isRest(event));
    expect(read.length).toBeGreaterThan(0);
    for (const { data } of read) {
      expect(gatewayContract.statusEvent(data)).toEqual({ ok: true, value: data });
      expect(data.conversation_id).toBe("conv-1");
    }
  });

  test("carries its id on its last frame alone", () => {
    const ids = frames(event, isRest(event)).map(({ id }) => id);
    expect(ids.at(-1)).toBe(String(event.seq));
    expect(ids.slice(0, -1).every((id) => id === undefined)).toBe(true);
  });

  test("ends the stream exactly where the run rests, with its last frame", () => {
    expect(frames(event, isRest(event)).map(isEnd).lastIndexOf(true)).toBe(
      isRest(event) ? frames(event, true).length - 1 : -1,
    );
    expect(frames(event, isRest(event)).filter(isEnd)).toHaveLength(isRest(event) ? 1 : 0);
  });
});

test("a rest that the run has left since is an ordinary event, without an answer", () => {
  for (const name of ["run-paused.json", "run-parked.json"]) {
    const [, event] = EXAMPLES.find(([file]) => file === name) ?? [];
    if (!event) throw new Error(`there is no ${name}`);
    expect(frames(event, false).some((frame) => isEnd(frame) || frame.event === "message")).toBe(false);
  }
});

test("the answer comes whole, once, before the end", () => {
  const body = {
    status: "ok",
    message: "Two prices change.",
    tools_used: [],
    model: "m",
    warnings: [],
  } as const;
  expect(ofBody({ type: "run_finished", data: body }, true)).toEqual([
    { event: "message", data: { type: "text", content: "Two prices change.", conversation_id: "conv-1" } },
    {
      id: "7",
      event: "status",
      data: {
        type: "complete",
        content: "Done.",
        outcome: "ok",
        thread_id: "run1",
        conversation_id: "conv-1",
      },
    },
  ]);
});

test("a tool's result is what the flow shows of it", () => {
  const data = { agent: "a", task_type: "COST_QUERY", status: "ok", duration_ms: 1, warnings: [] } as const;
  const call = { type: "tool", name: "cost_query", conversation_id: "conv-1" };
  expect(ofBody({ type: "step_finished", node: "n", data: { ...data, outputs: { total: 3 } } })).toEqual([
    { id: "7", event: "tool_call", data: { ...call, result: { total: 3 } } },
  ]);
  expect(ofBody({ type: "step_finished", node: "n", data })[0]?.data).toEqual({ ...call, result: {} });
});

test("without a conversation of the caller's, none is told", () => {
  const event = encodeEvent("run1", 2, AT, { type: "token", node: "n", data: { text: "a" } });
  expect(frames(event, false, { runId: "run1" })).toEqual([
    { id: "2", event: "token", data: { type: "token", content: "a" } },
  ]);
});

describe("an agent's progress is told in words", () => {
  const told = (data: string) =>
    frames(relayEvent({ runId: "run1", seq: 3, at: AT, node: "n", data }), false)[0]?.data;

  test.each([
    ['{"step":"solve","message":"Half of it"}', "Half of it"],
    ['{ "step": "solve" }', "solve"],
    ['"by name"', "by name"],
    ['{"pct":50}', "Working."],
    ["null", "Working."],
    ["[1,2]", "Working."],
    ['{"message":{"type":"complete"}}', "Working."],
    [`{"message":"${"x".repeat(5_000)}"}`, "Working."],
  ])("%s", (data, content) => {
    expect(told(data)).toEqual({ type: "executing", content, conversation_id: "conv-1" });
  });
});
