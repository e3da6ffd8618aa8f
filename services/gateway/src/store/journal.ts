import type { StepDecision, StepResult } from "./records.ts";

/** What a run has done so far: results and decisions by step, and effects that were begun without a known outcome. */
export type Journal = {
  results: Record<string, StepResult>;
  decisions: Record<string, StepDecision>;
  begun: Set<string>;
};

const DECISION = "approval.";
const BEGUN = "begun.";

/** The records have no prototype: a step may be called `constructor`. */
export function emptyJournal(): Journal {
  return { results: Object.create(null), decisions: Object.create(null), begun: new Set() };
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
      journal.decisions[field.slice(DECISION.length)] = JSON.parse(value) as StepDecision;
    else if (field.startsWith(BEGUN)) journal.begun.add(field.slice(BEGUN.length));
    else journal.results[field] = JSON.parse(value) as StepResult;
  }
  return journal;
}
