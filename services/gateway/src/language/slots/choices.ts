import { cueOf, nounOf, readChoice } from "./choice-cues.ts";
import type { SlotDeclaration } from "./declarations.ts";
import { type Draft, setSlot } from "./draft.ts";
import { readFlag, readOpposite } from "./flags.ts";
import { MEANS } from "./generic-words.ts";
import { isHard, isOppositeOfFlag, means, type Piece, senseOf } from "./pieces.ts";

/** How far a negation may be from the phrase that it denies. */
const REACH = 4;

/** Sets the slots that are choices, flags, counts, and whole phrases. */
export function readChoices(draft: Draft): void {
  const { pieces } = draft;
  // Slots that a cue of this sentence leads to.
  const led = new Set<SlotDeclaration>();
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece) continue;
    if (led.size > 0 && isHard(piece)) led.clear();
    if (piece.senses.length === 0) continue;
    readPhrase(draft, piece, at);
    for (const sense of piece.senses) {
      if (sense.is === "value" && sense.slot.kind === "choice") readChoice(draft, at, sense, led);
      if (sense.is === "cue" && sense.slot.kind === "flag") readFlag(draft, at, sense.slot);
      if (sense.is === "value" && isOppositeOfFlag(sense)) readOpposite(draft, at, sense.slot);
    }
    for (const sense of piece.senses) if (sense.is === "cue") led.add(sense.slot);
  }
  for (const slot of draft.slots) if (slot.kind === "count") readCount(draft, slot);
}

/** A phrase that stands for an amount, such as "below cost" behind a negation. */
function readPhrase(draft: Draft, piece: Piece, at: number): void {
  const sense = senseOf(piece, "amount");
  // "10 % above cost" is no bound at cost.
  if (!sense || piece.used || draft.pieces[at - 1]?.amount) return;
  piece.used = true;
  for (let i = at - 1; i >= 0 && !isHard(draft.pieces[i]) && at - i <= REACH; i--) {
    const part = draft.pieces[i];
    if (part && means(part, MEANS.not | MEANS.must | MEANS.keep | MEANS.clear)) part.used = true;
  }
  setSlot(draft, sense.slot, sense.amount, at);
}

/** "top 3", "the 5 biggest items", "three items with the most upside"; in the singular 1. */
function readCount(draft: Draft, slot: SlotDeclaration): void {
  const { pieces } = draft;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece) continue;
    const isCue = cueOf(piece, slot);
    // "top 3 in one region and top 5 in another" says two.
    if (!isCue && (draft.values.has(slot.name) || !means(piece, MEANS.superlative))) continue;
    const number = numberNear(pieces, at);
    // 기회가 가장 큰 세 가지: in Korean the noun is before.
    const near = pieces.slice(piece.token.hangul ? Math.max(0, at - 2) : at + 1, at + 5);
    const about = near.some((part) => nounOf(part, slot)) || isOfEntities(pieces, at);
    const count = number?.amount?.value;
    if (count !== undefined && Number.isInteger(count) && count > 0 && count < 10_000 && (isCue || about)) {
      if (number) number.used = true;
      piece.used = true;
      for (const part of pieces.slice(at + 1, at + 5)) if (nounOf(part, slot)) part.used = true;
      setSlot(draft, slot, count, at);
    } else if (
      count === undefined &&
      pieces.slice(at + 1, at + 4).some((part) => nounOf(part, slot)) &&
      isOfOne(pieces, at)
    ) {
      piece.used = true;
      setSlot(draft, slot, 1, at);
      return;
    }
  }
}

/** The plain number nearest to a piece, and of two the one before it. */
function numberNear(pieces: readonly Piece[], at: number): Piece | undefined {
  const isNumber = (piece: Piece | undefined): boolean => piece?.amount?.unit === "none" && !piece.used;
  for (let far = 0; far <= 5; far++) {
    if (isNumber(pieces[at - far])) return pieces[at - far];
    if (isNumber(pieces[at + far])) return pieces[at + far];
  }
  return undefined;
}

const isOfEntities = (pieces: readonly Piece[], at: number): boolean =>
  pieces.slice(at + 1, at + 4).some((part) => senseOf(part, "noun")?.slot.kind === "entity");

/** "the item with the most upside": one, where the noun is in the singular. */
function isOfOne(pieces: readonly Piece[], at: number): boolean {
  return pieces
    .slice(Math.max(0, at - 6), at + 6)
    .some((part) => senseOf(part, "noun")?.slot.kind === "entity" && !part.token.norm.endsWith("s"));
}
