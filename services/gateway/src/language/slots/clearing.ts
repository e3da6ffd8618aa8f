import {
  hasRole,
  isHard,
  isWord,
  MEANS,
  means,
  type Piece,
  ROLES,
  type SlotDeclaration,
} from "@interlock/understanding";
import type { Draft } from "./draft.ts";
import { changeOf, limitOfChange } from "./shares.ts";
import { isZoneEnd } from "./zones.ts";

const REACH = 4;
/** Pieces between a limit and what is said of it behind. */
const REACH_BACK = 16;
/** They speak of a limit of the sentence before: "…; that's off the table". */
const PRONOUN = /^(?:that|this|it|which|those|these|그건|그거|그것)$/;

/** Finds what the message takes back: "no limit any more", "forget the 5 % cap", 제한 없이. */
export function readCleared(draft: Draft): void {
  const { pieces } = draft;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || piece.used) continue;
    if (hasRole(piece, ROLES.unbounded) || isAsFarAsLiked(draft, piece)) liftAll(draft, at);
    const isDenial =
      means(piece, MEANS.not) ||
      piece.token.norm === "말고" ||
      (piece.token.norm === "no" && means(pieces[at + 1], MEANS.cap));
    if (!isDenial && !means(piece, MEANS.clear) && !hasRole(piece, ROLES.lifted)) continue;
    if (asksAbout(pieces, at)) continue;
    if (hasRole(piece, ROLES.lifted)) readLifted(draft, at);
    if (isDenial) {
      const limit = piece.token.hangul ? deniedInKorean(pieces, at) : deniedLimit(pieces, at);
      if (limit >= 0) clearLimit(draft, limit, piece);
    }
    // "don't forget the cap" takes nothing back.
    if (!means(piece, MEANS.clear) || piece.used || means(pieces[at - 1], MEANS.not)) continue;
    const step = piece.token.hangul ? -1 : 1;
    const passed: Piece[] = [];
    for (let i = at + step; Math.abs(i - at) <= REACH && !isHard(pieces[i]); i += step) {
      const next = pieces[i];
      // "drop the violations filter"
      const flag = next?.senses.find((sense) => sense.is === "cue" && sense.slot.kind === "flag");
      if (
        next &&
        flag?.is === "cue" &&
        flag.slot.name in draft.before &&
        SELECTING.test(pieces[i + 1]?.token.norm ?? "")
      ) {
        draft.cleared.add(flag.slot.name);
        for (const part of [piece, next, pieces[i + 1], ...passed]) if (part) part.used = true;
        break;
      }
      const supposed = means(next, MEANS.up | MEANS.down) ? changeInForce(draft) : undefined;
      if (next && supposed && !isFollowedByAmount(pieces, i)) {
        draft.cleared.add(supposed.name);
        for (const part of [piece, next, ...passed]) part.used = true;
        break;
      }
      if (
        !next ||
        next.entity ||
        next.value ||
        means(next, MEANS.up | MEANS.down | MEANS.above | MEANS.below)
      )
        break;
      // In "drop the floor to 90" the amount behind sets the slot.
      const slot = clearedBy(draft, piece, i, step, passed);
      if (slot && !setsAgain(pieces, i)) {
        draft.cleared.add(slot.name);
        for (const part of [piece, next, ...passed]) part.used = true;
        const end = pieces[i + step];
        if (end && means(end, MEANS.cap | MEANS.atMost | MEANS.atLeast)) end.used = true;
        // "forget the cap of 5 %", "5% 제한은 빼 줘": the amount of what is taken back.
        const amount = step === 1 && end?.token.norm === "of" ? pieces[i + 2] : step === -1 ? end : undefined;
        if (amount?.amount) amount.used = true;
        break;
      }
      passed.push(next);
    }
  }
}

/** What selects, behind the words of what it selects. */
const SELECTING = /^(?:filter|restriction|condition|selection|flag|requirement|thing|bit|part|only)$/;

