import { JsonText, LARGE_TEXT } from "../json-text.ts";
import type { JournaledCall, JournaledRound, StepDecision, StepResult } from "./records.ts";
import { NO_USAGE, type UsageAmounts } from "./usage-store.ts";

/**
 * What a run has done so far: results and decisions by step, effects that were begun without a known outcome, whether it has warned
 * that it is slow, the run at another gateway that it mirrors, and what models used for it.
 */
export type Journal = {
  results: Record<string, StepResult>;
  decisions: Record<string, StepDecision>;
  begun: Set<string>;
  warned: boolean;
  remote?: string;
  /** Calls of tools that have ended, by `step.round.call`, and what a model said, by `step.round`. */
  calls: Record<string, JournaledCall>;
  rounds: Record<string, JournaledRound>;
  /** What models used for it. */
  used: UsageAmounts;
};

const DECISION = "approval.";
const BEGUN = "begun.";
const CALL = "call.";
const ROUND = "round.";
const ARTIFACT = "artifact.";

/** The entry of a run that has warned. No step is called like that: their names hold no dot. */
export const WARNED = { field: "run.warned", value: '{"warnings":[]}' } as const;

/** The entry with the id of the run at another gateway. */
export const REMOTE_RUN = "run.remote";
/** The entry of what a run's models used. It reads as a result without outputs, as that of a warning does. */
const USED = "run.used";

/** @returns field and value */
export function writeUsed(used: UsageAmounts): [string, string] {
  return [USED, JSON.stringify({ warnings: [], used })];
}

/** The records have no prototype: a step may be called `constructor`. */
export function emptyJournal(): Journal {
  return {
    results: Object.create(null),
    decisions: Object.create(null),
    begun: new Set(),
    calls: Object.create(null),
    rounds: Object.create(null),
    warned: false,
    used: NO_USAGE,
  };
}

export function decisionField(step: string): string {
  return DECISION + step;
}

export function begunField(step: string): string {
  return BEGUN + step;
}

/** @param key `step.round.call` */
export function callField(key: string): string {
  return CALL + key;
}

/** Of what a call has brought that is no text. @param id `step.round.call.artifact` */
export function artifactField(id: string): string {
  return ARTIFACT + id;
}

/** @param key `step.round` */
export function roundField(key: string): string {
  return ROUND + key;
}

/** @param fields the journal as the store holds it; written by us alone */
export function readJournal(fields: Readonly<Record<string, string>>): Journal {
  const journal = emptyJournal();
  for (const [field, value] of Object.entries(fields)) {
    if (field.startsWith(DECISION))
      journal.decisions[field.slice(DECISION.length)] = readEntry(value) as StepDecision;
    else if (field.startsWith(BEGUN)) journal.begun.add(field.slice(BEGUN.length));
    else if (field.startsWith(CALL)) journal.calls[field.slice(CALL.length)] = JSON.parse(value);
    else if (field.startsWith(ROUND)) journal.rounds[field.slice(ROUND.length)] = JSON.parse(value);
    // Read by itself, where somebody wants it.
    else if (field.startsWith(ARTIFACT)) continue;
    else if (field === WARNED.field) journal.warned = true;
    else if (field === REMOTE_RUN) journal.remote = value;
    else if (field === USED) journal.used = JSON.parse(value).used;
    else journal.results[field] = readEntry(value) as StepResult;
  }
  return journal;
}

/** The members of an entry that may be large, in the order in which they are written, last. */
const LARGE = ["outputs", "kept", "proposal"] as const;

/** How an entry begins that {@link readEntry} takes apart without parsing all of it. */
const SIZES = '{"sizes":';

/** A step's result as JSON, in pieces. A large one says how long its large members are, so that they stay text when it is read. */
export function writeResult(result: StepResult): string[] {
  return writeEntry(result);
}

/** Likewise what was decided about a step. */
export function writeDecision(decision: StepDecision): string[] {
  return writeEntry(decision);
}

function writeEntry(entry: object): string[] {
  const members = new Map<string, unknown>(Object.entries(entry));
  if (!LARGE.some((name) => members.get(name) instanceof JsonText)) return [JSON.stringify(entry)];
  const sizes: Record<string, number> = {};
  const large: string[] = [];
  for (const name of LARGE) {
    const value = members.get(name);
    members.delete(name);
    const text = value instanceof JsonText ? value.text : JSON.stringify(value);
    if (text === undefined) continue;
    sizes[name] = text.length;
    large.push(before(name), text);
  }
  return [JSON.stringify({ sizes, ...Object.fromEntries(members) }).slice(0, -1), ...large, "}"];
}

function readEntry(text: string): unknown {
  if (!text.startsWith(SIZES)) return JSON.parse(text);
  const sizes = JSON.parse(text.slice(SIZES.length, text.indexOf("}") + 1)) as Record<string, number>;
  const large: Record<string, unknown> = {};
  let end = text.length - 1;
  for (const name of LARGE.toReversed()) {
    const size = sizes[name];
    if (size === undefined) continue;
    const member = text.slice(end - size, end);
    large[name] = size > LARGE_TEXT ? new JsonText(member) : JSON.parse(member);
    end -= before(name).length + size;
  }
  const { sizes: _, ...rest } = JSON.parse(`${text.slice(0, end)}}`);
  return { ...rest, ...large };
}

function before(name: string): string {
  return `,"${name}":`;
}
