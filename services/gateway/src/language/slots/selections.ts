import {
  isHard,
  isMention,
  isWord,
  MEANS,
  means,
  type Piece,
  type SlotDeclaration,
} from "@interlock/understanding";
import { isAdded } from "./additions.ts";
import { isCorrection } from "./corrections.ts";
import { cannotApply, type Draft } from "./draft.ts";
import { findExcluded, isSkipped } from "./exclusions.ts";
import { isOfEverything } from "./removals.ts";
import { isSelectable } from "./selection-size.ts";

/** How far "only" may be from what it selects: "only raise prices of the valve". */
const REACH_OF_ONLY = 5;

/** Sets the slots of entities and enums: what is named, without what is excluded. "All" takes them back. */
export function readSelections(draft: Draft): void {
  const swapped = new Set<Piece>();
  draft.excluded = findExcluded(draft, swapped);
  findOnly(draft);
  for (const slot of draft.slots) {
    if (slot.kind !== "entity" && slot.kind !== "enum") continue;
    if (!draft.pieces.some((piece) => mentions(piece, slot))) {
      if (saysAll(draft, slot)) draft.cleared.add(slot.name);
      continue;
    }
    const { named, without, isEdit } = mentionsOf(draft, slot, swapped);
    if (isTakenBack(draft, slot, [...named, ...without])) {
      draft.cleared.add(slot.name);
      continue;
    }
    const all = named.size > 0 || without.size > 0 ? allNamesOf(draft, slot) : [];
    const chosen = named.size > 0 ? named : without.size > 0 ? all : [];
    const isKept = isSelectable(leftOf(chosen, without));
    const left = isKept ? [...leftOf(chosen, without)] : [];
    const ordered = slot.kind === "enum" || named.size === 0 ? left : inOrder(all, left);
    if (!isKept) selectNothing(draft, slot);
    else if (ordered.length > 0) {
      const [first = ""] = ordered;
      draft.values.set(
        slot.name,
        slot.kind === "enum" && !slot.keys && ordered.length === 1
          ? first
          : slot.keys
            ? inOrder(all, ordered)
            : ordered,
      );
      if (isEdit) {
        const adds = named.size > 0 ? ordered : [];
        const isPlain = slot.kind === "enum" && !slot.keys;
        draft.edits.set(slot.name, { adds, drops: [...without], ...(isPlain ? { plain: true } : {}) });
      }
    } else if (without.size > 0) excludeNothing(draft, slot);
    if (ordered.length === 0 && saysAll(draft, slot)) draft.cleared.add(slot.name);
  }
}

function* leftOf(chosen: Iterable<string>, without: ReadonlySet<string>): Generator<string> {
  for (const name of chosen) if (!without.has(name)) yield name;
}

/** Says of a selection that is too large to be kept that it is not applied. */
function selectNothing(draft: Draft, slot: SlotDeclaration): void {
  for (const piece of draft.pieces) if (mentions(piece, slot)) cannotApply(draft, piece.start, piece.end);
}

/** "Never mind EMEA, all regions again", where it is selected: all are meant. */
function isTakenBack(draft: Draft, slot: SlotDeclaration, said: readonly string[]): boolean {
  const inForce = new Set([draft.before[slot.name] ?? []].flat());
  const last = draft.pieces.findLastIndex((piece) => mentions(piece, slot));
  const isBehind = (at: number): boolean => at > last && saysAllAt(draft.pieces, at, (noun) => noun === slot);
  return (
    inForce.size === said.length &&
    said.every((name) => inForce.has(name)) &&
    [...draft.pieces.keys()].some(isBehind)
  );
}

/** A message that leaves nothing, or excludes what no list has, is named rather than dropped. */
function excludeNothing(draft: Draft, slot: SlotDeclaration): void {
  for (const piece of draft.excluded) {
    if (piece.entity?.slot === slot || piece.value?.slot === slot) cannotApply(draft, piece.start, piece.end);
  }
}

function allNamesOf({ index }: Draft, slot: SlotDeclaration): readonly string[] {
  return slot.kind === "entity"
    ? (index.entities.find((list) => list.slot === slot)?.ids ?? [])
    : [...(index.values.find((list) => list.slot === slot)?.values.values() ?? [])];
}

const mentions = ({ entity, value }: Piece, slot: SlotDeclaration): boolean =>
  entity?.slot === slot || value?.slot === slot;

