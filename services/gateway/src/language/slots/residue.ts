import {
  isHard,
  isPluralOfAny,
  isWord,
  MEANS,
  means,
  type Piece,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import { nameForeignAim } from "./aims.ts";
import { comparesPrices, isAside, isRate } from "./asides.ts";
import { comparesWithName } from "./comparisons.ts";
import { askHowMuch, cannotApply, type Draft } from "./draft.ts";
import { isAsked } from "./limits.ts";
import { limitOfChange } from "./shares.ts";
import { isCovered } from "./spans.ts";
import { isEndOfState, isState, nameTopic, nameUniform, nameVolume, STRONG, WEAK } from "./topics.ts";

/** Pieces of a clause that are looked at, so that a long text takes time in proportion. */
const LONGEST_CLAUSE = 40;
/** Pieces of a bound whose amount is asked for; a longer one says more than that. */
const LONGEST_BOUND = 6;

/**
 * Names or asks about what constrains and was not read: a cue that no slot has used, with the rest of its clause. A clause about what is
 * kept anyway ("without breaking rules") or about what is wanted ("only explain it") constrains nothing.
 */
export function readResidue(draft: Draft): void {
  const { pieces } = draft;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || piece.used || piece.entity || piece.value || piece.amount) continue;
    if (means(piece, MEANS.not) && isMove(pieces, at + 1)) {
      const clause = clauseOf(pieces, at);
      if (isAboutAmounts(clause) && !isAsked(pieces, at) && !isAside(clause, pieces[at - 1]))
        nameClause(draft, at);
    } else if (means(piece, STRONG) && (!isFiller(piece) || isForSome(pieces, at))) readCue(draft, at, true);
    else if (means(piece, WEAK))
      readCue(draft, at, UNDERCUTTING.test(piece.token.norm) || isHeldAgainst(pieces, at));
  }
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (isCurrency(pieces, at) && !isAsked(pieces, at))
      cannotApply(draft, pieces[isWord(pieces[at - 1], "in") ? at - 1 : at - 2]?.start ?? 0, piece?.end ?? 0);
    nameUniform(draft, at);
    nameForeignAim(draft, at);
    if (piece?.token.norm === "sell" || piece?.token.norm === "selling") nameVolume(draft, at);
    if (
      piece &&
      senseOf(piece, "unsupported") &&
      !piece.used &&
      !piece.value &&
      !piece.entity &&
      !isCovered(draft.unsupported, piece)
    )
      nameTopic(draft, at);
  }
}

/** "the whole thing in euros", "in Danish kroner": the currency that prices are in is that of the inputs. */
const isCurrency = (pieces: readonly Piece[], at: number): boolean =>
  means(pieces[at], MEANS.currency) &&
  !pieces[at]?.amount &&
  (isWord(pieces[at - 1], "in") ||
    (pieces[at - 1]?.means === 0 && !pieces[at - 1]?.amount && isWord(pieces[at - 2], "in")));

/** What it is said of is another price, whatever that is: "don't undercut our own web shop". */
const UNDERCUTTING = /^undercut(?:ting)?$/;
/** Pieces between what demands something and the comparison: "we must not be", "don't go". */
const REACH_OF_DEMAND = 3;

/** "we must not be more expensive than last winter", "never above the rate the shop next door asks". */
function isHeldAgainst(pieces: readonly Piece[], at: number): boolean {
  const [cue, next] = [pieces[at], pieces[at + 1]];
  if (!cue || !means(cue, MEANS.above | MEANS.below)) return false;
  const noun = /^(?:the|a|any|what)$/.test(next?.token.norm ?? "") ? pieces[at + 2] : next;
  if (!comparesPrices(cue) && !isRate(noun)) return false;
  for (let i = at - 1; i >= at - REACH_OF_DEMAND && !isHard(pieces[i]); i--)
    if (means(pieces[i], MEANS.not | MEANS.must | MEANS.keep)) return !isAsked(pieces, at);
  return false;
}

const MODAL = /^(?:may|can|could|should|shall|must|will|to|be|is|are|go)$/;

/** "raise prices", "price increases", "price may fall", with no amount that has been read. */
function isMove(pieces: readonly Piece[], at: number): boolean {
  const next = pieces[at];
  let move = senseOf(next, "noun") && !next?.used ? at + 1 : at;
  while (MODAL.test(pieces[move]?.token.norm ?? "") && !means(pieces[move], MEANS.up | MEANS.down)) move++;
  return means(pieces[move], MEANS.up | MEANS.down) && !pieces[move]?.used;
}

/** "just" is mostly said for nothing, and "have to" with a question. */
const isFiller = ({ token: { norm } }: Piece): boolean =>
  /^(?:just|alone|minus|bar|leave|leave out|save|다만|만|한)$/.test(norm);

