import type { SlotDeclaration } from "./declarations.ts";
import type { Draft } from "./draft.ts";
import { MEANS } from "./generic-words.ts";
import { isHard, means, type Piece } from "./pieces.ts";

const REACH = 4;

/** Finds what the message takes back: "no limit any more", "forget the 5 % cap", 제한 없이. */
export function readCleared(draft: Draft): void {
  const { pieces } = draft;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || !means(piece, MEANS.clear) || piece.used) continue;
    const step = piece.token.hangul ? -1 : 1;
    const passed: Piece[] = [];
    for (let i = at + step; Math.abs(i - at) <= REACH && !isHard(pieces[i]); i += step) {
      const next = pieces[i];
      if (
        !next ||
        next.entity ||
        next.value ||
        means(next, MEANS.up | MEANS.down | MEANS.above | MEANS.below)
      )
        break;
      // In "drop the floor to 90" the amount behind sets the slot.
      const slot = clearedBy(draft, piece, next, pieces[i + step]);
      if (slot && !setsAgain(pieces, i)) {
        draft.cleared.add(slot.name);
        for (const part of [piece, next, ...passed]) part.used = true;
        const end = pieces[i + step];
        if (end && means(end, MEANS.cap | MEANS.atMost | MEANS.atLeast)) end.used = true;
        break;
      }
      passed.push(next);
    }
  }
}

function setsAgain(pieces: readonly Piece[], at: number): boolean {
  const behind = pieces.slice(at + 1, at + 4);
  return (
    /^(?:to|at|of)$/.test(behind[0]?.token.norm ?? "") && behind.some(({ amount }) => amount !== undefined)
  );
}

/** The slot that a clearing word takes back with what stands behind it. */
function clearedBy(
  { slots }: Draft,
  clear: Piece,
  piece: Piece,
  next: Piece | undefined,
): SlotDeclaration | undefined {
  const isWeak = /^(?:no|without|없이|없음|없)$/.test(clear.token.norm);
  const isLimit = (part: Piece | undefined): boolean => means(part, MEANS.cap | MEANS.atMost | MEANS.atLeast);
  const nouns = piece.senses.flatMap((sense) => (sense.is === "noun" ? [sense.slot] : []));
  const changes = means(clear, MEANS.up | MEANS.down);
  for (const slot of nouns) {
    const isBound = slot.kind === "money" || (slot.reads === "most" && piece.means !== 0);
    if (slot.kind === "entity" || slot.kind === "enum") {
      if (isLimit(next) || (!isWeak && !changes && !means(clear, MEANS.except))) return slot;
    } else if (changes && slot.reads === "change") continue;
    else if (isBound || isLimit(next) || (!isWeak && !changes && slot.reads !== "most")) return slot;
  }
  if (!isLimit(piece) || nouns.length > 0) return undefined;
  const behind = next?.senses.flatMap((sense) => (sense.is === "noun" ? [sense.slot] : []));
  return (
    behind?.find((slot) => slot.reads !== undefined && slot.reads !== "change") ??
    slots.find((slot) => slot.reads === "most" && slot.implicit)
  );
}
