import { isAdded } from "./additions.ts";
import type { SlotDeclaration } from "./declarations.ts";
import { type Draft, setSlot } from "./draft.ts";
import { MEANS } from "./generic-words.ts";
import { isHard, means, type Piece, senseOf } from "./pieces.ts";

/** How far what limits a message to a flag may be before its cue. */
const REACH = 7;
/** What is done to items; between "only" and what it is done to. */
const TREATING = new Set(
  (
    "fix fixing repair correct adjust reprice price mend update handle treat optimise optimize want need see show list name deal care look " +
    "interested"
  ).split(" "),
);
const REPRICING = /^(?:reprice|repricing|price|fix|fixing|correct|adjust|optimise|optimize)$/;
const POINTING = /^(?:those|ones|one|what|whatever|that|everything|anything)$/;

/** A flag needs its cue beside "only" or a noun that it describes, so that a question about it does not set it. */
export function readFlag(draft: Draft, at: number, slot: SlotDeclaration): void {
  const { pieces } = draft;
  const cue = pieces[at];
  if (!cue) return;
  const before = leadOf(pieces, at);
  const lead = pieces[before];
  const after = pieces[at + 1];
  const described = pieces.slice(before + 1, at + 2);
  const isOnly =
    means(lead, MEANS.only) ||
    means(after, MEANS.only) ||
    ((senseOf(after, "noun") || (after?.token.hangul && means(after, MEANS.filler))) &&
      means(pieces[at + 2], MEANS.only)) ||
    // "the prices that break a rule only if costs rise": "only if" is a phrase of its own.
    (after?.token.norm === "only" && described.some((piece) => senseOf(piece, "noun"))) ||
    leavesRest(pieces, at);
  const isSelection =
    endsWithPreposition(draft, lead) &&
    described.some(
      (piece) => senseOf(piece, "noun")?.slot.kind === "entity" || POINTING.test(piece.token.norm),
    );
  // "reprice those that break a rule"
  const isObject =
    REPRICING.test(lead?.token.norm ?? "") && described.some((piece) => POINTING.test(piece.token.norm));
  if (!isOnly && !isSelection && !isObject && !means(cue, MEANS.only) && !isEitherWay(pieces, at)) return;
  for (const part of pieces.slice(Math.max(0, before - 4), before))
    if (means(part, MEANS.only)) part.used = true;
  for (const part of [cue, lead, after, pieces[at + 2]])
    if (part && (part === cue || means(part, MEANS.only))) part.used = true;
  if (isDenied(pieces, before, at)) clear(draft, slot, before, at);
  else setSlot(draft, slot, true, at);
}

/** The opposite of a flag: what is left out of it sets the flag, and what is added to it takes the flag back. */
export function readOpposite(draft: Draft, at: number, slot: SlotDeclaration): void {
  const { pieces } = draft;
  const piece = pieces[at];
  if (!piece) return;
  if (draft.excluded.has(piece)) setSlot(draft, slot, true, at);
  else if (isAdded(pieces, at, at)) clear(draft, slot, at, at);
  else return;
  piece.used = true;
}

function clear(draft: Draft, slot: SlotDeclaration, from: number, to: number): void {
  draft.cleared.add(slot.name);
  for (const piece of draft.pieces.slice(Math.max(0, from - 2), to + 3)) {
    if (means(piece, MEANS.not | MEANS.cap | MEANS.only | MEANS.except)) piece.used = true;
  }
}

/** The piece that a flag may depend on: what stands before its cue and the words that it describes. */
function leadOf(pieces: readonly Piece[], at: number): number {
  let before = at - 1;
  while (before >= 0 && at - before < REACH && !isHard(pieces[before]) && isDescribed(pieces, before))
    before--;
  // "only fix what breaks a rule"
  // "only care about the violators"
  const verb = means(pieces[before], MEANS.preposition) ? before - 1 : before;
  const isTreated = TREATING.has(pieces[verb]?.token.norm ?? "") && means(pieces[verb - 1], MEANS.only);
  return isTreated ? verb - 1 : before;
}

function isDescribed(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  if (means(piece, MEANS.only | MEANS.preposition)) return false;
  return (
    means(piece, MEANS.filler | MEANS.not | MEANS.question) ||
    senseOf(piece, "noun") !== undefined ||
    POINTING.test(piece?.token.norm ?? "")
  );
}

/** "fix the offenders and nothing else", "…, leave the rest". */
function leavesRest(pieces: readonly Piece[], at: number): boolean {
  for (let i = at + 1; i <= at + REACH && !isHard(pieces[i]); i++) {
    const [piece, next] = [pieces[i], pieces[i + 1]];
    const norm = piece?.token.norm ?? "";
    if (norm === "nothing") return next?.token.norm === "else";
    if (!/^(?:rest|others|other)$/.test(norm)) continue;
    return pieces.slice(at + 1, i).some((part) => means(part, MEANS.except | MEANS.keep));
  }
  return false;
}

/** "don't restrict it to violators", "not only the violating items", "violators or not", 위반 품목만 말고. */
function isDenied(pieces: readonly Piece[], before: number, at: number): boolean {
  const isNot = (i: number): boolean =>
    means(pieces[i], MEANS.not) || /^(?:not|no)$/.test(pieces[i]?.token.norm ?? "");
  if (isEitherWay(pieces, at) || isNot(before - 1) || (isNot(before - 2) && !isHard(pieces[before - 1])))
    return true;
  return pieces.slice(at + 1, at + 4).some((piece, i, behind) => {
    const only = behind[i - 1];
    return piece.token.hangul && means(piece, MEANS.instead) && means(only, MEANS.only);
  });
}

const isEitherWay = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at + 1]?.token.norm === "or" && pieces[at + 2]?.token.norm === "not";

/** Whether a piece is a preposition or a phrase that ends with one: "best prices for". */
const endsWithPreposition = ({ text, lexicon }: Draft, piece: Piece | undefined): boolean => {
  if (!piece || means(piece, MEANS.preposition)) return piece !== undefined;
  const [last = ""] = /\p{L}+$/u.exec(text.slice(piece.start, piece.end)) ?? [];
  return (lexicon.meansOf(last.toLowerCase()) & MEANS.preposition) !== 0;
};
