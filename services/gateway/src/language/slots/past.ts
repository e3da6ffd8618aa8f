import { hasRole, isHard, isWord, MEANS, means, type Piece, ROLES } from "@interlock/understanding";
import type { Former } from "./claims.ts";

/** Pieces around a mention that tell when and how it was said. */
const REACH = 8;
/** What somebody did who mentions something again. */
const ASKED = /^(?:asked|ordered|requested|had|did|wanted|discussed|priced|repriced|tried)$/;
const LAST = /^(?:last|previous)$/;
export const PERIOD =
  /^(?:time|week|weeks|month|day|night|monday|tuesday|wednesday|thursday|friday|session|meeting|year|quarter|spring|summer|autumn|fall|winter|season)$/;

/** "I asked for the hub last week": a mention that tells of the past, where a verb leads to it and a time stands in its sentence. */
export function isOfPast(pieces: readonly Piece[], at: number): boolean {
  let from = at;
  while (at - from < REACH && !isHard(pieces[from - 1])) from--;
  let to = at;
  while (to - at < REACH && !isHard(pieces[to + 1])) to++;
  const parts = pieces.slice(from, to + 1);
  const verb = parts.findIndex(({ token }) => ASKED.test(token.norm));
  if (verb < 0 || verb > at - from || parts.slice(verb, at - from).some(({ token }) => token.norm === ","))
    return false;
  return parts.some(
    ({ token }, i) => /^(?:before|already)$/.test(token.norm) || isTimeOfPast(pieces, from + i),
  );
}

/** Verbs that tell what happened; regular ones end in -ed. */
const IRREGULAR: ReadonlySet<string> = new Set(
  "rose grew fell went came cut shrank sank was were had did made put took gave paid sold bought got kept held set let lost won".split(
    " ",
  ),
);
const NO_PAST = /^(?:need|speed|exceed|proceed|succeed|indeed|settled)/;
const HAPPENED_IN_KOREAN = /(?:렸|랐|었|았|했|졌|됐|였|췄|꿨|뀌었)/;
/** Verbs of what was said or agreed, which holds until something else is said. */
const SAID: ReadonlySet<string> = new Set(
  "said told asked wanted agreed decided planned meant thought mentioned requested proposed suggested promised discussed says wants asks demands insists allows".split(
    " ",
  ),
);

const hasHappened = (norm: string): boolean =>
  IRREGULAR.has(norm) || (norm.endsWith("ed") && norm.length > 3 && !SAID.has(norm) && !NO_PAST.test(norm));
/** "if costs fell 4 % in 2030", "had we raised it": no past. */
const SUPPOSED = /^(?:if|suppose|supposing|assuming|assume|imagine|would|could|should|whether)$/;
/** "5 % over last year", "compared to last month": a time that something is measured from. */
const MEASURED = /^(?:over|than|to|with|from|against|of|vs|versus|as|like|since|the)$/;
const KOREAN_PAST = /^(?:작년|재작년|지난해|지난달|지난주|지난|어제|예전)/;
/** Pieces around an amount that are looked at, so that a long text takes time in proportion. */
const REACH_OF_TIME = 16;

const normOf = (piece: Piece | undefined): string => piece?.token.norm ?? "";

/**
 * "We raised it by 5 % last year", "costs climbed 9 % in 2024", "at first I said 8 %": what an amount did in the past constrains nothing now,
 * and what was said then holds until something else is said. A verb that tells leads to it, and a time of the past stands in its clause or
 * begins the sentence.
 * @returns undefined where the amount is not of the past
 */
export function formerly(pieces: readonly Piece[], at: number, goesOn = true): Former | undefined {
  if (isOfLastTime(pieces, at)) return "was";
  const telling = tellingBefore(pieces, at);
  if (!telling) return undefined;
  const happenedInKorean = readBehind(pieces, at, telling);
  const verb = normOf(pieces[telling.verb]);
  // "the 3 % we took last year"
  const isRelative = /^(?:we|they|you|i|that|which)$/.test(normOf(pieces[at + 1]));
  const happened =
    hasHappened(verb) || (isRelative && hasHappened(normOf(pieces[at + 2]))) || happenedInKorean;
  if (telling.isHabit) return "said";
  if (SAID.has(verb)) return telling.isPast || isContradicted(pieces, at) ? "said" : undefined;
  if (!happened) return undefined;
  if (telling.isPast) return "was";
  if (IMPERATIVE.test(verb)) return undefined;
  // "Last spring we raised the tents by 8 %, and demand dropped by 12 %"
  const goesOnWithPast = goesOn && telling.other >= 0 && formerly(pieces, telling.other, false) === "was";
  return telling.isThis || goesOnWithPast || isOurs(pieces, telling.verb) ? "was" : undefined;
}

