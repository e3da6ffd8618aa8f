import { isHard, MEANS, means, type Piece, senseOf } from "@interlock/understanding";
import type { Draft } from "./draft.ts";

const COMPARING = MEANS.above | MEANS.below;
/** Verbs of comparison, beside "below" and the like. */
const EQUALLING = /^(?:match|matching|beat|beating|undercut|undercutting)$/;
/** "Can you …" asks for something to be done, unlike other questions. */
const REQUESTING = /^(?:can|could|would|will)$/;
/** How far a sentence may begin before a comparison. */
const REACH = 40;

/**
 * Whether a clause holds prices to those of a name that is none of the domain's: "price it below what Contoso asks", "match Contoso". A
 * question compares too, and constrains nothing; "over Christmas" compares nothing.
 * @param at where the clause begins
 */
export function comparesWithName({ text, pieces }: Draft, at: number, clause: readonly Piece[]): boolean {
  const compared = clause.findIndex((piece) => means(piece, COMPARING) || EQUALLING.test(piece.token.norm));
  const comparison = clause[compared];
  if (!comparison || !isName(text, clause.slice(compared + 1, compared + 4))) return false;
  let first = at;
  while (first > 0 && at - first < REACH && !isHard(pieces[first - 1])) first--;
  const isQuestion = means(pieces[first], MEANS.question | MEANS.why);
  if (isQuestion && !REQUESTING.test(pieces[first]?.token.norm ?? "")) return false;
  return (
    !means(comparison, COMPARING) ||
    text.slice(comparison.start, comparison.end).endsWith(" than") ||
    pieces.slice(first, at + 1).some((piece) => means(piece, MEANS.keep | MEANS.must) || isPrice(piece)) ||
    clause.some(isPrice)
  );
}

/** Whether the first word that says something is written as a name is, and has no meaning. */
function isName(text: string, pieces: readonly Piece[]): boolean {
  const name = pieces.find((piece) => !means(piece, MEANS.filler));
  const initial = text.charAt(name?.start ?? 0);
  return name?.means === 0 && initial !== initial.toLowerCase();
}

const isPrice = (piece: Piece): boolean => senseOf(piece, "noun")?.slot.reads !== undefined;
