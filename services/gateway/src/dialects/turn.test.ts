import { readdirSync, readFileSync } from "node:fs";
import { gatewayContract, type TurnEvent } from "@interlock/contracts";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  decodeEvent,
  encodeEvent,
  isRest,
  type RunEventBody,
  relayEvent,
  type StoredEvent,
} from "../events/index.ts";
import { turnDialect } from "./turn.ts";
import { readTurnCursor } from "./turn-cursor.ts";

const AT = "2026-01-15T09:30:00.000Z";
const LABELS: Readonly<Record<string, string>> = { transfer: "정보 추출 중" };
const STREAM = { runId: "run1", labelOf: (agent: string) => LABELS[agent] ?? agent };

type Frame = TurnEvent & { raw: string; id?: string };

const blocksOf = (text: string): string[] => text.split(/(?<=\n\n)/).filter((block) => block !== "");

/** What an event stream's reader makes of a text, hints left out. */
function read(text: string): Frame[] {
  return blocksOf(text).flatMap((raw) => {
    const [, id, event, json] = /^(?:id: ([^\n]+)\n)?event: (\w+)\ndata: ([^\r\n]*)\n\n$/.exec(raw) ?? [];
    if (event === undefined) return [];
    const checked = gatewayContract.turnEvent({ event, data: JSON.parse(json ?? "") });
    if (!checked.ok) throw new Error(`${raw}${checked.problem.message}`);
    return { ...checked.value, raw, ...(id === undefined ? {} : { id }) };
  });
}

/** A log of these events. */
function logOf(...bodies: readonly (RunEventBody | { progress: unknown })[]): StoredEvent[] {
  return bodies.map((body, index) => {
    const seq = index + 1;
    if (!("progress" in body)) return encodeEvent("run1", seq, AT, body);
    return relayEvent({ runId: "run1", seq, at: AT, node: "a", data: JSON.stringify(body.progress) });
  });
}

/** All of a turn's stream: up to where its run first rests. One text an event. */
function streamOf(log: readonly StoredEvent[]): string[] {
  const encoder = turnDialect.open(STREAM);
  const end = log.find(isRest);
  return log.slice(0, end && log.indexOf(end) + 1).map((event) => encoder.frame(event, event === end));
}

const named = (frames: readonly Frame[]) => frames.map(({ event, data }) => [event, data]);
const told = (...bodies: readonly (RunEventBody | { progress: unknown })[]) =>
  named(read(streamOf(logOf(...bodies)).join("")));

const BEGUN: RunEventBody = {
  type: "run_started",
  data: { session_id: "s1", intent: "transfer", model: "rules" },
};
const PLAN: RunEventBody = { type: "plan", data: { flow: "f", goals: ["g"], steps: [] } };
const END = { tools_used: [], model: "rules" };
const step = (node: string, agent: string) => ({ node, agent, about: { agent, task_type: "T" } });
const started = ({ node, about }: ReturnType<typeof step>): RunEventBody => ({
  type: "step_started",
  node,
  data: { ...about, attempt: 1 },
});
const finished = ({ node, about }: ReturnType<typeof step>, outputs?: unknown): RunEventBody => ({
  type: "step_finished",
  node,
  data: {
    ...about,
    status: "ok",
    duration_ms: 1,
    warnings: [],
    ...(outputs === undefined ? {} : { outputs }),
  },
});
const failed = ({ node, about }: ReturnType<typeof step>): RunEventBody => ({
  type: "step_failed",
  node,
  data: { ...about, status: "error", code: "upstream_failed", error: "No.", optional: true },
});
const token = (text: string, node = "a"): RunEventBody => ({ type: "token", node, data: { text } });
const answer = (message: string, more: object = {}): RunEventBody => ({
  type: "run_finished",
  data: { status: "ok", message, warnings: [], ...END, ...more },
});
const failure = (code: string): RunEventBody => ({
  type: "run_failed",
  data: { status: "error", code, error: "No.", retryable: true, message: "It failed.", ...END },
});
const CANCELLED: RunEventBody = {
  type: "run_cancelled",
  data: { status: "cancelled", message: "The run was cancelled.", ...END },
};
const APPROVAL = { id: "a1", roles: ["lead"], proposal_hash: "0".repeat(64), expires_in_s: 60 };
const PAUSED: RunEventBody = {
  type: "run_paused",
  node: "p",
  data: { status: "paused", message: "It waits.", approval: APPROVAL, model: "rules" },
};
const PARKED: RunEventBody = {
  type: "run_parked",
  data: { status: "needs_review", message: "Look at it.", code: "outcome_unknown" },
};
const dialogue = (next_action: string, state: object) => ({
  dialogue: { service: "transfer", next_action, version: 1, state },
});