/** The change that is supposed: "without the increase". */
const changeInForce = ({ slots, before }: Draft): SlotDeclaration | undefined =>
  slots.find(({ name, reads }) => reads === "change" && name in before);

/** "as far as you like", "as much as we want". */
const LIKED =
  /^\s+(?:you|we|they|it|i)\s+(?:like|want|wish|please|need|see fit)\s*(?:$|[.,;:!?]|(?:with|on|for|and|but|to|in|there|here)\b)/i;
const LIKED_LENGTH = 20;

const isAsFarAsLiked = ({ text }: Draft, piece: Piece): boolean =>
  hasRole(piece, ROLES.degree) && LIKED.test(text.slice(piece.end, piece.end + LIKED_LENGTH));

/** Takes back the limit of changes, where the message says that they may be of any size. */
function liftAll({ pieces, slots, cleared }: Draft, at: number): void {
  const change = limitOfChange(slots);
  if (!change) return;
  cleared.add(change.name);
  for (const piece of pieces.slice(at, at + 3)) if (!piece.entity && !piece.value) piece.used = true;
}

const BEFORE_QUESTION = /^(?:so|and|but|or|then|now|hm+|well|,)$/;
/** Verbs of questions about what holds: "is there no limit?", "has the cap been dropped?". */
const STATING = /^(?:is|isn't|are|aren't|was|were|does|doesn't|do|did|has|have|hasn't)$/;
/** What a question of "do" and "have" is about, unlike a request: "do the valve without a limit". */
const ASKED_OF = /^(?:we|you|i|they|it|there|that|this|prices|no|not|any|the|our|my|your)$/;
/** 제한 없나요?, 한도가 없어? */
const STATING_KOREAN = /^없(?:어|어요|나|나요|습니까|음|지|죠)?$/;
/** Pieces between the beginning of a question and what it says of a limit. */
const REACH_OF_QUESTION = 12;

/** Whether a word is in a question about what holds, which takes nothing back. "What would it be without a limit?" does. */
function asksAbout(pieces: readonly Piece[], at: number): boolean {
  const norm = pieces[at]?.token.norm ?? "";
  if (norm === "without" || norm === "if") return false;
  if (pieces[at]?.token.hangul) {
    const end = isHard(pieces[at + 1]) ? at + 1 : at + 2;
    return STATING_KOREAN.test(norm) && pieces[end]?.token.norm === "?";
  }
  let start = at;
  while (at - start < REACH_OF_QUESTION && !isHard(pieces[start - 1])) start--;
  while (start < at && BEFORE_QUESTION.test(pieces[start]?.token.norm ?? "")) start++;
  const verb = pieces[start]?.token.norm ?? "";
  if (verb === "why") return true;
  if (verb === "there") return endsWithMark(pieces, at);
  return STATING.test(verb) && ASKED_OF.test(pieces[start + 1]?.token.norm ?? "");
}

/** "so there's no limit?" */
function endsWithMark(pieces: readonly Piece[], at: number): boolean {
  let end = at;
  while (end - at < REACH_OF_QUESTION && !isHard(pieces[end])) end++;
  return pieces[end]?.token.norm === "?";
}

/** Pieces between a limit and the verb that is denied: 제한은 신경 쓰지 마. */
const REACH_IN_KOREAN = 5;
const KEEPING_KOREAN = /^(?:어기|어긋|넘|초과|깨|풀|없애|지우|잊|바꾸|빼|벗어)/;

/** 제한 두지 말고: the limit before a denied verb that puts it in force. */
function deniedInKorean(pieces: readonly Piece[], at: number): number {
  if (!pieces[at - 1]?.token.norm.endsWith("지")) return -1;
  for (let i = at - 1; i >= at - REACH_IN_KOREAN && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    if (!piece || KEEPING_KOREAN.test(piece.token.norm) || means(piece, KEEPS)) return -1;
    if (isCap(piece)) return i;
  }
  return -1;
}

