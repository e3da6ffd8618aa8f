import type { SlotDeclaration } from "./declarations.ts";
import type { Draft } from "./draft.ts";
import { type EntityList, shapeOf } from "./entity-index.ts";
import { COMMON_WORDS, MEANS } from "./generic-words.ts";
import { keyOfPieces, notSought, take, unknownName } from "./name-outcome.ts";
import { namedByWords, newSearch, seek, wordPositions } from "./name-search.ts";
import { isHard, means, type Piece, senseOf } from "./pieces.ts";

/** Parts of a name that are written in one. */
const LONGEST_CLUSTER = 16;

/**
 * Finds what names entities without being a whole id or name: a word of it, its beginning, or a misspelt one. What could be several asks.
 */
export function findNames(draft: Draft): void {
  for (const slot of draft.slots) {
    const list = draft.index.entities.get(slot.name);
    if (slot.kind === "entity" && list && list.ids.length > 0) findNamesOf(draft, slot, list);
  }
}

function findNamesOf(draft: Draft, slot: SlotDeclaration, list: EntityList): void {
  const search = newSearch();
  const { pieces } = draft;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (!piece || piece.entity) continue;
    if (piece.amount) {
      numericId(draft, slot, list, i);
      continue;
    }
    if (!isOpen(piece)) continue;
    const end = clusterEnd(pieces, i);
    const said = draft.text.slice(piece.start, pieces[end]?.end);
    const key = keyOfPieces(pieces, i, end);
    const isId = /\p{N}/u.test(key) && /\p{L}/u.test(key);
    const own = wordPositions(list, key);
    if (own && (isId || end > i || isEvident(draft, slot, list, [i, i]))) {
      const positions = end === i && !isId ? namedByWords(draft, list, i, own, search) : own;
      const name = { slot, list, from: i, to: end, said, search };
      if (positions) take(draft, { ...name, positions });
      else notSought(draft, name);
      continue;
    }
    if (!isId && (COMMON_WORDS.has(key) || key.length < 4)) continue;
    if (!isId && end === i && !isEvident(draft, slot, list, [i, i])) continue;
    const { near, begun } = seek(list, key, search, piece.token.capitals || isId);
    const found = near.length > 0 ? near : begun;
    if (found.length > 0) {
      // Another digit is another item rather than a misspelt one.
      const sure =
        near.length === 0 || digitsOf(key) === "" || near.every((position) => hasDigits(list, position, key));
      const name = { slot, list, from: i, to: end, said, positions: found, search };
      if (sure) take(draft, name);
      else unknownName(draft, name);
    } else if (search.checks <= 0 || search.positions <= 0) {
      notSought(draft, { from: i, to: end });
    } else if (isId && list.shapes.has(shapeOf(said))) {
      const positions = list.byWord.get(piece.token.norm) ?? [];
      unknownName(draft, { slot, list, from: i, to: end, said, positions, search });
    }
    i = Math.max(i, end);
  }
}

/** Neither a phrase with a meaning nor a name. */
const isOpen = (piece: Piece | undefined): piece is Piece =>
  piece !== undefined &&
  piece.means === 0 &&
  piece.senses.length === 0 &&
  piece.token.kind === "word" &&
  !piece.entity;

/** The last piece that is written in one with this one, such as "V7" of "VALVE-V7". */
function clusterEnd(pieces: readonly Piece[], from: number): number {
  let end = from;
  for (let i = from + 1; i < pieces.length && i - from < LONGEST_CLUSTER; i++) {
    const next = pieces[i];
    if (!next?.token.glued || next.token.kind === "mark" || next.token.hangul || means(next, MEANS.percent))
      break;
    end = i;
  }
  const next = pieces[end + 1];
  // "valve v8": a word with letters and digits goes with the one before.
  return end === from &&
    isOpen(next) &&
    /^\p{L}\p{N}+$/u.test(next.token.norm) &&
    !/\p{N}/u.test(pieces[from]?.token.norm ?? "")
    ? end + 1
    : end;
}

/** Whether the words around make it a name: "the valve", "for valve", "valve only". */
function isEvident(
  { pieces }: Draft,
  slot: SlotDeclaration,
  list: EntityList,
  [from, to]: readonly [number, number],
): boolean {
  const [before, after] = [pieces[from - 1], pieces[to + 1]];
  const leads =
    MEANS.preposition |
    MEANS.only |
    MEANS.except |
    MEANS.up |
    MEANS.down |
    MEANS.all |
    MEANS.both |
    MEANS.joins |
    MEANS.keep;
  if (pieces[from]?.token.capitals || pieces[from]?.token.hangul) return true;
  if (
    means(before, leads) ||
    /^(?:the|our|my|your|this|that|these|those|not|a|an)$/.test(before?.token.norm ?? "")
  )
    return true;
  if (before?.entity || before?.amount) return true;
  if (means(after, MEANS.joins) && isName(pieces[to + 2], list)) return true;
  if (means(after, MEANS.only | MEANS.exceptAfter) || senseOf(after, "noun")) return true;
  return (isHard(before) && isHard(after)) || senseOf(before, "noun")?.slot === slot;
}

const isName = (piece: Piece | undefined, list: EntityList): boolean =>
  piece?.entity !== undefined || wordPositions(list, piece?.token.norm ?? "") !== undefined;

/** An id of digits alone needs a noun or a mark before it, or it would be any number. */
function numericId({ pieces }: Draft, slot: SlotDeclaration, list: EntityList, at: number): void {
  const piece = pieces[at];
  if (piece?.token.kind !== "number" || (piece.amount?.unit !== "none" && piece.amount?.unit !== "time"))
    return;
  const positions = list.byKey.get(piece.token.norm.replaceAll(/[.,']/g, ""));
  const before = pieces[at - 1];
  const named = senseOf(before, "noun")?.slot === slot || before?.token.norm === "#";
  if (
    !positions ||
    !(
      named ||
      (piece.token.norm.length >= 4 &&
        piece.amount.unit === "none" &&
        means(before, MEANS.preposition | MEANS.only | MEANS.except))
    )
  )
    return;
  piece.entity = { slot, positions };
  delete piece.amount;
}

const digitsOf = (text: string): string => text.replace(/\P{N}/gu, "");
const hasDigits = (list: EntityList, position: number, key: string): boolean =>
  digitsOf(list.ids[position] ?? "") === digitsOf(key);
