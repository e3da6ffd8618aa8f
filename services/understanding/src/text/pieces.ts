import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { EntityIndex, EntityList } from "../catalogue/entity-index.ts";
import { type Amount, readAmount } from "./amounts.ts";
import { MEANS } from "./generic-words.ts";
import { type Lexicon, longestPhrase, type Sense } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** A phrase, an amount or the name of an entity in a message. */
export type Piece = {
  start: number;
  end: number;
  /** Its first token. */
  at: number;
  token: Token;
  means: number;
  /** What it says of an amount: bits of `ROLES`. */
  roles: number;
  senses: readonly Sense[];
  amount?: Amount;
  /** Entities that it names. */
  entity?: { slot: SlotDeclaration; positions: readonly number[] };
  /** The value of an enum or choice that it names, once that is evident. */
  value?: { slot: SlotDeclaration; value: string };
  /** What it says is in the reading, or constrains nothing. */
  used: boolean;
};

export const means = (piece: Piece | undefined, bits: number): boolean =>
  piece !== undefined && (piece.means & bits) !== 0;

export const hasRole = (piece: Piece | undefined, bits: number): boolean =>
  piece !== undefined && (piece.roles & bits) !== 0;

/** Whether a piece is a word and nothing else: "not", and not "not more than". */
export const isWord = (piece: Piece | undefined, word: string): boolean =>
  piece?.token.norm === word && piece.end - piece.start === word.length;

/** Sentences end here. */
export const isHard = (piece: Piece | undefined): boolean => piece === undefined || means(piece, MEANS.hard);

/** People are counted in an irregular plural. */
const PEOPLE = /^(?:people|persons|men|women|staff|children)$/;
/** They end as a plural does, and are none. */
const NO_PLURAL = /(?:ss|us|is|ways|times|wards|thanks|perhaps|across|besides|unless|towards|points|pls)$/;

/** "40 people", "12 stores": a word that the domain does not know, in the plural. */
export const isPluralOfAny = (piece: Piece | undefined): boolean => {
  if (piece?.token.kind !== "word" || piece.means !== 0 || piece.senses.length > 0 || piece.entity)
    return false;
  const { norm } = piece.token;
  return PEOPLE.test(norm) || (/[a-z]{2}s$/.test(norm) && !NO_PLURAL.test(norm));
};

/** Whether a phrase is for what a flag leaves out. */
export const isOppositeOfFlag = (sense: Extract<Sense, { is: "value" }> | undefined): boolean =>
  sense?.slot.kind === "flag" && sense.value === "false";

/** A part of a list by itself: "EMEA, premium, at most 5 %". */
export function isPart(pieces: readonly Piece[], at: number): boolean {
  const behind = pieces[at + 1];
  const before = pieces[at - 1];
  // A plus joins nothing but parts.
  if (isPlus(before) || (isPlus(behind) && isHard(before))) return true;
  const ends = /^[,/+]$/.test(behind?.token.norm ?? "") || (isHard(behind) && behind?.token.norm !== "?");
  return ends && /^[,;/]$/.test(before?.token.norm ?? "");
}

const isPlus = (piece: Piece | undefined): boolean => piece?.token.norm === "+";

/** Whether a piece names an entity or a value. */
export const isMention = (piece: Piece | undefined): boolean =>
  piece?.entity !== undefined || piece?.value !== undefined;

/** Whether two pieces name something of the same slot. */
export const sameKind = (a: Piece | undefined, b: Piece): boolean => slotOf(a) === slotOf(b);

const slotOf = (piece: Piece | undefined) => piece?.entity?.slot ?? piece?.value?.slot;

export function senseOf<S extends Sense["is"]>(
  piece: Piece | undefined,
  is: S,
): Extract<Sense, { is: S }> | undefined {
  for (const sense of piece?.senses ?? []) if (isSense(sense, is)) return sense;
  return undefined;
}

function isSense<S extends Sense["is"]>(sense: Sense, is: S): sense is Extract<Sense, { is: S }> {
  return sense.is === is;
}

const NO_SENSES: readonly Sense[] = [];
const FOREIGN: readonly Sense[] = [{ is: "unsupported" }];

/**
 * Cuts tokens into pieces: names of entities first, then amounts, then the longest phrases of the lexicon. An amount of money in another
 * currency than that of the inputs is one that nothing can apply.
 */
export function piecesOf(
  tokens: readonly Token[],
  lexicon: Lexicon,
  { entities: lists, currency }: Pick<EntityIndex, "entities" | "currency">,
): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (!token) break;
    const piece: Piece = {
      start: token.start,
      end: token.end,
      at,
      token,
      means: 0,
      roles: 0,
      senses: NO_SENSES,
      used: false,
    };
    const length =
      nameAt(piece, tokens, at, lists, lexicon) ??
      figureOfValueAt(piece, lexicon, tokens, at) ??
      amountAt(piece, lexicon, tokens, at, pieces.at(-1), currency) ??
      phraseAt(piece, lexicon, tokens, at, pieces.at(-1));
    piece.end = tokens[at + length - 1]?.end ?? token.end;
    pieces.push(piece);
    at += length;
  }
  return pieces;
}

