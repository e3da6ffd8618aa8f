import {
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
import { PERIOD } from "./past.ts";

const COMPARING = MEANS.above | MEANS.below | MEANS.atMost | MEANS.atLeast;
/** Before what is compared with: "over the last year", "the maximum for the price". */
const BEFORE_NOUN = /^(?:the|a|an|our|my|your|their|its|this|that|these|those|all|for|on|of)$/;

/** Whether a clause that begins with a cue of a constraint is said by the way, and constrains nothing. @param before the piece before it */
export function isAside(clause: readonly Piece[], before: Piece | undefined): boolean {
  if (isDegree(clause) || isUntilHeard(clause) || isIdiom(clause) || isOurConcern(clause)) return true;
  return (
    tellsOfOthers(clause, before) ||
    ((isBetweenUs(clause) || isManner(clause, before)) &&
      !clause.some(isOfDomain) &&
      !clause.some(isMove) &&
      !clause.some(comparesPrices))
  );
}

/** A plain number may count anything: "one question"; and a time is what those who talk have or need: "five minutes". */
const isOfDomain = ({ senses, entity, amount }: Piece): boolean =>
  senses.length > 0 || entity !== undefined || (amount !== undefined && !/^(?:none|time)$/.test(amount.unit));

const isMove = (piece: Piece): boolean =>
  hasRole(piece, ROLES.moves) || means(piece, MEANS.up | MEANS.down | MEANS.by);

/** "as far as I know", "as much as you can": without an amount it bounds nothing. */
const isDegree = ([cue, next]: readonly Piece[]): boolean => hasRole(cue, ROLES.degree) && !next?.amount;

/** "until I'm back", "until further notice": the user will say so. */
const isUntilHeard = ([cue, next]: readonly Piece[]): boolean =>
  /^(?:until|till|unless)$/.test(cue?.token.norm ?? "") &&
  /^(?:i|i'm|i've|i'd|i'll|further)$/.test(next?.token.norm ?? "");

/** "more expensive than", "cheaper than": whatever follows, prices are compared with it. */
export const comparesPrices = ({ token: { norm }, start, end }: Piece): boolean =>
  /^(?:cheaper|dearer|pricier|costlier)$/.test(norm) ||
  (/^(?:more|less)$/.test(norm) && end - start > "more than".length);

/** Other nouns of a price, which a list of prices need not have. */
export const isRate = (piece: Piece | undefined): boolean =>
  /^(?:rate|fare|fee|tariff)s?$/.test(piece?.token.norm ?? "");

/** "under discussion with the dealers", "within the team": what the domain does not know, nothing is compared with. */
export function isIdiom([cue, ...behind]: readonly Piece[]): boolean {
  if (!means(cue, COMPARING)) return false;
  if (cue && comparesPrices(cue)) return false;
  let first = 0;
  while (BEFORE_NOUN.test(behind[first]?.token.norm ?? "")) first++;
  // "above the rate our competitor shows"
  if (isRate(behind[first])) return false;
  for (const piece of behind.slice(first)) {
    const { senses, entity, value, amount } = piece;
    if (senses.length > 0 || entity || value || amount || hasRole(piece, ROLES.present)) return false;
    if (piece.means !== 0) return !means(piece, MEANS.question);
  }
  return true;
}

/** "provided you have time", "as long as we're at it": a condition about those who talk. */
const isBetweenUs = ([cue, next]: readonly Piece[]): boolean =>
  means(cue, MEANS.unless) && /^(?:you|your|you're|we|we're)$/.test(next?.token.norm ?? "");

const FEELING =
  /^(?:happy|fine|good|ok|okay|relaxed|glad|content|calm|safe|satisfied|not|don't|won't|am|are|can|sleep|feel)$/;

/** "as long as costs stay flat I'm relaxed": under which circumstances those who talk feel how. */
const isOurConcern = (clause: readonly Piece[]): boolean =>
  clause.some(
    ({ token }, i) =>
      i > 0 && /^(?:i|i'm|we|we're)$/.test(token.norm) && FEELING.test(clause[i + 1]?.token.norm ?? ""),
  ) && !clause.some(({ amount, entity }) => amount ?? entity);

const PERSON = /^(?:i|you|we)$/;
const SUBJECT = /^(?:i|you|we|he|she|they)$/;
const WITHOUT_ASIDE = /^(?:further|doubt|question|you|me)$/;
const ONLY_ASIDE = /^(?:have|has|had|want|wanted|need|needed|ask|asked|just)$/;

/** "you must be busy", "I only have one question", "without further ado"; and not "prices must be round", "only in the second quarter". */
function isManner([cue, next, second, third]: readonly Piece[], before: Piece | undefined): boolean {
  if (means(cue, MEANS.must)) return PERSON.test(before?.token.norm ?? "");
  const norm = next?.token.norm ?? "";
  if (cue?.token.norm === "without") return WITHOUT_ASIDE.test(norm);
  if (cue?.token.norm !== "only") return false;
  // "300 last year and only 120 this year"
  const isOfPeriod = /^(?:this|last)$/.test(second?.token.norm ?? "") && PERIOD.test(third?.token.norm ?? "");
  return ONLY_ASIDE.test(norm) || (next?.amount?.unit === "none" && isOfPeriod);
}

/** "our reps only visit customers in spring" tells of somebody; "the dealers only get it for 5 % less" does not. */
const tellsOfOthers = (clause: readonly Piece[], before: Piece | undefined): boolean =>
  isWord(clause[0], "only") &&
  !means(clause[1], MEANS.preposition) &&
  (isPluralOfAny(before) ||
    senseOf(before, "unsupported") !== undefined ||
    SUBJECT.test(before?.token.norm ?? "")) &&
  !clause.some(
    (piece) =>
      isWord(piece, "for") ||
      isMove(piece) ||
      piece.senses.some(({ is }) => is !== "unsupported") ||
      isOfDomain({ ...piece, senses: [] }),
  );

const DAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/;
/** What a clause begins with that tells of somebody or something. */
const TELLING =
  /^(?:i|i'm|i'll|i've|we|we're|we'll|we've|he|she|they|my|our|his|her|their|the|there|that|who|[a-z]+day)$/;
/** What is to begin or to be done on the day. */
const BEGINNING =
  /^(?:start|starts|apply|applies|begin|begins|launch|live|valid|effective|publish|published|release|released|reprice|repriced|online|use)$/;
const OF_PRICES = MEANS.keep | MEANS.cap | MEANS.only | MEANS.not | MEANS.unless;
/** Pieces on each side of a day that are looked at, so that a long text takes time in proportion. */
const REACH_OF_DAY = 16;

/** "by noon", "before lunch": phrases that lead by themselves. */
export const isDeadline = (piece: Piece | undefined): boolean =>
  /^(?:by|before)$/.test(piece?.token.norm ?? "") && !isWord(piece, piece?.token.norm ?? "");

/** "I present it to the board on Monday", "the customer calls on Friday": a day of those who talk, in a clause about nothing of the domain. */
export function isAppointment(pieces: readonly Piece[], at: number): boolean {
  const norm = pieces[at]?.token.norm ?? "";
  // "once a", "every month" are phrases.
  const isOften = /^(?:once|every|per|a)$/.test(norm) && !isWord(pieces[at], norm);
  if (!DAY.test(norm) && !isOften && !isDeadline(pieces[at])) return false;
  const isEnd = (piece: Piece | undefined): boolean =>
    isHard(piece) || (means(piece, MEANS.separator) && !means(piece, MEANS.filler));
  let [from, to] = [at, at];
  while (at - from < REACH_OF_DAY && !isEnd(pieces[from - 1])) from--;
  while (to - at < REACH_OF_DAY && !isEnd(pieces[to + 1])) to++;
  const clause = pieces.slice(from, to + 1);
  if (isOften && clause.some((piece) => means(piece, MEANS.must | COMPARING))) return false;
  return (
    // "can you be done by lunch?"
    (TELLING.test(clause[0]?.token.norm ?? "") || isDeadline(pieces[at])) &&
    !clause.some(
      (piece) =>
        BEGINNING.test(piece.token.norm) ||
        means(piece, OF_PRICES) ||
        isMove(piece) ||
        piece.entity !== undefined ||
        (piece.amount !== undefined && !/^(?:none|time)$/.test(piece.amount.unit)) ||
        piece.senses.some(({ is }) => is === "noun" || is === "cue" || is === "value"),
    )
  );
}

/** What a place has that those who talk are at, or ask from. */
const OF_SPEAKERS =
  /^(?:office|offices|team|colleague|colleagues|headquarters|hq|boss|manager|meeting|branch|trip)$/;
const SPEAKERS = /^(?:i|i'm|we|we're)$/;
/** Between those who talk and the place: "I am sitting in the US". */
const BEING =
  /^(?:am|are|was|were|been|sit|sitting|sat|live|based|here|work|working|currently|just|still|the|in|from|at|over)$/;
/** "I'm currently sitting over here in the US". */
const REACH_TO_SPEAKERS = 7;

/** "I'm in the US this week", "our US team wants …": a place that says where those who talk are. */
export function isWhereabouts(pieces: readonly Piece[], at: number): boolean {
  if (OF_SPEAKERS.test(pieces[at + 1]?.token.norm ?? "")) return true;
  let isIn = false;
  for (let i = at - 1; i >= at - REACH_TO_SPEAKERS; i--) {
    const norm = pieces[i]?.token.norm ?? "";
    if (SPEAKERS.test(norm)) return isIn;
    if (!BEING.test(norm)) return false;
    isIn ||= /^(?:in|from|at)$/.test(norm);
  }
  return false;
}
