import type { SlotDeclaration } from "../catalogue/declarations.ts";
import { type EntityIndex, namesOf } from "../catalogue/entity-index.ts";
import { newSearch } from "../catalogue/name-search.ts";
import type { Amount } from "../text/amounts.ts";
import type { SlotReader } from "../text/compile.ts";
import { COMMON_WORDS } from "../text/generic-words.ts";
import { type Piece, piecesOf } from "../text/pieces.ts";
import { plainText, tokenize } from "../text/tokens.ts";
import { findEntities, type NameFound } from "./entity-mentions.ts";
import { type Mention, TYPES, type Unit, type UnitType, type ValueReading } from "./mention.ts";
import { negatedFlag } from "./negated-flags.ts";
import { valuesAt } from "./value-mentions.ts";

/** A message as units. Places are places in `text`, its plain form. */
export type Units = { text: string; units: readonly Unit[]; korean: boolean };

/** Cuts a message into words, marks and mentions. */
export function unitsOf(message: string, { lexicon, slots }: SlotReader, index: EntityIndex): Units {
  const text = plainText(message);
  const tokens = tokenize(text, lexicon.cut, namesOf(index));
  const pieces = piecesOf(tokens, lexicon, index);
  const search = newSearch();
  const names = new Map<number, NameFound>();
  for (const list of index.entities) {
    if (list.ids.length === 0) continue;
    for (const name of findEntities(text, pieces, list, search))
      if (!names.has(name.from)) names.set(name.from, name);
  }
  const units: Unit[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece) break;
    const name = names.get(at);
    const { readings, to } = valuesAt(text, pieces, at, index, search);
    // The longer one is meant: "standard lamp" is no "standard" and a lamp.
    const isName = name !== undefined && (name.to >= to || readings.length === 0);
    const end = isName ? name.to : readings.length > 0 ? to : at;
    const flag = !isName && readings.length === 0 ? negatedFlag(pieces, at, slots) : undefined;
    const said = flag ? [{ slot: flag, value: "true", absent: false, near: false }] : readings;
    const mention = mentionOf(piece, isName ? name : undefined, end > to ? [] : said);
    if (mention) units.push(mentionUnit(text, pieces, at, end, mention));
    else if (piece.senses.length > 0) units.push(phraseUnit(text, piece));
    else {
      const next = pieces[at + 1]?.at ?? tokens.length;
      for (const token of tokens.slice(piece.at, next)) {
        units.push({
          ...EMPTY,
          start: token.start,
          end: token.end,
          type: token.kind === "mark" ? TYPES.mark : TYPES.word,
          word: token.norm,
          means: piece.means,
          capitals: token.capitals,
          common: COMMON_WORDS.has(token.norm),
        });
      }
    }
    at = end;
  }
  return { text, units, korean: tokens.some(({ hangul }) => hangul) };
}

const NO_SLOTS: readonly SlotDeclaration[] = [];
const EMPTY = {
  means: 0,
  nouns: NO_SLOTS,
  cues: NO_SLOTS,
  unsupported: false,
  capitals: false,
  common: false,
};

function mentionOf(
  piece: Piece,
  name: NameFound | undefined,
  values: readonly ValueReading[],
): Mention | undefined {
  const phrases = piece.senses.flatMap((sense) =>
    sense.is === "amount" ? [{ slot: sense.slot, value: sense.amount }] : [],
  );
  if (!piece.amount && !name && values.length === 0 && phrases.length === 0) return undefined;
  return {
    ...(piece.amount ? { amount: piece.amount } : {}),
    ...(name ? { entity: name.reading } : {}),
    values,
    phrases,
  };
}

function mentionUnit(
  text: string,
  pieces: readonly Piece[],
  at: number,
  end: number,
  mention: Mention,
): Unit {
  const [piece, last] = [pieces[at], pieces[end]];
  if (!piece || !last) throw new RangeError("A mention has pieces.");
  return {
    start: piece.start,
    end: last.end,
    type: typeOf(mention),
    word: text.slice(piece.start, last.end).toLowerCase(),
    means: piece.means,
    ...sensesOf(piece),
    capitals: piece.token.capitals,
    common: at === end && COMMON_WORDS.has(piece.token.norm),
    mention,
  };
}

function phraseUnit(text: string, piece: Piece): Unit {
  const senses = sensesOf(piece);
  const type =
    senses.nouns.length > 0
      ? TYPES.noun
      : senses.cues.length > 0
        ? TYPES.cue
        : senses.unsupported
          ? TYPES.unsupported
          : TYPES.word;
  return {
    start: piece.start,
    end: piece.end,
    type,
    word: text.slice(piece.start, piece.end).toLowerCase(),
    means: piece.means,
    ...senses,
    capitals: piece.token.capitals,
    common: COMMON_WORDS.has(piece.token.norm),
  };
}

function sensesOf({ senses }: Piece): Pick<Unit, "nouns" | "cues" | "unsupported"> {
  if (senses.length === 0) return EMPTY;
  return {
    nouns: senses.flatMap((sense) => (sense.is === "noun" ? [sense.slot] : [])),
    cues: senses.flatMap((sense) => (sense.is === "cue" ? [sense.slot] : [])),
    unsupported: senses.some(({ is }) => is === "unsupported"),
  };
}

function typeOf({ amount, entity, values, phrases }: Mention): UnitType {
  if (amount) return amount.factor || isWhole(amount) ? TYPES.factor : AMOUNT_TYPES[amount.unit];
  if (entity) return TYPES.entity;
  if (phrases.length > 0) return TYPES.phrase;
  const kind = values[0]?.slot.kind;
  return kind === "flag" ? TYPES.flag : kind === "choice" ? TYPES.choice : TYPES.value;
}

const AMOUNT_TYPES = { share: TYPES.share, money: TYPES.money, none: TYPES.number, time: TYPES.time };

/** "double", "halve": words that are a change by themselves. */
const isWhole = ({ signed, unit, length, value }: Amount): boolean =>
  signed && unit === "share" && length === 1 && (value === 1 || value === 2 || value === -0.5);
