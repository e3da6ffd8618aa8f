import type { SlotDeclaration } from "./declarations.ts";
import { type Draft, setSlot } from "./draft.ts";
import { MEANS } from "./generic-words.ts";
import { isHard, means, type Piece, senseOf } from "./pieces.ts";

/** How far a cue may be from the value that it leads to. */
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
    }
    for (const sense of piece.senses) if (sense.is === "cue") led.add(sense.slot);
  }
  for (const slot of draft.slots) if (slot.kind === "count") readCount(draft, slot);
}

const cueOf = (piece: Piece | undefined, slot: SlotDeclaration): boolean =>
  piece !== undefined &&
  piece.senses.length > 0 &&
  piece.senses.some((sense) => sense.is === "cue" && sense.slot === slot);
const nounOf = (piece: Piece | undefined, slot: SlotDeclaration): boolean =>
  piece !== undefined &&
  piece.senses.length > 0 &&
  piece.senses.some((sense) => sense.is === "noun" && sense.slot === slot);

/** A phrase that stands for an amount, such as "below cost" behind a negation. */
function readPhrase(draft: Draft, piece: Piece, at: number): void {
  const sense = senseOf(piece, "amount");
  if (!sense || piece.used) return;
  piece.used = true;
  for (let i = at - 1; i >= 0 && !isHard(draft.pieces[i]) && at - i <= REACH; i--) {
    const part = draft.pieces[i];
    if (part && means(part, MEANS.not | MEANS.must | MEANS.keep | MEANS.clear)) part.used = true;
  }
  setSlot(draft, sense.slot, sense.amount, at);
}

/** A choice needs a cue: "maximise revenue", "revenue instead of profit", "the objective is revenue". */
function readChoice(
  draft: Draft,
  at: number,
  { slot, value }: { slot: SlotDeclaration; value: string },
  led: ReadonlySet<SlotDeclaration>,
): void {
  const { pieces } = draft;
  const piece = pieces[at];
  if (!piece || piece.used || piece.amount) return;
  if (isRejected(pieces, at)) {
    piece.used = true;
    return;
  }
  const after = pieces[at + 1];
  const cue =
    cueBefore(pieces, at, slot) ??
    (cueOf(after, slot) || nounOf(after, slot) ? after : undefined) ??
    cueAfterFiller(pieces, at, slot);
  // "optimise everything except the valve for profit": the cue may be far from "for".
  const isForAll = pieces[at - 1]?.token.norm === "for" && led.has(slot);
  const most = isMost(pieces, at) || isForAll || isBeforeNot(pieces, at);
  const contrasted = means(after, MEANS.instead) && after?.token.norm !== "not" && !means(after, MEANS.above);
  if (!cue && !most && !contrasted && !insteadAtEnd(pieces, at)) return;
  piece.used = true;
  if (cue) cue.used = true;
  setSlot(draft, slot, value, at);
}

/** "the highest revenue", and not "the item with the highest revenue". */
function isMost(pieces: readonly Piece[], at: number): boolean {
  if (!means(pieces[at - 1], MEANS.superlative) || senseOf(pieces[at + 1], "noun")) return false;
  return !pieces
    .slice(Math.max(0, at - 6), at)
    .some((piece) => senseOf(piece, "noun")?.slot.kind === "entity");
}

/** "revenue, not profit". */
const isBeforeNot = (pieces: readonly Piece[], at: number): boolean => {
  const not = pieces[at + 1]?.token.norm === "," ? at + 2 : at + 1;
  return pieces[not]?.token.norm === "not" && senseOf(pieces[not + 1], "value")?.slot.kind === "choice";
};

const isRejected = (pieces: readonly Piece[], at: number): boolean => {
  let before = at - 1;
  while (/^(?:the|of|for|on)$/.test(pieces[before]?.token.norm ?? "")) before--;
  const piece = pieces[before];
  if (means(pieces[at + 1], MEANS.instead) && pieces[at + 1]?.token.hangul) return true;
  return (
    means(piece, MEANS.instead) &&
    !piece?.token.hangul &&
    (piece?.token.norm !== "over" || pieces[before - 1]?.senses.length !== 0)
  );
};

