import {
  hasRole,
  isHard,
  isWord,
  MEANS,
  means,
  type Piece,
  ROLES,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import { askHowMuch, cannotApply, type Draft } from "./draft.ts";
import { limitOfChange } from "./shares.ts";

/** "Could you keep prices from moving too far?" is a request, and no question; "did you?" is one. */
const ASKED_OF = /^(?:you|we|please)$/;
const ASKING = /^(?:did|do|does|have|has|are|aren't|is|isn't|was|were)$/;
const WANTED = /^(?:should|shall|ought|must|need|needs|want|some|an?|any)$/;
const RESTRAINS = MEANS.not | MEANS.must | MEANS.keep | MEANS.clear;
/** What a limit is said with. */
const SPENT = RESTRAINS | MEANS.cap | MEANS.atMost | MEANS.up | MEANS.down;
/** Pieces between a size, or an article, and what it is said of. */
const REACH = 3;
/** Pieces of a sentence that are looked at, so that a long text takes time in proportion. */
const LONGEST_SENTENCE = 40;

/** Asks for the figure of a limit that is said without one: "don't let anything drift too far", "some limit on moves". */
export function askForLimits(draft: Draft): void {
  const { pieces } = draft;
  let start = 0;
  for (let end = 0; end <= pieces.length; end++) {
    if (!isHard(pieces[end])) continue;
    if (!isQuestion(pieces, start, end)) askInSentence(draft, start, end);
    start = end + 1;
  }
}

/** "Limit the moves, could you?", "…, please?": a mark behind which a request stays one. */
export const isTagged = (pieces: readonly Piece[], end: number): boolean =>
  pieces[end]?.token.norm === "?" &&
  (isWord(pieces[end - 1], "please") ||
    (isWord(pieces[end - 1], "you") &&
      /^(?:would|could|will|can)$/.test(pieces[end - 2]?.token.norm ?? "") &&
      pieces[end - 3]?.token.norm === ","));

function isQuestion(pieces: readonly Piece[], start: number, end: number): boolean {
  const [first, second] = [pieces[start], pieces[start + 1]];
  const isMarked = pieces[end]?.token.norm === "?" && !isTagged(pieces, end);
  // "do optimise the valve" insists, and "do profit" chooses.
  const isDone =
    senseOf(second, "cue") !== undefined ||
    senseOf(second, "value")?.slot.kind === "choice" ||
    means(second, MEANS.keep | MEANS.except | MEANS.cap);
  if (isWord(first, "do") && isDone) return isMarked;
  const isAsked = means(first, MEANS.question | MEANS.why) || isMarked;
  if (!isAsked || ASKING.test(first?.token.norm ?? "")) return isAsked;
  return !ASKED_OF.test(second?.token.norm ?? "") && !means(first, MEANS.not | MEANS.must);
}

/** Whether a piece is in a sentence that asks something. */
export function isAsked(pieces: readonly Piece[], at: number): boolean {
  let [start, end] = [at, at];
  while (at - start < LONGEST_SENTENCE && !isHard(pieces[start - 1])) start--;
  while (end - at < LONGEST_SENTENCE && !isHard(pieces[end])) end++;
  return isQuestion(pieces, start, end);
}

function askInSentence(draft: Draft, start: number, end: number): void {
  let from = start;
  for (let at = start; at <= end; at++) {
    const piece = draft.pieces[at];
    if (at < end && !(means(piece, MEANS.separator) && !means(piece, MEANS.filler))) continue;
    askInClause(draft, draft.pieces.slice(from, at));
    from = at + 1;
  }
}

function askInClause(draft: Draft, clause: readonly Piece[]): void {
  const slot = limitIn(draft, clause);
  if (clause.some(({ amount }) => amount !== undefined && amount.unit !== "time")) return;
  if (!slot) {
    const bound = clause.find((_, at) => isWantedPrice(clause, at));
    const price = senseOf(bound, "noun")?.slot;
    if (!bound || !price || draft.values.has(price.name) || draft.cleared.has(price.name)) return;
    for (const piece of clause) if (means(piece, SPENT)) piece.used = true;
    bound.used = true;
    if (price.suggest.length > 0) askHowMuch(draft, price);
    else cannotApply(draft, bound.start, bound.end);
    return;
  }
  for (const piece of clause) if (means(piece, SPENT) || piece.roles !== 0) piece.used = true;
  if (!draft.values.has(slot.name) && !draft.cleared.has(slot.name)) askHowMuch(draft, slot);
}

/** The slot that a clause limits without a figure. */
function limitIn({ slots }: Draft, clause: readonly Piece[]): SlotDeclaration | undefined {
  const nouns = clause.flatMap((piece) =>
    piece.senses.flatMap((sense) => (sense.is === "noun" ? [sense.slot] : [])),
  );
  const own = nouns.find((slot) => slot.kind === "percent" && !slot.implicit);
  const moves = clause.some(isMove);
  const isRestrained = clause.some((piece) => means(piece, RESTRAINS));
  const exceeds = clause.some((piece) => hasRole(piece, ROLES.excess));
  if (own) {
    const isMissed = own.reads !== "change" && isRestrained && exceeds;
    return isMissed || (own.reads === "least" && clause.some((_, at) => isFloor(clause, at)))
      ? own
      : undefined;
  }
  if (clause.some((piece) => senseOf(piece, "unsupported"))) return undefined;
  const isAvoided = isRestrained && (exceeds ? moves : hasSized(clause, ROLES.large));
  const isNear = clause.some((piece) => hasRole(piece, ROLES.near)) && (moves || clause.some(isOfToday));
  const isKept = isRestrained && exceeds && clause.some(isOfToday);
  const isLimited = clause.some((piece, at) => isLimit(piece) && (moves || isWanted(clause, at)));
  return isAvoided || isKept || isNear || isLimited || hasSized(clause, ROLES.small)
    ? limitOfChange(slots)
    : undefined;
}

const isMove = (piece: Piece | undefined): boolean =>
  hasRole(piece, ROLES.moves) || means(piece, MEANS.up | MEANS.down);

const isOfToday = (piece: Piece): boolean =>
  hasRole(piece, ROLES.present) || senseOf(piece, "noun")?.slot.reads === "change";

/** "small steps", "no big jumps". */
const hasSized = (clause: readonly Piece[], size: number): boolean =>
  clause.some(
    (piece, at) =>
      hasRole(piece, size) &&
      // "nothing drastic"
      (clause[at - 1]?.token.norm === "nothing" ||
        clause.slice(at + 1, at + REACH).some((next) => isMove(next) && !next.used)),
  );

/** "cap", "upper bound", "ceiling". */
const isLimit = (piece: Piece): boolean =>
  !piece.used && (means(piece, MEANS.cap | MEANS.atMost) || isCeiling(senseOf(piece, "noun")?.slot));

const isCeiling = (slot: SlotDeclaration | undefined): boolean =>
  slot?.kind === "money" && slot.reads === "most";

/** "set up a price floor", "there must be a price ceiling". */
const isWantedPrice = (clause: readonly Piece[], at: number): boolean =>
  senseOf(clause[at], "noun")?.slot.kind === "money" &&
  clause.slice(Math.max(0, at - REACH), at).some((piece) => WANTED.test(piece.token.norm));

/** "with a margin floor", "some minimum margin". */
const isFloor = (clause: readonly Piece[], at: number): boolean => {
  const noun = senseOf(clause[at], "noun")?.slot;
  const isLeast = means(clause[at], MEANS.atLeast) || (noun?.kind === "money" && noun.reads === "least");
  return isLeast && clause.slice(Math.max(0, at - REACH), at).some((piece) => WANTED.test(piece.token.norm));
};

/** "some limit", "there should be a cap". */
const isWanted = (clause: readonly Piece[], at: number): boolean =>
  means(clause[at], MEANS.cap) &&
  clause.slice(Math.max(0, at - REACH), at).some((piece) => WANTED.test(piece.token.norm));
