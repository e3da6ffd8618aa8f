import { expect, test } from "@jest/globals";
import type { RunFact } from "../ledger.ts";
import { checkLog, checkSeen, checkTurns } from "./log.ts";
import type { LogEntry, StoredRun } from "./store.ts";

const RUN = "r1";

function line(seq: number, type: string, more: object = {}): string {
  return JSON.stringify({ run_id: RUN, seq, type, data: {}, ...more });
}

const LINES = [
  line(1, "run_started"),
  line(2, "step_started", { node: "prepare" }),
  line(3, "step_finished", { node: "prepare" }),
  line(4, "run_finished"),
];

/** A finished run: its log two events an entry. */
function stored(lines = LINES, record: Record<string, string> = {}): StoredRun {
  const log: LogEntry[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const entry = lines.slice(at, at + 2);
    log.push({ lastSeq: at + entry.length, lines: entry });
  }
  const terminal = lines.at(-1) ?? "";
  const turns = [
    JSON.stringify({ role: "user", run_id: RUN }),
    JSON.stringify({ role: "assistant", run_id: RUN, status: "ok" }),
  ];
  return {
    record: { state: "finished", seq: String(lines.length), terminal, ...record },
    log,
    turns,
    summarised: false,
    active: "",
    waiting: 0,
  };
}

const kinds = (run: StoredRun) => [...new Set(checkLog({ id: RUN }, run).map(({ kind }) => kind))];

function fact(seen: [number, string][]): RunFact {
  const caller = { user: "u", tenant: "t", roles: [] };
  return { id: RUN, caller, scenario: "test", seen: { run: new Map(seen), chat: new Map() } };
}

test("a run as it should be has nothing to be found", () => {
  expect(checkLog({ id: RUN }, stored())).toEqual([]);
  expect(checkTurns({ id: RUN }, stored())).toEqual([]);
});

test("a missing, repeated or foreign event is found", () => {
  expect(kinds(stored(LINES.toSpliced(1, 1)))).toContain("seq not dense");
  expect(kinds(stored(LINES.toSpliced(1, 0, line(2, "progress"))))).toContain("seq not dense");
  const foreign = line(2, "progress", { run_id: "other" });
  expect(kinds(stored(LINES.with(1, foreign)))).toEqual(["foreign event"]);
});

test("a second end, and anything after an end, is found", () => {
  expect(kinds(stored([...LINES, line(5, "run_cancelled")]))).toContain("several terminal events");
  expect(kinds(stored([...LINES, line(5, "step_finished", { node: "left" })]))).toContain(
    "event after the terminal one",
  );
});

test("a step that was done twice, and an approval that was decided twice, are found", () => {
  const twice = [
    ...LINES.slice(0, 3),
    line(4, "step_finished", { node: "prepare" }),
    line(5, "run_finished"),
  ];
  expect(kinds(stored(twice))).toEqual(["step done twice"]);
  const decided = [1, 2].map((seq) => line(seq, "approval_decided", { node: "release" }));
  expect(kinds(stored([...decided, line(3, "run_finished")]))).toEqual(["decided twice"]);
});

test("a record that tells something else than the log is found", () => {
  expect(kinds(stored(LINES, { state: "cancelled" }))).toEqual(["state and log differ"]);
  expect(kinds(stored(LINES, { state: "running" }))).toEqual(["state and log differ"]);
  expect(kinds(stored(LINES, { seq: "9" }))).toEqual(["state and log differ"]);
  expect(kinds(stored(LINES, { terminal: line(4, "run_failed") }))).toEqual([
    "terminal differs from the log",
  ]);
});

test("what a reader saw is looked for byte by byte", () => {
  expect(checkSeen(fact([[3, LINES[2] ?? ""]]), stored())).toEqual([]);
  expect(checkSeen(fact([[3, `${LINES[2]} `]]), stored())).toHaveLength(1);
  expect(checkSeen(fact([[5, line(5, "progress")]]), stored())).toHaveLength(1);
});

test("a session that forgot the answer, or has it twice, is found", () => {
  const run = stored();
  expect(checkTurns({ id: RUN }, { ...run, turns: run.turns.slice(0, 1) })).toHaveLength(1);
  expect(checkTurns({ id: RUN }, { ...run, turns: [...run.turns, run.turns[1] ?? ""] })).toHaveLength(1);
});

test("a summary may stand for the turns of a run, and not for one that comes twice", () => {
  const run = { ...stored(), summarised: true };
  expect(checkTurns({ id: RUN }, { ...run, turns: [] })).toEqual([]);
  expect(checkTurns({ id: RUN }, { ...run, turns: [...run.turns, run.turns[1] ?? ""] })).toHaveLength(1);
});

test("a session that is not free after its run is found", () => {
  expect(checkTurns({ id: RUN }, { ...stored(), active: RUN })).toMatchObject([{ kind: "session not free" }]);
  expect(checkTurns({ id: RUN }, { ...stored(), waiting: 1 })).toMatchObject([{ kind: "session not free" }]);
  expect(checkTurns({ id: RUN }, { ...stored(), active: "the next one", waiting: 1 })).toEqual([]);
});