function cueBefore(pieces: readonly Piece[], at: number, slot: SlotDeclaration): Piece | undefined {
  for (let i = at - 1; i >= at - REACH && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    if (!piece) return undefined;
    if (cueOf(piece, slot) || nounOf(piece, slot)) return piece;
    const isBridge = means(
      piece,
      MEANS.filler | MEANS.preposition | MEANS.superlative | MEANS.joins | MEANS.only | MEANS.all,
    );
    // "optimise prices for revenue": a noun may stand between where a preposition follows it.
    const isObject = senseOf(piece, "noun") !== undefined && means(pieces[i + 1], MEANS.preposition);
    if (!isBridge && !isObject && !piece.entity && !piece.value && senseOf(piece, "value") === undefined)
      return undefined;
  }
  return undefined;
}

function cueAfterFiller(pieces: readonly Piece[], at: number, slot: SlotDeclaration): Piece | undefined {
  for (let i = at + 1; i <= at + 2 && !isHard(pieces[i]); i++) {
    if (cueOf(pieces[i], slot) && (pieces[i]?.token.hangul || i === at + 1)) return pieces[i];
    if (!means(pieces[i], MEANS.filler)) return undefined;
  }
  return undefined;
}

const insteadAtEnd = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at + 1]?.token.norm === "instead" || (means(pieces[at - 1], MEANS.only) && isHard(pieces[at + 1]));

/** A flag needs its cue beside "only" or a noun that it describes, so that a question about it does not set it. */
function readFlag(draft: Draft, at: number, slot: SlotDeclaration): void {
  const { pieces } = draft;
  const cue = pieces[at];
  if (!cue) return;
  let before = at - 1;
  while (
    before >= 0 &&
    !isHard(pieces[before]) &&
    !means(pieces[before], MEANS.only | MEANS.preposition) &&
    at - before < 7 &&
    (means(pieces[before], MEANS.filler | MEANS.not | MEANS.question) || senseOf(pieces[before], "noun"))
  )
    before--;
  const lead = pieces[before];
  const after = pieces[at + 1];
  const described = pieces.slice(before + 1, at + 2);
  const isOnly =
    means(lead, MEANS.only) ||
    means(after, MEANS.only) ||
    (senseOf(after, "noun") && means(pieces[at + 2], MEANS.only)) ||
    // "the prices that break a rule only if costs rise": "only if" is a phrase of its own.
    (after?.token.norm === "only" && described.some((piece) => senseOf(piece, "noun")));
  const isSelection =
    endsWithPreposition(draft, lead) &&
    described.some(
      (piece) =>
        senseOf(piece, "noun")?.slot.kind === "entity" ||
        /^(?:those|ones|what|whatever|that)$/.test(piece.token.norm),
    );
  if (!isOnly && !isSelection && !means(cue, MEANS.only)) return;
  for (const part of pieces.slice(Math.max(0, before - 4), before))
    if (means(part, MEANS.only)) part.used = true;
  for (const part of [cue, lead, after, pieces[at + 2]])
    if (part && (part === cue || means(part, MEANS.only))) part.used = true;
  setSlot(draft, slot, true, at);
}

/** Whether a piece is a preposition or a phrase that ends with one: "best prices for". */
const endsWithPreposition = ({ text, lexicon }: Draft, piece: Piece | undefined): boolean => {
  if (!piece || means(piece, MEANS.preposition)) return piece !== undefined;
  const [last = ""] = /\p{L}+$/u.exec(text.slice(piece.start, piece.end)) ?? [];
  return (lexicon.meansOf(last.toLowerCase()) & MEANS.preposition) !== 0;
};

/** "top 3", "the 5 biggest items", "three items with the most upside"; in the singular 1. */
function readCount(draft: Draft, slot: SlotDeclaration): void {
  const { pieces } = draft;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece) continue;
    const isCue = cueOf(piece, slot);
    if (!isCue && !means(piece, MEANS.superlative)) continue;
    const number = numberNear(pieces, at);
    const about = pieces.slice(at + 1, at + 5).some((part) => nounOf(part, slot)) || isOfEntities(pieces, at);
    const count = number?.amount?.value;
    if (count !== undefined && Number.isInteger(count) && count > 0 && count < 10_000 && (isCue || about)) {
      if (number) number.used = true;
      piece.used = true;
      setSlot(draft, slot, count, at);
      return;
    }
    if (
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
    if (far < 5 && isNumber(pieces[at + far])) return pieces[at + far];
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
