import {
  type EntityIndex,
  MEANS,
  means,
  namesOf,
  type Piece,
  piecesOf,
  plainText,
  ROLES,
  type SlotReader,
  type SlotReading,
  type Slots,
  type Token,
  tokenize,
} from "@interlock/understanding";
import { nameAims } from "./aims.ts";
import { findMisspelt } from "./bare-choices.ts";
import { isExtreme, readChoices } from "./choices.ts";
import { readCleared } from "./clearing.ts";
import { goOnWithNumber } from "./continuing.ts";
import { findCorrections } from "./corrections.ts";
import type { Draft } from "./draft.ts";
import { askForLimits } from "./limits.ts";
import { askForMoves } from "./moves.ts";
import { findNames } from "./names.ts";
import { isDate, nameUnread } from "./net.ts";
import { readQuantities } from "./quantities.ts";
import { readResidue } from "./residue.ts";
import { scaleAmounts } from "./scaling.ts";
import { readSelections } from "./selections.ts";
import { isCovered } from "./spans.ts";
import { findValues } from "./values.ts";

const SELECTING = MEANS.all | MEANS.both | MEANS.only | MEANS.except | MEANS.exceptAfter | MEANS.instead;
const CONSTRAINING =
  MEANS.unless |
  MEANS.must |
  MEANS.except |
  MEANS.only |
  MEANS.atMost |
  MEANS.atLeast |
  MEANS.cap |
  MEANS.above |
  MEANS.below |
  MEANS.keep |
  MEANS.currency |
  MEANS.not;

const NONE: ReadonlySet<Piece> = new Set();
/** They may be in a limit without a figure. */
const VAGUE = ROLES.moves | ROLES.excess | ROLES.large | ROLES.small | ROLES.near;

/** They may take back a limit. */
const LIFTING = ROLES.lifted | ROLES.unbounded | ROLES.degree;

/** What a message has, so that no pass looks for what is not there. */
type Contents = {
  said: number;
  roles: number;
  domain: boolean;
  floors: boolean;
  amounts: boolean;
  names: boolean;
};

function contentsOf(pieces: readonly Piece[]): Contents {
  let said = 0;
  let roles = 0;
  let domain = false;
  let floors = false;
  let amounts = false;
  let names = false;
  for (const piece of pieces) {
    const { token, means, roles: own, senses, amount, entity, value } = piece;
    said |= means;
    if (token.norm === "everything") said |= MEANS.all;
    if (isExtreme(piece)) said |= MEANS.superlative;
    roles |= own;
    if (amount || isDate(piece)) amounts = true;
    if (entity || value) names = true;
    for (const sense of senses) {
      if (sense.is === "noun") floors ||= sense.slot.reads === "least" || sense.slot.kind === "money";
      else if (sense.is !== "neutral" && sense.is !== "decoy") domain = true;
    }
  }
  return { said, roles, domain, floors, amounts, names };
}

/**
 * Reads what a message says of the slots of a flow. Shares are fractions (5 % is 0.05), changes are signed, exclusions are their
 * complement, and "all" is no value. It takes time in proportion to the message, whatever the text.
 * @param entities the inputs that the message is about, by `indexEntities`
 * @param before the slots of the turn before, which a bare amount continues
 */
