import {
  type Amount,
  isHard,
  MEANS,
  means,
  type Piece,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import { isCorrection } from "./corrections.ts";
import { cannotApply, type Draft, setSlot } from "./draft.ts";
import { asksNothing } from "./idle.ts";
import { isCount } from "./money.ts";
import { isZoneEnd, type Words, wordsOf, type Zone } from "./zones.ts";

/** How far before an amount the verb may be that moves a limit: "raise that margin floor to 32 %". */
const REACH = 7;
const MOVING =
  /^(?:tighten|loosen|relax|widen|narrow|set|make|change|take|put|bring|get|let|stretch|push|pull|drive|올려|올리|내려|내리|낮춰|낮추|높여|높이|바꿔|바꾸)/;
const POINTING = /^(?:it|that|this|them|those|let's|그거|그걸|그것|이걸)$/;

/** Whether an amount says what something is to be: "to 32 %", "take it up to 32 %", 32%로. */
export const isGoal = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at - 1]?.token.norm === "to" ||
  isMovedUp(pieces, at) ||
  /^(?:로|으로)$/.test(pieces[at + 1]?.token.norm ?? "");

/** "take the margin up to 20 %"; behind anything else "up to" is a bound. */
export function isMovedUp(pieces: readonly Piece[], at: number): boolean {
  if (pieces[at - 1]?.token.norm !== "up") return false;
  for (let i = at - 2; i >= at - REACH && !isHard(pieces[i]) && !isZoneEnd(pieces[i]); i--)
    if (isMoving(pieces[i])) return true;
  return false;
}

/**
 * The slots of amounts that are in force, the one that was said last first: what a turn says stands behind what was said before it.
 */
export const amountsInForce = ({ slots, before }: Draft): readonly SlotDeclaration[] =>
  Object.keys(before)
    .reverse()
    .flatMap((name) => (typeof before[name] === "number" ? slots.filter((slot) => slot.name === name) : []));

/** The limit in force that a sentence moves: "raise it to 9 %", "bring that floor down to 18 %", 10%로 올려 줘. */
export function limitMoved(draft: Draft, at: number): SlotDeclaration | undefined {
  const { pieces } = draft;
  if (!isGoal(pieces, at)) return undefined;
  const inForce = amountsInForce(draft);
  const [latest] = inForce;
  const pointed = latest && isLimit(latest) ? latest : undefined;
  const isKorean = !/^(?:to|up)$/.test(pieces[at - 1]?.token.norm ?? "");
  if (isKorean) {
    const [verb] = pieces.slice(at + 2);
    const isBare = at === 0 || isHard(pieces[at - 1]) || POINTING.test(pieces[at - 1]?.token.norm ?? "");
    return isBare && isMoving(verb) ? pointed : undefined;
  }
  let limit: SlotDeclaration | undefined;
  for (let i = at - 2; i >= at - REACH && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    if (limit && isMoving(piece)) return limit;
    if (means(piece, MEANS.up | MEANS.down)) continue;
    const named = inForce.find((slot) => isLimit(slot) && isBound(piece, slot));
    if (named) limit = named;
    else if (POINTING.test(piece?.token.norm ?? "")) limit ??= pointed;
    else if (!means(piece, MEANS.filler)) return undefined;
  }
  return undefined;
}

const isLimit = ({ kind, reads }: SlotDeclaration): boolean => kind === "percent" && reads !== "change";

/** "floor" and "margin" of the least that is in force, "cap" of the most. */
export const isBound = (piece: Piece | undefined, { reads }: SlotDeclaration): boolean => {
  const noun = senseOf(piece, "noun")?.slot;
  if (reads === "most") return means(piece, MEANS.cap);
  return noun?.kind === "money" || (noun?.kind === "percent" && noun.reads === "least");
};

const isMoving = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.up | MEANS.down) || MOVING.test(piece?.token.norm ?? "");

/**
 * Gives a number without a unit to the amount that was said last, where the words around it ask for nothing: "make that 7", "26 instead". One
 * that tells the value in force says which amount is meant: "5 is too strict, 8". Where nothing is in force that it can be, it is named.
 */
export function goOnWithNumber(draft: Draft): void {
  const { pieces } = draft;
  if (Object.keys(draft.before).length === 0) return;
  const inForce = amountsInForce(draft).filter(({ name }) => !draft.values.has(name));
  const numbers = [...pieces.keys()].filter((at) => isOpen(draft, at));
  const isRange = (at: number): boolean => pieces[at]?.amount?.low !== undefined;
  // A number by itself is a new value, whatever else has that value.
  const told = numbers.flatMap((at) =>
    numbers.length > 1 || isRange(at) ? (tellsOf(draft, at, inForce) ?? []) : [],
  );
  const open = numbers.filter((at) => told.some((one) => one.at === at) === isRange(at));
  const [first, last] = [open.at(0), open.at(-1)];
  if (first === undefined || last === undefined) return;
  // Of two numbers none is meant, unless one corrects the other.
  if (first !== last && !isCorrection(draft.corrections, first, last)) return;
  const piece = pieces[last];
  if (!piece?.amount) return;
  const { amount } = piece;
  const words = wordsOf(draft, clauseAround(pieces, last), last);
  const sign = signOf(pieces, last);
  // "By 2" says how much a move is, and of a limit how much more it is to be.
  const isMove = sign !== 0 || pieces[last - 1]?.token.norm === "by";
  const meant = [...told.map(({ slot }) => slot), ...inForce];
  const slot = meant.find((one) => fits(one, amount, words)) ?? otherBound(draft, inForce, amount, words);
  const value = slot && signedValue(draft, slot, { ...words, direction: sign || words.direction }, amount);
  if ((isMove && slot?.reads !== "change") || (slot && value === draft.before[slot.name])) return;
  for (const at of numbers) markUsed(pieces[at]);
  if (sign !== 0) markUsed(pieces[last - 1]);
  for (const part of words.parts) if (means(part, SAYS_HOW)) markUsed(part);
  if (slot && value !== undefined) setSlot(draft, slot, value, last);
  else cannotApply(draft, piece.start, piece.end);
}