/** What is not to be done to a limit so that it holds: "don't exceed the 5 % cap", "don't forget it". */
const KEEPS = MEANS.above | MEANS.below | MEANS.clear;
const KEEPING = /^(?:break|breaks|breaking|breach|violate|touch|miss|hit|cross)$/;
/** "I don't know what the cap is" says nothing of what it is to be. */
const KNOWING = /^(?:know|knows|knew|sure|see|remember|understand|tell|what|which|how)$/;

/**
 * The limit that a negation denies: "don't cap the changes", "there isn't any limit", "nobody needs the 5 % cap".
 * @returns -1 where it denies something else
 */
function deniedLimit(pieces: readonly Piece[], at: number): number {
  if (isWord(pieces[at - 1], "why")) return -1;
  for (let i = at + 1; i <= at + REACH_BACK && !isHard(pieces[i]) && !isZoneEnd(pieces[i]); i++) {
    const piece = pieces[i];
    const norm = piece?.token.norm ?? "";
    if (means(piece, KEEPS) || KEEPING.test(norm) || KNOWING.test(norm)) return -1;
    if (piece && isCap(piece)) return i;
  }
  return -1;
}

/** Finds the limit before a word that lifts it: "the 5 % cap is off the table". */
function readLifted(draft: Draft, at: number): void {
  const { pieces } = draft;
  const lifting = pieces[at];
  if (!lifting) return;
  // "take the cap off", and not "5 % off".
  const reach = isWord(lifting, "off") ? 1 : REACH_BACK;
  // "the margin is no longer healthy" lifts nothing.
  const isLifted = /^(?:no|any) longer$/i.test(draft.text.slice(lifting.start, lifting.end))
    ? isCap
    : isLimitNoun;
  let isBack = false;
  for (let i = at - 1; i >= at - reach && pieces[i]; i--) {
    const piece = pieces[i];
    if (isHard(piece)) {
      if (isBack || !(PRONOUN.test(pieces[i + 1]?.token.norm ?? "") || i === at - 1)) return;
      isBack = true;
    }
    if (lifting.token.hangul && (piece?.entity || piece?.value)) return;
    if (!piece || piece.used || !isLifted(piece)) continue;
    clearLimit(draft, i, lifting);
    return;
  }
}

/** Takes back the limit that a piece names, with its amount. */
function clearLimit(draft: Draft, at: number, lifting: Piece): void {
  const slot = limitAt(draft, at);
  if (!slot) return;
  draft.cleared.add(slot.name);
  lifting.used = true;
  for (const piece of around(draft.pieces, at)) {
    const isPart =
      piece === draft.pieces[at] || piece.amount || hasRole(piece, ROLES.moves) || isLimitNoun(piece);
    if (isPart && !piece.entity) piece.used = true;
  }
}

/** The slot of the limit that a piece names: of the margin, of a price, or of what prices may change. */
function limitAt({ pieces, slots, before }: Draft, at: number): SlotDeclaration | undefined {
  const near = around(pieces, at);
  const nouns = near.flatMap(nounsOf);
  const margin = nouns.find((slot) => slot.kind === "percent" && slot.reads === "least");
  const change = limitOfChange(slots);
  if (margin || !change) return margin;
  const price = nouns.find((slot) => slot.kind === "money");
  // "Forget the floor", where the floor in force is that of the margin.
  if (price && !(price.name in before)) {
    const least = slots.find(
      ({ name, kind, reads }) => kind === "percent" && reads === "least" && name in before,
    );
    if (least) return least;
  }
  const isShare = near.some(({ amount }) => amount?.unit === "share");
  // "The 15 % floor is gone": a floor in percent is that of the margin.
  if (isShare && price?.reads === "least")
    return slots.find(({ kind, reads }) => kind === "percent" && reads === "least");
  const isOfChange = isShare || near.some((piece) => hasRole(piece, ROLES.moves));
  const isInForce = change.name in before && !(price && price.name in before);
  return price && !isOfChange && !isInForce ? price : change;
}