function nameAt(
  piece: Piece,
  tokens: readonly Token[],
  at: number,
  lists: readonly EntityList[],
  lexicon: Lexicon,
): number | undefined {
  for (const list of lists) {
    if (!list.firsts.has(piece.token.norm)) continue;
    const length = longestName(list, tokens, at);
    if (length === 0) continue;
    // A name that is a word with a meaning, or a number, needs more than itself.
    if (length === 1 && (tokens[at]?.kind === "number" || lexicon.has(piece.token.norm))) continue;
    const positions = list.byKey.get(joined(tokens, at, length)) ?? [];
    piece.entity = { slot: list.slot, positions };
    return length;
  }
  return undefined;
}

function longestName(list: EntityList, tokens: readonly Token[], at: number): number {
  let found = 0;
  let key = "";
  let words = 0;
  for (let i = at; i < tokens.length && words < list.longest; i++) {
    const token = tokens[i];
    if (!token || (token.kind === "mark" && !token.glued)) break;
    if (token.kind === "mark") continue;
    key += token.norm.replaceAll(/[.,']/g, "");
    words++;
    if (list.byKey.has(key)) found = i + 1 - at;
  }
  return found;
}

function joined(tokens: readonly Token[], at: number, length: number): string {
  let key = "";
  for (let i = at; i < at + length; i++) {
    const token = tokens[i];
    if (token && token.kind !== "mark") key += token.norm.replaceAll(/[.,']/g, "");
  }
  return key;
}

/** A value that begins with a figure is no amount: 11월 of months that can be selected. */
function figureOfValueAt(
  piece: Piece,
  lexicon: Lexicon,
  tokens: readonly Token[],
  at: number,
): number | undefined {
  if (piece.token.kind !== "number") return undefined;
  const phrase = longestPhrase(lexicon, tokens, at);
  if (!phrase || phrase.length < 2 || !phrase.entry.senses.some(({ is }) => is === "value")) return undefined;
  piece.senses = phrase.entry.senses;
  return phrase.length;
}

function amountAt(
  piece: Piece,
  lexicon: Lexicon,
  tokens: readonly Token[],
  at: number,
  before: Piece | undefined,
  currency: string | undefined,
): number | undefined {
  const amount = readAmount(lexicon, tokens, at);
  if (!amount || (amount.length === 1 && piece.token.norm === "one" && isDescribing(before)))
    return undefined;
  if (currency !== undefined && amount.currencies && !amount.currencies.includes(currency))
    piece.senses = FOREIGN;
  else piece.amount = amount;
  return amount.length;
}

/** Before a "one" that stands for a thing: "that one", "the new one", "the cordless one". */
const isDescribing = (piece: Piece | undefined): boolean =>
  piece !== undefined &&
  piece.token.kind === "word" &&
  !piece.amount &&
  ((piece.means === 0 && piece.senses.length === 0) ||
    senseOf(piece, "value") !== undefined ||
    /^(?:the|this|that|which|other|last|next)$/.test(piece.token.norm));

const leadsAmount = (tokens: readonly Token[], at: number): boolean =>
  tokens[/^(?:an?|the)$|^[$€£]$/.test(tokens[at]?.norm ?? "") ? at + 1 : at]?.kind === "number";

/** Tokens behind "max." among which its figure is: "max. price change of 5 %". */
const REACH_TO_FIGURE = 5;

const isBeforeNumber = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(at, at + REACH_TO_FIGURE).some(({ kind }) => kind === "number");

/** "5 %" of "5 % max", "profit" of "profit max", "its" of "at its max". */
const isBounded = (piece: Piece | undefined): boolean =>
  piece?.amount !== undefined ||
  senseOf(piece, "value") !== undefined ||
  isWord(piece, "its") ||
  isWord(piece, "the");

function phraseAt(
  piece: Piece,
  lexicon: Lexicon,
  tokens: readonly Token[],
  at: number,
  before: Piece | undefined,
): number {
  const phrase = longestPhrase(lexicon, tokens, at);
  if (!phrase) return 1;
  // "add 5 % to repair prices": behind an amount, "to" leads to what it is added to, and to no verb.
  if (before?.amount && piece.token.norm === "to" && phrase.entry.senses.some(({ is }) => is === "decoy"))
    return 1;
  // "below 60 or below 20 %": the comparison is that of the second amount.
  const isOfSecond =
    piece.token.norm === "or" && phrase.length > 1 && leadsAmount(tokens, at + phrase.length);
  // "5 % max. The dealers …": behind what is bounded, the point ends the sentence.
  const isEnd =
    phrase.length === 2 &&
    tokens[at + 1]?.norm === "." &&
    (isBounded(before) || (senseOf(before, "noun") !== undefined && !isBeforeNumber(tokens, at + 2)));
  if (isOfSecond || isEnd) return phraseAt(piece, lexicon, tokens.slice(0, at + 1), at, before);
  piece.means = phrase.entry.means;
  piece.roles = phrase.entry.roles;
  piece.senses = phrase.entry.senses;
  return phrase.length;
}