/** What tells of an amount: the nearest verb, the amount before, and the times. */
type Telling = { verb: number; other: number; isPast: boolean; isThis: boolean; isHabit: boolean };

function tellingBefore(pieces: readonly Piece[], at: number): Telling | undefined {
  const telling: Telling = { verb: -1, other: -1, isPast: false, isThis: false, isHabit: false };
  // "I asked them last week, 6 % is the cap"
  let isNow = PRESENT.test(normOf(pieces[at + 1]));
  for (let i = at - 1; i >= at - REACH_OF_TIME && !isHard(pieces[i]); i--) {
    const norm = normOf(pieces[i]);
    if ((SUPPOSED.test(norm) && !RECALLING.test(normOf(pieces[i + 2]))) || isWhatIf(pieces[i]))
      return undefined;
    readTime(pieces, i, telling);
    if (isOtherAmount(pieces, i)) {
      telling.other = i;
      break;
    }
    // "we talked about it, and need at least 20 %": a verb of the present has begun another clause.
    if (isNow && telling.verb < 0 && JOINING.test(norm)) telling.verb = i;
    isNow ||= PRESENT.test(norm);
    // The verb nearest to the amount is its own: "last year costs fell, now raise prices by 4 %".
    if (telling.verb < 0 && (hasHappened(norm) || SAID.has(norm) || means(pieces[i], ACTING)))
      telling.verb = i;
  }
  return telling;
}

const PRESENT = /^(?:is|are|need|needs|want|must|should|use|take|please)$/;
const JOINING = /^(?:,|and|so|but)$/;

/** Reads the times behind an amount. @returns whether a Korean verb there tells what happened */
function readBehind(pieces: readonly Piece[], at: number, telling: Telling): boolean {
  const korean = pieces[at + 1]?.token.hangul || pieces[at - 1]?.token.hangul;
  let happened = false;
  for (let i = at + 1; i <= at + REACH_OF_TIME && !isHard(pieces[i]) && !isOtherAmount(pieces, i); i++) {
    const norm = normOf(pieces[i]);
    if (norm === "," || (means(pieces[i], MEANS.separator) && !means(pieces[i], MEANS.filler))) break;
    readTime(pieces, i, telling);
    happened ||= korean === true && HAPPENED_IN_KOREAN.test(norm);
  }
  return happened;
}

function readTime(pieces: readonly Piece[], at: number, telling: Telling): void {
  if (!mayBeTime(pieces[at])) return;
  telling.isPast ||= isTimeOfPast(pieces, at);
  telling.isHabit ||= HABITUAL.test(normOf(pieces[at]));
  // "wages went up by 4 % this year"
  telling.isThis ||= normOf(pieces[at]) === "this" && PERIOD.test(normOf(pieces[at + 1]));
}

/** First words of times; most words are none. */
const TIMES: ReadonlySet<string> = new Set(
  "ago yesterday previously formerly originally initially earlier always up until first so past for last previous this normally usually typically generally ordinarily".split(
    " ",
  ),
);
const mayBeTime = (piece: Piece | undefined): boolean =>
  piece !== undefined && (TIMES.has(piece.token.norm) || piece.token.hangul || piece.token.kind === "number");

/** What is asked for now, rather than told. */
const ACTING = MEANS.up | MEANS.down | MEANS.keep;
/** "normally we allow 5 %" */
const HABITUAL = /^(?:normally|usually|typically|generally|ordinarily)$/;

/** "we tested an increase of 9 %": what those who talk did is past without a time too. "Are we allowed to" asks. */
const isOurs = (pieces: readonly Piece[], verb: number): boolean =>
  /^(?:we|i|you)$/.test(normOf(pieces[verb - 1])) &&
  /^(?:tested|tried|introduced|raised|lowered|increased|reduced|launched|announced)$/.test(
    normOf(pieces[verb]),
  ) &&
  !/^(?:have|had)$/.test(normOf(pieces[verb - 2]));

/** "In the past we optimised for revenue": an aim of the past, up to what the message goes on with. */
export function isFormerAim(pieces: readonly Piece[], at: number): boolean {
  let [isPast, happened] = [false, false];
  for (let i = at - 1; i >= at - REACH_OF_TIME && !isHard(pieces[i]); i--) {
    const norm = normOf(pieces[i]);
    if (/^(?:but|now|today|so|instead|if)$/.test(norm)) return false;
    if (HABITUAL.test(norm)) return true;
    isPast ||= isTimeOfPast(pieces, i);
    happened ||= hasHappened(norm);
  }
  return isPast && happened;
}

