import type { Dataset } from "../csv.ts";
import { columnOf, periodsOf } from "../estimation/columns.ts";
import { sampleOf } from "../estimation/design.ts";
import { rolesOf } from "../estimation/roles.ts";
import type { Fit } from "../types.ts";

/** Sales of an item's tiers side by side: series[i] is tier i, and position t is the same occasion in all. */
export type Panel = {
  readonly occasions: number;
  readonly series: readonly {
    readonly prices: Float64Array;
    readonly quantities: Float64Array;
    readonly controls: readonly Float64Array[];
  }[];
  /** Level of each occasion's place, if there are several; all in one otherwise. */
  readonly units: readonly string[];
  /** What makes an occasion, for the report. */
  readonly matchedBy: readonly string[];
};

/**
 * Matches the rows of the tiers by time and place; undefined if the columns do not say which rows belong
 * together. Occasions at which a tier has no row, or several, are left out.
 */
export function panelOf(
  specs: readonly Fit[],
  dataset: Dataset,
  rowsOf: (spec: Fit) => readonly number[],
): Panel | undefined {
  const samples = specs.map((spec) => sampleOf(spec, dataset, rowsOf(spec)));
  const [spec] = specs;
  const [first] = samples;
  if (spec === undefined || first === undefined) return undefined;
  const taken = new Set([
    spec.price,
    spec.quantity,
    ...(spec.controls ?? []),
    ...Object.keys(spec.where ?? {}),
  ]);
  const roles = rolesOf(dataset, first.rows, taken);
  const time = spec.time ?? roles.time;
  const unit = spec.cluster ?? roles.unit;
  // One row may hold all tiers, each in columns of its own.
  const sameRows =
    specs.every((one) => JSON.stringify(one.where) === JSON.stringify(spec.where)) &&
    new Set(specs.map(({ quantity }) => quantity)).size === specs.length;
  if (time === undefined && !sameRows) return undefined;
  const keys = sameRows ? [] : [roles.year, time, unit].flatMap((name) => (name === undefined ? [] : [name]));
  const cells = keys.map((name) => columnOf(dataset, spec.dataset, name));
  const keyOf = (row: number) => (sameRows ? String(row) : cells.map((column) => column[row]).join("\n"));

  const positions = samples.map(({ rows }) => {
    const found = new Map<string, number>();
    const twice = new Set<string>();
    rows.forEach((row, r) => {
      const key = keyOf(row);
      if (found.has(key)) twice.add(key);
      found.set(key, r);
    });
    for (const key of twice) found.delete(key);
    return found;
  });
  const matched = [...(positions[0]?.keys() ?? [])].filter((key) => positions.every((one) => one.has(key)));
  const shared = time === undefined ? matched : inOrder(matched, keys.length > 0 ? keys.indexOf(time) : -1);
  const units = unit === undefined ? undefined : columnOf(dataset, spec.dataset, unit);
  return {
    occasions: shared.length,
    series: samples.map(({ prices, quantities, controls }, i) => {
      const pick = (values: Float64Array) =>
        Float64Array.from(shared, (key) => values[positions[i]?.get(key) ?? 0] ?? 0);
      return {
        prices: pick(prices),
        quantities: pick(quantities),
        controls: controls.map(({ values }) => pick(values)),
      };
    }),
    units: shared.map((key) => units?.[first.rows[positions[0]?.get(key) ?? 0] ?? 0] ?? ""),
    matchedBy: keys,
  };
}

/** Keys of occasions in the order of time: by year, if the first part is one, then by the time column. */
function inOrder(keys: readonly string[], position: number): string[] {
  if (position < 0) return [...keys];
  const parts = keys.map((key) => key.split("\n"));
  const { codes } = periodsOf(parts.map((part) => part[position] ?? ""));
  const year = (t: number) => (position === 0 ? 0 : Number(parts[t]?.[0] ?? 0));
  const order = keys.map((_, t) => t).sort((a, b) => year(a) - year(b) || (codes[a] ?? 0) - (codes[b] ?? 0));
  return order.map((t) => keys[t] ?? "");
}

/** The occasions at these positions. */
export function panelPart(panel: Panel, keep: readonly number[]): Panel {
  const pick = (values: Float64Array) => Float64Array.from(keep, (t) => values[t] ?? 0);
  return {
    ...panel,
    occasions: keep.length,
    series: panel.series.map(({ prices, quantities, controls }) => ({
      prices: pick(prices),
      quantities: pick(quantities),
      controls: controls.map(pick),
    })),
    units: keep.map((t) => panel.units[t] ?? ""),
  };
}
