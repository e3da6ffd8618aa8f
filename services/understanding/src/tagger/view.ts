import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { EntityIndex } from "../catalogue/entity-index.ts";
import type { Slots } from "../catalogue/reading.ts";
import { TYPES, type Unit } from "../mentions/mention.ts";
import type { Units } from "../mentions/units.ts";
import { MEANS } from "../text/generic-words.ts";
import { hashOf } from "../text/hash.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";

/** A message as the features look at it: its units with what is computed of them once. */
export type View = {
  units: readonly Unit[];
  slots: readonly SlotDeclaration[];
  before: Slots;
  index: EntityIndex;
  korean: boolean;
  /** What stands for a unit in a window: its word, or its type where the word is one of the domain. */
  words: Int32Array;
  /** The clause of each unit: its first and last unit. */
  from: Int32Array;
  to: Int32Array;
  candidates: readonly (readonly Candidate[])[];
  /** Units with a mention. */
  mentions: readonly number[];
};

const CLAUSE_END = /^[.,;:?!…]$|^(?:but)$/;

export function viewOf(
  { units, korean }: Units,
  slots: readonly SlotDeclaration[],
  before: Slots,
  index: EntityIndex,
): View {
  const count = units.length;
  const words = new Int32Array(count);
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const mentions: number[] = [];
  let first = 0;
  for (const [at, unit] of units.entries()) {
    words[at] = hashOf(standIn(unit));
    if (unit.mention) mentions.push(at);
    from[at] = first;
    if (CLAUSE_END.test(unit.word) || at === count - 1) {
      for (let i = first; i <= at; i++) to[i] = at;
      first = at + 1;
    }
  }
  const candidates = units.map((unit) => candidatesOf(unit, slots));
  return { units, slots, before, index, korean, words, from, to, candidates, mentions };
}

/** Domains differ in their nouns and values, and what is learnt must hold for all. */
function standIn({ type, word, means }: Unit): string {
  if (type === TYPES.word || type === TYPES.mark) return word;
  if (type === TYPES.cue) return `<cue${means & (MEANS.up | MEANS.down)}>`;
  return STAND_INS[type] ?? "<?>";
}

const STAND_INS: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(TYPES).map(([name, type]) => [type, `<${name}>`]),
);