const A = step("a", "transfer");
const B = step("b", "policy");
const START = ["AGENT_START", { agent: "transfer", label: "정보 추출 중" }];
const done = (more: object) => ["AGENT_DONE", { agent: "transfer", label: "정보 추출 중", ...more }];

test("a dialogue's turn is told agent by agent, with where it leaves the dialogue", () => {
  const state = { stage: "FILLING", slots: {} };
  const hint = { ui_hint: { buttons: ["취소"] } };
  const end = answer("누구에게요?", { ...dialogue("ASK", state), ...hint });
  expect(told(BEGUN, started(A), token("누"), token("구\n"), finished(A), end)).toEqual([
    START,
    ["LLM_TOKEN", "누"],
    ["LLM_TOKEN", "구\n"],
    ["LLM_DONE", { action: "ASK", message: "누구\n" }],
    done({ success: true, stage: "FILLING" }),
    ["DONE", { message: "누구에게요?", next_action: "ASK", state_snapshot: state, ...hint }],
  ]);
});

test("its first block says which run it is, and when to come back", () => {
  expect(streamOf(logOf(BEGUN))).toEqual(["id: run1:1\nretry: 1000\n\n"]);
});

test("a plan's steps are told as they end, with what the flow shows of them", () => {
  const log = [
    BEGUN,
    PLAN,
    started(A),
    started(B),
    failed(B),
    finished(A, { total: 3, stage: "S" }),
    answer("So."),
  ];
  expect(told(...log)).toEqual([
    START,
    ["AGENT_START", { agent: "policy", label: "policy" }],
    ["AGENT_DONE", { agent: "policy", label: "policy", success: false }],
    done({ success: true, stage: "S", result: { total: 3, stage: "S" } }),
    ["DONE", { message: "So.", next_action: "DONE", ui_hint: { buttons: [] }, state_snapshot: {} }],
  ]);
});

test("a result of an earlier run has a beginning too; what begins anew does not repeat its text", () => {
  expect(told(BEGUN, PLAN, finished(A), answer("So.")).slice(0, 2)).toEqual([START, done({ success: true })]);
  const repair: RunEventBody = { type: "step_repair", node: "a", data: { round: 1, max_rounds: 2 } };
  const log = [BEGUN, PLAN, started(A), token("x"), repair, token("y"), finished(A), answer("So.")];
  expect(told(...log).slice(2, -1)).toEqual([
    START,
    ["LLM_TOKEN", "y"],
    ["LLM_DONE", { action: "DONE", message: "y" }],
    done({ success: true }),
  ]);
});

test("a text that is long is not repeated whole", () => {
  const long = 'ab"\n'.repeat(20_000);
  const frames = told(BEGUN, started(A), token("short"), token(long), token("x"), finished(A), answer("So."));
  expect(frames.find(([name]) => name === "LLM_DONE")).toEqual([
    "LLM_DONE",
    { action: "DONE", message: "short", truncated: true },
  ]);
});

describe("an agent's progress", () => {
  test.each([
    [
      { task_progress: { index: 1, total: 3, slots: { target: "민수" } } },
      { index: 1, total: 3, slots: { target: "민수" } },
    ],
    [{ task_progress: { index: 2, total: 2 } }, { index: 2, total: 2, slots: {} }],
    [{ step: "solve" }, undefined],
    [{ task_progress: { index: 0, total: 3, slots: {} } }, undefined],
    [{ task_progress: "DONE" }, undefined],
    [["task_progress"], undefined],
    [null, undefined],
    ['"task_progress"', undefined],
    [{ task_progress: { index: 1, total: 3, slots: {} }, more: "x".repeat(70_000) }, undefined],
  ])("%#", (progress, expected) => {
    const frames = told(BEGUN, started(A), { progress }, finished(A), answer("So.")).slice(1, -2);
    expect(frames).toEqual(expected === undefined ? [] : [["TASK_PROGRESS", expected]]);
  });
});

