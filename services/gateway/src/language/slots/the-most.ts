import { isHard, MEANS, means, type Piece, type SlotDeclaration, senseOf } from "@interlock/understanding";

/** How far before a superlative what it picks may be: "which item has by far the most upside". */
const REACH = 6;
const SUPERLATIVE = /^(?:most|highest)$/;

/** "Which item has the most upside?": the first of what a slot counts, said without a number. */
export function picksOne(pieces: readonly Piece[], { kind, fromResults, name }: SlotDeclaration): boolean {
  if (kind !== "count" || !fromResults) return false;
  const isCounted = (piece: Piece | undefined): boolean =>
    piece?.senses.some((sense) => sense.is === "noun" && sense.slot.name === name) === true;
  return pieces.some((piece, at) => {
    if (!means(piece, MEANS.superlative) && !SUPERLATIVE.test(piece.token.norm)) return false;
    if (!isCounted(pieces[at + 1])) return false;
    for (let i = at - 1; i >= at - REACH && !isHard(pieces[i]); i--) {
      const noun = pieces[i];
      if (senseOf(noun, "noun")?.slot.kind === "entity") return !noun?.token.norm.endsWith("s");
    }
    return false;
  });
}