/** What words say of an amount has been said with it. */
const SAYS_HOW = MEANS.up | MEANS.down | MEANS.atMost | MEANS.atLeast | MEANS.above | MEANS.below | MEANS.cap;

function markUsed(piece: Piece | undefined): void {
  if (piece) piece.used = true;
}

/** Pieces on each side of a number, so that a long text takes time in proportion. */
const LONGEST_CLAUSE = 12;
/** Before and behind a number that counts something, or says how much more or less of it: "the other 2", "5 of them", "3 more". */
const COUNTED =
  /^(?:the|these|those|other|both|all|first|last|top|next|my|our|any|each|every|option|number|about)$/;
const COUNTING = /^(?:of|more|less|others?|ones?|times?)$/;
/** "Only this one" counts nothing. */
const PRONOUN = /^(?:one|하나|한)$/;

/** "minus 4 instead", 마이너스 4로: the sign of a move, said as a word. */
const signOf = (pieces: readonly Piece[], at: number): -1 | 0 | 1 =>
  SIGNS.get(pieces[at - 1]?.token.norm ?? "") ?? 0;

const SIGNS: ReadonlyMap<string, 1 | -1> = new Map([
  ["minus", -1],
  ["plus", 1],
  ["마이너스", -1],
  ["플러스", 1],
]);

/** Whether a number has nothing that says what it is for. */
function isOpen(draft: Draft, at: number): boolean {
  const { pieces } = draft;
  const piece = pieces[at];
  if (piece?.amount?.unit !== "none" || piece.used || piece.entity || isCount(draft, at)) return false;
  if (PRONOUN.test(piece.token.norm)) return false;
  const [before, next] = [pieces[at - 1], pieces[at + 1]];
  // "What about 6?" proposes an amount, and "about 6" estimates a number.
  const isProposed =
    before?.token.norm === "about" && /^(?:what|how)$/.test(pieces[at - 2]?.token.norm ?? "");
  if ((COUNTED.test(before?.token.norm ?? "") && !isProposed) || COUNTING.test(next?.token.norm ?? ""))
    return false;
  // "1. explain it"
  if (isHard(before) && /^[.)]$/.test(next?.token.norm ?? "") && pieces[at + 2]) return false;
  const { from, to } = clauseAround(pieces, at);
  const sign = signOf(pieces, at) === 0 ? undefined : before;
  const others = pieces
    .slice(from, to + 1)
    .filter((piece) => piece !== sign)
    .filter(({ used, amount, entity, value }) => !used && !amount && !entity && !value);
  return asksNothing(others.map(({ start, end }) => draft.text.slice(start, end)).join(" "));
}

/** The clause of a number, as far as its words may say something of it. */
function clauseAround(pieces: readonly Piece[], at: number): Zone {
  const isEnd = (piece: Piece | undefined): boolean => isHard(piece) || isZoneEnd(piece);
  let [from, to] = [at, at];
  while (!isEnd(pieces[from - 1]) && at - from < LONGEST_CLAUSE) from--;
  while (!isEnd(pieces[to + 1]) && to - at < LONGEST_CLAUSE) to++;
  return { from, to };
}

/** The amount in force whose value a number tells: "5 is too strict", "from 5 to 8". */
function tellsOf(
  { pieces, before }: Draft,
  at: number,
  inForce: readonly SlotDeclaration[],
): { at: number; slot: SlotDeclaration } | undefined {
  const { value, low = value } = pieces[at]?.amount ?? { value: Number.NaN };
  const slot = inForce.find(
    (one) => Math.abs(unsigned(one, low) - Math.abs(Number(before[one.name]))) < 1e-9,
  );
  return slot && { at, slot };
}

/** "3" of a percentage is 3 %. */
const unsigned = ({ kind }: SlotDeclaration, value: number): number =>
  kind === "percent" && value >= 1 ? Number((value / 100).toPrecision(12)) : value;

function fits({ kind, reads }: SlotDeclaration, { value }: Amount, { bound }: Words): boolean {
  if (bound !== undefined && bound !== reads) return false;
  if (value <= 0 && reads !== "change") return false;
  if (kind === "percent") return value !== 0 && Math.abs(value) < 100;
  return kind !== "count" || Number.isInteger(value);
}

/** "And no more than 900", where a floor price is in force. */
const otherBound = (
  { slots }: Draft,
  [latest]: readonly SlotDeclaration[],
  amount: Amount,
  words: Words,
): SlotDeclaration | undefined =>
  words.bound === undefined
    ? undefined
    : slots.find(
        (slot) =>
          slot.kind === latest?.kind &&
          (slot.kind === "money" || slot.implicit) &&
          slot.reads === words.bound &&
          fits(slot, amount, words),
      );

/** What changes goes on in its direction, unless another one is said. */
function signedValue({ before }: Draft, slot: SlotDeclaration, { direction }: Words, amount: Amount): number {
  const size = unsigned(slot, Math.abs(amount.value));
  if (slot.reads !== "change") return size;
  if (amount.signed) return Math.sign(amount.value) * size;
  return (direction || Math.sign(Number(before[slot.name]))) * size;
}
