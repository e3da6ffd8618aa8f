import { dropWord, gibberish, join, misspell, reword } from "./augment.ts";
import { framed, SIDE_REMARKS } from "./frames.ts";
import { pick, type Random, seeded } from "./random.ts";
import type { IntentSet } from "./sets.ts";
import type { Utterance } from "./utterances.ts";

export type Weighted = Utterance & { weight: number };

/** Shares of the sentences that get another version, and what a version counts for beside its sentence. */
export const SHARES = { misspelt: 1, dropped: 0.5, reworded: 0.3, joined: 0.1, gibberish: 0.02, weight: 0.5 };
/** Each sentence in so many frames, which count together about as much as another version does. */
const FRAMES = { each: 3, weight: 0.15 };

/** Longer messages are not joined: two of them in one are rare. */
const LONGEST_JOINED = 60;
const SHORT = 25;
/** Messages that say nothing. */
const NOTHING = ["", "?", "...", "!!!", "👍", "🙂🙂", "-", "1", "42", "x", "ㅋㅋ", "ㅎㅎㅎ"];

/** The sentences, and versions of them with slips, missing words, other manners and frames: the same ones in every run. */
export function augmented(set: IntentSet, utterances: readonly Utterance[]): Weighted[] {
  const random = seeded(77);
  const all: Weighted[] = utterances.map((utterance) => ({ ...utterance, weight: 1 }));
  const vary = (share: number, change: (random: Random, text: string) => string, weight = SHARES.weight) => {
    for (const utterance of utterances)
      if (random() < share) all.push({ ...utterance, text: change(random, utterance.text), weight });
  };
  vary(SHARES.misspelt, misspell);
  vary(SHARES.dropped, dropWord);
  vary(SHARES.reworded, reword);
  for (let i = 0; i < FRAMES.each; i++) vary(1, framed, FRAMES.weight);
  if (set.several !== undefined) all.push(...joined(random, utterances, set.several));
  const nonsense = Array.from({ length: Math.round(utterances.length * SHARES.gibberish) }, () =>
    gibberish(random),
  );
  for (const text of [...nonsense, ...NOTHING, ...SIDE_REMARKS])
    all.push({ text, label: set.nothing, goals: [], weight: 1 });
  return all;
}

/** Sentences with one goal each, said as one message: two, or up to four if they are short. */
function joined(random: Random, utterances: readonly Utterance[], label: string): Weighted[] {
  const single = utterances.filter(({ text, goals }) => goals.length === 1 && text.length <= LONGEST_JOINED);
  const short = single.filter(({ text }) => text.length <= SHORT);
  if (short.length === 0) return [];
  return Array.from({ length: Math.round(utterances.length * SHARES.joined) }, () => {
    const brief = random() < 0.5;
    const parts = Array.from({ length: brief ? 2 + Math.floor(random() * 3) : 2 }, () =>
      pick(random, brief ? short : single),
    );
    const goals = [...new Set(parts.flatMap((part) => part.goals))];
    const text = parts.map((part) => part.text).reduce((before, next) => join(random, before, next));
    return { text, label: goals.length > 1 ? label : (goals[0] ?? label), goals, weight: SHARES.weight };
  });
}
