import { JsonText, LARGE_TEXT } from "../json-text.ts";
import type { StepDecision, StepResult } from "./records.ts";

/**
 * What a run has done so far: results and decisions by step, effects that were begun without a known outcome, whether it has warned
 * that it is slow, and the run at another gateway that it mirrors.
 */
export type Journal = {
  results: Record<string, StepResult>;
  decisions: Record<string, StepDecision>;
  begun: Set<string>;
  warned: boolean;
  remote?: string;
};

const DECISION = "approval.";
const BEGUN = "begun.";

/** The entry of a run that has warned. No step is called like that: their names hold no dot. */
export const WARNED = { field: "run.warned", value: '{"warnings":[]}' } as const;

/** The entry with the id of the run at another gateway. */
export const REMOTE_RUN = "run.remote";

/** The records have no prototype: a step may be called `constructor`. */
export function emptyJournal(): Journal {
  return { results: Object.create(null), decisions: Object.create(null), begun: new Set(), warned: false };
}

export function decisionField(step: string): string {
  return DECISION + step;
}

export function begunField(step: string): string {
  return BEGUN + step;
}

/** @param fields the journal as the store holds it; written by us alone */
export function readJournal(fields: Readonly<Record<string, string>>): Journal {
  const journal = emptyJournal();
  for (const [field, value] of Object.entries(fields)) {
    if (field.startsWith(DECISION))
      journal.decisions[field.slice(DECISION.length)] = readEntry(value) as StepDecision;
    else if (field.startsWith(BEGUN)) journal.begun.add(field.slice(BEGUN.length));
    else if (field === WARNED.field) journal.warned = true;
    else if (field === REMOTE_RUN) journal.remote = value;
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
