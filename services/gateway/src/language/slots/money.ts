import {
  type Amount,
  hasRole,
  isHard,
  isPluralOfAny,
  isWord,
  MEANS,
  means,
  type Piece,
  ROLES,
  senseOf,
} from "@interlock/understanding";
import { type Claim, foreignClaim, noClaim, slotClaim } from "./claims.ts";
import type { Draft } from "./draft.ts";
import { isChargedByOther } from "./parties.ts";
import { isDeniedBefore, type Words, wordsOf, zonesAround } from "./zones.ts";

/** Finds out what an amount of money, or a plain number, is for. */
export function moneyClaim(draft: Draft, at: number, amount: Amount): Claim {
  const { pieces } = draft;
  const isMoney = amount.unit === "money";
  if ((!isMoney && isVolume(pieces, at)) || (isMoney && isChargedByOther(pieces, at)))
    return foreignClaim(draft, at, amount);
  const slots = draft.slots.filter(({ kind }) => kind === "money");
  for (const zone of zonesAround(pieces, at)) {
    const words = wordsOf(draft, zone, at);
    const foreign = (): Claim => foreignClaim(draft, at, amount, { words, zone });
    if (!isMoney && isCount(draft, at))
      return words.bound && !isFact(draft, at) ? foreign() : noClaim(at, amount, words);
    if (words.foreign) return words.bound || isMoney ? foreign() : noClaim(at, amount);
    if (isMoney && isOfChange(words, at - zone.from)) return foreign();
    const named = words.nouns.find(
      (slot) => slot.kind === "money" && (slot.reads === words.bound || !words.bound),
    );
    const isPrice =
      isMoney ||
      words.nouns.some((slot) => slot.implicit && slot.reads === "change") ||
      isDeniedBound(draft, words, at, at - zone.from) ||
      isComparedPrice(draft, at) ||
      isBareBound(draft, at, words);
    const { low, value } = amount;
    if (low !== undefined && (isPrice || named)) {
      const sets = slots.map((slot) => ({ slot, value: slot.reads === "least" ? low : value }));
      return slotClaim(at, amount, words, sets);
    }
    const slot =
      named ?? (isPrice && words.bound ? slots.find(({ reads }) => reads === words.bound) : undefined);
    if (slot) return slotClaim(at, amount, words, [{ slot, value }]);
    if (isMoney && (words.direction !== 0 || words.nouns.length > 0)) return foreign();
  }
  return isMoney ? foreignClaim(draft, at, amount) : noClaim(at, amount);
}

/** "what lets us sell at least 300", "sell more than 80 pumps": how many are sold, and no price. "Sell for at least 200" is one. */
function isVolume(pieces: readonly Piece[], at: number): boolean {
  const bound = pieces[at - 1];
  const isBound = means(bound, MEANS.atLeast) || /^(?:more|less|fewer)$/.test(bound?.token.norm ?? "");
  return isBound && /^(?:sell|sells|selling|sold)$/.test(pieces[at - 2]?.token.norm ?? "");
}

/** Bounds without a noun are of prices from here on; smaller ones may be shares, and are named. */
const LEAST_PRICE = 10;

/** "never below 300", "and none under 60", "no ladder for less than 75": what a number without a noun must not pass is a price. */
function isDeniedBound({ pieces }: Draft, { parts }: Words, at: number, own: number): boolean {
  if ((parts[own]?.amount?.value ?? 0) < LEAST_PRICE) return false;
  const next = parts[own + 1];
  // 100 밑으로는 안 돼
  const verb = parts.slice(own + 1).find((piece) => !means(piece, MEANS.filler));
  if (verb?.token.hangul && means(verb, MEANS.above | MEANS.below))
    return (
      parts.slice(own + 2).some((piece) => means(piece, MEANS.not)) &&
      !parts.some((piece) => senseOf(piece, "unsupported"))
    );
  if (!means(parts[own - 1], MEANS.above | MEANS.below)) return false;
  const ends =
    next === undefined || means(next, MEANS.separator | MEANS.joins) || next.token.norm === "please";
  const before = parts.slice(0, own - 1);
  return (
    ends &&
    (before.some((piece) => means(piece, MEANS.not)) || isDeniedBefore(pieces, at)) &&
    !before.some((piece) => senseOf(piece, "unsupported"))
  );
}

/** "nothing cheaper than 110": what is cheap or dear is a price. */
function isComparedPrice({ pieces, text }: Draft, at: number): boolean {
  const lead = pieces[at - 1];
  return (
    lead !== undefined &&
    (means(lead, MEANS.above | MEANS.below) || isWord(lead, "than")) &&
    // "no more" is a piece by itself in "no more expensive than".
    /(?:cheaper|expensive|dearer|pricier|costlier) than$/i.test(
      text.slice((pieces[at - 2] ?? lead).start, lead.end),
    )
  );
}

/** From here on no number is a share. */
const NO_SHARE = 100;
/** Pieces between two bounds: "at least 50, and at most 900". */
const REACH_OF_PAIR = 7;

