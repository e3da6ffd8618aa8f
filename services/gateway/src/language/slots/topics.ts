import { isHard, isWord, MEANS, means, type Piece, senseOf } from "@interlock/understanding";
import { isAppointment, isDeadline, isIdiom } from "./asides.ts";
import { isAimedAt, isRejected } from "./bare-choices.ts";
import { aimAt } from "./choice-cues.ts";
import { cannotApply, type Draft } from "./draft.ts";
import { isAsked } from "./limits.ts";
import { isAffected, isTold } from "./parties.ts";

/** Words that constrain whatever they are said of. */
export const STRONG = MEANS.unless | MEANS.must | MEANS.except | MEANS.only;
/** Words that constrain if they are said of something that the domain knows. */
export const WEAK = MEANS.atMost | MEANS.atLeast | MEANS.cap | MEANS.above | MEANS.below | MEANS.keep;
/** Pieces of what is sold: "as many gas stoves as". */
const LONGEST_GOODS = 6;
/** Pieces of a sentence that are looked at, so that a long text takes time in proportion. */
const LONGEST_SENTENCE = 40;
const SHOULD = /^(?:should|shall|ought|need|needs)$/;
/** How far before a subject what makes a constraint of it may be. */
const REACH_OF_LEAD = 4;
/** What is done to a subject that nothing here supports: "sell the stock", "grow volume". */
const TREATING = /^(?:sell|selling|clear|clearing|reduce|grow|gain|win|shift|deplete|liquidate)$/;
/** 재고를 소진하도록. */
const KOREAN_AIM = /(?:도록|하게)$/;

/** "sell as many ovens as we can", "sell as much as possible" want a volume, which nothing here supports. */
export function nameVolume(draft: Draft, at: number): void {
  const { pieces } = draft;
  const next = pieces[at + 1];
  if (next?.token.norm === "as" && means(next, MEANS.atMost))
    return void cannotApply(draft, pieces[at]?.start ?? 0, pieces[at + 2]?.end ?? next.end);
  if (!isAsMuch(pieces, at + 2)) return;
  let end = at + 3;
  while (end < at + 3 + LONGEST_GOODS && !isHard(pieces[end]) && pieces[end]?.token.norm !== "as") end++;
  if (pieces[end]?.token.norm !== "as" || !pieces.slice(at + 3, end).some(({ entity }) => entity)) return;
  while (!isHard(pieces[end + 1]) && !means(pieces[end + 1], MEANS.separator | MEANS.joins)) end++;
  cannotApply(draft, pieces[at]?.start ?? 0, pieces[end]?.end ?? 0);
}

/** "as many units". */
const isAsMuch = (pieces: readonly Piece[], at: number): boolean =>
  /^(?:many|much)$/.test(pieces[at]?.token.norm ?? "") && pieces[at - 1]?.token.norm === "as";

const UNIFORM = /^(?:same|one|single|common|identical|equal|uniform)$/;
/** What leads to a price that several are to have. */
const BEFORE_UNIFORM = /^(?:at|to|on|have|has|having|get|share|be|want|need|with|by|end)$/;
/** Whom or what one price is for: "one price for all dealers". */
const BEHIND_UNIFORM = /^(?:for|in|across|everywhere|on)$/;
/** Pieces before a price that say that it is one: "at one and the same". */
const LONGEST_LEAD = 6;
/** "can both tents have the same price?" */
const REQUESTING = /^(?:can|could|would|will|should|please)$/;

