import type { SlotDeclaration } from "../catalogue/declarations.ts";
import { TYPES, type Unit } from "../mentions/mention.ts";
import { hashOf, mix } from "../text/hash.ts";

/**
 * What a unit of a message does:
 * - `none`: nothing; `unsupported`: constrains what no slot takes
 * - `ask`: a limit without its figure; `clear`: takes a slot back
 * - `set`: the value of the slot; `unset`: takes back a flag
 * - `up`, `down`: the amount of a change and its direction, or of a limit of changes in that direction alone
 * - `in`, `out`, `add`: selects, leaves out, or joins what is selected already; `of`: says of what the limit beside it is
 */
export type Op =
  | "none"
  | "unsupported"
  | "ask"
  | "clear"
  | "set"
  | "unset"
  | "up"
  | "down"
  | "in"
  | "out"
  | "add"
  | "of";

/** A role that a unit may have. Its labels name no slot, so that what is learnt of one holds for all that are declared like it. */
export type Candidate = {
  op: Op;
  slot?: SlotDeclaration;
  /** By kind, reading and direction: a percentage that is the most. */
  fine: number;
  /** By reading and direction alone: whatever is the most. */
  coarse: number;
  /** How both are called in reports. */
  name: string;
};

const made = new Map<string, Candidate>();

/** Labels are few; each is hashed once. */
function candidate(op: Op, slot?: SlotDeclaration): Candidate {
  const reads = slot?.reads && slot.reads !== "change" ? `.${slot.reads}` : "";
  const name = slot ? `${slot.kind}${reads}.${op}` : op;
  let known = made.get(name);
  if (!known) {
    const coarse = slot ? `${reads}.${op}` : op;
    known = { op, name, fine: mix(hashOf(name), 11), coarse: mix(hashOf(coarse), 13) };
    made.set(name, known);
  }
  return slot ? { ...known, slot } : known;
}

const NONE = candidate("none");
const UNSUPPORTED = candidate("unsupported");
const WORD: readonly Candidate[] = [NONE, UNSUPPORTED, candidate("ask"), candidate("clear")];

/** The roles that the type of a unit allows; the first is `none`. */
export function candidatesOf(unit: Unit, slots: readonly SlotDeclaration[]): readonly Candidate[] {
  const { mention } = unit;
  if (!mention) return WORD;
  const found: Candidate[] = [NONE, UNSUPPORTED];
  const { amount, entity, values, phrases } = mention;
  if (amount) for (const slot of slots) found.push(...ofAmount(unit, slot));
  if (entity) found.push(...selecting(entity.slot));
  for (const { slot, absent } of values) {
    if (absent) continue;
    if (slot.kind === "enum") found.push(...selecting(slot));
    else if (slot.kind === "flag") found.push(candidate("set", slot), candidate("unset", slot));
    else if (slot.kind === "choice") found.push(candidate("set", slot));
  }
  for (const { slot } of phrases) found.push(candidate("set", slot));
  return found;
}

const selecting = (slot: SlotDeclaration): Candidate[] => [
  candidate("in", slot),
  candidate("out", slot),
  candidate("add", slot),
  candidate("of", slot),
];

/** Whether a slot limits how much things change: it may limit one direction alone. */
export const isOfChange = ({ implicit, reads }: SlotDeclaration): boolean => implicit && reads === "most";

/** A larger number without a percent sign is no percentage. */
const MOST_PLAIN_PERCENTAGE = 100;

const STANDS_IN = /^(?:one|two|하나|둘)$/;

/** What of each type of amount a slot takes. A plain number may leave out its percent sign or its currency. */
function ofAmount({ type, word, mention }: Unit, slot: SlotDeclaration): Candidate[] {
  const amount = mention?.amount;
  if (!amount) return [];
  const { kind, reads } = slot;
  // "One more", "those two": without a unit they count, or stand for something.
  if (type === TYPES.number && STANDS_IN.test(word) && kind !== "count") return [];
  const isPercentage = type !== TYPES.number || Math.abs(amount.value) <= MOST_PLAIN_PERCENTAGE;
  if (
    kind === "percent" &&
    isPercentage &&
    (type === TYPES.share || type === TYPES.number || type === TYPES.factor)
  ) {
    if (reads !== "change" && type === TYPES.factor) return [];
    if (reads !== "change" && !isOfChange(slot)) return [candidate("set", slot)];
    if (reads !== "change") return [candidate("set", slot), candidate("up", slot), candidate("down", slot)];
    const up = candidate("up", slot);
    const down = candidate("down", slot);
    if (!amount.signed) return [up, down];
    return amount.value < 0 ? [down] : [up];
  }
  if (kind === "money" && (type === TYPES.money || type === TYPES.number)) return [candidate("set", slot)];
  const isCount = type === TYPES.number && amount.unit === "none" && amount.low === undefined;
  if (kind === "number" && type === TYPES.number) return [candidate("set", slot)];
  if (kind === "count" && isCount && Number.isInteger(amount.value)) return [candidate("set", slot)];
  return [];
}
