import {
  isHard,
  isWord,
  MEANS,
  means,
  type Piece,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import {
  endsStatement,
  isForgotten,
  isRejected,
  isTakenInstead,
  isWantedWithoutCue,
} from "./bare-choices.ts";
import { type Draft, setSlot } from "./draft.ts";
import { isAsked } from "./limits.ts";
import { isFormerAim } from "./past.ts";

/** How far a cue may be from the value that it leads to. */
const REACH = 4;
/** How far behind a value its cue may be: "revenue is what we are after". */
const REACH_BEHIND = 6;

/** Between a value and what is said of it. */
const BEHIND =
  /^(?:is|are|be|being|to|as|should|must|what|that|all|the|our|my|its|their|a|main|only|thing|we|i|you|they|us)$/;
/** Between a cue and its value. */
const BRIDGE = MEANS.filler | MEANS.preposition | MEANS.superlative | MEANS.joins | MEANS.only | MEANS.all;
const MAXIMUM = /^(?:max(?:imum|imal)?|최대)$/;
/** Between a superlative and its value: "the highest possible profit". */
const POSSIBLE = /^(?:possible|total|overall|achievable|attainable|높은|큰|많은)$/;

/** Sets a choice that is asked for: "maximise revenue", "revenue instead of profit", "profit is what counts". Others are only mentioned. */
export function readChoice(
  draft: Draft,
  at: number,
  { slot, value }: { slot: SlotDeclaration; value: string },
  led: ReadonlySet<SlotDeclaration>,
): void {
  const { pieces } = draft;
  const piece = pieces[at];
  if (!piece || piece.used || piece.amount) return;
  if (isRejected(pieces, at) || isForgotten(pieces, at) || isFormerAim(pieces, at)) {
    piece.used = true;
    return;
  }
  const superlative = superlativeOf(pieces, at);
  const cue = cueOfChoice(pieces, at, slot) ?? superlative;
  if (!cue && !isWantedWithoutCue(draft, at, slot, value, led.has(slot))) return;
  for (const part of [piece, cue, superlative]) if (part) part.used = true;
  // "profit is the only thing that matters"
  const behind = pieces.slice(at, at + REACH_BEHIND + 1);
  const end = cue ? behind.indexOf(cue) : -1;
  for (const part of behind.slice(0, Math.max(0, end)))
    if (means(part, MEANS.only | MEANS.atMost)) part.used = true;
  // "as much profit as possible, or revenue rather"
  if (isTakenInstead(pieces, at)) draft.values.delete(slot.name);
  // "he wants revenue, I want profit. So revenue": what is concluded settles what was left open.
  if (isWord(pieces[at - 1], "so") && (isHard(pieces[at - 2]) || isWord(pieces[at - 2], ","))) {
    draft.values.delete(slot.name);
    draft.places.delete(slot.name);
    draft.asks = draft.asks.filter((asked) => asked.slot !== slot.name);
  }
  setSlot(draft, slot, value, at);
}

/**
 * The pieces that make an aim of a noun that is no value of a choice: "maximise margin", "the highest possible margin". A report on it
 * ("show the highest margin", "which item has the best margin?") wants nothing.
 */
export function aimAt(pieces: readonly Piece[], at: number, slot: SlotDeclaration): readonly Piece[] {
  if (isRejected(pieces, at)) return [];
  const cue = cueOfChoice(pieces, at, slot);
  const superlative = superlativeOf(pieces, at);
  return [cue, superlative].filter((piece) => piece !== undefined);
}

export const cueOf = (piece: Piece | undefined, slot: SlotDeclaration): boolean => has(piece, "cue", slot);
export const nounOf = (piece: Piece | undefined, slot: SlotDeclaration): boolean => has(piece, "noun", slot);

function has(piece: Piece | undefined, is: "cue" | "noun", slot: SlotDeclaration): boolean {
  if (!piece || piece.senses.length === 0) return false;
  return piece.senses.some((sense) => sense.is === is && sense.slot === slot);
}

/** The word that makes a value the one that is wanted. */
function cueOfChoice(pieces: readonly Piece[], at: number, slot: SlotDeclaration): Piece | undefined {
  const after = pieces[at + 1];
  return (
    cueBefore(pieces, at, slot) ??
    suffixOf(pieces, at) ??
    neededBefore(pieces, at) ??
    (isAdjective(pieces, at, slot) ||
    ((cueOf(after, slot) || nounOf(after, slot) || isMaximal(pieces, at)) && !isAskedAbout(pieces, at))
      ? after
      : undefined) ??
    (after?.token.hangul ? koreanCue(pieces, at, slot) : undefined) ??
    cueBehind(pieces, at, slot)
  );
}

/** Pieces between "what we need" and what that is: "what we need after two bad quarters is profit". */
const REACH_OF_NEED = 10;
const NEEDING = /^(?:need|needs|want|wants|look|looking|care|cares|count|counts|matters)$/;

/** "what the board wants this year is profit". */
function neededBefore(pieces: readonly Piece[], at: number): Piece | undefined {
  const being = pieces[at - 1];
  if (!isWord(being, "is") || !endsStatement(pieces, at + 1)) return undefined;
  let isNeeded = false;
  for (let i = at - 2; i >= at - REACH_OF_NEED && !isHard(pieces[i]) && !isWord(pieces[i], ","); i--) {
    isNeeded ||= means(pieces[i], MEANS.wanted) || NEEDING.test(pieces[i]?.token.norm ?? "");
    if (isWord(pieces[i], "what")) return isNeeded ? being : undefined;
  }
  return undefined;
}

/** Pieces behind "profit-wise" among which what is best is: "the best one", "go for the maximum". */
const REACH_OF_BEST = 4;

/** "the best price profit-wise", "profit-wise the best one": what is best in this way is wanted. */
function suffixOf(pieces: readonly Piece[], at: number): Piece | undefined {
  const wise = pieces[at + 1]?.token.norm === "-" ? at + 2 : at + 1;
  if (pieces[wise]?.token.norm !== "wise") return undefined;
  const near = pieces.slice(Math.max(0, at - REACH_OF_BEST), wise + 1 + REACH_OF_BEST);
  const isWanted = near.some((piece) => isMost(piece) && !isHard(piece)) && !near.some(isItemNoun);
  return isWanted && !isAsked(pieces, at) ? pieces[wise] : undefined;
}

/** "propose revenue-maximising prices": said of the prices, it is what they are to be, whatever is done with them. */
const isAdjective = (pieces: readonly Piece[], at: number, slot: SlotDeclaration): boolean =>
  cueOf(pieces[at + 1], slot) && senseOf(pieces[at + 2], "noun")?.slot.reads === "change";

/** "profit-maximal prices", "revenue as high as possible"; and not "profit max 5 %". */
function isMaximal(pieces: readonly Piece[], at: number): boolean {
  const [after, second, third] = pieces.slice(at + 1, at + 4);
  // "with revenue in mind"
  if (isWord(after, "in")) return isWord(second, "mind");
  // "profit at its max", "revenue to the limit"
  if (/^(?:at|to)$/.test(after?.token.norm ?? "") && /^(?:its|the|a|their)$/.test(second?.token.norm ?? ""))
    return (isMost(third) || isWord(third, "limit")) && endsStatement(pieces, at + 4);
  // "revenue should be as high as possible"
  if (/^(?:should|shall|must|has|to|be)$/.test(after?.token.norm ?? "")) return isMaximal(pieces, at + 1);
  if (MAXIMUM.test(after?.token.norm ?? "") && !after?.token.hangul) return !second?.amount;
  if (after?.token.norm === ",") return isMaximal(pieces, at + 1);
  return (
    after?.token.norm === "as" &&
    /^(?:high|large|big|great|strong)$/.test(second?.token.norm ?? "") &&
    third?.token.norm === "as"
  );
}

const isMost = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.superlative) || MAXIMUM.test(piece?.token.norm ?? "");

