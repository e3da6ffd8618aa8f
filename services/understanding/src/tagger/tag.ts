import { type EntityIndex, namesOf } from "../catalogue/entity-index.ts";
import type { SlotReading, Slots } from "../catalogue/reading.ts";
import { type Bound, boundsIn } from "../ledger/bounds.ts";
import { unknownNames } from "../ledger/unknown-names.ts";
import { TYPES, type Unit } from "../mentions/mention.ts";
import { type Units, unitsOf } from "../mentions/units.ts";
import type { SlotReader } from "../text/compile.ts";
import { MEANS } from "../text/generic-words.ts";
import { assemble } from "./assemble.ts";
import type { Op } from "./candidates.ts";
import { type Decision, decode, otherRoles } from "./decode.ts";
import type { Model } from "./model.ts";
import { namesIn } from "./names-in.ts";
import type { Role } from "./role.ts";
import { viewOf } from "./view.ts";

/** A part of a message with a role. */
export type TaggedSpan = {
  start: number;
  end: number;
  text: string;
  op: Op;
  slot?: string;
  probability: number;
  /** That it is (a part of) an amount in figures: its size. */
  figure?: number;
  /** That it is (a part of) a time: "45 days", 2026. */
  time?: true;
  /** That it names entities of the inputs: the slot, and what makes the list of their ids, which may be long. */
  entity?: { slot: string; ids: () => readonly string[] };
};

/** What the tagger reads of a message, and how sure it is. */
export type TaggedReading = {
  reading: SlotReading;
  /** The product of the probabilities of all mentions, and of the least probable word: 0 to 1. */
  confidence: number;
  /** By slot: that of its least probable mention. */
  slotConfidence: Readonly<Record<string, number>>;
  /** All mentions, and the words that have a role. */
  spans: readonly TaggedSpan[];
  /** The limits that it says, by its structure alone, and what each can be of. */
  bounds: readonly Bound[];
  /** What tells how far the reading can be relied on. */
  ground: Ground;
  /** The message read in other ways, the likeliest first. */
  others: () => readonly SlotReading[];
};

/** How much of a message its reader has found, and how sure it is of the least sure part. */
export type Ground = {
  /** Least probability of the role of a mention, and of a word that is none. */
  leastMention: number;
  leastWord: number;
  mentions: number;
  words: number;
  /** Words that are neither frequent, nor of the domain, nor in any claim. */
  unread: number;
  /** Generic meanings of the words outside mentions: bits of `MEANS`. */
  means: number;
  /** Names that the inputs do not have. */
  unknown: number;
};

/** A longer message, or one with more mentions, is not read: what is looked at grows with their square. */
const MOST_CHARACTERS = 1_000;
const MOST_MENTIONS = 40;

const MOST_OTHERS = 3;
const MOST_TRIED = 24;

/** What a reading makes of a message, whatever roles its words have for it. */
const outcomeOf = ({ slots, edits, cleared }: SlotReading): string => JSON.stringify([slots, edits, cleared]);

/** The roles of the units by what is decided, and by what stands in the words alone. */
export function rolesIn(
  { text, units }: Units,
  decisions: readonly Decision[],
  index: EntityIndex,
  unknown = unknownNames(text, units, namesOf(index)),
): Role[] {
  const unheld = unheldIn(units);
  return decisions.map(({ role, probability }, at): Role => {
    const unit = units[at];
    if (unknown[at] || (unheld.has(at) && role.op === "none")) return UNSUPPORTED;
    if (role.op === "none" && isVague(units, at)) return { op: "ask" };
    if (unit && isOfName(unit, units[at + 1], index)) return NOTHING;
    const free = isFreeOf(units, at) ? unit?.mention?.values[0]?.slot : undefined;
    if (free) return { op: "out", slot: free };
    return role.op === "unsupported" && probability < LEAST_NAMED ? NOTHING : role;
  });
}

const BOUNDING = MEANS.above | MEANS.below | MEANS.atMost | MEANS.atLeast | MEANS.cap | MEANS.must;
/** Units between a noun and the word that bounds it. */
const REACH = 4;

/** The bounds of what the domain itself says that nothing takes, each with its noun: "above the competitor", "sales volume over". */
function unheldIn(units: readonly Unit[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, { unsupported }] of units.entries()) {
    if (!unsupported) continue;
    for (const step of [-1, 1]) {
      let i = at + step;
      while (Math.abs(i - at) <= REACH && units[i] && isPlain(units[i]) && !bounds(units[i])) i += step;
      if (!bounds(units[i]) || Math.abs(i - at) > REACH) continue;
      for (let one = Math.min(i, at); one <= Math.max(i, at); one++) found.add(one);
    }
  }
  return found;
}

/** "Some limit", "with a cap on price changes": one that is wanted, without a figure anywhere near. */
function isVague(units: readonly Unit[], at: number): boolean {
  if (((units[at]?.means ?? 0) & MEANS.cap) === 0 || units.at(-1)?.word === "?") return false;
  const isWanted = units.slice(Math.max(0, at - WANTED_BEFORE), at).some(({ word }) => WANTED.test(word));
  const isGiven = units.slice(Math.max(0, at - NEAR), at + NEAR).some(({ mention }) => mention?.amount);
  return isWanted && !isGiven;
}
const WANTED = /^(?:should|shall|ought|must|need|needs|want|some|an?|any)$/;
const WANTED_BEFORE = 2;
/** Units on either side of which a figure would be that of the limit. */
const NEAR = 8;