/** Verbs that ask for something too: "set it to 5 %". */
const IMPERATIVE = /^(?:cut|set|let|put)$/;
/** "if I remember correctly" supposes nothing. */
const RECALLING = /^(?:remember|recall|understand|understood|recollect)$/;
const CONTRADICTING = /^(?:but|however|instead|yet|though|still)$/;

/** "the customer asked for 10 % off, but what would 4 % do", "the rule says 10 %, still I prefer 6 %". */
function isContradicted(pieces: readonly Piece[], at: number): boolean {
  for (let i = at + 1; i <= at + REACH_OF_TIME && pieces[i] && !isOtherAmount(pieces, i); i++)
    if (CONTRADICTING.test(normOf(pieces[i])) && GOING_ON.test(normOf(pieces[i + 1]))) return true;
  return false;
}

/** Who goes on, behind a contradiction: "but I would take". */
const GOING_ON = /^(?:i|i'd|i'm|i'll|we|we'd|we'll|let|let's|what|please|now|maybe|,)$/;

/** "5 % is too much, so 3 % at most": what is found too much is not wanted. */
export const isJudged = (pieces: readonly Piece[], at: number): boolean =>
  /^(?:is|was|were|are|seems|sounds|feels|looks)$/.test(normOf(pieces[at + 1])) &&
  (hasRole(pieces[at + 2], ROLES.excess) || normOf(pieces[at + 2]) === "too") &&
  !means(pieces[at - 1], COMPARING);

