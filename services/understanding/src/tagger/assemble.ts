import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { EntityIndex } from "../catalogue/entity-index.ts";
import {
  MOST_SELECTED,
  type SlotEdit,
  type SlotQuestion,
  type SlotReading,
  type Slots,
  type SlotValue,
} from "../catalogue/reading.ts";
import { findScoped, type Scoped } from "../ledger/scopes.ts";
import type { Mention, Unit } from "../mentions/mention.ts";
import { MEANS } from "../text/generic-words.ts";
import type { Op } from "./candidates.ts";
import { namesIn } from "./names-in.ts";
import type { Role } from "./role.ts";
import { sizeFor } from "./size.ts";

type Selection = { ins: string[]; outs: string[]; adds: string[] };

/** Makes the reading of a message of the roles of its units. */
export function assemble(
  text: string,
  units: readonly Unit[],
  tagged: readonly Role[],
  { slots, index, before }: { slots: readonly SlotDeclaration[]; index: EntityIndex; before: Slots },
): SlotReading {
  const values = new Map<string, SlotValue>();
  const selections = new Map<SlotDeclaration, Selection>();
  const cleared = new Set<string>();
  const asks = new Map<string, SlotQuestion>();
  const ask = (slot: SlotDeclaration): void => {
    asks.set(slot.name, { slot: slot.name, question: "", options: [] });
  };
  const rest: string[] = [];
  const scoped = findScoped(units, tagged, { slots, index, before });
  const taken = new Set([...(scoped?.amounts ?? []), ...(scoped?.scopes ?? []), ...(scoped?.denied ?? [])]);
  const roles = tagged.map((role, at): Role => (taken.has(at) ? { op: "none" } : role));
  for (const [at, unit] of units.entries()) {
    if (taken.has(at)) continue;
    const { op, slot } = roles[at] ?? { op: "none" };
    if (op === "none") rest.push(text.slice(unit.start, unit.end));
    if (op === "ask" || op === "clear") {
      const meant =
        (op === "clear" ? inForceNear(units, at, slots, before) : undefined) ?? slotNear(units, at, slots);
      if (meant && op === "ask") ask(meant);
      if (meant && op === "clear") cleared.add(meant.name);
    }
    if (!slot || !unit.mention) continue;
    if (op === "unset") cleared.add(slot.name);
    else if (op === "in" || op === "out" || op === "add" || op === "of") {
      if (op !== "out" && unit.mention.entity?.slot === slot && unit.mention.entity.ambiguous) ask(slot);
      else {
        const selection = selections.get(slot) ?? { ins: [], outs: [], adds: [] };
        selection[op === "out" ? "outs" : op === "add" ? "adds" : "ins"].push(
          ...namesIn(unit.mention, slot, index),
        );
        selections.set(slot, selection);
      }
    } else setAmount(values, slots, slot, op, unit.mention);
  }
  for (const [name, limits] of scoped?.limits ?? []) values.set(name, limits);
  for (const [name, selected] of Object.entries(scoped?.selects ?? {})) values.set(name, selected);
  const edits: Record<string, SlotEdit> = {};
  for (const [slot, selection] of selections) {
    const left = select(slot, selection, index);
    if (left.length === 0) continue;
    if (isTakenBack(slot, selection, before)) {
      cleared.add(slot.name);
      continue;
    }
    const isPlain = slot.kind === "enum" && !slot.keys;
    values.set(slot.name, isPlain && left.length === 1 ? (left[0] ?? "") : left);
    const isEdit = before[slot.name] !== undefined && selection.ins.length === 0;
    if (isEdit || selection.adds.length > 0)
      edits[slot.name] = {
        adds: [...selection.ins, ...selection.adds],
        drops: selection.outs,
        ...(isPlain ? { plain: true as const } : {}),
      };
  }
  return {
    slots: Object.fromEntries(slots.flatMap(({ name }) => entryOf(values, name))),
    ...(Object.keys(edits).length > 0 ? { edits } : {}),
    cleared: [...cleared].filter((name) => !values.has(name)),
    unsupported: spansOf(text, units, roles),
    ...(scoped ? { limited: limitedBy(scoped, text, units) } : {}),
    asks: [...asks.values()].filter(({ slot }) => !values.has(slot)),
    rest: rest.join(" "),
  };
}

/** The amounts and denied changes that limits of parts are made of, as they were said. */
function limitedBy({ amounts, denied }: Scoped, text: string, units: readonly Unit[]): string[] {
  return [...amounts, ...denied].flatMap((at) => {
    const unit = units[at];
    return unit ? [text.slice(unit.start, unit.end)] : [];
  });
}

/** "Drop the weekly split": all that an enum is set to is left out, and with it the slot. */
function isTakenBack(
  { kind, name }: SlotDeclaration,
  { ins, outs, adds }: Selection,
  before: Slots,
): boolean {
  const inForce = before[name];
  if (kind !== "enum" || inForce === undefined || ins.length + adds.length > 0) return false;
  return [inForce].flat().every((value) => outs.includes(String(value)));
}

function entryOf(values: ReadonlyMap<string, SlotValue>, name: string): [string, SlotValue][] {
  const value = values.get(name);
  return value === undefined ? [] : [[name, value]];
}