export function readSlots(
  text: string,
  { slots, lexicon }: SlotReader,
  entities: EntityIndex,
  before: Slots = {},
): SlotReading {
  const plain = plainText(text);
  const tokens = tokenize(plain, lexicon.cut, namesOf(entities));
  if (/ (?:then|as) /.test(plain)) mendThan(tokens);
  const pieces = piecesOf(tokens, lexicon, entities);
  const draft: Draft = {
    text: plain,
    pieces,
    slots,
    lexicon,
    index: entities,
    korean: tokens.some(({ hangul }) => hangul),
    before,
    values: new Map(),
    places: new Map(),
    corrections: findCorrections(pieces),
    excluded: NONE,
    edits: new Map(),
    cleared: new Set(),
    unsupported: [],
    asks: [],
  };
  findNames(draft);
  findValues(draft);
  findMisspelt(draft);
  // Most passes look for words that most messages do not have.
  const { said, roles, domain, floors, amounts, names } = contentsOf(draft.pieces);
  if (names || said & SELECTING) readSelections(draft);
  if (domain || said & MEANS.superlative) readChoices(draft);
  // 한도 is both a bound and a cap.
  if (said & (MEANS.clear | MEANS.cap) || roles & LIFTING || (draft.korean && said & MEANS.atMost))
    readCleared(draft);
  scaleAmounts(draft);
  if (amounts) readQuantities(draft);
  if (amounts) goOnWithNumber(draft);
  if (floors) nameAims(draft);
  if (floors || said & (MEANS.cap | MEANS.atMost) || roles & VAGUE) askForLimits(draft);
  if (domain || names || said & CONSTRAINING) readResidue(draft);
  if (said & (MEANS.up | MEANS.down)) askForMoves(draft);
  if (amounts) nameUnread(draft);
  return {
    slots: Object.fromEntries(draft.values),
    ...(draft.edits.size > 0 ? { edits: Object.fromEntries(draft.edits) } : {}),
    cleared: [...draft.cleared].filter((name) => !draft.values.has(name)),
    unsupported: draft.unsupported.map(({ start, end }) => plain.slice(start, end)),
    asks: draft.asks,
    rest: restOf(draft),
  };
}

/** "more then 6 %", "not bigger as 6 %": behind a comparative and before a number it is "than". */
function mendThan(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.norm !== "then" && token.norm !== "as") continue;
    const isNumber = tokens[at + 1]?.kind === "number" || tokens[at + 2]?.kind === "number";
    if (isNumber && /^(?:more|less|[a-z]+er)$/.test(tokens[at - 1]?.norm ?? "")) token.norm = "than";
  }
}

/** The pieces that say nothing of a slot. */
function restOf(draft: Draft): string {
  const { text, pieces, unsupported } = draft;
  let rest = "";
  for (const [at, piece] of pieces.entries()) {
    if (isWithinList(pieces, at)) continue;
    if (piece.used || piece.entity || piece.value || piece.amount || isCovered(unsupported, piece)) continue;
    if (isNounOfRead(draft, piece)) continue;
    rest += `${rest === "" ? "" : " "}${text.slice(piece.start, piece.end)}`;
  }
  return rest;
}

/** How far a name may be from the next one of its list. */
const REACH_IN_LIST = 4;

const isName = (piece: Piece | undefined): boolean =>
  piece?.entity !== undefined || piece?.value !== undefined;

/** The articles, commas and "and" of "the valve, the pump and the gearbox". */
function isWithinList(pieces: readonly Piece[], at: number): boolean {
  if (pieces[at]?.token.norm === "the" && isName(pieces[at + 1])) return true;
  let joined = false;
  const leads = (step: 1 | -1): boolean => {
    for (let i = at; Math.abs(i - at) <= REACH_IN_LIST; i += step) {
      const piece = pieces[i];
      if (isName(piece)) return i !== at;
      if (means(piece, MEANS.joins)) joined = true;
      else if (piece?.token.norm !== "the") return false;
    }
    return false;
  };
  return leads(-1) && leads(1) && joined;
}

/** "margin" of "a margin of 20 %", "items" of "the EMEA items". */
function isNounOfRead({ values, cleared, slots }: Draft, { senses }: Piece): boolean {
  if (senses.length === 0 || (values.size === 0 && cleared.size === 0)) return false;
  const selects = slots.some(({ name, kind }) => kind === "enum" && values.has(name));
  return senses.some(
    (sense) =>
      sense.is === "noun" &&
      (values.has(sense.slot.name) ||
        cleared.has(sense.slot.name) ||
        (sense.slot.kind === "entity" && selects)),
  );
}
