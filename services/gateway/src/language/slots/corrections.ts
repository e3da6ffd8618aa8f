import { isHard, MEANS, means, type Piece } from "@interlock/understanding";

/**
 * Where a message takes back what it has just said, and says it anew: "the valve, no wait, the pump". What is said behind the marker, up to
 * the end of its sentence, replaces what was said before for the same slot, and for no other.
 */
export type Correction = {
  /** The pieces of the marker. */
  from: number;
  to: number;
  /** The end of the sentence in which it corrects. */
  until: number;
};

const NONE: readonly Correction[] = [];
/** "sorry, and the pump" adds something. */
const ADDING = /^(?:and|also|add|plus|그리고)$/;
/** "sorry for the noise" asks to be excused for something else. */
const EXCUSED = /^(?:for|about|to|if|that|but|when)$/;
/** They may stand before a marker in its clause: "hmm, no, wait". */
const BEFORE_MARKER = /^(?:hm+|oh|ah|uh|um|well|but|or|no|then|so|음|어|아)$/;

/** Finds where the message corrects itself; the words that say so say nothing else. */
export function findCorrections(pieces: readonly Piece[]): readonly Correction[] {
  let found: Correction[] | undefined;
  for (let at = 0; at < pieces.length; at++) {
    if (!isMarker(pieces, at)) continue;
    const correction = correctionAt(pieces, at, found?.at(-1)?.until ?? 0);
    for (; at <= correction.to; at++) {
      const piece = pieces[at];
      if (piece) piece.used = true;
    }
    at = correction.to;
    if (isEmpty(pieces, at)) continue;
    found ??= [];
    found.push(correction);
  }
  return found ?? NONE;
}

/** Whether a marker that ends at a piece corrects nothing. */
function isEmpty(pieces: readonly Piece[], at: number): boolean {
  const next = pieces[behindMarks(pieces, at + 1)]?.token.norm ?? "";
  return (
    ADDING.test(next) || (/^(?:sorry|apologies)$/.test(pieces[at]?.token.norm ?? "") && EXCUSED.test(next))
  );
}

/** A marker with those that follow it: "no, wait, I meant". @param known the end of the sentence of the marker before */
function correctionAt(pieces: readonly Piece[], from: number, known: number): Correction {
  let to = from;
  for (let next = behindMarks(pieces, to + 1); isMarker(pieces, next); next = behindMarks(pieces, to + 1)) {
    to = next;
  }
  let until = Math.max(known, behindMarks(pieces, to + 1));
  while (!isHard(pieces[until])) until++;
  return { from, to, until };
}

/** The first piece from one on that is no mark. */
function behindMarks(pieces: readonly Piece[], from: number): number {
  let at = from;
  while (pieces[at]?.token.kind === "mark" && !pieces[at]?.amount && !pieces[at]?.entity) at++;
  return at;
}

/**
 * Phrases of several words correct wherever they stand; a single word where it begins a clause: "EMEA, sorry, APAC", and not "I am so sorry".
 * A bare "no" denies unless it is a clause by itself: "for profit, no, for revenue".
 */
function isMarker(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  if (!piece) return false;
  const isWord = piece.end - piece.start === piece.token.norm.length;
  if (!means(piece, MEANS.correct)) {
    return isWord && piece.token.norm === "no" && beginsClause(pieces, at) && endsClause(pieces, at);
  }
  return !isWord || piece.token.hangul || beginsClause(pieces, at);
}

const isMark = (piece: Piece | undefined): boolean => piece?.token.kind === "mark" && !piece.amount;

function beginsClause(pieces: readonly Piece[], at: number): boolean {
  const before = pieces[at - 1];
  return (
    before === undefined ||
    isMark(before) ||
    means(before, MEANS.correct) ||
    BEFORE_MARKER.test(before.token.norm)
  );
}

const endsClause = (pieces: readonly Piece[], at: number): boolean =>
  isMark(pieces[at + 1]) || means(pieces[at + 1], MEANS.correct);

/** The latest correction that begins before a piece and reaches it. */
export function correctionBefore(corrections: readonly Correction[], at: number): Correction | undefined {
  let [low, high] = [0, corrections.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((corrections[middle]?.to ?? at) < at) low = middle + 1;
    else high = middle;
  }
  const latest = corrections[low - 1];
  return latest && at < latest.until ? latest : undefined;
}

/** Whether what is said at a piece takes the place of what was said at an earlier one. */
export function isCorrection(corrections: readonly Correction[], earlier: number, later: number): boolean {
  const correction = correctionBefore(corrections, later);
  return correction !== undefined && earlier < correction.from;
}
