import { ROLES } from "./amount-words.ts";
import { MEANS } from "./generic-words.ts";
import { hasRole, means, type Piece } from "./pieces.ts";

const COMPARING = MEANS.above | MEANS.below | MEANS.atMost | MEANS.atLeast;
/** Before what is compared with: "over the last year", "the maximum for the price". */
const BEFORE_NOUN = /^(?:the|a|an|our|my|your|their|its|this|that|these|those|all|for|on|of)$/;

/** Whether a clause that begins with a cue of a constraint is said by the way, and constrains nothing. @param before the piece before it */
export function isAside(clause: readonly Piece[], before: Piece | undefined): boolean {
  if (isDegree(clause) || isUntilHeard(clause) || isIdiom(clause) || isOurConcern(clause)) return true;
  return (isBetweenUs(clause) || isManner(clause, before)) && !clause.some(isOfDomain);
}

/** A plain number may count anything: "one question". */
const isOfDomain = ({ senses, entity, amount }: Piece): boolean =>
  senses.length > 0 || entity !== undefined || (amount !== undefined && amount.unit !== "none");

/** "as far as I know", "as much as you can": without an amount it bounds nothing. */
const isDegree = ([cue, next]: readonly Piece[]): boolean => hasRole(cue, ROLES.degree) && !next?.amount;

/** "until I'm back", "until further notice": the user will say so. */
const isUntilHeard = ([cue, next]: readonly Piece[]): boolean =>
  /^(?:until|till|unless)$/.test(cue?.token.norm ?? "") &&
  /^(?:i|i'm|i've|i'd|i'll|further)$/.test(next?.token.norm ?? "");

/** "under discussion with the dealers", "within the team": what the domain does not know, nothing is compared with. */
export function isIdiom([cue, ...behind]: readonly Piece[]): boolean {
  if (!means(cue, COMPARING)) return false;
  let first = 0;
  while (BEFORE_NOUN.test(behind[first]?.token.norm ?? "")) first++;
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
const WITHOUT_ASIDE = /^(?:further|doubt|question|you|me)$/;
const ONLY_ASIDE = /^(?:have|has|had|want|wanted|need|needed|ask|asked|just)$/;

/** "you must be busy", "I only have one question", "without further ado"; and not "prices must be round", "only in the second quarter". */
function isManner([cue, next]: readonly Piece[], before: Piece | undefined): boolean {
  if (means(cue, MEANS.must)) return PERSON.test(before?.token.norm ?? "");
  const norm = next?.token.norm ?? "";
  return cue?.token.norm === "without"
    ? WITHOUT_ASIDE.test(norm)
    : cue?.token.norm === "only" && ONLY_ASIDE.test(norm);
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
