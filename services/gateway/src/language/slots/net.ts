import { type Amount, isHard, MEANS, means, type Piece, senseOf } from "@interlock/understanding";
import { cannotApply, type Draft } from "./draft.ts";
import { isAsked } from "./limits.ts";
import { isCount } from "./money.ts";
import { isVerbOfPrice } from "./parties.ts";
import { isFact, isJudged } from "./past.ts";
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
    if (piece.entity || isCovered(draft.unsupported, piece)) continue;
    if (isDate(piece) && nameDate(draft, at)) continue;
    if (!amount) continue;
    if (isFact(draft.pieces, at) || isJudged(draft.pieces, at)) continue;
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

/** Pieces between "publish" and when. */
const REACH_OF_PUBLISHING = 8;
const BEFORE_DATE = /^(?:on|by|from|until|till|before|after|at|in)$/;
/** What a date goes on with. */
const MONTH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|of|일에)$/;

/** "3 May", "5 pm", "the 3rd". */
export const isDate = ({ amount, token }: Piece): boolean =>
  amount?.unit === "time" || /^\d+(?:st|nd|rd|th)$/.test(token.norm);

/** Names a date on which to publish: "publish it on the 3rd of May", 5월 3일에 게시해줘. What is asked for is done at once. */
function nameDate(draft: Draft, at: number): boolean {
  const { pieces } = draft;
  const piece = pieces[at];
  if (!piece || isAsked(pieces, at)) return false;
  const lead = pieces[at - 1]?.token.norm === "the" ? at - 2 : at - 1;
  const isBefore = BEFORE_DATE.test(pieces[lead]?.token.norm ?? "") && isPublished(pieces, lead);
  if (!isBefore && !isPublishedInKorean(pieces, at)) return false;
  let end = at;
  while (
    /^(?:time|none)$/.test(pieces[end + 1]?.amount?.unit ?? "") ||
    MONTH.test(pieces[end + 1]?.token.norm ?? "")
  )
    end++;
  cannotApply(draft, (isBefore ? pieces[lead] : piece)?.start ?? piece.start, pieces[end]?.end ?? piece.end);
  return true;
}

/** "publish it on", "to be published on"; and not "we published it on". */
function isPublished(pieces: readonly Piece[], at: number): boolean {
  for (let i = at - 1; i >= at - REACH_OF_PUBLISHING && !isHard(pieces[i]); i--) {
    const norm = pieces[i]?.token.norm ?? "";
    if (/^publish(?:ing)?$/.test(norm)) return true;
    if (norm === "published") return /^(?:be|get|them|it)$/.test(pieces[i - 1]?.token.norm ?? "");
  }
  return false;
}

function isPublishedInKorean(pieces: readonly Piece[], at: number): boolean {
  for (let i = at + 1; i <= at + REACH_OF_PUBLISHING && !isHard(pieces[i]); i++)
    if (/^(?:게시|발행|공개)$/.test(pieces[i]?.token.norm ?? ""))
      return !/^(?:했|한|된|됐)/.test(pieces[i + 1]?.token.norm ?? "");
  return false;
}

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
  // "to exactly 410"
  const lead = /^(?:exactly|precisely|about|around|roughly)$/.test(before?.token.norm ?? "")
    ? pieces[at - 2]
    : before;
  const isTarget = /^(?:to|at)$/.test(lead?.token.norm ?? "") && value >= LEAST_TARGET;
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
