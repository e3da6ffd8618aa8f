import { setImmediate as nextTurn } from "node:timers/promises";
import type { Measure, Place } from "../../mesh/index.ts";

/** One value, and what it is of, by slot: `{items: "VALVE-V7", tiers: "new"}`. */
export type Cell = { readonly keys: Readonly<Record<string, string>>; readonly value: number };

/** Values by what they are of. */
export type Cells = ReadonlyMap<string, Cell>;

export type Side = "before" | "after";

/** What measures are looked up in. */
export type Data = {
  readonly inputs: unknown;
  /** What a step made, by its name: `{outputs, kept}`; without those that made nothing. */
  readonly steps: ReadonlyMap<string, unknown>;
  readonly measures: ReadonlyMap<string, Measure>;
  /** The member that holds the id of the elements of a list, by slot; undefined for a slot of names of members. */
  readonly idOf: (slot: string) => string | undefined;
};

/** Values that are read in one turn of the event loop. */
const AT_ONCE = 2_000;

const NONE: Cells = new Map();

/** Whether a measure has one value before and another one after. */
export function isSided(measure: Measure, measures: Data["measures"]): boolean {
  const { derived, before, from } = measure;
  if (!derived) return before.length > 0 && from.length > 0;
  if (derived.is === "change") return false;
  return derived.of.some((name) => {
    const operand = measures.get(name);
    return operand !== undefined && isSided(operand, measures);
  });
}

/** The values of a measure on one side; those of a measure that has only one value are the same on both. Empty: there are none. */
export async function cellsOf(measure: Measure, side: Side, data: Data): Promise<Cells> {
  const { derived, before, from } = measure;
  if (!derived) {
    const own = side === "before" ? before : from;
    return await cellsAt(own.length > 0 ? own : [...from, ...before], data);
  }
  const of = async (name: string, at: Side): Promise<Cells> => {
    const operand = data.measures.get(name);
    return operand ? await cellsOf(operand, at, data) : NONE;
  };
  if (derived.is === "change")
    return await joined(
      await of(derived.of, "after"),
      await of(derived.of, "before"),
      (now, then) => now / then - 1,
    );
  const [first, second] = derived.of;
  const join = derived.is === "ratio" ? (a: number, b: number) => a / b : (a: number, b: number) => a - b;
  return await joined(await of(first, side), await of(second, side), join);
}

async function joined(
  ones: Cells,
  others: Cells,
  join: (one: number, other: number) => number,
): Promise<Cells> {
  const cells = new Map<string, Cell>();
  for (const [key, { keys, value }] of ones) {
    const other = others.get(key);
    const both = other && join(value, other.value);
    // Of nothing there is no share.
    if (both !== undefined && Number.isFinite(both)) cells.set(key, { keys, value: both });
    if (cells.size % AT_ONCE === AT_ONCE - 1) await nextTurn();
  }
  return cells;
}

/** The values at all places; of one thing, that of the first place that has it. */
async function cellsAt(places: readonly Place[], data: Data): Promise<Cells> {
  const cells = new Map<string, Cell>();
  let seen = 0;
  for (const { step, path } of places) {
    const root = step === undefined ? data.inputs : data.steps.get(step);
    // The parts of the outermost list one by one: an event loop is free between some of them.
    const outer = path.findIndex(({ by }) => by !== undefined);
    const list = path.slice(0, outer + 1).reduce((value, { name }) => memberOf(value, name), root);
    const by = path[outer]?.by;
    const parts: Iterable<Part> = by === undefined ? [["", root]] : partsOf(list, by, data);
    const rest = by === undefined ? path : path.slice(outer + 1);
    for (const [name, part] of parts) {
      const found: Cell[] = [];
      collect(part, { path: rest, at: 0, keys: by === undefined ? {} : { [by]: name }, data }, found);
      for (const cell of found) {
        const key = keyOf(cell);
        if (!cells.has(key)) cells.set(key, cell);
      }
      seen += found.length;
      if (seen < AT_ONCE) continue;
      seen = 0;
      await nextTurn();
    }
  }
  return cells;
}

const keyOf = ({ keys }: Cell): string => JSON.stringify(keys);

type Part = readonly [name: string, part: unknown];

/** The parts of a list by their ids, or of an object by the names of its members. */
function partsOf(value: unknown, by: string, { idOf }: Data): readonly Part[] {
  const id = idOf(by);
  if (id === undefined) return Object.entries(Object(value));
  if (!Array.isArray(value)) return [];
  return value.flatMap((part): Part[] => {
    const name = memberOf(part, id);
    return typeof name === "string" ? [[name, part]] : [];
  });
}

type Walk = { path: Place["path"]; at: number; keys: Cell["keys"]; data: Data };

function collect(value: unknown, { path, at, keys, data }: Walk, into: Cell[]): void {
  const segment = path[at];
  if (!segment) {
    if (typeof value === "number" && Number.isFinite(value)) into.push({ keys, value });
    return;
  }
  const next = memberOf(value, segment.name);
  const { by } = segment;
  if (by === undefined) collect(next, { path, at: at + 1, keys, data }, into);
  else
    for (const [name, part] of partsOf(next, by, data))
      collect(part, { path, at: at + 1, keys: { ...keys, [by]: name }, data }, into);
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
