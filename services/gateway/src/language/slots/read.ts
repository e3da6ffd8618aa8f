import {
  type EntityIndex,
  MEANS,
  namesOf,
  type Piece,
  piecesOf,
  plainText,
  type SlotReader,
  type SlotReading,
  type Slots,
  tokenize,
} from "@interlock/understanding";
import { findCorrections } from "./corrections.ts";
import { cannotApply, type Draft } from "./draft.ts";
import { findNames } from "./names.ts";
import { readSelections } from "./selections.ts";
import { isCovered } from "./spans.ts";
import { picksOne } from "./the-most.ts";
import { findValues } from "./values.ts";

const SELECTING = MEANS.all | MEANS.both | MEANS.only | MEANS.except | MEANS.exceptAfter | MEANS.instead;

const NONE: ReadonlySet<Piece> = new Set();

/**
 * Reads by rules which of the inputs a message is about: names and values, what of them is left out, added or taken back, and "which one …
 * most". What it says of amounts, choices and flags is the learnt reader's; here amounts are named as not applied. It takes time in proportion
 * to the message, whatever the text.
 * @param entities the inputs that the message is about, by `indexEntities`
 * @param before the slots of the turn before
 */
export function readSelected(
  text: string,
  { slots, lexicon }: SlotReader,
  entities: EntityIndex,
  before: Slots = {},
): SlotReading {
  const plain = plainText(text);
  const tokens = tokenize(plain, lexicon.cut, namesOf(entities));
  const draft: Draft = {
    text: plain,
    pieces: piecesOf(tokens, lexicon, entities),
    slots,
    index: entities,
    korean: tokens.some(({ hangul }) => hangul),
    before,
    values: new Map(),
    places: new Map(),
    corrections: [],
    excluded: NONE,
    edits: new Map(),
    cleared: new Set(),
    unsupported: [],
    asks: [],
  };
  draft.corrections = findCorrections(draft.pieces);
  findNames(draft);
  findValues(draft);
  const selects = draft.pieces.some(
    ({ entity, value, means, token }) => entity || value || means & SELECTING || token.norm === "everything",
  );
  if (selects) readSelections(draft);
  for (const slot of slots) if (picksOne(draft.pieces, slot)) draft.values.set(slot.name, 1);
  for (const { amount, entity, start, end } of draft.pieces)
    if (amount && !entity) cannotApply(draft, start, end);
  return {
    slots: Object.fromEntries(draft.values),
    ...(draft.edits.size > 0 ? { edits: Object.fromEntries(draft.edits) } : {}),
    cleared: [...draft.cleared].filter((name) => !draft.values.has(name)),
    unsupported: draft.unsupported.map(({ start, end }) => plain.slice(start, end)),
    asks: draft.asks,
    rest: restOf(draft),
  };
}

/** The pieces that name nothing. */
const restOf = ({ text, pieces, unsupported }: Draft): string =>
  pieces
    .filter(
      (piece) =>
        !piece.used && !piece.entity && !piece.value && !piece.amount && !isCovered(unsupported, piece),
    )
    .map(({ start, end }) => text.slice(start, end))
    .join(" ");