/** "at least 300", "최저 50, 최고 900": a bound that is said of nothing else is of a price, if it or its other end can be no share. */
function isBareBound({ pieces }: Draft, at: number, { bound, nouns, parts }: Words): boolean {
  const isBound = (piece: Piece | undefined): boolean =>
    means(piece, MEANS.atMost | MEANS.atLeast) || piece?.token.norm === "최고";
  const isBoundAt = (i: number): boolean =>
    isBound(pieces[i - 1]) || (isBound(pieces[i + 1]) && !isBound(pieces[i + 2]));
  const ends = (i: number): boolean => isHard(pieces[i + 1]) || pieces[i + 1]?.means !== 0;
  const { low, value: high = 0 } = pieces[at]?.amount ?? {};
  if (low !== undefined && pieces[at - 1]?.token.norm === "between" && nouns.length === 0)
    return high >= NO_SHARE;
  if (!bound || !isBoundAt(at) || !ends(at) || nouns.some(({ kind }) => kind !== "entity")) return false;
  if (parts.some((piece) => hasRole(piece, ROLES.moves))) return false;
  for (let i = at - REACH_OF_PAIR; i <= at + REACH_OF_PAIR; i++) {
    const { value = 0, unit } = pieces[i]?.amount ?? {};
    const isPrice = unit === "money" || (unit === "none" && value >= NO_SHARE && ends(i));
    if (isPrice && isBoundAt(i)) return true;
  }
  return false;
}

const KOREAN_COUNTER = /^(?:개|가지|건|번|회|명|종)$/;

/** "four prices", "3 changes": how many, and not how much. */
export function isCount({ pieces, text }: Draft, at: number): boolean {
  const counted = pieces
    .slice(at + 1, at + 3)
    .find((piece) => !piece.value && (senseOf(piece, "noun") || !means(piece, MEANS.filler)));
  const next = pieces[at + 1];
  if (!Number.isInteger(pieces[at]?.amount?.value)) return false;
  if (KOREAN_COUNTER.test(next?.token.norm ?? "") || isPluralOfAny(next)) return true;
  if (!counted || counted.token.hangul) return false;
  if (!(senseOf(counted, "noun") || senseOf(counted, "unsupported") || hasRole(counted, ROLES.moves)))
    return false;
  const isSingular = pieces[at]?.amount?.value === 1;
  return isSingular || text.slice(counted.start, counted.end).endsWith("s");
}

/** What is wanted of a count, so that it is no mere fact. */
const WANTING = /^(?:sell|selling|ship|shipping|produce|make|order|need|needs|want)$/;
/** Pieces before a count among which its verb is looked for. */
const REACH_OF_VERB = 6;

/** "over 40 people depend on it", "we have more than 40 dealers": it tells how many there are, and wants nothing. */
function isFact({ pieces }: Draft, at: number): boolean {
  const before: Piece[] = [];
  for (let i = at - 1; i >= at - REACH_OF_VERB && pieces[i] && !isHard(pieces[i]); i--)
    before.push(pieces[i] as Piece);
  if (
    before.some(
      (piece) => WANTING.test(piece.token.norm) || means(piece, MEANS.must | MEANS.keep | MEANS.not),
    )
  )
    return false;
  const next = pieces[at + 1];
  const isMore = means(before[0], MEANS.above) && !next?.token.hangul;
  return (
    isPluralOfAny(next) ||
    next?.token.norm === "명" ||
    before.some(({ token }) => /^(?:have|has|had|there)$/.test(token.norm)) ||
    (isMore && !before.some((piece) => senseOf(piece, "unsupported")))
  );
}

/** Comparisons that say where a price may be. The others say how far it may move: "by more than 10 euros". */
const POSITION = /^(?:above|below|over|under|beyond|beneath|underneath|to)$/;

/** "moves of at most 5 dollars": a change in money, and no price. */
function isOfChange(words: Words, own: number): boolean {
  const { parts } = words;
  if (
    parts.some(
      (piece, i) => isNounOfChange(piece, parts[i - 1], parts[i + 1]) || isCappedMove(piece, parts[i + 1]),
    )
  )
    return true;
  if (isOfToday(parts, own)) return true;
  if (!words.moves && words.direction === 0) return false;
  const before = parts.slice(Math.max(0, own - 4), own);
  if (before.some((piece) => piece.token.norm === "by")) return true;
  return !before.some((piece) => POSITION.test(piece.token.norm));
}

/** "within 10 dollars of today's price". */
const isOfToday = (parts: readonly Piece[], own: number): boolean =>
  /^(?:of|from)$/.test(parts[own + 1]?.token.norm ?? "") &&
  parts.slice(own + 2, own + 5).some((piece) => hasRole(piece, ROLES.present));

/** "moves", "any adjustment", "no change above …", "either way"; the verbs "move" and "change" may also lead to a price. */
function isNounOfChange(piece: Piece, before: Piece | undefined, after: Piece | undefined): boolean {
  if (!hasRole(piece, ROLES.moves)) return false;
  if (piece.token.norm === "move")
    return means(before, MEANS.all) || /^(?:no|single|any|a|the|each)$/.test(before?.token.norm ?? "");
  return (
    piece.token.norm !== "change" ||
    means(after, MEANS.above | MEANS.below | MEANS.atMost | MEANS.preposition)
  );
}

/** "limit increases to 10 dollars". */
const isCappedMove = (piece: Piece, next: Piece | undefined): boolean =>
  means(piece, MEANS.cap) && means(next, MEANS.up | MEANS.down);
