import { COMMON_WORDS, isHard, MEANS, means, type Piece, senseOf } from "@interlock/understanding";
import { aimAt } from "./choice-cues.ts";
import { cannotApply, type Draft } from "./draft.ts";
import { isAsked } from "./limits.ts";

/** Between an aim and what makes a bound of it: "optimise with a margin of 20 %", "maximise it above the margin". */
const BOUNDED = /^(?:with|within|above|below|at|by|of|without|under|over)$/;
/** "don't maximise the margin". */
const REACH_OF_DENIAL = 2;

/**
 * Names an aim that the flow does not have: "maximise margin", where the objective is profit or revenue. A floor of what is aimed at stays
 * what it is.
 */
export function nameAims(draft: Draft): void {
  const { pieces, slots } = draft;
  const objective = slots.find(({ kind }) => kind === "choice");
  if (!objective) return;
  for (const [at, piece] of pieces.entries()) {
    const noun = senseOf(piece, "noun")?.slot;
    if (noun?.kind !== "percent" || noun.reads !== "least" || isBounded(draft, at, noun.name)) continue;
    const leads = aimAt(pieces, at, objective);
    const [first] = leads;
    if (!first || (!senseOf(first, "cue") && isAsked(pieces, at) && !isOfPrices(pieces, at))) continue;
    const [from, to] = ends([piece, ...leads]);
    if (isDenied(pieces, pieces.indexOf(from, Math.max(0, at - REACH))) || isBetween(draft, from, to, at))
      continue;
    for (const part of [piece, ...leads]) part.used = true;
    cannotApply(draft, from.start, to.end);
  }
}

/** "Which prices would give the highest margin?" asks for them. */
const isOfPrices = (pieces: readonly Piece[], at: number): boolean =>
  pieces.slice(Math.max(0, at - REACH), at).some((piece) => senseOf(piece, "noun")?.slot.reads === "change");

/** Pieces of a clause that are looked at, so that a long text takes time in proportion. */
const LONGEST_CLAUSE = 40;
/** Pieces between an aim and its noun. */
const REACH = 8;

function ends(parts: readonly [Piece, ...Piece[]]): [Piece, Piece] {
  let [from, to] = [parts[0], parts[0]];
  for (const part of parts) {
    if (part.start < from.start) from = part;
    if (part.end > to.end) to = part;
  }
  return [from, to];
}

const isDenied = (pieces: readonly Piece[], at: number): boolean =>
  pieces
    .slice(Math.max(0, at - REACH_OF_DENIAL), at)
    .some((piece) => means(piece, MEANS.not | MEANS.why) || senseOf(piece, "neutral"));

/** Whether what stands between says that the noun is only a bound of the aim. */
const isBetween = ({ pieces }: Draft, from: Piece, to: Piece, at: number): boolean => {
  const first = pieces.indexOf(from, Math.max(0, at - REACH));
  return pieces.slice(first + 1, pieces.indexOf(to, first)).some(({ token }) => BOUNDED.test(token.norm));
};

/** "maximise the margin to at least 30 %" sets the floor; "maximise margin, at least 30 %" says more than that. */
function isBounded({ pieces, places, values, cleared }: Draft, at: number, name: string): boolean {
  if (cleared.has(name)) return true;
  const place = places.get(name);
  if (!values.has(name) || place === undefined || Math.abs(place - at) > LONGEST_CLAUSE) return false;
  const between = pieces.slice(Math.min(place, at) + 1, Math.max(place, at));
  return !between.some((piece) => isHard(piece) || means(piece, MEANS.separator | MEANS.joins));
}

const ARTICLE = /^(?:for|the|our|its|their|a|an)$/;
const EXTREME = /^(?:max(?:imum|imal)?|min(?:imum|imal)?|lowest|shortest|fewest|longest|fastest|least)$/;
/** What anybody is after, whatever it is. */
const GENERAL = /^(?:everything|anything|something|whatever|outcomes?|performance|benefits?)$/;
/** Pieces of an aim: "the highest occupancy of our workshop". */
const LONGEST_AIM = 6;

/**
 * Names an aim that the domain does not know, behind a cue of a choice: "optimise for the highest uptime", "maximise the number of members".
 * What is optimised without a superlative may be anything.
 */
export function nameForeignAim(draft: Draft, at: number): void {
  const { pieces } = draft;
  const cue = pieces[at];
  if (!cue || senseOf(cue, "cue")?.slot.kind !== "choice" || means(pieces[at - 1], MEANS.not)) return;
  let first = at + 1;
  while (ARTICLE.test(pieces[first]?.token.norm ?? "")) first++;
  const isExtreme = means(pieces[first], MEANS.superlative) || EXTREME.test(pieces[first]?.token.norm ?? "");
  if (!isExtreme && !/^maxim/.test(cue.token.norm)) return;
  let end = isExtreme ? first + 1 : first;
  let isForeign = false;
  for (; end - first < LONGEST_AIM && !endsAim(pieces[end]); end++) {
    const piece = pieces[end];
    if (!piece || piece.entity || piece.value || piece.amount) break;
    // "the highest profit", "the best prices": the domain knows it.
    if (piece.senses.some(({ is }) => is !== "unsupported")) {
      if (pieces.slice(first, end).some(({ token }) => token.norm === "of")) break;
      return;
    }
    const isUnknown =
      piece.means === 0 && !GENERAL.test(piece.token.norm) && !COMMON_WORDS.has(piece.token.norm);
    isForeign ||= piece.senses.length > 0 || isUnknown;
  }
  if (!isForeign || isAsked(pieces, at)) return;
  const aim = pieces.slice(first, end);
  while (means(aim.at(-1), MEANS.filler)) aim.pop();
  for (const part of [cue, ...aim]) part.used = true;
  cannotApply(draft, cue.start, aim.at(-1)?.end ?? cue.end);
}

/** "uptime in EMEA": a preposition goes on with something else. */
const endsAim = (piece: Piece | undefined): boolean =>
  isHard(piece) ||
  means(piece, MEANS.joins | MEANS.only) ||
  (means(piece, MEANS.separator) && !means(piece, MEANS.filler)) ||
  (means(piece, MEANS.preposition) && piece?.token.norm !== "of");