const isPlain = (unit: Unit | undefined): boolean =>
  unit !== undefined && !unit.mention && unit.type !== TYPES.mark;
const bounds = (unit: Unit | undefined): boolean => ((unit?.means ?? 0) & BOUNDING) !== 0;

/** What is less probably a constraint that nothing applies is not named as one. */
const LEAST_NAMED = 0.6;
const NOTHING = { op: "none" } as const;
const UNSUPPORTED = { op: "unsupported" } as const;

/**
 * Reads what a message says of the slots of a flow by a learnt model.
 * @param index the inputs that the message is about, by `indexEntities`
 * @param before the slots of the turn before
 * @returns undefined for a message that is too long
 */
export function tagSlots(
  message: string,
  reader: SlotReader,
  index: EntityIndex,
  model: Model,
  before: Slots = {},
): TaggedReading | undefined {
  if (message.length > MOST_CHARACTERS) return undefined;
  const { slots } = reader;
  const cut = unitsOf(message, reader, index);
  if (cut.units.filter(({ mention }) => mention).length > MOST_MENTIONS) return undefined;
  const view = viewOf(cut, slots, before, index);
  const decisions = decode(view, model);
  const unknown = unknownNames(cut.text, cut.units, namesOf(index));
  const roles = rolesIn(cut, decisions, index, unknown);
  const slotConfidence: Record<string, number> = {};
  const spans: TaggedSpan[] = [];
  let [mentions, words] = [1, 1];
  const ground = { leastMention: 1, mentions: 0, words: 0, unread: 0, means: 0, unknown: 0 };
  for (const [at, { role, probability }] of decisions.entries()) {
    const unit = cut.units[at];
    if (!unit) continue;
    const { slot } = role;
    const { op } = roles[at] ?? NOTHING;
    ground.words += unit.type === TYPES.mark ? 0 : 1;
    if (unknown[at]) ground.unknown++;
    if (unit.mention) {
      mentions *= probability;
      ground.leastMention = Math.min(ground.leastMention, probability);
      ground.mentions++;
    } else {
      words = Math.min(words, probability);
      ground.means |= unit.means;
      if (op === "none" && unit.type === TYPES.word && !unit.common && unit.means === 0) ground.unread++;
    }
    if (slot) slotConfidence[slot.name] = Math.min(slotConfidence[slot.name] ?? 1, probability);
    if (!unit.mention && op === "none") continue;
    const { start, end } = unit;
    const text = cut.text.slice(start, end);
    const amount = unit.mention?.amount;
    const figure = amount && /\d/.test(text) && !unit.mention?.entity ? { figure: amount.value } : {};
    const time = amount?.unit === "time" ? { time: true as const } : {};
    const named = unit.mention?.entity?.slot;
    const { mention } = unit;
    const ids = (): readonly string[] => (mention && named ? namesIn(mention, named, index) : []);
    const entity = named ? { entity: { slot: named.name, ids } } : {};
    spans.push({
      start,
      end,
      text,
      op,
      ...(slot ? { slot: slot.name } : {}),
      probability,
      ...figure,
      ...time,
      ...entity,
    });
  }
  const from = { slots, index, before };
  const reading = assemble(cut.text, cut.units, roles, from);
  const others = (): readonly SlotReading[] => {
    const found = new Map([[outcomeOf(reading), reading]]);
    let tried = 0;
    for (const other of otherRoles(view, decisions, model)) {
      if (found.size > MOST_OTHERS || tried++ >= MOST_TRIED) break;
      const read = assemble(cut.text, cut.units, rolesIn(cut, other, index, unknown), from);
      const outcome = outcomeOf(read);
      if (!found.has(outcome)) found.set(outcome, read);
    }
    return [...found.values()].slice(1);
  };
  const bounds = boundsIn(cut.text, cut.units, slots);
  return {
    others,
    ...{ reading, confidence: mentions * words, slotConfidence, spans, bounds },
    ground: { ...ground, leastWord: words },
  };
}

/** Whether a value is a word of the name behind it. */
function isOfName(unit: Unit, next: Unit | undefined, { entities }: EntityIndex): boolean {
  const named = next?.mention?.entity;
  if (!named || unit.mention?.entity || (unit.mention?.values.length ?? 0) === 0) return false;
  const positions = entities.find(({ slot }) => slot === named.slot)?.byWord.get(unit.word) ?? [];
  return named.positions.some((position) => positions.includes(position));
}

/** "Sugar-free", "free of sugar", "free from it", "non-organic". */
function isFreeOf(units: readonly Unit[], at: number): boolean {
  if (units[at]?.mention?.values.length === 0 || !units[at]?.mention) return false;
  const [second, before, next] = [units[at - 2]?.word, units[at - 1]?.word, units[at + 1]?.word];
  return next === "free" || ((before === "of" || before === "from") && second === "free");
}