function cueBefore(pieces: readonly Piece[], at: number, slot: SlotDeclaration): Piece | undefined {
  // "maximise profit, revenue is secondary"; and not "revenue is not the goal, profit is"
  const isJudged = /^(?:is|isn't|are|was|does|doesn't)$/.test(pieces[at + 1]?.token.norm ?? "");
  if (isJudged && isWord(pieces[at - 1], ",") && !isHard(pieces[at + 2])) return undefined;
  // "goal: profit"
  if (
    /^[:=]$/.test(pieces[at - 1]?.token.norm ?? "") &&
    nounOf(pieces[at - 2], slot) &&
    !isWord(pieces[at + 1], "or")
  )
    return pieces[at - 2];
  for (let i = at - 1; i >= at - REACH && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    if (!piece) return undefined;
    if (cueOf(piece, slot) || nounOf(piece, slot)) return piece;
    const { norm } = piece.token;
    const isBridge = means(piece, BRIDGE) || MAXIMUM.test(norm) || BEHIND.test(norm);
    // "optimise prices for revenue": a noun may stand between where a preposition follows it.
    const isObject = senseOf(piece, "noun") !== undefined && means(pieces[i + 1], MEANS.preposition);
    // "maximise long-term profit"
    const isOfValue = at - i <= 2 && isUnknownWord(piece) && senseOf(pieces[at], "value") !== undefined;
    if (
      !isBridge &&
      !isObject &&
      !isOfValue &&
      !piece.entity &&
      !piece.value &&
      senseOf(piece, "value") === undefined
    )
      return undefined;
  }
  return undefined;
}

const isUnknownWord = ({ token, means: meaning, senses }: Piece): boolean =>
  token.kind === "word" && meaning === 0 && senses.length === 0;

/** 매출을 극대화, 매출이 최대가 되는 가격. */
function koreanCue(pieces: readonly Piece[], at: number, slot: SlotDeclaration): Piece | undefined {
  let next = at + 1;
  while (next <= at + 2 && means(pieces[next], MEANS.filler)) next++;
  const cue = pieces[next];
  if (cueOf(cue, slot)) return cue;
  let end = next + 1;
  while (end <= next + REACH && !isHard(pieces[end]) && !means(pieces[end], MEANS.separator)) end++;
  const behind = pieces.slice(next + 1, end);
  // "매출 최대 5%", "이익이 가장 큰 품목": an amount is bounded, and items are looked for.
  return isMost(cue) && !behind.some((piece) => piece.amount || isItemNoun(piece)) ? cue : undefined;
}