/** What somebody only believes of today. */
const BELIEVING = /^(?:believe|think|guess|know|heard|assume|suppose|reckon|gather)$/;
const BEING = /^(?:is|are|costs?|sells?|stands?|sits?|it's|for|at|about|around|roughly|currently|now)$/;
const COMPARING = MEANS.atMost | MEANS.atLeast | MEANS.above | MEANS.below;
/** Pieces between what is believed and its amount. */
const REACH_OF_BELIEF = 8;

const COSTING = /^(?:costs?|sells?)$/;
const WANTING =
  /^(?:should|must|could|may|can|might|would|will|to|make|let|if|when|not|better|what|how|whether)$/;

/** "it costs 89 euros": what something is sold for, and not what it is to be sold for. */
function isCostToday(pieces: readonly Piece[], at: number): boolean {
  if (pieces[at]?.amount?.unit !== "money") return false;
  const verb = /^(?:for|at)$/.test(normOf(pieces[at - 1])) ? at - 2 : at - 1;
  if (!COSTING.test(normOf(pieces[verb])) || isHard(pieces[verb - 1])) return false;
  for (let i = verb - 1; i >= verb - REACH_OF_BELIEF && !isHard(pieces[i]) && normOf(pieces[i]) !== ","; i--)
    if (WANTING.test(normOf(pieces[i])) || means(pieces[i], COMPARING | MEANS.must)) return false;
  return true;
}

/** "inflation is at 3 %", "our margin stands at 15 %", "it has a margin of 12 %"; and not "the cap is at 5 %". */
function isLevel(pieces: readonly Piece[], at: number): boolean {
  let having = at - 1;
  while (/^(?:an?|of|only|about|around|currently|margin)$/.test(normOf(pieces[having]))) having--;
  if (/^(?:has|makes|earns)$/.test(normOf(pieces[having])) && having < at - 1)
    return !pieces.slice(Math.max(0, having - 2), having).some(({ token }) => WANTING.test(token.norm));
  const being = /^(?:about|around|roughly|currently)$/.test(normOf(pieces[at - 2])) ? at - 3 : at - 2;
  if (!isWord(pieces[at - 1], "at") || !/^(?:is|are|stands?|sits?|lies)$/.test(normOf(pieces[being])))
    return false;
  for (let i = being - 1; i >= being - REACH_OF_BELIEF && !isHard(pieces[i]); i--)
    if (WANTING.test(normOf(pieces[i])) || means(pieces[i], COMPARING | MEANS.must | MEANS.cap | MEANS.keep))
      return false;
  return true;
}

const CONCEDING: ReadonlySet<string> = new Set(["although", "though"]);

/** "although I would be fine with 15 %": what somebody would accept too. */
function isConceded(pieces: readonly Piece[], at: number): boolean {
  for (let i = at - 1; i >= at - REACH_OF_BELIEF && !isHard(pieces[i]) && !isWord(pieces[i], ","); i--)
    if (means(pieces[i], COMPARING | MEANS.not | MEANS.must)) return false;
    else if (CONCEDING.has(normOf(pieces[i]))) return /^(?:i|we|he|she|they)$/.test(normOf(pieces[i + 1]));
  return false;
}

/** "I believe its price is 90 euros", "it costs 89 euros": what somebody knows of today's prices wants nothing. */
export function isFact(pieces: readonly Piece[], at: number): boolean {
  if (isCostToday(pieces, at) || isLevel(pieces, at) || isConceded(pieces, at)) return true;
  if (!BEING.test(normOf(pieces[at - 1])) || means(pieces[at - 1], COMPARING)) return false;
  for (let i = at - 1; i >= at - REACH_OF_BELIEF && !isHard(pieces[i]) && !isOtherAmount(pieces, i); i--) {
    if (/^(?:should|must|could|may|can|not|better|need|needs)$/.test(normOf(pieces[i]))) return false;
    if (BELIEVING.test(normOf(pieces[i]))) return /^(?:i|we|you)$/.test(normOf(pieces[i - 1]));
  }
  return false;
}

/** Those whose prices are not the ones that are asked for. */
const OTHERS = new Set("theirs they competitor competitors competition rival rivals".split(" "));

/** "Contoso went down 8 % on theirs": what others did to what is theirs. */
export function isOfOthers(pieces: readonly Piece[], at: number): boolean {
  let [from, to] = [at, at];
  while (at - from < REACH_OF_TIME && !isHard(pieces[from - 1]) && !isOtherAmount(pieces, from - 1)) from--;
  while (to - at < REACH && !isHard(pieces[to + 1]) && normOf(pieces[to + 1]) !== ",") to++;
  const parts = pieces.slice(from, to + 1);
  if (!parts.some((piece) => OTHERS.has(piece.token.norm))) return false;
  if (parts.some((piece) => SUPPOSED.test(piece.token.norm) || isWhatIf(piece))) return false;
  const verb = parts.slice(0, at - from).findLast((piece) => hasHappened(piece.token.norm) || isMove(piece));
  return hasHappened(normOf(verb));
}

const isMove = (piece: Piece): boolean => means(piece, MEANS.up | MEANS.down);

/** "last year's 6 % rise", "last year's 8 % was too much"; and not "last year's 5 % cap". */
function isOfLastTime(pieces: readonly Piece[], at: number): boolean {
  const [last, period, next] = [pieces[at - 2], pieces[at - 1], pieces[at + 1]];
  const isPossessive = period !== undefined && period.end - period.start > period.token.norm.length;
  const tells = means(next, MEANS.up | MEANS.down) || hasHappened(normOf(next));
  return isPossessive && tells && LAST.test(normOf(last)) && PERIOD.test(normOf(period));
}

/** A phrase that begins with "what" says more than that. */
const isWhatIf = (piece: Piece | undefined): boolean =>
  piece?.token.norm === "what" && piece.end - piece.start > piece.token.norm.length;

const isYear = (pieces: readonly Piece[], at: number): boolean =>
  /^(?:19|20)\d\d$/.test(normOf(pieces[at])) && /^(?:in|during)$/.test(normOf(pieces[at - 1]));

const FORMERLY = /^(?:ago|yesterday|previously|formerly|originally|initially|earlier|always)$/;

const isOtherAmount = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at]?.amount !== undefined && pieces[at]?.amount?.unit !== "time" && !isYear(pieces, at);

function isTimeOfPast(pieces: readonly Piece[], at: number): boolean {
  const norm = normOf(pieces[at]);
  if (isYear(pieces, at) || FORMERLY.test(norm) || KOREAN_PAST.test(norm)) return true;
  // "until now" is one piece.
  if (/^(?:up|until)$/.test(norm)) return !isWord(pieces[at], norm) && means(pieces[at], MEANS.filler);
  if (norm === "first")
    return normOf(pieces[at - 1]) === "at" || /^(?:i|we|he|she|they)$/.test(normOf(pieces[at + 1]));
  if (norm === "so") return normOf(pieces[at + 1]) === "far";
  if (norm === "past") return normOf(pieces[at - 1]) === "the" && normOf(pieces[at - 2]) === "in";
  if (norm === "for") return /^(?:years|ages|months|decades)$/.test(normOf(pieces[at + 1]));
  return (
    LAST.test(norm) &&
    PERIOD.test(normOf(pieces[at + 1])) &&
    !MEASURED.test(normOf(pieces[at - 1])) &&
    !means(pieces[at - 1], MEANS.above | MEANS.below)
  );
}