/** What is named of a slot, and what of it is excluded. What is corrected is neither, and hands its part on. */
function mentionsOf(draft: Draft, slot: SlotDeclaration, swapped: ReadonlySet<Piece>) {
  const { pieces, index, excluded, corrections } = draft;
  const ids = index.entities.find((list) => list.slot === slot)?.ids ?? [];
  const [named, without] = [new Set<string>(), new Set<string>()];
  // A word can name thousands of entities, and be said hundreds of times.
  const [taken, left] = [new Set<readonly number[]>(), new Set<readonly number[]>()];
  // A name that is asked about is corrected as well.
  let before = draft.places.get(slot.name);
  let stays = false;
  // The first and the last of what is named, and whether all that is left out is exchanged for it.
  let [first, last] = [Number.POSITIVE_INFINITY, -1];
  let isSwap = swapped.size > 0;
  for (const [at, piece] of pieces.entries()) {
    if (!mentions(piece, slot)) continue;
    piece.used = true;
    // "the valve and the pump, no, not the pump, the motor" takes back the pump alone.
    const isPart = excluded.has(piece) && isNamed(piece, ids, named, taken);
    const isAnew = before !== undefined && !excluded.has(piece) && isOnlyAnew(pieces, before, at);
    if (!isPart && (isAnew || isCorrection(corrections, before ?? at, at))) {
      stays = without.size > 0 && named.size === 0;
      for (const said of [named, without, taken, left]) said.clear();
      draft.asks = draft.asks.filter((question) => question.slot !== slot.name);
    }
    before = at;
    const isExcluded = stays || excluded.has(piece);
    const names = isExcluded ? without : named;
    if (piece.entity?.slot === slot) {
      const { positions } = piece.entity;
      const known = isExcluded ? left : taken;
      if (!known.has(positions)) for (const position of positions) names.add(ids[position] ?? "");
      known.add(positions);
    } else if (piece.value) names.add(piece.value.value);
    if (isExcluded) isSwap &&= swapped.has(piece);
    else [first, last] = [Math.min(first, at), at];
  }
  // "The pump is sold out, so price all but the pump": what is left out was only spoken of.
  if (without.size > 0 && [...named].every((name) => without.has(name))) named.clear();
  if (named.size === 0) return { named, without, isEdit: without.size > 0 && !isOfEverything(pieces) };
  const isEdit = without.size > 0 ? isSwap : isAdded(pieces, first, last);
  return { named, without, isEdit };
}

/** "I said new and repair, but she insists: exchange only.": what is said in a clause of its own, and alone, takes the place of all before. */
function isOnlyAnew(pieces: readonly Piece[], before: number, at: number): boolean {
  const isOnly = means(pieces[at + 1], MEANS.only);
  const lead = isWord(pieces[at - 1], "the") ? at - 2 : at - 1;
  if (!isOnly && !means(pieces[lead], MEANS.only)) return false;
  const next = pieces[isOnly ? at + 2 : at + 1];
  if (!isHard(next) && !/^(?:,|and|then|please|now|thanks)$/.test(next?.token.norm ?? "")) return false;
  const between = pieces.slice(before + 1, at);
  const isParted = between.some((piece) => isHard(piece) || /^(?:but|so|therefore)$/.test(piece.token.norm));
  return isParted && !between.some(({ token }) => /^(?:and|also|plus)$/.test(token.norm));
}

/** Whether all that a mention names is named already. */
const isNamed = (
  { entity, value }: Piece,
  ids: readonly string[],
  named: ReadonlySet<string>,
  taken: ReadonlySet<readonly number[]>,
): boolean =>
  entity
    ? taken.has(entity.positions) || entity.positions.every((position) => named.has(ids[position] ?? ""))
    : named.has(value?.value ?? "");

function inOrder(all: readonly string[], some: readonly string[]): string[] {
  const chosen = new Set(some);
  const known = all.filter((name) => chosen.has(name));
  return known.length === chosen.size ? known : [...some];
}

function findOnly({ pieces }: Draft): void {
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || !means(piece, MEANS.only) || piece.used) continue;
    if (isMention(pieces[at - 1])) piece.used = true;
    for (let i = at + 1; i <= at + REACH_OF_ONLY && !isHard(pieces[i]) && !piece.used; i++) {
      if (means(pieces[i], MEANS.separator) && !means(pieces[i], MEANS.filler)) break;
      if (isMention(pieces[i])) piece.used = true;
    }
    for (let i = at - 1; i >= at - 3 && !isHard(pieces[i]) && !piece.used; i--) {
      if (isMention(pieces[i]) && pieces.slice(i + 1, at).every(isSkipped)) piece.used = true;
    }
  }
}

/** "Now for everything", "back to everything", "everything again": no selection any more; "explain everything" is another thing. */
const isEverything = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at]?.token.norm === "everything" &&
  (/^(?:for|to|now)$/.test(pieces[at - 1]?.token.norm ?? "") || pieces[at + 1]?.token.norm === "again");

/** All prices are those of all items. */
const isOfAll = (noun: SlotDeclaration, slot: SlotDeclaration): boolean =>
  noun === slot || (slot.kind === "entity" && noun.reads === "change" && noun.implicit);

/** "all items", "both regions", "for every tier again", "all our prices". */
const saysAll = ({ pieces }: Draft, slot: SlotDeclaration): boolean =>
  pieces.some((_, at) => isEverything(pieces, at) || saysAllAt(pieces, at, (noun) => isOfAll(noun, slot)));

function saysAllAt(
  pieces: readonly Piece[],
  at: number,
  isMeant: (noun: SlotDeclaration) => boolean,
): boolean {
  if (!means(pieces[at], MEANS.all | MEANS.both)) return false;
  for (let i = at + 1; i <= at + 3 && !isHard(pieces[i]); i++) {
    if (pieces[i]?.senses.some((sense) => sense.is === "noun" && isMeant(sense.slot))) return true;
    if (!means(pieces[i], MEANS.filler)) break;
  }
  return false;
}