/** One price for several things: "both tents at the same price", "one price for all dealers". Each item and tier has its own. */
export function nameUniform(draft: Draft, at: number): void {
  const { pieces } = draft;
  if (pieces[at + 1]?.senses.length === 0) return;
  const price = senseOf(pieces[at + 1], "noun")?.slot;
  if (!price?.implicit || price.reads !== "change" || !UNIFORM.test(pieces[at]?.token.norm ?? "")) return;
  // "the same prices again" are those of before.
  const isEqual = /^(?:identical|equal|uniform)$/.test(pieces[at]?.token.norm ?? "");
  const isPlural = pieces[at + 1]?.token.norm.endsWith("s") === true;
  if (isPlural && !isEqual) return;
  let from = at;
  while (at - from < LONGEST_LEAD && /^(?:the|and|one|a|an|same)$/.test(pieces[from - 1]?.token.norm ?? ""))
    from--;
  const isLed = BEFORE_UNIFORM.test(pieces[from - 1]?.token.norm ?? "");
  // "they have been at the same price for years"
  if (isLed && /^(?:been|was|were|is|are)$/.test(pieces[from - 2]?.token.norm ?? "")) return;
  let end = at + 1;
  if (!isLed && !isEqual && !BEHIND_UNIFORM.test(pieces[end + 1]?.token.norm ?? "")) return;
  let start = from;
  while (at - start < LONGEST_SENTENCE && !isHard(pieces[start - 1])) start--;
  if (isAsked(pieces, at) && !REQUESTING.test(pieces[start]?.token.norm ?? "")) return;
  while (end - at < LONGEST_GOODS && !isHard(pieces[end + 1]) && !endsPhrase(pieces[end + 1])) end++;
  const first = pieces[isLed ? from - 1 : from];
  cannotApply(draft, first?.start ?? 0, pieces[end]?.end ?? 0);
}

const endsPhrase = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.joins) || (means(piece, MEANS.separator) && !means(piece, MEANS.filler));

/** A subject that nothing here supports, with what is said of it: "for existing customers", "match competitor prices". */
export function nameTopic(draft: Draft, at: number): void {
  const { pieces } = draft;
  const piece = pieces[at];
  // "my colleague did that last Thursday"
  if (isWord(pieces[at - 1], "last") || isAppointment(pieces, at)) return;
  if (isTold(pieces, at) || isAffected(pieces, at) || isNotTheAim(draft, at) || nameObjective(draft, at))
    return;
  const from = leadOfTopic(pieces, at) ?? (isDeadline(piece) ? at : undefined);
  const aim = aimOfTopic(pieces, at);
  // "it's on promotion", "the pumps are under contract" tell how things are.
  if (piece && from !== undefined && isState(pieces, from)) {
    piece.used = true;
    return;
  }
  if (!piece || (from === undefined && aim === undefined)) return;
  piece.used = true;
  let to = aim ?? at;
  while (senseOf(pieces[to + 1], "noun") || senseOf(pieces[to + 1], "unsupported")) to++;
  if (pieces[to + 1]?.token.norm === "as" && pieces[to + 2]?.token.norm === "possible") to += 2;
  cannotApply(draft, pieces[from ?? at]?.start ?? 0, pieces[to]?.end ?? 0);
}

const BEING = /^(?:is|are|was|were|they're|we're)$/;
/** Behind these "'s" is a verb, and no possessive. */
const BEING_SHORT = /^(?:it|that|this|there|he|she)$/;

function isBeing(piece: Piece | undefined): boolean {
  const norm = piece?.token.norm ?? "";
  return BEING.test(norm) || (BEING_SHORT.test(norm) && !isWord(piece, norm));
}

/** Whether a preposition tells what something is in, on or under at present. */
export const isState = (pieces: readonly Piece[], at: number): boolean =>
  /^(?:on|under|in|off|at)$/.test(pieces[at]?.token.norm ?? "") &&
  isBeing(pieces[at - 1]) &&
  !isAsked(pieces, at);

/** Pieces before "until" among which what it says the end of is. */
const REACH_OF_STATE = 8;

/** "it's on promotion until autumn": until when something is as it is, which is no matter of prices. */
export function isEndOfState(pieces: readonly Piece[], at: number): boolean {
  if (!/^(?:until|till)$/.test(pieces[at]?.token.norm ?? "")) return false;
  for (let i = at - 1; i >= at - REACH_OF_STATE && !isHard(pieces[i]) && pieces[i]?.token.norm !== ","; i--) {
    const piece = pieces[i];
    if (piece?.amount || means(piece, MEANS.must | MEANS.not) || SHOULD.test(piece?.token.norm ?? ""))
      return false;
    if (isBeing(piece)) return senseOf(pieces[i - 1], "noun")?.slot.reads !== "change";
  }
  return false;
}

