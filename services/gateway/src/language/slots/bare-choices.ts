import {
  COMMON_WORDS,
  isHard,
  isOneEdit,
  isPart,
  isWord,
  MEANS,
  means,
  type Piece,
  SHORTEST_NEAR,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import { correctionBefore, isCorrection } from "./corrections.ts";
import type { Draft } from "./draft.ts";
import { isAsked } from "./limits.ts";

/** How far behind a correction the value may be: "no, let's make it revenue". */
const REACH_OF_CORRECTION = 6;

/** Whether a value of a choice is wanted though no word says so. @param isLed whether a cue of its sentence leads to the choice */
export const isWantedWithoutCue = (
  draft: Draft,
  at: number,
  slot: SlotDeclaration,
  value: string,
  isLed: boolean,
): boolean =>
  isAimedAt(draft.pieces, at, isLed) ||
  isSharedOut(draft, at, slot, value) ||
  isSaidAnew(draft, at) ||
  corrects(draft, at, slot);

/** Whether what a piece says is wanted by the words around it, whatever it is. */
export const isAimedAt = (pieces: readonly Piece[], at: number, isLed = false): boolean =>
  isAim(pieces, at, isLed) ||
  isMoreWanted(pieces, at) ||
  isWished(pieces, at) ||
  isChosen(pieces, at) ||
  isContrasted(pieces, at) ||
  isItemOfList(pieces, at);

/** "optimise everything except the valve for profit", "run both pumps for revenue": what a request is for, whatever it asks for. */
function isAim(pieces: readonly Piece[], at: number, isLed: boolean): boolean {
  if (pieces[at - 1]?.token.norm !== "for") return false;
  return isLed || (endsAim(pieces[at + 1]) && isRequested(pieces, at - 1) && !isAsked(pieces, at));
}

const endsAim = (piece: Piece | undefined): boolean =>
  isHard(piece) ||
  means(piece, MEANS.separator | MEANS.joins | MEANS.cap | MEANS.atMost | MEANS.only) ||
  piece?.amount !== undefined ||
  /^(?:please|now|again|instead|this|today|in|on|-)$/.test(piece?.token.norm ?? "");

/** "finance asks for something else: do profit". */
const isChosen = (pieces: readonly Piece[], at: number): boolean =>
  /^(?:do|take|use|choose|pick)$/.test(pieces[at - 1]?.token.norm ?? "") &&
  (isHard(pieces[at - 2]) || isWord(pieces[at - 2], ",") || isWord(pieces[at - 2], "so")) &&
  endsAim(pieces[at + 1]) &&
  !isAsked(pieces, at);

const WISHING = /^(?:want|need|me|us|for|please|and|to|then|now|just|ok)$/;

/** "we need more profit", "increase our revenue": a wish without a figure. */
function isMoreWanted(pieces: readonly Piece[], at: number): boolean {
  let lead = at - 1;
  while (/^(?:the|our|my)$/.test(pieces[lead]?.token.norm ?? "")) lead--;
  const isMore =
    isWord(pieces[lead], "more") || /^(?:increase|raise|lift)$/.test(pieces[lead]?.token.norm ?? "");
  const before = pieces[lead - 1];
  if (
    !isMore ||
    !(
      isHard(before) ||
      means(before, MEANS.separator | MEANS.wanted) ||
      WISHING.test(before?.token.norm ?? "")
    )
  )
    return false;
  const next = pieces[at + 1];
  const isSupposed = /^(?:if|when|does|do)$/.test(pieces[lead - 2]?.token.norm ?? "");
  return (endsAim(next) || isWord(next, "for")) && !next?.amount && !isSupposed && !isAsked(pieces, at);
}

const WANTING = /^(?:want|wants|need|needs|wish|wishes)$/;
const ASKING = /^(?:ask|asks|asking)$/;
/** Pieces before a wish among which what denies or supposes it is: "I'm not asking for profit". */
const REACH_OF_DENIAL = 3;
const SUPPOSING = /^(?:if|when|whether|to|not|i'm not|isn't|don't|doesn't|why|who|which)$/;

/** "we want revenue", "the owner needs profit for the new wing", "I'm asking for profit": a plain wish, and not "we want profit figures". */
function isWished(pieces: readonly Piece[], at: number): boolean {
  const isFor = isWord(pieces[at - 1], "for") && ASKING.test(pieces[at - 2]?.token.norm ?? "");
  const verb = isFor ? at - 2 : at - 1;
  const isWish = isFor || means(pieces[verb], MEANS.wanted) || WANTING.test(pieces[verb]?.token.norm ?? "");
  if (!isWish || /^(?:first|key|king)$/.test(pieces[verb]?.token.norm ?? "")) return false;
  const next = pieces[at + 1];
  if (!endsAim(next) && !/^(?:for|with|out|but|rather)$/.test(next?.token.norm ?? "")) return false;
  // "profit and revenue by region" are figures.
  if (means(next, MEANS.joins) && senseOf(pieces[at + 2], "value")?.slot.kind === "choice") return false;
  for (let i = verb - 1; i >= verb - REACH_OF_DENIAL && !isHard(pieces[i]) && !isWord(pieces[i], ","); i--)
    if (SUPPOSING.test(pieces[i]?.token.norm ?? "") || means(pieces[i], MEANS.not)) return false;
  return !isAsked(pieces, at);
}

/** What a clause says that tells, asks or judges: "what it means for profit", "this is good for revenue". */
const TELLING =
  /^(?:what|whatever|which|how|who|where|why|whether|if|is|are|was|were|been|it's|that's|isn't|look|looks|seem|seems|mean|means|does|doesn't|did|had|went|thanks|thank)$/;
/** Nouns that "for" joins to an aim without asking for it: "the numbers for revenue", "the outlook for profit". */
const REPORTED =
  /^(?:numbers?|figures?|forecasts?|data|results?|effects?|impact|consequences?|outlook|expectations?|plans?|risks?|losses|loss|reports?|good|bad|great|better|worse|right|wrong|terrible|harmful|dangerous|healthy|important|responsible|hope|account)$/;
/** They ask for prices, though they may stand in a report too. */
const PROPOSING = /^(?:propose|proposing|publish|publishing|rules?)$/;
/** Pieces of a clause that are looked at, so that a long text takes time in proportion. */
const LONGEST_CLAUSE = 40;

/** Whether a clause asks for something to be done. @param end behind the request */
function isRequested(pieces: readonly Piece[], end: number): boolean {
  const last = pieces[end - 1];
  if (REPORTED.test(last?.token.norm ?? "")) return false;
  for (let i = end - 1; i >= end - LONGEST_CLAUSE && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    const norm = piece?.token.norm ?? "";
    // What stands before a pause tells or asks for itself: "the motor is old, run it for profit".
    if (norm === "," || norm === "but" || norm === "so") break;
    if (TELLING.test(norm) || means(piece, MEANS.why)) return false;
    // "the rest of the list", "the EMEA list"
    const lead = pieces[i - 1];
    const isNoun =
      /^(?:the|our|my|a|this|whole)$/.test(lead?.token.norm ?? "") || (lead?.value ?? lead?.entity);
    if (senseOf(piece, "neutral") && !isNoun && !PROPOSING.test(norm)) return false;
  }
  return true;
}

/** Pieces behind a value among which its subject is: "for the left valve". */
const REACH_TO_SUBJECT = 4;

/** "profit for the valve, revenue for the pump": each value has a subject of its own, so that none is for all. */
function isSharedOut({ pieces, places }: Draft, at: number, slot: SlotDeclaration, value: string): boolean {
  const hasSubject = (i: number): boolean =>
    /^(?:for|on|in|with)$/.test(pieces[i + 1]?.token.norm ?? "") &&
    pieces.slice(i + 2, i + 2 + REACH_TO_SUBJECT).some((piece) => piece.entity ?? piece.value);
  const isOther = (piece: Piece, i: number): boolean =>
    piece.senses.some((sense) => sense.is === "value" && sense.slot === slot && sense.value !== value) &&
    hasSubject(i);
  return (places.has(slot.name) || isHard(pieces[at - 1])) && hasSubject(at) && pieces.some(isOther);
}

/** "revenue instead", "profit rather": it takes the place of what was said before. */
export const isTakenInstead = (pieces: readonly Piece[], at: number): boolean =>
  (isWord(pieces[at + 1], "instead") || isWord(pieces[at + 1], "rather")) && endsStatement(pieces, at + 2);

/** "revenue, not profit", "revenue before profit", "revenue instead", "only profit". */
function isContrasted(pieces: readonly Piece[], at: number): boolean {
  const after = pieces[at + 1];
  const norm = after?.token.norm ?? "";
  const isChoice = (i: number): boolean => senseOf(pieces[i], "value")?.slot.kind === "choice";
  const not = norm === "," ? at + 2 : at + 1;
  if (/^(?:not|over|before)$/.test(pieces[not]?.token.norm ?? "")) return isChoice(not + 1);
  // "not profit but revenue"
  if (pieces[at - 1]?.token.norm === "but" && isChoice(at - 2) && isRejected(pieces, at - 2)) return true;
  // "instead of profit do revenue"
  for (let i = at - 2; i >= at - REACH_OF_CORRECTION && !isHard(pieces[i]); i--)
    if (isChoice(i) && isRejected(pieces, i) && endsStatement(pieces, at + 1)) return true;
  if (
    norm === "instead" ||
    isTakenInstead(pieces, at) ||
    (means(pieces[at - 1], MEANS.only) && isHard(after))
  )
    return true;
  return means(after, MEANS.instead) && !/^(?:vs|versus)$/.test(norm);
}

/**
 * "EMEA, revenue, at most 5 %": a part by itself of a list of constraints; and not of a list of subjects: "cost, revenue, demand". Where it
 * begins its list, a constraint follows: "profit, new tier", "profit please, at most 5 %".
 */
function isItemOfList(pieces: readonly Piece[], at: number): boolean {
  if (isPart(pieces, at)) {
    if (isSubject(pieces, at - 2)) return false;
    if (isHard(pieces[at + 1])) return true;
    // "profit, and a margin of at least 20 %"
    if (means(pieces[at + 2], MEANS.joins)) return isConstraint(pieces, at + 3) && !isAsked(pieces, at);
    return !isSubject(pieces, at + 2);
  }
  if (isSentence(pieces, at)) return true;
  // "hub motor, revenue please"
  if (isWord(pieces[at - 1], ",") && isWord(pieces[at + 1], "please") && isHard(pieces[at + 2]))
    return !isSubject(pieces, at - 2) && !isAsked(pieces, at);
  const lead = pieces[at - 1];
  if (!(isHard(lead) || means(lead, MEANS.correct) || OPENING.test(lead?.token.norm ?? ""))) return false;
  let next = at + 1;
  // "revenue for EMEA: at most 5 %"
  if (isWord(pieces[next], "for")) {
    while (next - at <= REACH_OF_SUBJECT && !/^[,:]$/.test(pieces[next]?.token.norm ?? "") && pieces[next])
      next++;
    return isConstraint(pieces, next + 1) && !isAsked(pieces, at);
  }
  while (/^(?:please|,|and|with)$/.test(pieces[next]?.token.norm ?? "")) next++;
  return next > at + 1 && isConstraint(pieces, next) && !isAsked(pieces, at);
}

/** "Price the UK. Profit. At most 4 %", "revenue please": a sentence of its own, and not one of a list of subjects: "Revenue. Cost. Demand." */
function isSentence(pieces: readonly Piece[], at: number): boolean {
  let end = at + 1;
  while (/^(?:please|,|then|now)$/.test(pieces[end]?.token.norm ?? "")) end++;
  if (!isHard(pieces[at - 1]) || !isHard(pieces[end]) || isAsked(pieces, at)) return false;
  const isOfList = (i: number): boolean =>
    isHard(pieces[i - 1]) && isHard(pieces[i + 1]) && isSubject(pieces, i);
  // "explain: revenue"
  const isReport = isWord(pieces[at - 1], ":") && senseOf(pieces[at - 2], "neutral") !== undefined;
  return !isReport && !isOfList(at - 2) && !isOfList(end + 1);
}

/** Pieces of what an aim is for. */
const REACH_OF_SUBJECT = 8;
/** What a list of constraints may begin with. */
const OPENING = /^(?:then|now|ok|okay|and|please|just|so|but|,|:)$/;

/** What a list goes on about; a value and its noun are a constraint: "exchange tier". */
const isSubject = (pieces: readonly Piece[], at: number): boolean => {
  const piece = pieces[at];
  if (piece?.value || piece?.entity || piece?.used || pieces[at - 1]?.value) return false;
  // "profit, change limited to 4 %" goes on with a constraint.
  if (
    pieces
      .slice(at + 1, at + 3)
      .some((next) => means(next, MEANS.cap | MEANS.atMost | MEANS.atLeast) || next.amount)
  )
    return false;
  return piece?.senses.some(({ is }) => is === "noun" || is === "value" || is === "unsupported") === true;
};

const isConstraint = (pieces: readonly Piece[], at: number): boolean => {
  let first = at;
  while (/^(?:the|for|in|a|an|with)$/.test(pieces[first]?.token.norm ?? "")) first++;
  const piece = pieces[first];
  return (
    (piece?.value ?? piece?.entity ?? piece?.amount) !== undefined ||
    senseOf(piece, "noun")?.slot.reads === "least" ||
    means(piece, MEANS.atMost | MEANS.atLeast | MEANS.cap | MEANS.only | MEANS.except)
  );
};

/** "and now the same": before what a message changes. */
const GOING_ON = /^(?:and|in|now|then|again|but|the|same|ok|okay|try|it|that|do|please|,)$/;
/** What a sentence begins with that says a choice anew. */
const ANEW = /^(?:rather|instead|better|use|take|for|to|no|,)$/;

/** "make it revenue, and 7 %", "now profit": where constraints are in force, a value that begins a sentence is one more. */
function isSaidAnew({ pieces, before }: Draft, at: number): boolean {
  const next = pieces[at + 1];
  const ends = isHard(next) || means(next, MEANS.joins | MEANS.separator | MEANS.correct);
  if (Object.keys(before).length === 0 || !ends || next?.token.norm === "?") return false;
  for (let i = at - 1; i >= 0 && !isHard(pieces[i]); i--) {
    const norm = pieces[i]?.token.norm ?? "";
    if (!means(pieces[i], MEANS.correct) && !GOING_ON.test(norm) && !ANEW.test(norm)) return false;
  }
  return true;
}

/** "profit, no, revenue": what takes the place of another choice needs no cue. */
function corrects({ pieces, corrections, places }: Draft, at: number, slot: SlotDeclaration): boolean {
  const before = places.get(slot.name);
  if (before === undefined || !isCorrection(corrections, before, at)) return false;
  if (means(pieces[at - 1], MEANS.question)) return false;
  return at - (correctionBefore(corrections, at)?.to ?? 0) <= REACH_OF_CORRECTION;
}

/** "forget revenue". */
export const isForgotten = (pieces: readonly Piece[], at: number): boolean =>
  means(pieces[at - 1], MEANS.clear) && !means(pieces[at - 1], MEANS.down) && !pieces[at - 1]?.token.hangul;

/** Pieces between "prefer" and what something is preferred to: "prefer profit to". */
const REACH_OF_PREFERENCE = 4;

/** "prefer profit to revenue", "rather have profit than revenue". */
function isPreferredTo(pieces: readonly Piece[], at: number): boolean {
  const lead = isWord(pieces[at - 1], "the") ? at - 2 : at - 1;
  return (
    /^(?:to|than)$/.test(pieces[lead]?.token.norm ?? "") &&
    pieces
      .slice(Math.max(0, lead - REACH_OF_PREFERENCE), lead)
      .some(({ token }) => /^(?:prefer|rather)/.test(token.norm))
  );
}

/** "instead of profit", "prefer revenue to profit", 매출 말고, 매출이 아니라. */
export function isRejected(pieces: readonly Piece[], at: number): boolean {
  if (isPreferredTo(pieces, at)) return true;
  let before = at - 1;
  while (/^(?:the|of|for|on)$/.test(pieces[before]?.token.norm ?? "")) before--;
  const piece = pieces[before];
  const after = pieces[means(pieces[at + 1], MEANS.filler) ? at + 2 : at + 1];
  if (means(after, MEANS.instead) && after?.token.hangul) return true;
  return (
    means(piece, MEANS.instead) &&
    !piece?.token.hangul &&
    (piece?.token.norm !== "over" || pieces[before - 1]?.senses.length !== 0)
  );
}

/** "profit first", and not "profit first fell". */
export function endsStatement(pieces: readonly Piece[], at: number): boolean {
  const next = pieces[at];
  return (
    isHard(next) ||
    means(next, MEANS.joins | MEANS.separator | MEANS.preposition | MEANS.correct | MEANS.instead) ||
    senseOf(next, "noun") !== undefined ||
    next?.entity !== undefined ||
    /^(?:here|now|please|than|this|these|right|today|next)$/.test(next?.token.norm ?? "")
  );
}

/** Words within one edit of a value where one is wanted: "for proft", "maximise revenu". */
export function findMisspelt({ pieces, slots }: Draft): void {
  for (let at = 1; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece?.means !== 0 || piece.senses.length > 0 || !leadsValue(pieces[at - 1])) continue;
    const { norm } = piece.token;
    if (norm.length < SHORTEST_NEAR || piece.entity || piece.amount || COMMON_WORDS.has(norm)) continue;
    for (const slot of slots) {
      if (slot.kind !== "choice") continue;
      for (const [value, words] of Object.entries(slot.values)) {
        if ([value, ...words].some((word) => word.length >= SHORTEST_NEAR && isOneEdit(norm, word)))
          piece.senses = [{ is: "value", slot, value, ordinary: false }];
      }
    }
  }
}

/** What a value that is wanted stands behind. */
const leadsValue = (lead: Piece | undefined): boolean =>
  lead !== undefined &&
  (lead.token.norm === "for" ||
    means(lead, MEANS.superlative) ||
    (means(lead, MEANS.atMost) && lead.token.norm.startsWith("max")) ||
    senseOf(lead, "cue") !== undefined);
