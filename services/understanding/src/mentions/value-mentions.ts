import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { EntityIndex, ValueList } from "../catalogue/entity-index.ts";
import type { Search } from "../catalogue/name-search.ts";
import { SHORTEST_NEAR } from "../catalogue/near-index.ts";
import { COMMON_WORDS } from "../text/generic-words.ts";
import { singularsOf } from "../text/lexicon.ts";
import type { Piece } from "../text/pieces.ts";
import type { ValueReading } from "./mention.ts";

/** Function words that are codes of regions too: "US", "IT". In small letters they are words. */
const FUNCTION_WORD = /^(?:it|in|is|at|be|me|my|am|so|do|to|by|as|are|can)$/;
const NONE: readonly ValueReading[] = [];

/** The values that a phrase may be: declared ones, those of the inputs, and misspelt ones. @returns how many pieces it takes, too */
export function valuesAt(
  text: string,
  pieces: readonly Piece[],
  at: number,
  index: EntityIndex,
  search: Search,
): { readings: readonly ValueReading[]; to: number } {
  const piece = pieces[at];
  const isValue = piece?.token.kind === "word" || (piece?.senses.length ?? 0) > 0;
  if (!piece || !isValue || piece.amount) return { readings: NONE, to: at };
  const declared = declaredValues(text, piece, index);
  const found = declared.length > 0 ? declared : ownValues(text, pieces, at, index, search);
  if (found.length > 0 || !index.values.some(({ spaced }) => spaced)) return { readings: found, to: at };
  // A value of several words is in several pieces.
  for (let to = Math.min(at + 3, pieces.length - 1); to > at; to--) {
    const said = text.slice(piece.start, pieces[to]?.end).toLowerCase();
    const readings = index.values.flatMap((list) => exact(list, said));
    if (readings.length > 0) return { readings, to };
  }
  return { readings: NONE, to: at };
}

function declaredValues(text: string, piece: Piece, index: EntityIndex): readonly ValueReading[] {
  if (piece.senses.length === 0) return NONE;
  const said = text.slice(piece.start, piece.end).toLowerCase();
  const found: ValueReading[] = [];
  for (const list of index.values) found.push(...exact(list, said));
  for (const sense of piece.senses) {
    if (sense.is === "cue" && sense.slot.kind === "flag") found.push(reading(sense.slot, "true"));
    if (sense.is !== "value" || found.some(({ slot }) => slot === sense.slot)) continue;
    const list = index.values.find(({ slot }) => slot === sense.slot);
    const own = list?.values.get(sense.value.toLowerCase());
    const absent = list?.complete === true && own === undefined;
    found.push({ slot: sense.slot, value: own ?? sense.value, absent, near: false });
  }
  return found;
}

/** Values of the inputs that the domain has not declared. */
function ownValues(
  text: string,
  pieces: readonly Piece[],
  at: number,
  index: EntityIndex,
  search: Search,
): readonly ValueReading[] {
  const piece = pieces[at];
  if (!piece) return NONE;
  const word = piece.token.norm;
  if (!piece.token.capitals && FUNCTION_WORD.test(word)) return NONE;
  const said = text.slice(piece.start, piece.end).toLowerCase();
  const isCommon = COMMON_WORDS.has(word);
  const found = index.values.flatMap((list) => {
    const [own] = exact(list, said);
    if (own) return [own];
    const singular = isCommon || !word.endsWith("s") ? [] : singularsOf(word);
    return singular.flatMap((form) => exact(list, form)).slice(0, 1);
  });
  if (found.length > 0 || isCommon || piece.means !== 0) return found;
  const heard = index.values.flatMap((list) => list.sounds.find(word).flatMap((name) => exact(list, name)));
  if (heard.length > 0) return heard.map((value) => ({ ...value, near: true }));
  if (word.length < SHORTEST_NEAR) return found;
  return index.values.flatMap((list) =>
    list.near
      .find(word, search)
      .slice(0, 1)
      .flatMap((near) => exact(list, near).map((value) => ({ ...value, near: true }))),
  );
}

function exact({ slot, spellings, values, complete }: ValueList, said: string): ValueReading[] {
  const value = spellings.get(said);
  if (value === undefined) return [];
  const own = values.get(value.toLowerCase());
  return [{ slot, value: own ?? value, absent: complete && own === undefined, near: false }];
}

const reading = (slot: SlotDeclaration, value: string): ValueReading => ({
  slot,
  value,
  absent: false,
  near: false,
});
