import { setImmediate as nextTurn } from "node:timers/promises";
import type { Measure } from "../../mesh/index.ts";
import type { Cell, Cells, Side } from "./cells.ts";

export type Comparison = "<" | "<=" | ">" | ">=" | "=" | "!=";

/** What is asked of a measure. */
export type Query = {
  readonly measure: Measure;
  /** Absent: both, where there are two. */
  readonly side?: Side;
  /** What is looked at, by slot; absent: all. */
  readonly only: Readonly<Record<string, readonly string[]>>;
  readonly where?: { readonly is: Comparison; readonly value: number };
  readonly order?: "most" | "least";
  /** Rows that are wanted, where they have an order. */
  readonly top?: number;
  /** One row for each of this slot's values. */
  readonly by?: string;
  readonly aggregate?: "sum" | "mean" | "count";
};

/** A row of an answer: what it is of, and its values, before and after or one. */
export type Row = { readonly keys: Cell["keys"]; readonly values: Readonly<Partial<Record<Side, number>>> };

/** What a query finds. */
export type Found = {
  readonly rows: readonly Row[];
  /** How many rows have the value by which the query filters and sorts. */
  readonly of: number;
  /** The sides that the rows have, in this order. */
  readonly sides: readonly Side[];
};

const HOLDS: Readonly<Record<Comparison, (one: number, other: number) => boolean>> = {
  "<": (one, other) => one < other,
  "<=": (one, other) => one <= other,
  ">": (one, other) => one > other,
  ">=": (one, other) => one >= other,
  "=": (one, other) => one === other,
  "!=": (one, other) => one !== other,
};

/** Differences that arithmetic alone makes. */
const LEAST = 1e-9;
const tidy = (value: number): number => (Math.abs(value) < LEAST ? 0 : value);

/** Rows that are looked at in one turn of the event loop. */
const AT_ONCE = 2_000;

type Attributes = (keys: Cell["keys"]) => Cell["keys"];

/**
 * Answers a query over the values of its measure. Conditions and order are of the value after, where there is one and nothing else is asked.
 * @param values those of each side that there are
 * @param attributes what else is known of what a value is of
 */
export async function answerQuery(
  query: Query,
  values: Readonly<Partial<Record<Side, Cells>>>,
  attributes: Attributes = (keys) => keys,
): Promise<Found> {
  const { where, order, top, aggregate, measure, by } = query;
  const sides = SIDES.filter((side) => (values[side]?.size ?? 0) > 0);
  const decides = query.side ?? sides.at(-1) ?? "before";
  const selected = await rowsOf(query, values, attributes);
  const how = aggregate === "mean" || !measure.sums ? "mean" : "sum";
  const all = by === undefined ? selected : await grouped(selected, { by, how, attributes });
  const valueIn = (row: Row): number => row.values[decides] ?? Number.NaN;
  let rows = where ? all.filter((row) => HOLDS[where.is](valueIn(row), where.value)) : all;
  if (order) {
    // The most of what falls is what falls farthest.
    const bySize = measure.bySize || (where?.is === "<" && where.value === 0);
    const size = bySize ? (row: Row) => Math.abs(valueIn(row)) : valueIn;
    rows = firstOf(rows, { order, top, size });
  }
  const isOne = (aggregate === "sum" || aggregate === "mean") && by === undefined && rows.length > 0;
  const of = all.filter((row) => row.values[decides] !== undefined).length;
  return { rows: isOne ? [merged(rows, aggregate, {})] : rows, of, sides };
}

const SIDES = ["before", "after"] as const;

/** The values of what is looked at, those of both sides side by side. */
async function rowsOf(
  { only }: Query,
  values: Readonly<Partial<Record<Side, Cells>>>,
  attributes: Attributes,
): Promise<readonly Row[]> {
  const rows = new Map<string, { keys: Cell["keys"]; values: Partial<Record<Side, number>> }>();
  const wanted = Object.entries(only).map(
    ([slot, names]) => [slot, new Set(names.map((name) => name.toLowerCase()))] as const,
  );
  const isWanted = (keys: Cell["keys"]): boolean => {
    if (wanted.length === 0) return true;
    const known = attributes(keys);
    return wanted.every(([slot, names]) => names.has(known[slot]?.toLowerCase() ?? ""));
  };
  let seen = 0;
  for (const side of SIDES)
    for (const [key, { keys, value }] of values[side] ?? []) {
      if (++seen % AT_ONCE === 0) await nextTurn();
      const known = rows.get(key);
      if (known) known.values[side] = tidy(value);
      else if (isWanted(keys)) rows.set(key, { keys, values: { [side]: tidy(value) } });
    }
  return [...rows.values()];
}

/** The first rows of an order, as many as are wanted, and those that are equal to the last of them. */
function firstOf(
  rows: readonly Row[],
  { order, top, size }: { order: "most" | "least"; top: number | undefined; size: (row: Row) => number },
): readonly Row[] {
  const sign = order === "most" ? -1 : 1;
  const ranks = rows.map((row) => sign * size(row));
  // Numbers alone are sorted in a fraction of the time that rows take.
  const sorted = Float64Array.from(ranks.filter((rank) => !Number.isNaN(rank))).sort();
  const last = sorted[Math.min(top ?? sorted.length, sorted.length) - 1] ?? Number.NaN;
  return rows
    .filter((_, at) => (ranks[at] ?? Number.NaN) <= last)
    .toSorted((one, other) => sign * (size(one) - size(other)));
}

/** One row for each value of a slot, in the order of the rows. */
async function grouped(
  rows: readonly Row[],
  { by, how, attributes }: { by: string; how: "sum" | "mean"; attributes: Attributes },
): Promise<readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const [at, row] of rows.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const name = row.keys[by] ?? attributes(row.keys)[by] ?? "–";
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  await nextTurn();
  return [...groups].map(([name, own]) => merged(own, how, { [by]: name }));
}

function merged(rows: readonly Row[], how: "sum" | "mean", keys: Cell["keys"]): Row {
  const values: Partial<Record<Side, number>> = {};
  for (const side of SIDES) {
    let [sum, count] = [0, 0];
    for (const row of rows) {
      const value = row.values[side];
      if (value === undefined) continue;
      sum += value;
      count += 1;
    }
    if (count > 0) values[side] = how === "sum" ? sum : sum / count;
  }
  return { keys, values };
}
