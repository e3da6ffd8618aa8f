import type { Amount } from "./amounts.ts";
import { cannotApply, type Draft } from "./draft.ts";
import { MEANS } from "./generic-words.ts";
import { isCount } from "./money.ts";
import { isVerbOfPrice } from "./parties.ts";
import { isHard, means, type Piece, senseOf } from "./pieces.ts";
import { isCovered } from "./spans.ts";
import { spanOf, wordsOf, zonesAround } from "./zones.ts";

/** Hours and days are smaller: "discuss the oven at 3". */
const LEAST_TARGET = 32;

/**
 * Names the amounts that nothing has used, asked about or named, so that none is dropped in silence. A number without a unit is an amount
 * where it stands beside a direction or a comparison, or says what something is to be; others are counts and dates, and constrain nothing.
 */
export function nameUnread(draft: Draft): void {
  for (const [at, piece] of draft.pieces.entries()) {
    const { amount } = piece;
    if (!amount || piece.entity || isCovered(draft.unsupported, piece)) continue;
    if (amount.unit === "time" ? !isNotice(draft, at) : piece.used) continue;
    if (amount.unit === "none" && !isAmountOfSomething(draft, at, amount)) continue;
    piece.used = true;
    const [start, end] = spanOf(draft, at);
    cannotApply(draft, isPriceOf(draft.pieces, at) ? (draft.pieces[at - 2]?.start ?? start) : start, end);
  }
}

/** "two weeks' notice", "30 days of notice": a time that holds something back. */
const isNotice = ({ pieces }: Draft, at: number): boolean =>
  pieces.slice(at + 1, at + 3).some(({ token }) => token.norm === "notice");

/** "lift the oven by 12", "costs rise 12", "oven at 250", "가격을 5 올리면"; and not "5 people", "in 2 steps". */
function isAmountOfSomething(draft: Draft, at: number, { value, low }: Amount): boolean {
  const { pieces } = draft;
  const [before, next] = [pieces[at - 1], pieces[at + 1]];
  if (isCount(draft, at) || !(isHard(next) || next?.means !== 0)) return false;
  const [zone] = zonesAround(pieces, at);
  if (!zone) return false;
  const words = wordsOf(draft, zone, at);
  if (means(before, MEANS.atMost | MEANS.atLeast | MEANS.above | MEANS.below)) return true;
  const isOfSomething = words.nouns.length > 0 || words.parts.some(isObject);
  if (isPriceOf(pieces, at)) return true;
  const isTarget = /^(?:to|at)$/.test(before?.token.norm ?? "") && value >= LEAST_TARGET;
  return (
    isOfSomething && (words.direction !== 0 || words.bound !== undefined || low !== undefined || isTarget)
  );
}

/** "the price is 20", "a price of 20", "cost plus 3", "it should cost 400". */
const isPriceOf = (pieces: readonly Piece[], at: number): boolean =>
  (/^(?:is|are|of|x|plus|minus)$/.test(pieces[at - 1]?.token.norm ?? "") &&
    senseOf(pieces[at - 2], "noun")?.slot.reads === "change") ||
  isVerbOfPrice(pieces, at - 1);

const isObject = (piece: Piece): boolean =>
  piece.entity !== undefined ||
  senseOf(piece, "noun") !== undefined ||
  /^(?:everything|all|it|them|전부|모두)$/.test(piece.token.norm);
