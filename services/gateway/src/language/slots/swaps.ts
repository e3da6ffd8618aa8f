import { isHard, isMention, type Piece, sameKind } from "@interlock/understanding";

const NONE: readonly Piece[] = [];
/** How far the names that are exchanged may be from the verb. */
const REACH_OF_SWAP = 8;
const SWAPPING: ReadonlySet<string> = new Set(
  "swap swapping replace replacing switch switching change changing".split(" "),
);
const SUBSTITUTING: ReadonlySet<string> = new Set(["substitute", "substituting"]);
const SWAPPING_KOREAN = /^(?:바꾸|바꿔|교체)/;
/** Words that may exchange names for others. */
export const SWAPPING_WORDS: readonly string[] = [...SWAPPING, ...SUBSTITUTING];

/** Between what goes and what comes: "swap NA for EMEA", NA를 EMEA로 바꿔. */
const GOES = /^(?:for|with|by|to|into|를|을|에서|은|는)$/;

/** What a verb exchanges for another name of the same kind. */
export function swappedBy(pieces: readonly Piece[], at: number): readonly Piece[] {
  const { norm = "", hangul = false } = pieces[at]?.token ?? {};
  if (hangul ? !SWAPPING_KOREAN.test(norm) : !SWAPPING.has(norm))
    return SUBSTITUTING.has(norm) ? replacedBy(pieces, at) : NONE;
  const [from, to] = hangul ? [at - REACH_OF_SWAP, at - 1] : [at + 1, at + REACH_OF_SWAP];
  const found: Piece[] = [];
  let goes = false;
  for (let i = Math.max(0, from); i <= to && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (!piece) break;
    if (!isMention(piece)) goes ||= found.length > 0 && GOES.test(piece.token.norm);
    else if (!goes) found.push(piece);
    else if (sameKind(found.at(-1), piece)) return found;
  }
  return NONE;
}

/** "substitute EMEA for NA": what goes comes last. */
function replacedBy(pieces: readonly Piece[], at: number): readonly Piece[] {
  let comes: Piece | undefined;
  let isFor = false;
  for (let i = at + 1; i <= at + REACH_OF_SWAP && !isHard(pieces[i]); i++) {
    const piece = pieces[i];
    if (!piece) break;
    if (!isMention(piece)) isFor ||= comes !== undefined && piece.token.norm === "for";
    else if (!isFor) comes = piece;
    else if (sameKind(comes, piece)) return [piece];
  }
  return NONE;
}