const LOWER = MEANS.atLeast | MEANS.below;
const UPPER = MEANS.atMost | MEANS.above | MEANS.cap;

/**
 * The limit in force that is taken back: the one whose noun or figure stands beside the words, the one that limits that way ("lift the max"),
 * or the only one.
 */
function inForceNear(
  units: readonly Unit[],
  at: number,
  slots: readonly SlotDeclaration[],
  before: Slots,
): SlotDeclaration | undefined {
  const inForce = slots.filter(
    ({ name, reads }) => before[name] !== undefined && reads && reads !== "change",
  );
  const near = [0, 1, 2, 3, 4].flatMap((d) => [units[at + d], units[at - d]]);
  const named = near.flatMap((unit) => unit?.nouns ?? []);
  // What is named and not in force is told so elsewhere.
  if (named.length > 0) return named.find((noun) => inForce.includes(noun));
  const figures = near.flatMap((unit) => unit?.mention?.amount ?? []);
  const held = inForce.find((slot) =>
    figures.some((amount) => before[slot.name] === sizeFor(slot, amount, amount.value)),
  );
  if (held) return held;
  const said = near.reduce((bits, unit) => bits | (unit?.means ?? 0), 0);
  const reads = (said & LOWER) !== 0 ? "least" : (said & UPPER) !== 0 ? "most" : undefined;
  const fitting = inForce.filter((slot) => reads === undefined || slot.reads === reads);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** The limit that words without a figure are about: the one with the nearest noun, or else the one that needs none. */
function slotNear(
  units: readonly Unit[],
  at: number,
  slots: readonly SlotDeclaration[],
): SlotDeclaration | undefined {
  for (let d = 0; d <= 4; d++) {
    for (const unit of [units[at + d], units[at - d]]) {
      const [noun] = unit?.nouns ?? [];
      if (noun && noun.reads !== "change") return noun;
    }
  }
  return slots.find(({ implicit, reads }) => implicit && reads === "most");
}

/** What is selected: what is named without what is left out, or all without it. In the order of the inputs. */
function select(slot: SlotDeclaration, { ins, outs, adds }: Selection, index: EntityIndex): string[] {
  const all =
    slot.kind === "entity"
      ? (index.entities.find((list) => list.slot === slot)?.ids ?? [])
      : [...(index.values.find((list) => list.slot === slot)?.values.values() ?? [])];
  if (ins.length + adds.length === 0) {
    const without = new Set(outs);
    return all.filter((name) => !without.has(name));
  }
  // Of so many nothing is kept, in whatever order.
  if (ins.length + adds.length > MOST_SELECTED) return [...ins, ...adds];
  const named = new Set([...ins, ...adds]);
  for (const name of outs) named.delete(name);
  const ordered = all.filter((name) => named.has(name));
  return ordered.length === named.size ? ordered : [...named];
}

function setAmount(
  values: Map<string, SlotValue>,
  slots: readonly SlotDeclaration[],
  slot: SlotDeclaration,
  op: Op,
  { amount, values: named, phrases }: Mention,
): void {
  const value = named.find((found) => found.slot === slot);
  if (value) return void values.set(slot.name, slot.kind === "flag" ? true : value.value);
  if (!amount) {
    const phrase = phrases.find((found) => found.slot === slot);
    if (phrase) values.set(slot.name, phrase.value);
    return;
  }
  const size = (said: number): number => sizeFor(slot, amount, said);
  if (op === "up") values.set(slot.name, Math.abs(size(amount.value)));
  else if (op === "down") values.set(slot.name, -Math.abs(size(amount.value)));
  else if (amount.low !== undefined && slot.reads)
    setRange(values, slots, slot, size(amount.low), size(amount.value));
  else values.set(slot.name, slot.reads ? Math.abs(size(amount.value)) : size(amount.value));
}

/** "between 100 and 200": the least of one slot and the most of another of its kind. */
function setRange(
  values: Map<string, SlotValue>,
  slots: readonly SlotDeclaration[],
  slot: SlotDeclaration,
  low: number,
  high: number,
): void {
  const most =
    slot.reads === "most" ? slot : slots.find(({ kind, reads }) => kind === slot.kind && reads === "most");
  const least =
    slot.reads === "least" ? slot : slots.find(({ kind, reads }) => kind === slot.kind && reads === "least");
  const isOfBoth = slot.kind !== "percent";
  if (most && (isOfBoth || slot === most)) values.set(most.name, high);
  if (least && (isOfBoth || slot === least)) values.set(least.name, low);
}

/** Units between two parts of one constraint. */
const GAP = 2;

/** The phrases that nothing applies; parts with little between are one. */
function spansOf(text: string, units: readonly Unit[], roles: readonly Role[]): string[] {
  const spans: { start: number; end: number; last: number }[] = [];
  for (const [at, { start, end }] of units.entries()) {
    if (roles[at]?.op !== "unsupported") continue;
    const span = spans.at(-1);
    if (span && at - span.last <= GAP) {
      span.end = end;
      span.last = at;
    } else spans.push({ start, end, last: at });
  }
  return spans.map(({ start, end }) => text.slice(start, end));
}
