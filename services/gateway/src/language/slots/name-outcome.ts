import {
  type EntityList,
  MEANS,
  means,
  type Piece,
  pluralOf,
  type Search,
  senseOf,
  wordPositions,
} from "@interlock/understanding";
import { ask, cannotApply, type Draft } from "./draft.ts";
import { isSelectable } from "./selection-size.ts";

/** Buttons of a question. */
const MOST_OPTIONS = 3;

/** A name in a message, and the entities that it can be. */
export type Named = {
  list: EntityList;
  positions: readonly number[];
  from: number;
  to: number;
  search: Search;
};

/** Takes one entity, or all where the plural says so, or asks which. */
export function take(draft: Draft, named: Named): void {
  const { list, positions, from, to } = named;
  const { slot } = list;
  const piece = draft.pieces[from];
  if (!piece) return;
  markUsed(draft, from, to);
  const isPlural = isPluralName(list, piece) || namesSeveral(draft.pieces[to + 1], list);
  if (positions.length === 1 || isPlural || isAll(draft.pieces, from)) {
    if (!isSelectable(idsAt(list, positions))) {
      cannotName(draft, named);
      return;
    }
    piece.entity = { slot, positions };
    for (let i = from + 1; i <= to; i++) {
      const part = draft.pieces[i];
      if (part) part.entity = piece.entity;
    }
    return;
  }
  if (isAsked(draft, named)) return;
  draft.places.set(slot.name, from);
  const said = saidBy(draft, from, to);
  ask(draft, {
    slot: slot.name,
    question: draft.korean
      ? `"${said}"은(는) 어느 ${slot.label.ko}입니까?`
      : `Which ${slot.label.en} do you mean by "${said}"?`,
    options: optionsOf(draft, list, positions),
  });
}

/** "valves", where no name has it so. */
export const isPluralName = (list: EntityList, { token: { norm } }: Piece): boolean =>
  norm.endsWith("s") && !norm.endsWith("ss") && !list.byWord.has(norm);

/** Words that stand for an entity behind a word of its name: "the petrol one", "espresso machines". */
const STAND_IN = /^(?:one|machine|model|device|version|variant|type|unit|thing)s?$/;

export const isStandIn = (piece: Piece | undefined): boolean =>
  piece !== undefined && STAND_IN.test(piece.token.norm);

/** Whether the word behind a word of a name is a plural of its own: "benchtop machines", "espresso products". */
function namesSeveral(behind: Piece | undefined, list: EntityList): boolean {
  if (!behind || behind.entity || !isPluralName(list, behind)) return false;
  const isNoun = senseOf(behind, "noun")?.slot === list.slot;
  return isNoun || isStandIn(behind) || wordPositions(list, behind.token.norm) !== undefined;
}

/** "both ovens", "all the ovens", "no oven below 200". */
function isAll(pieces: readonly Piece[], from: number): boolean {
  let before = from - 1;
  while (/^(?:the|of|our|my|these|those)$/.test(pieces[before]?.token.norm ?? "")) before--;
  return (
    means(pieces[before], MEANS.all | MEANS.both) || /^(?:no|any)$/.test(pieces[before]?.token.norm ?? "")
  );
}

/** Asks whether one of the likely entities is meant, or says that nothing has the name. */
export function unknownName(draft: Draft, named: Named): void {
  const { list, positions, from, to } = named;
  const { slot } = list;
  if (positions.length === 0) {
    cannotName(draft, named);
    return;
  }
  markUsed(draft, from, to);
  if (isAsked(draft, named)) return;
  const said = saidBy(draft, from, to);
  ask(draft, {
    slot: slot.name,
    question: draft.korean
      ? `${said}은(는) 없습니다. 다음 중 하나입니까?`
      : `There is no ${slot.label.en} ${said}. Did you mean ${positions.length === 1 ? "this one" : "one of these"}?`,
    options: optionsOf(draft, list, positions),
  });
}

/** Whether the slot has its question already. A question is about one name; another one is said not to be applied. */
function isAsked(draft: Draft, { list: { slot }, from, to, search }: Named): boolean {
  const word = keyOfPieces(draft.pieces, from, to).replace(/s$/, "");
  if (!draft.asks.some((question) => question.slot === slot.name)) {
    search.asked.add(word);
    return false;
  }
  if (!search.asked.has(word)) cannotApply(draft, draft.pieces[from]?.start ?? 0, draft.pieces[to]?.end ?? 0);
  return true;
}

/** Some of them, and all, where a selection may be so large: the question is kept until it is answered. */
function optionsOf({ korean }: Draft, list: EntityList, positions: readonly number[]) {
  const { slot } = list;
  const count = positions.length;
  const shown = positions.slice(0, count > MOST_OPTIONS ? MOST_OPTIONS - 1 : MOST_OPTIONS);
  const options = [...idsAt(list, shown)].map((id) => ({ label: id, sets: { [slot.name]: [id] } }));
  if (shown.length === count || !isSelectable(idsAt(list, positions))) return options;
  const label = korean ? `${count}개 모두` : `All ${count} ${pluralOf(slot.label.en)}`;
  return [...options, { label, sets: { [slot.name]: [...idsAt(list, positions)] } }];
}

function* idsAt({ ids }: EntityList, positions: readonly number[]): Generator<string> {
  for (const position of positions) yield ids[position] ?? "";
}

/** Names what cannot be applied: what nothing is called, and what the message is too long to look up. */
export function cannotName(draft: Draft, { from, to }: { from: number; to: number }): void {
  markUsed(draft, from, to);
  cannotApply(draft, draft.pieces[from]?.start ?? 0, draft.pieces[to]?.end ?? 0);
}

function markUsed({ pieces }: Draft, from: number, to: number): void {
  for (let i = from; i <= to; i++) {
    const piece = pieces[i];
    if (piece) piece.used = true;
  }
}

/** A part of the message, as it was written. */
export function saidBy({ text, pieces }: Draft, from: number, to: number): string {
  return text.slice(pieces[from]?.start, pieces[to]?.end);
}

/** What pieces say, without what is between them. */
export function keyOfPieces(pieces: readonly Piece[], from: number, to: number): string {
  let key = pieces[from]?.token.norm ?? "";
  for (let i = from + 1; i <= to; i++) key += pieces[i]?.token.norm ?? "";
  return key;
}