/** The pieces of a clause around one of them. */
function around(pieces: readonly Piece[], at: number): readonly Piece[] {
  let [from, to] = [at, at];
  const isEnd = (piece: Piece | undefined): boolean => isHard(piece) || isZoneEnd(piece);
  while (from > at - REACH && !isEnd(pieces[from - 1])) from--;
  while (to < at + REACH && !isEnd(pieces[to + 1])) to++;
  return pieces.slice(from, to + 1);
}

const nounsOf = ({ senses }: Piece): SlotDeclaration[] =>
  senses.flatMap((sense) => (sense.is === "noun" ? [sense.slot] : []));

/** "cap", "maximum". */
const isCap = (piece: Piece): boolean =>
  means(piece, MEANS.cap) || /^(?:maximum|max|upper|leeway|한도|상한)$/.test(piece.token.norm);

/** "cap", "ceiling", "margin requirement": what may be lifted. */
const isLimitNoun = (piece: Piece): boolean =>
  isCap(piece) ||
  nounsOf(piece).some((slot) => slot.kind === "money" || (slot.kind === "percent" && slot.reads === "least"));

const isFollowedByAmount = (pieces: readonly Piece[], at: number): boolean =>
  pieces.slice(at + 1, at + REACH).some(({ amount }) => amount !== undefined);

function setsAgain(pieces: readonly Piece[], at: number): boolean {
  const behind = pieces.slice(at + 1, at + 4);
  return /^(?:to|at)$/.test(behind[0]?.token.norm ?? "") && behind.some(({ amount }) => amount !== undefined);
}

/** The slot that a clearing word takes back with what stands behind it, at a place. */
function clearedBy(
  draft: Draft,
  clear: Piece,
  at: number,
  step: 1 | -1,
  passed: readonly Piece[],
): SlotDeclaration | undefined {
  const piece = draft.pieces[at];
  const next = draft.pieces[at + step];
  if (!piece) return undefined;
  const isWeak = /^(?:no|without|don't|do|없이|없음|없|없어|없어요|없습니다)$/.test(clear.token.norm);
  const isLimit = (part: Piece | undefined): boolean => means(part, MEANS.cap | MEANS.atMost | MEANS.atLeast);
  const nouns = nounsOf(piece);
  // "drop the 20 % margin" lowers nothing.
  const changes = means(clear, MEANS.up | MEANS.down) && !passed.some(({ amount }) => amount);
  const isLimited =
    isLimit(next) || (next !== undefined && nounsOf(next).some(({ kind }) => kind === "money"));
  for (const slot of nouns) {
    // "drop the tier", "drop the margin" take back what is in force.
    const lifts = !changes || (slot.name in draft.before && !isFollowedByAmount(draft.pieces, at));
    const isBound = slot.kind === "money" || (slot.reads === "most" && piece.means !== 0);
    // "forget the price change", where prices are changed to see what would be.
    const move = slot.reads === "most" && slot.implicit ? changeOf(draft.slots) : undefined;
    const isMeant = !isWeak || !isFollowedByAmount(draft.pieces, at);
    if (move && move.name in draft.before && isMeant && !isLimited) return move;
    // "without the cost increase", where one is supposed
    const isUnchanged = slot.reads === "change" && isWeak && slot.name in draft.before;
    if (isUnchanged && !isLimited && !isFollowedByAmount(draft.pieces, at)) {
      if (next && means(next, MEANS.up | MEANS.down)) next.used = true;
      return slot;
    }
    if (slot.kind === "entity" || slot.kind === "enum") {
      if (isLimit(next) || (!isWeak && lifts && !means(clear, MEANS.except))) return slot;
    } else if (changes && slot.reads === "change") continue;
    else if (slot.kind === "money") return limitAt(draft, at);
    else if (isBound || isLimited || (!isWeak && lifts && slot.reads !== "most")) return slot;
  }
  return isLimitNoun(piece) && nouns.length === 0 ? limitAt(draft, at) : undefined;
}