/** "optimise for profit, not volume". */
const isNotTheAim = ({ pieces, slots, values }: Draft, at: number): boolean =>
  isRejected(pieces, at) && slots.some(({ kind, name }) => kind === "choice" && values.has(name));

/** Names an objective that the flow does not have: "maximise volume", "highest volume, at most 5 %", "EMEA, volume, 5 %". */
function nameObjective(draft: Draft, at: number): boolean {
  const { pieces, slots } = draft;
  const piece = pieces[at];
  const objective = slots.find(({ kind }) => kind === "choice");
  if (!piece || !objective) return false;
  const leads = aimAt(pieces, at, objective);
  // In Korean what stands behind a subject says more.
  if (leads.length === 0 && (piece.token.hangul || !isAimedAt(pieces, at))) return false;
  // "optimise the pump" asks for something by itself, in "optimise the pump for volume".
  const lead = pieces[isWord(pieces[at - 1], "for") ? at - 1 : (leadOfTopic(pieces, at) ?? at)] ?? piece;
  const start = lead === piece ? Math.min(piece.start, ...leads.map((part) => part.start)) : lead.start;
  piece.used = true;
  cannotApply(draft, start, Math.max(piece.end, ...leads.map(({ end }) => end)));
  return true;
}

/** The first of the words before a subject that make a constraint of it; undefined where it is only mentioned. */
function leadOfTopic(pieces: readonly Piece[], at: number): number | undefined {
  let from: number | undefined;
  for (let i = at - 1; i >= at - REACH_OF_LEAD && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    // "clear the valve stock": a name may stand between them.
    if (!piece || (piece.used && (!piece.entity || from !== undefined))) break;
    if (isAsMuch(pieces, i)) return i - 1;
    // "should our estimates of demand be wrong" supposes something.
    const begins = isHard(pieces[i - 1]) || pieces[i - 1]?.token.norm === ",";
    const isShould = SHOULD.test(piece.token.norm) && !(begins && isAsked(pieces, at));
    const isOther = means(piece, MEANS.separator | MEANS.why | MEANS.question) && !means(piece, MEANS.filler);
    if (isOther && !isShould) break;
    if (isShould || leadsTopic(pieces, i, at)) from = i;
    else if (senseOf(piece, "neutral")) break;
  }
  return from;
}

/** What comes from somebody, or is about them, is not for them: "I heard from the dealers". */
const NOT_FOR = /^(?:from|about)$/;
function leadsTopic(pieces: readonly Piece[], at: number, topic: number): boolean {
  const piece = pieces[at];
  // "most of our customers", "our estimates of demand"
  if (piece?.token.norm === "of" && !isWord(pieces[at - 1], "number")) return false;
  const isPerson = !/day$|season$|weekend$/.test(pieces[topic]?.token.norm ?? "");
  // "before Friday noon"
  if (!isPerson && isWord(piece, "before")) return true;
  if ((isPerson && NOT_FOR.test(piece?.token.norm ?? "")) || isIdiom(pieces.slice(at, topic + 1)))
    return false;
  if (means(piece, MEANS.preposition | WEAK | STRONG | MEANS.not)) return true;
  if (TREATING.test(piece?.token.norm ?? "")) return !means(pieces[at - 1], MEANS.question);
  return piece?.senses.some((sense) => sense.is === "cue" && sense.slot.kind === "choice") === true;
}

/** 재고를 소진하도록, 경쟁사보다: what stands behind a subject and makes a constraint of it. */
function aimOfTopic(pieces: readonly Piece[], at: number): number | undefined {
  if (!pieces[at]?.token.hangul) return undefined;
  for (let i = at + 1; i <= at + 3 && !isHard(pieces[i]); i++) {
    if (means(pieces[i], WEAK | STRONG | MEANS.instead) || KOREAN_AIM.test(pieces[i]?.token.norm ?? ""))
      return i;
  }
  return undefined;
}
