import type { SlotDeclaration } from "./declarations.ts";
import type { Draft } from "./draft.ts";
import { MEANS } from "./generic-words.ts";
import { isHard, means, type Piece, senseOf } from "./pieces.ts";

/** How far before an amount the verb may be that moves a limit: "raise that margin floor to 32 %". */
const REACH = 7;
const MOVING =
  /^(?:tighten|loosen|relax|widen|narrow|set|make|change|take|put|bring|let|stretch|push|올려|올리|내려|내리|낮춰|낮추|높여|높이|바꿔|바꾸)/;
const POINTING = /^(?:it|that|this|them|those|let's|그거|그걸|그것|이걸)$/;
/** "4 is too tight, 6". */
const TOO = /^(?:too|너무)$/;

/** Whether an amount says what something is to be: "to 32 %", 32%로. */
export const isGoal = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at - 1]?.token.norm === "to" || /^(?:로|으로)$/.test(pieces[at + 1]?.token.norm ?? "");

/** The one limit in force, where no amount in force may be meant instead. */
function limitInForce({ slots, before }: Draft): SlotDeclaration | undefined {
  const [only, ...others] = slots.filter(
    ({ name, kind }) => typeof before[name] === "number" && kind !== "count",
  );
  return only?.kind === "percent" && only.reads !== "change" && others.length === 0 ? only : undefined;
}

/** The limit in force that a sentence moves: "raise it to 9 %", "bring that floor down to 18 %", 10%로 올려 줘. */
export function limitMoved(draft: Draft, at: number): SlotDeclaration | undefined {
  const { pieces } = draft;
  const limit = limitInForce(draft);
  if (!limit || !isGoal(pieces, at)) return undefined;
  const isKorean = pieces[at - 1]?.token.norm !== "to";
  if (isKorean) {
    const [verb] = pieces.slice(at + 2);
    const isBare = at === 0 || isHard(pieces[at - 1]) || POINTING.test(pieces[at - 1]?.token.norm ?? "");
    return isBare && isMoving(verb) ? limit : undefined;
  }
  let isNamed = false;
  for (let i = at - 2; i >= at - REACH && !isHard(pieces[i]); i--) {
    const piece = pieces[i];
    if (isNamed && isMoving(piece)) return limit;
    if (means(piece, MEANS.up | MEANS.down)) continue;
    if (POINTING.test(piece?.token.norm ?? "") || isBound(piece, limit)) isNamed = true;
    else if (!means(piece, MEANS.filler)) return undefined;
  }
  return undefined;
}

/** "floor" and "margin" of the least that is in force, "cap" of the most. */
const isBound = (piece: Piece | undefined, { reads }: SlotDeclaration): boolean => {
  const noun = senseOf(piece, "noun")?.slot;
  if (reads === "most") return means(piece, MEANS.cap);
  return noun?.kind === "money" || (noun?.kind === "percent" && noun.reads === "least");
};

const isMoving = (piece: Piece | undefined): boolean =>
  means(piece, MEANS.up | MEANS.down) || MOVING.test(piece?.token.norm ?? "");

/** Whether a number without its sign is another value of the one limit in force: "raise it to 9", "4 is too tight, 6". */
export function isShareOfLimit(draft: Draft, at: number, value: number): boolean {
  const { pieces, before } = draft;
  const limit = limitInForce(draft);
  if (!limit) return false;
  if (limitMoved(draft, at)) return true;
  const now = Number(before[limit.name]);
  const isNow = (piece: Piece | undefined): boolean =>
    piece?.amount !== undefined && Math.abs(piece.amount.value / 100 - now) < 1e-9;
  const found = pieces.findIndex(isNow);
  return (
    found !== -1 &&
    found < at &&
    Math.abs(value / 100 - now) > 1e-9 &&
    pieces.slice(found, at).some(({ token }) => TOO.test(token.norm))
  );
}
