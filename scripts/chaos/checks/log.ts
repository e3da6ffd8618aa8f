import type { RunFact } from "../ledger.ts";
import type { StoredRun } from "./store.ts";

/** A violation: its kind, which the report counts, and details. */
export type Finding = { readonly kind: string; readonly detail: string };

/** The fields of an event that checks read. */
export type Event = {
  readonly run_id?: unknown;
  readonly seq?: unknown;
  readonly type: string;
  readonly node?: string;
  readonly at?: string;
  readonly data: Readonly<Record<string, unknown>>;
};

const ENDS = new Map([
  ["run_finished", "finished"],
  ["run_failed", "failed"],
  ["run_cancelled", "cancelled"],
]);

export function eventsOf({ log }: StoredRun): Event[] {
  return log.flatMap(({ lines }) => lines.map((line) => JSON.parse(line) as Event));
}

/** Checks a run's log: seq is dense, one terminal event comes last, no step finished twice, and the run record agrees. */
export function checkLog(fact: Pick<RunFact, "id">, stored: StoredRun): Finding[] {
  const findings: Finding[] = [];
  const find = (kind: string, detail: string) => findings.push({ kind, detail });
  const { record, log } = stored;
  let seq = 0;
  for (const { lastSeq, lines } of log) {
    for (const line of lines) {
      const event = JSON.parse(line) as Event;
      seq++;
      if (event.seq !== seq) find("seq not dense", `${event.seq} in the place of ${seq}`);
      if (event.run_id !== fact.id) find("foreign event", `at ${seq}`);
    }
    if (lastSeq !== seq) find("seq not dense", `entry ${lastSeq} ends at ${seq}`);
  }
  const events = eventsOf(stored);
  const ends = events.filter(({ type }) => ENDS.has(type));
  const last = events.at(-1);
  const state = record.state ?? "";
  const over = [...ENDS.values()].includes(state);
  if (ends.length > 1) find("several terminal events", ends.map(({ type }) => type).join(" "));
  if (ends.length > 0 && last && !ENDS.has(last.type)) find("event after the terminal one", last.type);
  if (over !== ends.length > 0) find("state and log differ", `${state} with ${ends.length} terminal events`);
  if (over && last && ENDS.get(last.type) !== state) find("state and log differ", `${state}, ${last.type}`);
  if (over && record.terminal !== log.at(-1)?.lines.at(-1)) find("terminal differs from the log", state);
  if (Number(record.seq) !== seq) find("state and log differ", `seq ${record.seq}, log ends at ${seq}`);
  for (const [node, times] of counted(events, "step_finished")) {
    if (times > 1) find("step done twice", `${node} ${times} times`);
  }
  for (const [id, times] of counted(events, "approval_decided")) {
    if (times > 1) find("decided twice", `${id} ${times} times`);
  }
  return findings;
}

function counted(events: readonly Event[], type: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.type !== type) continue;
    const about = event.node ?? "";
    counts.set(about, (counts.get(about) ?? 0) + 1);
  }
  return counts;
}

/** Checks that every event that a reader received is in the log, byte for byte. */
export function checkSeen(fact: RunFact, stored: StoredRun): Finding[] {
  const lines = stored.log.flatMap((entry) => entry.lines);
  return [...fact.seen.run].flatMap(([seq, text]) =>
    lines[seq - 1] === text ? [] : [{ kind: "seen event not in the log", detail: `seq ${seq}` }],
  );
}

/**
 * Checks that the session has the run's user turn and one answer, unless a summary stands for them by now, and is free for the next run.
 */
export function checkTurns(fact: Pick<RunFact, "id">, stored: StoredRun): Finding[] {
  const turns = stored.turns
    .map((text) => JSON.parse(text) as { role: string; run_id: string; status?: string })
    .filter((turn) => turn.run_id === fact.id);
  const asked = turns.filter(({ role }) => role === "user").length;
  const ended = turns.filter(({ role, status }) => role === "assistant" && status !== "paused").length;
  const over = stored.record.terminal !== undefined;
  const findings: Finding[] = [];
  const isRight = (count: number, expected: number): boolean =>
    count === expected || (stored.summarised && count < expected);
  if (!isRight(asked, 1) || !isRight(ended, over ? 1 : 0))
    findings.push({ kind: "turns of the session", detail: `${asked} asked, ${ended} answered` });
  if (over && (stored.active === fact.id || (stored.active === "" && stored.waiting > 0)))
    findings.push({ kind: "session not free", detail: `${stored.waiting} wait` });
  return findings;
}