const isItemNoun = (piece: Piece | undefined): boolean => senseOf(piece, "noun")?.slot.kind === "entity";

/** "the highest revenue", "maximum profit", "as much profit as possible"; and not "the item with the highest revenue". */
function superlativeOf(pieces: readonly Piece[], at: number): Piece | undefined {
  // "the most profitable prices", "as profitable as they can be" have their superlative in the phrase.
  const isOwn = means(pieces[at], MEANS.superlative) || OWN.test(pieces[at]?.token.norm ?? "");
  const lead = isOwn ? at : POSSIBLE.test(pieces[at - 1]?.token.norm ?? "") ? at - 2 : at - 1;
  const piece = pieces[lead];
  if (!(isMost(piece) || isAsMuch(pieces, lead, at + 1) || isOwn) || !isOfPrices(pieces[at + 1]))
    return undefined;
  const end = means(pieces[at + 1], MEANS.separator) ? at + 1 : at + 3;
  const behind = pieces.slice(at + 1, end);
  // "the highest revenue we had" tells of the past.
  if (behind.some(({ amount, token }) => amount !== undefined || PAST.test(token.norm))) return undefined;
  // "for the sport segment as much profit as we can get": no item has as much as it can.
  if (isAsMuch(pieces, lead, at + 1)) return piece;
  for (let i = at - 1; i >= at - REACH_TO_ITEM && !isHard(pieces[i]) && !means(pieces[i], MEANS.joins); i--) {
    // "run the catalogue for the highest profit"
    if (pieces[i]?.token.norm === "for") break;
    const kind = senseOf(pieces[i], "noun")?.slot.kind;
    if (kind === "entity" || kind === "enum" || PAST.test(pieces[i]?.token.norm ?? "")) return undefined;
  }
  return piece;
}

/** First words of phrases that have their superlative. */
const OWN = /^(?:most|as|earn|make)$/;
const PAST = /^(?:had|made|was|were|did|ever|who|comes|came|went|fell|rose)$/;
/** Pieces before a superlative among which the item may be that it is said of. */
const REACH_TO_ITEM = 6;

/** "the highest profit", "the most profitable prices"; and not "the highest profit margin". */
const isOfPrices = (next: Piece | undefined): boolean => {
  const noun = senseOf(next, "noun")?.slot;
  return noun === undefined || (noun.reads === "change" && noun.implicit);
};

const isAsMuch = (pieces: readonly Piece[], much: number, behind: number): boolean =>
  pieces[much]?.token.norm === "much" &&
  pieces[much - 1]?.token.norm === "as" &&
  pieces[behind]?.token.norm === "as" &&
  (/^(?:possible|you|we|they|it|i|can|the)$/.test(pieces[behind + 1]?.token.norm ?? "") ||
    pieces[behind + 1]?.entity !== undefined);

/** "revenue first", "revenue as the goal", "profit is what we are after". A question and a report want nothing. */
function cueBehind(pieces: readonly Piece[], at: number, slot: SlotDeclaration): Piece | undefined {
  if (isAskedAbout(pieces, at)) return undefined;
  let bridge = "";
  for (let i = at + 1; i <= at + REACH_BEHIND && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (means(piece, MEANS.wanted) && endsStatement(pieces, i + 1)) return piece;
    if (nounOf(piece, slot) && /\b(?:is|as|be|being|are)\b/.test(bridge)) return piece;
    if (cueOf(piece, slot) && /\b(?:what|all)\b/.test(bridge)) return piece;
    if (DONE.test(piece?.token.norm ?? "") && /\b(?:is|be)\b/.test(bridge)) return piece;
    if (isWord(piece, "focus") && /\b(?:is|be)\b/.test(bridge)) return piece;
    const norm = piece?.token.norm ?? "";
    if (!BEHIND.test(norm)) return undefined;
    // "profit is all we care about": "is all" is one piece.
    bridge += norm === "is" && !isWord(piece, "is") ? " is all" : ` ${norm}`;
  }
  return undefined;
}

/** "profit is to be maximised". */
const DONE = /^(?:maximi[sz]ed|prioriti[sz]ed|preferred)$/;

/** "is profit the goal", "show me revenue first". */
function isAskedAbout(pieces: readonly Piece[], at: number): boolean {
  let before = at - 1;
  while (/^(?:the|our|my|your|me|us|this|that)$/.test(pieces[before]?.token.norm ?? "")) before--;
  const piece = pieces[before];
  const isStatement = /^(?:it|that|this)$/.test(pieces[before - 1]?.token.norm ?? "");
  return (
    (means(piece, MEANS.question | MEANS.why) && !isStatement) || senseOf(piece, "neutral") !== undefined
  );
}
