import { ROLES } from "./amount-words.ts";
import { cannotApply, type Draft } from "./draft.ts";
import { MEANS } from "./generic-words.ts";
import { hasRole, isHard, means, type Piece, senseOf } from "./pieces.ts";

const MONTH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter|christmas|easter)$/;
/** Pieces between a date and the word that makes a term of it. */
const REACH = 4;

/**
 * "valid from 31 March", "clear the stock by 1 June", "payment within 30 days": from when on something holds, or until when. "Show it by
 * Friday" is a wish to the reader, and no term of prices.
 */
export function isTerm(pieces: readonly Piece[], at: number): boolean {
  if (/^(?:by|within|before)$/.test(pieces[at - 1]?.token.norm ?? "") && hasTopic(pieces, at)) return true;
  for (const step of [-1, 1]) {
    for (let i = at + step; Math.abs(i - at) <= REACH && !isEnd(pieces[i]); i += step) {
      if (hasRole(pieces[i], ROLES.term)) return true;
    }
  }
  return false;
}

/** Whether something that no slot has is spoken of before a date. */
function hasTopic(pieces: readonly Piece[], at: number): boolean {
  for (let i = at - 1; i >= at - 2 * REACH && !isEnd(pieces[i]); i--) {
    if (senseOf(pieces[i], "unsupported")) return true;
  }
  return false;
}

const isEnd = (piece: Piece | undefined): boolean =>
  isHard(piece) || (means(piece, MEANS.separator) && !hasRole(piece, ROLES.term));

/** Names terms whose date is no number: "by June", "valid in spring". */
export function readTerms(draft: Draft): void {
  const { pieces } = draft;
  for (let at = 1; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || piece.used || piece.amount || piece.entity || !MONTH.test(piece.token.norm)) continue;
    if (!isTerm(pieces, at)) continue;
    piece.used = true;
    let from = at;
    while (
      at - from < REACH &&
      !isEnd(pieces[from - 1]) &&
      !hasRole(pieces[from], ROLES.term) &&
      pieces[from]?.token.norm !== "by"
    )
      from--;
    cannotApply(draft, pieces[from]?.start ?? piece.start, piece.end);
  }
}
