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
  /** Rows that were looked at. */
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

/**
 * Answers a query over the values of its measure. Conditions and order are of the value after, where there is one and nothing else is asked.
 * @param values those of each side that there are
 * @param attributes what else is known of what a value is of
 */
export function answerQuery(
  query: Query,
  values: Readonly<Partial<Record<Side, Cells>>>,
  attributes: (keys: Cell["keys"]) => Cell["keys"] = (keys) => keys,
): Found {
  const sides = (["before", "after"] as const).filter((side) => (values[side]?.size ?? 0) > 0);
  const decides = query.side ?? sides.at(-1) ?? "before";
  const rows = new Map<string, { keys: Cell["keys"]; values: Partial<Record<Side, number>> }>();
  for (const side of sides)
    for (const [key, { keys, value }] of values[side] ?? []) {
      if (!isSelected(attributes(keys), query.only)) continue;
      const row = rows.get(key) ?? { keys, values: {} };
      row.values[side] = tidy(value);
      rows.set(key, row);
    }
  const all: readonly Row[] = grouped([...rows.values()], query, attributes);
  const { where, order, top, aggregate, measure } = query;
  // The most of what falls is what falls farthest.
  const bySize = measure.bySize || (where?.is === "<" && where.value === 0);
  const size = ({ values: own }: Row): number => {
    const value = own[decides] ?? Number.NaN;
    return bySize ? Math.abs(value) : value;
  };
  let found = where
    ? all.filter(({ values: own }) => {
        const value = own[decides];
        return value !== undefined && HOLDS[where.is](value, where.value);
      })
    : all;
  if (order) {
    const sign = order === "most" ? -1 : 1;
    found = found
      .filter((row) => !Number.isNaN(size(row)))
      .toSorted((one, other) => sign * (size(one) - size(other)));
    found = withTies(found, top, size);
  }
  if (aggregate === "sum" || aggregate === "mean")
    found = query.by === undefined && found.length > 0 ? [merged(found, aggregate, {})] : found;
  return { rows: found, of: all.length, sides };
}

const isSelected = (keys: Cell["keys"], only: Query["only"]): boolean =>
  Object.entries(only).every(([slot, names]) => {
    const own = keys[slot];
    return own !== undefined && names.some((name) => name.toLowerCase() === own.toLowerCase());
  });

/** Rows as many as are wanted, and those that are equal to the last of them. */
function withTies(rows: readonly Row[], top: number | undefined, size: (row: Row) => number): readonly Row[] {
  const last = top === undefined ? undefined : rows[top - 1];
  return last ? rows.filter((row, at) => at < (top ?? 0) || size(row) === size(last)) : rows;
}

/** One row for each value of the slot that the query groups by, in the order of the rows. */
function grouped(
  rows: readonly Row[],
  { by, measure, aggregate }: Query,
  attributes: (keys: Cell["keys"]) => Cell["keys"],
): readonly Row[] {
  if (by === undefined) return rows;
  const groups = Map.groupBy(rows, ({ keys }) => attributes(keys)[by] ?? "–");
  return [...groups].map(([name, own]) =>
    merged(own, aggregate === "mean" || !measure.sums ? "mean" : "sum", { [by]: name }),
  );
}

function merged(rows: readonly Row[], how: "sum" | "mean", keys: Cell["keys"]): Row {
  const values: Partial<Record<Side, number>> = {};
  for (const side of ["before", "after"] as const) {
    const own = rows.flatMap((row) => row.values[side] ?? []);
    const sum = own.reduce((total, value) => total + value, 0);
    if (own.length > 0) values[side] = how === "sum" ? sum : sum / own.length;
  }
  return { keys, values };
}