describe("whatever becomes of a turn, DONE says so", () => {
  const nothing = { ui_hint: { buttons: [] }, state_snapshot: {} };
  test.each<[string, RunEventBody, object]>([
    [
      "a question",
      answer("Which?", { ui_hint: { buttons: ["a"] } }),
      { message: "Which?", next_action: "ASK", ui_hint: { buttons: ["a"] }, state_snapshot: {} },
    ],
    [
      "a pause",
      PAUSED,
      {
        message: "It waits.",
        next_action: "CONFIRM",
        ui_hint: { buttons: [] },
        state_snapshot: { stage: "WAITING_APPROVAL", approval: APPROVAL },
      },
    ],
    [
      "a failure",
      failure("upstream_timeout"),
      {
        message: "It failed.",
        next_action: "ASK",
        ...nothing,
        error: { code: "upstream_timeout", retryable: true },
      },
    ],
    [
      "a cancellation",
      CANCELLED,
      {
        message: "The run was cancelled.",
        next_action: "ASK",
        ...nothing,
        error: { code: "cancelled", retryable: false },
      },
    ],
    [
      "a need for review",
      PARKED,
      {
        message: "Look at it.",
        next_action: "ASK",
        ...nothing,
        error: { code: "outcome_unknown", retryable: false },
      },
    ],
  ])("%s", (_what, end, expected) => {
    const frames = told(BEGUN, started(A), token("x"), end);
    expect(frames.slice(-2)).toEqual([done({ success: false }), ["DONE", expected]]);
  });
});

test("a pause that the run has left since is told by nobody but a reader of the turn that it ended", () => {
  const encoder = turnDialect.open(STREAM);
  const log = logOf(BEGUN, PLAN, started(A), finished(A), PAUSED, answer("So."));
  const text = log.map((event, index) => encoder.frame(event, index === log.length - 1)).join("");
  expect(read(text).filter(({ event }) => event === "DONE")).toHaveLength(1);
  expect(read(text).at(-1)?.data).toMatchObject({ message: "So." });
});

/** Logs as runs write them: agents begin, speak, fail, are asked anew, and the run comes to rest somehow. */
const LOGS = fc
  .record({
    planned: fc.boolean(),
    body: fc.array(
      fc.oneof(
        fc.constantFrom(started(A), started(B), failed(B), finished(A), finished(B, { stage: "S" })),
        fc.string({ unit: "grapheme" }).map((text) => token(text)),
        fc.string({ unit: "binary" }).map((text) => token(text, "b")),
        fc.jsonValue().map((progress) => ({ progress })),
        fc.constant({ progress: { task_progress: { index: 1, total: 2, slots: {} } } }),
        fc.constant<RunEventBody>({ type: "step_repair", node: "a", data: { round: 1, max_rounds: 1 } }),
        fc.constant<RunEventBody>({ type: "warning", data: { code: "slow", message: "Slow." } }),
      ),
      { maxLength: 12 },
    ),
    end: fc.oneof(
      fc.constantFrom(PAUSED, PARKED, CANCELLED, failure("interrupted"), answer("So.")),
      fc
        .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
        .map((state) => answer("So.", dialogue("ASK", state))),
    ),
    more: fc.constantFrom([], [answer("Later.")]),
  })
  .map(({ planned, body, end, more }) =>
    logOf(BEGUN, ...(planned ? [PLAN] : []), ...body, end, ...(end === PAUSED ? more : [])),
  );

/** The contract's own examples of events, each in a log of its own that ends. */
const folder = new URL("../../../../contracts/gateway/v1/examples/run-event/valid/", import.meta.url);
const EXAMPLES = readdirSync(folder).map((file) => {
  const event = decodeEvent(readFileSync(new URL(file, folder), "utf8"));
  return isRest(event) ? logOf(BEGUN, event) : logOf(BEGUN, started(A), event, answer("So."));
});

describe("every turn", () => {
  const each = (check: (log: StoredEvent[]) => void) => {
    for (const log of EXAMPLES) check(log);
    fc.assert(fc.property(LOGS, check));
  };

  test("keeps the contract, and has DONE once, last, with an id that says so", () => {
    each((log) => {
      const frames = read(streamOf(log).join(""));
      expect(frames.filter(({ event }) => event === "DONE")).toHaveLength(1);
      const last = frames.at(-1);
      expect(last?.event).toBe("DONE");
      const ends = frames.filter(({ id = "" }) => readTurnCursor(id)?.done);
      expect(ends).toEqual([last]);
    });
  });

  test("ends the work of each agent that began", () => {
    each((log) => {
      const working = new Set<string>();
      for (const { event, data } of read(streamOf(log).join(""))) {
        if (event === "AGENT_START") working.add(data.agent);
        if (event === "AGENT_DONE") working.delete(data.agent);
      }
      expect([...working]).toEqual([]);
    });
  });

  test("goes on behind any id with exactly the frames that followed it, from the log alone", () => {
    each((log) => {
      const texts = streamOf(log);
      const blocks = blocksOf(texts.join(""));
      for (const [index, block] of blocks.entries()) {
        const id = /^id: (.*)$/m.exec(block)?.[1];
        if (id === undefined) continue;
        const { seq = 0 } = readTurnCursor(id) ?? {};
        const resumed = streamOf(log).slice(seq).join("");
        expect(resumed).toBe(blocks.slice(index + 1).join(""));
      }
    });
  });
});
