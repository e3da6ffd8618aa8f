import {
  askingWords,
  differencesOf,
  isLimits,
  MEANS,
  type SlotReading,
  type Slots,
  type TaggedReading,
} from "../language/index.ts";
import { clausesIn } from "./clauses.ts";
import { READING } from "./gate/confirm.ts";
import { EFFECT } from "./gate/offer.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Talk } from "./talk.ts";
import { languageOf } from "./wording.ts";
import type { WorkingSet } from "./working-set.ts";

/** What is known of how a message was read. */
export type Read = {
  readonly message: string;
  /** What each reader makes of it, and what came of it. */
  readonly rules: SlotReading;
  readonly learnt: TaggedReading;
  readonly reading: SlotReading;
  readonly found: Interpretation;
  readonly followUp: boolean;
  readonly isUnsure: boolean;
  readonly working: WorkingSet;
};

/** Nothing could be applied that is not meant. */
export const HARMLESS = "nothing to apply";

const SURE = [0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995];
const LENGTHS = [4, 7, 10, 14, 19, 26, 40];

/**
 * Signs by which a learnt model tells whether a reading may be acted on without a question. They name no word and no slot: what is learnt
 * of one domain holds for the others.
 */
export function signsOf(
  { message, rules, learnt, reading, found, followUp, isUnsure, working }: Read,
  talk: Talk,
): string[] {
  const signs: string[] = [];
  const sign = (name: string, holds: boolean): void => {
    if (holds) signs.push(name);
  };
  /** One sign for each step that a number has reached. */
  const steps = (name: string, value: number, at: readonly number[]): void => {
    for (const step of at) sign(`${name} ${step}`, value >= step);
  };
  const { ground, confidence, bounds, slotConfidence } = learnt;
  for (const least of SURE) {
    sign(`mention < ${least}`, ground.leastMention < least);
    sign(`word < ${least}`, ground.leastWord < least);
    sign(`all < ${least}`, confidence < least);
  }
  steps("words", ground.words, LENGTHS);
  steps("mentions", ground.mentions, [1, 2, 3, 4, 5, 7]);
  steps("unread", ground.unread, [1, 2, 3, 4, 6]);
  steps("unread share", ground.unread / Math.max(1, ground.words), [0.1, 0.2, 0.35, 0.5]);
  steps("unknown", ground.unknown, [1, 2]);
  const asking = askingWords(reading.rest);
  const strange = asking.filter((word) => !talk.knows(word));
  steps("strange", strange.length, [1, 2, 3, 4, 6]);
  steps("strange share", strange.length / Math.max(1, asking.length), [0.3, 0.5, 0.7, 0.9]);
  sign("asks in no known word", asking.length > 0 && strange.length === asking.length);
  const odds = Object.entries(talk.classify(message).probabilities).filter(([one]) => !talk.isGeneral(one));
  const most = Math.max(0, ...odds.map(([, one]) => one));
  for (const least of [0.3, 0.5, 0.7, 0.9]) sign(`heard < ${least}`, most < least);
  steps("clauses", clausesIn(message).length, [2, 3, 4]);
  for (const [name, bit] of Object.entries(MEANS)) sign(`means ${name}`, (ground.means & bit) !== 0);
  sign("korean", languageOf(message) === "ko");
  sign("question", /[?？]/.test(message));
  for (const { isPlain, isVague, isLoose, crosses, isTold, fits } of bounds) {
    sign("limit without a unit", isPlain);
    sign("limit of something unknown", isVague);
    sign("limit that may be none", isLoose);
    sign("condition", crosses);
    sign("limit without a noun", !isTold);
    sign("limit of several slots", fits.length > 1);
  }
  steps("limits", bounds.length, [1, 2, 3]);

  const { slots, cleared } = reading;
  const said = Object.keys(slots);
  const kinds = (name: string): string =>
    talk.flow.slots?.slots.find((slot) => slot.name === name)?.kind ?? "";
  const selecting = [...talk.narrowing];
  const compared = differencesOf(rules.slots, learnt.reading.slots, selecting);
  for (const { slot, first: one, second: other } of compared) {
    const kind = kinds(slot);
    if (one !== undefined && other !== undefined) sign(`differ ${kind}`, true);
    else sign(`${one === undefined ? "learnt" : "rules"} alone ${kind}`, true);
  }
  steps("differences", compared.length, [1, 2, 3]);
  const agreed = said.filter((slot) => differencesOf(rules.slots, learnt.reading.slots, [slot]).length === 0);
  steps("agreed", agreed.length, [1, 2, 3, 4]);
  steps("said", said.length, [1, 2, 3, 4, 5]);
  for (const slot of said) {
    sign(`says ${kinds(slot)}`, true);
    sign("says less surely", (slotConfidence[slot] ?? 1) < 0.8);
  }
  const parts = (all: Slots): boolean => Object.values(all).some(isLimits);
  sign("limits of parts", parts(slots));
  sign("cleared", cleared.length > 0);
  sign("cleared by one", rules.cleared.length > 0 !== learnt.reading.cleared.length > 0);
  const edits = Object.values(reading.edits ?? {});
  sign(
    "adds",
    edits.some(({ adds }) => adds.length > 0),
  );
  sign(
    "drops",
    edits.some(({ drops }) => drops.length > 0),
  );
  steps("named", found.unsupported.length, [1, 2, 3]);
  // Agents that get the message read its times themselves.
  const figures = learnt.spans.filter(
    ({ figure, time }) => figure !== undefined && !(talk.handsOver && time),
  );
  steps("figures", figures.length, [1, 2, 3]);
  const numeric = [...said].filter((slot) => typeof slots[slot] === "number" || isLimits(slots[slot] ?? ""));
  steps("figures without a slot", figures.length - numeric.length, [1, 2]);

  const [before, after] = [working.slots, found.slots];
  const carried = Object.keys(after).filter((slot) => slots[slot] === undefined);
  const isFirst = working.done.length === 0;
  sign("first", isFirst);
  steps("turns", working.done.length, [2, 3, 5]);
  if (!isFirst) {
    sign("goes on", followUp);
    sign("asks anew", !followUp);
    steps("carried", carried.length, [1, 2, 3]);
    sign(
      "carries names",
      carried.some((slot) => talk.narrowing.has(slot)),
    );
    sign(
      "carries limits",
      carried.some((slot) => !talk.narrowing.has(slot)),
    );
    const names = said.filter((slot) => talk.narrowing.has(slot));
    sign("carries names beside others", names.length > 0 && carried.some((slot) => talk.narrowing.has(slot)));
    sign(
      "replaces",
      said.some((slot) => before[slot] !== undefined),
    );
    sign(
      "replaces names",
      names.some((slot) => before[slot] !== undefined),
    );
    sign(
      "lifts",
      Object.keys(before).some((slot) => after[slot] === undefined),
    );
    sign("says nothing", said.length + cleared.length === 0);
    sign(
      "carries a what-if",
      carried.some((slot) => talk.moves.has(slot)),
    );
    sign(
      "was a what-if",
      Object.keys(working.done.at(-1)?.slots ?? {}).some((slot) => talk.moves.has(slot)),
    );
  }
  sign("question open", working.question !== undefined && working.question.key !== EFFECT);
  sign("refused", working.question?.key === READING);
  for (const least of [0.5, 0.7, 0.85, 0.95]) sign(`wanted < ${least}`, found.confidence < least);
  sign(`by ${found.source}`, true);
  sign("unsure", isUnsure);
  steps("goals", found.goals.length, [2, 3]);
  sign(
    "of a proposal",
    found.goals.some((goal) => talk.afterProposal.has(goal)),
  );
  sign(
    "a check",
    found.goals.some((goal) => talk.checks.has(goal)),
  );
  sign(
    "an effect",
    found.goals.some((goal) => talk.effects.has(goal)),
  );
  sign("about something", found.about !== undefined);
  return [...new Set(signs)];
}
