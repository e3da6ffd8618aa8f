import { ROLES } from "./amount-words.ts";
import { hasRole, type Piece } from "./pieces.ts";

/** Pieces between a date and the word that makes a term of it. */
const REACH = 4;

/** "valid from 31 March", "by 1 June", "within 30 days": from when on, or until when, and not a period that is asked about. */
export function isTerm(pieces: readonly Piece[], at: number): boolean {
  if (/^(?:by|within|before)$/.test(pieces[at - 1]?.token.norm ?? "")) return true;
  return pieces.slice(Math.max(0, at - REACH), at + REACH).some((piece) => hasRole(piece, ROLES.term));
}
