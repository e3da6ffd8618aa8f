import { asksNothing, type SlotReading } from "../language/index.ts";

/** Between the clauses of a message. A comma within a number has no space behind it. */
const BETWEEN_CLAUSES =
  /(?:(?:(?<=[.!?;。])|[,;:]|\s[-\u2013\u2014]+)\s+)(?:(?:and|but|then|also|plus|그리고)\s+)*|(?:\s+(?:and|but|then|also|plus|그리고))+\s+/u;

const EACH_BETWEEN = new RegExp(BETWEEN_CLAUSES, "gu");

export const clausesIn = (message: string): readonly string[] => message.split(BETWEEN_CLAUSES);

/** Clauses that are heard one by one, so that a long text takes no longer than it has to. */
export const MOST_CLAUSES = 12;

/** A clause, and what stands between it and the one before. */
export type Clause = { between: string; text: string };

/** "Check the rules, with a margin of 25 %": the constraint is one of what is asked for before it. */
const BELONGS = /^(?:with|under|within|given|assuming)\b/i;

/**
 * The clauses that ask for something of their own, beside others that only change a constraint: "why?" of "now at most 2 %, and why?".
 * @returns undefined where the message has not both
 */
export function askedBeside(
  message: string,
  read: (clause: string) => SlotReading,
  changes: (reading: SlotReading) => boolean,
): string | undefined {
  const asked: string[] = [];
  let changed = false;
  for (const clause of message.split(BETWEEN_CLAUSES)) {
    const reading = read(clause);
    if (!asksNothing(reading.rest)) asked.push(clause);
    else if (changes(reading) && !(asked.length > 0 && BELONGS.test(clause))) changed = true;
  }
  return changed && asked.length > 0 ? asked.join(", ") : undefined;
}

/** The clauses of a message with what stands between them, so that it can be put together again. */
export function piecesOf(message: string): Clause[] {
  const clauses: Clause[] = [];
  let end = 0;
  let between = "";
  for (const { index, 0: mark } of message.matchAll(EACH_BETWEEN)) {
    clauses.push({ between, text: message.slice(end, index) });
    between = mark;
    end = index + mark.length;
  }
  clauses.push({ between, text: message.slice(end) });
  return clauses;
}

/** The last clause of a message, and what stands before it; undefined where there is only one. */
export function lastClause(message: string): { before: string; last: string } | undefined {
  const between = [...message.matchAll(EACH_BETWEEN)].at(-1);
  if (!between) return undefined;
  return { before: message.slice(0, between.index), last: message.slice(between.index + between[0].length) };
}