/** Pieces of "for" and of whom it is for: "just for small town schools". */
const LONGEST_GROUP = 5;
/** "just for starters". */
const IDIOMS = /^(?:laughs|kicks|starters|purposes|reasons|seconds|minutes)$/;

/** "just for village schools": people whom the domain does not know, and for whom nothing here can have a price of their own. */
function isForSome(pieces: readonly Piece[], at: number): boolean {
  if (pieces[at + 1]?.token.norm !== "for") return false;
  for (let i = at + 2; i <= at + LONGEST_GROUP && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (piece?.entity || piece?.value || IDIOMS.test(piece?.token.norm ?? "")) return false;
    if (isPluralOfAny(piece)) return true;
  }
  return false;
}

/** "for village schools only". */
function nameGroupBefore(draft: Draft, at: number): void {
  const { pieces } = draft;
  if (!isWord(pieces[at], "only") || !isPluralOfAny(pieces[at - 1])) return;
  for (let i = at - 2; i >= at - LONGEST_GROUP && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    if (!piece || piece.entity || piece.value || piece.amount) return;
    if (isWord(piece, "for")) return void cannotApply(draft, piece.start, pieces[at]?.end ?? piece.end);
  }
}

/** The pieces from one to the end of its clause. */
function clauseOf(pieces: readonly Piece[], at: number): Piece[] {
  const clause: Piece[] = [];
  const korean = pieces[at]?.token.hangul === true;
  const step = korean ? -1 : 1;
  for (let i = at; clause.length < LONGEST_CLAUSE && pieces[i] && !isHard(pieces[i]); i += step) {
    const piece = pieces[i];
    if (!piece) break;
    // "end in ,99": a mark right behind what constrains parts nothing.
    const isMark = i === at + 1 && piece.token.norm === "," && pieces[i + 1]?.amount !== undefined;
    if (
      i !== at &&
      means(piece, MEANS.separator) &&
      !means(piece, MEANS.filler | MEANS.preposition) &&
      !isMark
    )
      break;
    if (i !== at && means(piece, MEANS.joins) && startsClause(pieces[i + step])) break;
    clause.push(piece);
  }
  return korean ? clause.reverse() : clause;
}

/** "…, and explain why": what follows "and" is about something else. */
const startsClause = (piece: Piece | undefined): boolean =>
  senseOf(piece, "neutral") !== undefined ||
  means(piece, MEANS.up | MEANS.down | MEANS.why | MEANS.keep | MEANS.cap | MEANS.not | MEANS.only) ||
  piece?.senses.some(({ is }) => is === "cue") === true;

const isAboutAmounts = (clause: readonly Piece[]): boolean =>
  clause.some(
    (piece) =>
      piece.senses.some((sense) => sense.is === "noun" && sense.slot.reads === "change") ||
      piece.entity ||
      means(piece, MEANS.up | MEANS.down),
  );

function readCue(draft: Draft, at: number, strong: boolean): void {
  const clause = clauseOf(draft.pieces, at);
  if (clause.length <= 1) {
    // "they want round prices"
    if (draft.pieces[at]?.token.norm.startsWith("round")) nameClause(draft, at);
    nameGroupBefore(draft, at);
    return;
  }
  const slot = boundNoun(draft, clause);
  const isKnown =
    slot !== undefined ||
    clause.some(
      ({ senses, entity, amount }) => senses.length > 0 || entity !== undefined || amount !== undefined,
    );
  if (isAside(clause, draft.pieces[at - 1]) && !comparesWithName(draft, at, clause)) {
    for (const piece of clause)
      piece.used ||= means(piece, STRONG | WEAK) || senseOf(piece, "unsupported") !== undefined;
    return;
  }
  if (isOfSaid(draft, at, clause) || isEndOfState(draft.pieces, at) || isState(draft.pieces, at)) return;
  const next = clause.find((piece) => piece !== draft.pieces[at] && !isEmpty(piece));
  if (clause.some((piece) => senseOf(piece, "neutral")) || next === undefined) return;
  // "can it be done without breaking a rule": rules are kept anyway.
  if (isWord(draft.pieces[at], "without") && senseOf(next, "cue")?.slot.kind === "flag") return;
  if (draft.excluded.size > 0 && means(draft.pieces[at], MEANS.only) && clause.some(isRest)) return;
  // "don't touch the others": what is named is selected.
  if (
    means(draft.pieces[at], MEANS.except) &&
    isNamed(draft) &&
    clause.slice(1).every((piece) => isEmpty(piece) || isRest(piece))
  )
    return;
  // What the rest says is in a slot already.
  if (clause.slice(1).every((piece) => isEmpty(piece) || isSaid(draft, piece))) return;
  if (!isRealCondition(draft, at) && isApplied(draft, clause)) return;
  if (!strong && !isKnown && !comparesWithName(draft, at, clause)) return;
  const isCondition = means(draft.pieces[at], MEANS.unless);
  const isBound =
    !isCondition &&
    !means(draft.pieces[at], MEANS.only) &&
    !comparesWithName(draft, at, clause) &&
    !clause.some((piece) => senseOf(piece, "unsupported") || piece.amount);
  if (slot && isBound && clause.length <= LONGEST_BOUND)
    return void (isAsked(draft.pieces, at) || askAmount(draft, slot, clause));
  nameClause(draft, at);
}

