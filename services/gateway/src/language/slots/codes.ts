import {
  isHard,
  isPart,
  isWord,
  MEANS,
  means,
  type Piece,
  type SlotDeclaration,
  senseOf,
} from "@interlock/understanding";
import type { Draft } from "./draft.ts";

export const nounOf = (piece: Piece | undefined, slot: SlotDeclaration): boolean =>
  piece?.senses.some((sense) => sense.is === "noun" && sense.slot === slot) === true;

/** Words of the language that are codes of regions too. */
const FUNCTION_WORD = /^(?:us|it|in|is|at|be|me|my|am|so|do|to|by|as|are|can)$/;

export const isFunctionWord = (piece: Piece | undefined): boolean =>
  piece !== undefined && piece.token.norm.length <= 3 && FUNCTION_WORD.test(piece.token.norm);

/** "DACH and us"; a comma may part what "us" is said with: "for us, DACH comes first". */
export const hasAndBeside = (pieces: readonly Piece[], at: number): boolean =>
  [pieces[at - 1], pieces[at + 1]].some((piece) => means(piece, MEANS.joins) && piece?.token.norm !== ",");

/** "tell us" is about no region; "the us market", "in the us", "us only", "EMEA, us, at most 5 %" and what is written in capitals are. */
export function isFramed(
  { text, pieces, before, korean }: Draft,
  slot: SlotDeclaration,
  at: number,
): boolean {
  const piece = pieces[at];
  const [lead, next] = [pieces[at - 1], pieces[at + 1]];
  // "in us dollars"
  if (means(next, MEANS.currency)) return false;
  // Where all around is in capitals they say nothing.
  if (piece?.token.capitals && (korean || /[a-z]/.test(textAround(text, piece)))) return true;
  if (piece?.means !== 0) return false;
  if (lead?.token.norm === "the" || nounOf(next, slot) || nounOf(lead, slot) || isPart(pieces, at))
    return true;
  if (means(next, MEANS.only) || means(lead, MEANS.only) || isWord(lead, "in")) return true;
  // "us, max 5 %", "us items please", "a us price"
  if (/^(?:an?|our|your|all|every|any)$/.test(lead?.token.norm ?? "") && senseOf(next, "noun")) return true;
  if (isHard(lead) && (isEnd(next) || next?.amount || senseOf(next, "noun"))) return true;
  if (/^(?:except|excluding|exclude|skip)$/.test(lead?.token.norm ?? "")) return true;
  if (means(lead, MEANS.up | MEANS.down) && senseOf(next, "noun")) return true;
  if (senseOf(lead, "cue") && (isEnd(next) || senseOf(next, "noun"))) return true;
  // "and us?", where another region is in force
  return (
    before[slot.name] !== undefined &&
    isEnd(next) &&
    /^(?:and|about|then|now|for|to)$/.test(lead?.token.norm ?? "")
  );
}

const isEnd = (piece: Piece | undefined): boolean =>
  isHard(piece) || means(piece, MEANS.separator | MEANS.joins);

/** Characters on either side of a code, so that a long text takes time in proportion. */
const AROUND = 100;
const textAround = (text: string, { start, end }: Piece): string =>
  text.slice(Math.max(0, start - AROUND), end + AROUND);
