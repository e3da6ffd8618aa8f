import { isHard, isMention, isWord, MEANS, means, type Piece, senseOf } from "@interlock/understanding";

/** How far before a pronoun the name may be that it stands for, so that a long text takes time in proportion. */
const REACH = 40;
const PRONOUN = new Set(["it", "that", "this", "them", "those", "these", "they", "its", "their"]);
const POSSESSIVE = /^(?:its|their)$/;
const PLURAL = /^(?:them|those|these|they|their)$/;
/** "leave that one out", "those two stay as they are", "leave those items out". */
const STANDING_IN = /^(?:one|ones|two|three|both|all)$/;
/** What may stand behind a pronoun that is left out, and goes on with nothing. */
const ENDING =
  /^(?:out|off|aside|away|alone|please|too|completely|entirely|altogether|though|stay|stays|remain|remains)$/;
/** They suppose or ask, and leave out nothing: "what if we leave it as it is?". */
const SUPPOSING = /^(?:if|whether|when|why|how|unless|before|after|would|did|does)$/;
/** "forget it", "ignore that": said of what was said, rather than of an item. */
const DISMISSING = /^(?:forget|ignore|disregard|discard|mind|about)$/;

const BEHIND = /^(?:at|like|than|by|of|to|after|about|as)$/;

/** The names that each pronoun of a message stands for, where it may be left out: "the valve is fine, so leave that one as it is". */
export function referentsOf(pieces: readonly Piece[]): ReadonlyMap<Piece, readonly Piece[]> {
  const referents = new Map<Piece, readonly Piece[]>();
  let first = 0;
  while (first < pieces.length && !isMention(pieces[first])) first++;
  for (let at = first + 1; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || !PRONOUN.has(piece.token.norm) || piece.amount || isMention(piece)) continue;
    if (!isWholeObject(pieces, at) || isSupposed(pieces, at)) continue;
    const found = antecedentOf(pieces, at, PLURAL.test(piece.token.norm));
    if (found.length > 0) referents.set(piece, found);
  }
  return referents;
}

/** "leave it", and not "leave it at 90", "leave that room". */
function isWholeObject(pieces: readonly Piece[], at: number): boolean {
  let end = at + 1;
  // "don't touch its price"
  if (POSSESSIVE.test(pieces[at]?.token.norm ?? "")) {
    if (senseOf(pieces[end], "noun")?.slot.reads !== "change") return false;
    end++;
  }
  while (STANDING_IN.test(pieces[end]?.token.norm ?? "")) end++;
  const isStandIn = end > at + 1;
  if (senseOf(pieces[end], "noun")?.slot.kind === "entity") end++;
  const next = pieces[end];
  // "leave it at that"
  if (!isStandIn && BEHIND.test(pieces[at - 1]?.token.norm ?? "")) return false;
  if (!isStandIn && DISMISSING.test(pieces[at - 1]?.token.norm ?? "")) return false;
  return (
    isHard(next) ||
    means(next, MEANS.separator | MEANS.joins | MEANS.exceptAfter | MEANS.must) ||
    ENDING.test(next?.token.norm ?? "")
  );
}

function isSupposed(pieces: readonly Piece[], at: number): boolean {
  for (let i = at - 1; i >= at - REACH && !isHard(pieces[i]) && pieces[i]?.token.norm !== ","; i--)
    // "what if" is one piece.
    if (SUPPOSING.test(pieces[i]?.token.norm ?? "") || isWhatIf(pieces[i])) return true;
  return false;
}

const isWhatIf = (piece: Piece | undefined): boolean =>
  piece?.token.norm === "what" && !isWord(piece, "what");

/** The nearest name before a pronoun, with the list that it ends for a plural. A place behind a preposition only says more of an item. */
function antecedentOf(pieces: readonly Piece[], at: number, isPlural: boolean): readonly Piece[] {
  let nearest = -1;
  for (let i = at - 1; i >= Math.max(0, at - REACH); i--) {
    const piece = pieces[i];
    if (nearest >= 0 && isHard(piece)) break;
    if (!piece || !isMention(piece)) continue;
    if (nearest < 0) nearest = i;
    else if (!piece.entity || isBesideName(pieces, i, nearest)) continue;
    else nearest = i;
    if (piece.entity || !isPlace(pieces, i)) break;
  }
  return nearest < 0 ? [] : listEndingAt(pieces, nearest, isPlural);
}

const isBesideName = (pieces: readonly Piece[], at: number, last: number): boolean =>
  pieces.slice(at + 1, last).every((piece) => means(piece, MEANS.joins));

/** "in EMEA", "for the premium segment". */
const isPlace = (pieces: readonly Piece[], at: number): boolean =>
  means(pieces[pieces[at - 1]?.token.norm === "the" ? at - 2 : at - 1], MEANS.preposition);

function listEndingAt(pieces: readonly Piece[], last: number, isPlural: boolean): readonly Piece[] {
  const end = pieces[last];
  const list: Piece[] = [];
  for (let i = last; i >= 0; i--) {
    const piece = pieces[i];
    if (!piece) break;
    if (isMention(piece)) {
      const isSame = piece.entity
        ? piece.entity.slot === end?.entity?.slot
        : piece.value?.slot === end?.value?.slot;
      if (!isSame || (!isPlural && (piece.entity ?? piece.value) !== (end?.entity ?? end?.value))) break;
      list.push(piece);
    } else if (!(isPlural && (means(piece, MEANS.joins) || piece.token.norm === "the"))) break;
  }
  return list;
}