const REFERRING = /^(?:that|this|those|these|it|them)$/;
/** Pieces of what refers to a limit: "outside that price band". */
const LONGEST_REFERENCE = 5;

/** "between 60 and 900, nothing outside that band": a bound is said again. */
const isOfSaid = ({ pieces, slots, values }: Draft, at: number, clause: readonly Piece[]): boolean =>
  clause.length <= LONGEST_REFERENCE &&
  REFERRING.test(clause[1]?.token.norm ?? "") &&
  !clause.some((piece) => piece.amount ?? piece.entity ?? piece.value) &&
  means(pieces[at], MEANS.except | WEAK) &&
  slots.some(({ name, reads }) => (reads === "most" || reads === "least") && values.has(name));

const isNamed = ({ slots, values }: Draft): boolean =>
  slots.some(({ kind, name }) => (kind === "entity" || kind === "enum") && values.has(name));

/** "only look at what remains": what is left out says which. */
const isRest = ({ token }: Piece): boolean => /^(?:rest|remains?|remaining|left|others?)$/.test(token.norm);

/** What a piece says is in a slot, rather than a date or a part of what cannot be applied. */
const isSaid = ({ unsupported }: Draft, piece: Piece): boolean =>
  piece.used && piece.amount?.unit !== "time" && !isCovered(unsupported, piece);

/** "as long as the margin stays above 20 %" is a bound in other words; "unless costs rise by 5 %" is none. */
const isRealCondition = ({ text, pieces }: Draft, at: number): boolean => {
  const cue = pieces[at];
  return cue !== undefined && means(cue, MEANS.unless) && !BOUNDING.test(text.slice(cue.start, cue.end));
};

const BOUNDING = /^(?:as long as|provided|on condition that|subject to)/i;

/** "as long as no price moves by more than 6 %": every amount of the clause is a bound that is in force. */
function isApplied({ pieces, slots, places }: Draft, clause: readonly Piece[]): boolean {
  const amounts = clause.filter(({ amount }) => amount !== undefined);
  const isBound = (piece: Piece): boolean =>
    slots.some(({ name, reads }) => {
      const place = places.get(name);
      return (reads === "most" || reads === "least") && place !== undefined && pieces[place] === piece;
    });
  return (
    amounts.length > 0 &&
    amounts.every(isBound) &&
    !clause.some((piece) => !piece.used && senseOf(piece, "unsupported"))
  );
}

/** The slot that a bound without an amount is for. A bound on prices in percent is one on their change. */
function boundNoun({ slots }: Draft, clause: readonly Piece[]): SlotDeclaration | undefined {
  const [slot] = clause.flatMap((piece) =>
    piece.senses.flatMap((sense) =>
      sense.is === "noun" && sense.slot.suggest.length > 0 ? [sense.slot] : [],
    ),
  );
  return slot?.reads === "change" && slot.implicit ? (limitOfChange(slots) ?? slot) : slot;
}

function askAmount(draft: Draft, slot: SlotDeclaration, clause: readonly Piece[]): void {
  for (const piece of clause) piece.used = true;
  if (draft.values.has(slot.name) || draft.cleared.has(slot.name)) return;
  askHowMuch(draft, slot);
}

function nameClause(draft: Draft, at: number): void {
  const clause = clauseOf(draft.pieces, at);
  // A name behind a preposition is a selection of its own: "match competitors for the valve".
  const own = clause.findIndex(
    (piece, i) => i > 1 && means(piece, MEANS.preposition) && isSelection(clause[i + 1], clause[i + 2]),
  );
  if (own > 0) clause.length = own;
  while (clause.length > 1 && isEmpty(clause.at(-1))) clause.pop();
  for (const piece of clause) piece.used = true;
  cannotApply(draft, clause[0]?.start ?? 0, clause.at(-1)?.end ?? 0);
}

const isSelection = (next: Piece | undefined, second: Piece | undefined): boolean =>
  next?.entity !== undefined ||
  next?.value !== undefined ||
  (next?.token.norm === "the" && (second?.entity ?? second?.value) !== undefined);

const isEmpty = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.filler | MEANS.joins | MEANS.separator) && piece?.senses.length === 0;
