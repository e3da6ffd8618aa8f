import type { Dataset } from "../csv.ts";
import { type Shift, shiftOf } from "../data/shifts.ts";
import type { Fit } from "../types.ts";
import { absorb, type Grouping, groupBy } from "./absorb.ts";
import { columnOf, isText, numberIn, periodsOf } from "./columns.ts";
import { stepNamed } from "./names.ts";
import { type Roles, rolesOf, yearsIn } from "./roles.ts";
import type { Dependence } from "./variance.ts";

/** The usable rows of a fit, as numbers. */
export type Sample = {
  /** Row numbers in the dataset. */
  readonly rows: readonly number[];
  readonly prices: Float64Array;
  readonly quantities: Float64Array;
  readonly controls: readonly { readonly name: string; readonly values: Float64Array }[];
  /** Controls that hold names. */
  readonly categories: readonly string[];
  /** 1 for rows that sold out, so that demand was at least the quantity; absent if there is none. */
  readonly limited?: Uint8Array;
  /** Rows that matched but had a price ≤ 0, a quantity < 0, or an unreadable cell. */
  readonly dropped: number;
};

/** What enters the regression besides the price, and how its errors may depend on each other. */
export type Design = {
  readonly groupings: readonly Grouping[];
  /** Columns of the fixed effects and of the categorical controls. */
  readonly fixedEffects: readonly string[];
  readonly season: readonly { readonly name: string; readonly values: Float64Array }[];
  /** The time column whose yearly season is removed. */
  readonly seasonOf?: string;
  readonly dependence: Dependence;
  readonly cluster?: string;
  readonly time?: string;
  /** Periods in order, if the time is known. */
  readonly periods?: Grouping;
  readonly timeColumn?: string;
  readonly unitColumn?: string;
  /** Roles that were read from the cells, because no name says them. */
  readonly guessed: readonly ("unit" | "time")[];
  /** What changed over time and is taken out of the elasticity; among `season` too. */
  readonly shift?: Shift;
};

/** From so many clusters on, the cluster-robust interval is used by default: with fewer it is unreliable. */
export const FEWEST_CLUSTERS = 10;
/** Fixed effects are chosen only if they leave at least this share of the log price's variance. */
const LEAST_WITHIN = 0.01;
/** Period effects are used only if they leave this share of the variance that the other effects leave. */
const LEAST_WITHIN_PERIODS = 0.1;
const LEAST_YEARS = 2;

/**
 * @param soldOut rows of which demand was at least the quantity
 * @throws PricingError INVALID_DATASET for a column that the dataset does not have
 */
export function sampleOf(
  spec: Fit,
  dataset: Dataset,
  rows: readonly number[],
  soldOut: ReadonlySet<number> = new Set(),
): Sample {
  const column = (name: string) => columnOf(dataset, spec.dataset, name);
  const named = (spec.controls ?? []).map((name) => ({ name, cells: column(name) }));
  const categories = named.filter(({ cells }) => isText(cells, rows));
  const numeric = named.filter((one) => !categories.includes(one));
  const [prices, quantities] = [column(spec.price), column(spec.quantity)];
  const usable = rows.filter((row) => {
    const [price, quantity] = [numberIn(prices[row]), numberIn(quantities[row])];
    return (
      price > 0 &&
      quantity >= 0 &&
      Number.isFinite(price + quantity) &&
      numeric.every(({ cells }) => Number.isFinite(numberIn(cells[row]))) &&
      categories.every(({ cells }) => cells[row] !== "")
    );
  });
  const values = (cells: readonly string[]) => Float64Array.from(usable, (row) => Number(cells[row]));
  return {
    rows: usable,
    prices: values(prices),
    quantities: values(quantities),
    controls: numeric.map(({ name, cells }) => ({ name, values: values(cells) })),
    categories: categories.map(({ name }) => name),
    ...(usable.some((row) => soldOut.has(row)) && {
      limited: Uint8Array.from(usable, (row) => (soldOut.has(row) ? 1 : 0)),
    }),
    dropped: rows.length - usable.length,
  };
}

/** The sample's rows at these positions. */
export function samplePart(sample: Sample, keep: readonly number[]): Sample {
  const pick = (values: Float64Array) => Float64Array.from(keep, (r) => values[r] ?? 0);
  return {
    ...sample,
    rows: keep.map((r) => sample.rows[r] ?? 0),
    prices: pick(sample.prices),
    quantities: pick(sample.quantities),
    controls: sample.controls.map(({ name, values }) => ({ name, values: pick(values) })),
    ...(sample.limited && { limited: Uint8Array.from(keep, (r) => sample.limited?.[r] ?? 0) }),
  };
}

/**
 * Chooses fixed effects, season and dependence: as the request says, else from the columns (`rolesOf`). By
 * default products and units have fixed effects, and periods too if the price varies across the units of a
 * period; effects that would leave no variation of the price are not chosen. Errors are clustered by unit from
 * ten units on. Otherwise, and if periods have no effects, they may depend on each other along time.
 * @throws PricingError INVALID_DATASET for a column that the dataset does not have
 */
export function designOf(spec: Fit, dataset: Dataset, sample: Sample): Design {
  const cellsOf = (name: string) => {
    const cells = columnOf(dataset, spec.dataset, name);
    return sample.rows.map((row) => cells[row] ?? "");
  };
  const taken = new Set([spec.price, spec.quantity, ...(spec.controls ?? [])]);
  const roles = rolesOf(dataset, sample.rows, taken);
  const time = spec.time ?? roles.time;
  // The year column that was found for a week or month column also serves if the request names that column itself.
  const year = time === roles.time ? roles.year : undefined;
  const periods = time === undefined ? undefined : periodsIn(cellsOf, time, year);
  const unit = spec.cluster ?? roles.unit;
  const units = unit === undefined ? undefined : groupBy(cellsOf(unit));

  const categories = sample.categories.map((name) => ({ name, grouping: groupBy(cellsOf(name)) }));
  const effects =
    spec.fixed_effects?.map((name) => ({
      name,
      grouping: name === time && periods ? periods : groupBy(cellsOf(name)),
    })) ?? chosenEffects(sample, roles, cellsOf, { time, periods });
  const used = [...effects, ...categories.filter(({ name }) => effects.every((one) => one.name !== name))];

  const timeAbsorbed = effects.some(({ name }) => name === time);
  const season =
    spec.seasonality === "none" || timeAbsorbed || time === undefined ? [] : seasonOf(cellsOf, time, year);
  const shift =
    periods === undefined || timeAbsorbed || effects.length > 0
      ? undefined
      : shiftOf(sample.prices.map(Math.log), sample.quantities, periods);
  const enough = (units?.levels ?? 0) >= FEWEST_CLUSTERS;
  const clustered = units !== undefined && (spec.cluster !== undefined || enough || periods === undefined);
  const serial =
    periods !== undefined &&
    (spec.time !== undefined || (spec.cluster === undefined && !(clustered && timeAbsorbed)));
  return {
    groupings: used.map(({ grouping }) => grouping),
    fixedEffects: used.map(({ name }) => name),
    season: shift === undefined ? season : [...season, shift],
    guessed: roles.guessed.filter((role) => (role === "time" ? time === roles.time : unit === roles.unit)),
    ...(time !== undefined && { timeColumn: time }),
    ...(unit !== undefined && { unitColumn: unit }),
    ...(shift && { shift }),
    ...(season.length > 0 && time !== undefined && { seasonOf: time }),
    dependence: {
      ...(clustered && { clusters: units, crossed: used.some(({ grouping }) => crosses(grouping, units)) }),
      ...(serial && { periods }),
    },
    ...(clustered && { cluster: unit }),
    ...(serial && { time }),
    ...(periods && { periods }),
  };
}

type Effect = { readonly name: string; readonly grouping: Grouping };

function chosenEffects(
  sample: Sample,
  roles: Roles,
  cellsOf: (name: string) => string[],
  { time, periods }: { time: string | undefined; periods: Grouping | undefined },
): Effect[] {
  const logs = sample.prices.map(Math.log);
  const within = (effects: readonly Effect[]) =>
    sumOfSquares(
      absorb(
        [logs],
        effects.map(({ grouping }) => grouping),
      )[0],
    );
  const chosen: Effect[] = [];
  let left = within(chosen);
  for (const name of [...roles.products, ...(roles.unit === undefined ? [] : [roles.unit])]) {
    const next = [...chosen, { name, grouping: groupBy(cellsOf(name)) }];
    const remains = within(next);
    if (remains < LEAST_WITHIN * left) continue;
    chosen.push(...next.slice(-1));
    left = remains;
  }
  if (chosen.length === 0 || time === undefined || periods === undefined) return chosen;
  // Effects of periods need several rows in each, or they absorb everything.
  if (2 * periods.levels > sample.rows.length) return chosen;
  const next = [...chosen, { name: time, grouping: periods }];
  return within(next) < LEAST_WITHIN_PERIODS * left ? chosen : next;
}

/** Whether a level of the grouping has rows of several clusters. */
function crosses({ codes, levels }: Grouping, clusters: Grouping): boolean {
  const owner = new Int32Array(levels).fill(-1);
  return codes.some((code, r) => {
    const cluster = clusters.codes[r] ?? 0;
    if (owner[code] === -1) owner[code] = cluster;
    return owner[code] !== cluster;
  });
}

function periodsIn(cellsOf: CellsOf, time: string, year: string | undefined): Grouping {
  const cells = cellsOf(time);
  if (year === undefined) return periodsOf(cells, stepNamed(time));
  // Weeks or months that start again each year.
  const years = cellsOf(year);
  return inOrder(cells.map((cell, r) => [Number(years[r]), Number(cell)]));
}

/** Numbers distinct pairs in ascending order. */
function inOrder(pairs: readonly (readonly [number, number])[]): Grouping {
  const distinct = new Map(pairs.map((pair) => [pair.join(" "), pair]));
  const ordered = [...distinct].sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1]);
  const position = new Map(ordered.map(([key], k) => [key, k]));
  return {
    codes: Int32Array.from(pairs, (pair) => position.get(pair.join(" ")) ?? 0),
    levels: distinct.size,
  };
}

type CellsOf = (name: string) => string[];

/** One sine and one cosine of the year, if the rows span at least two years. */
function seasonOf(
  cellsOf: CellsOf,
  time: string,
  year: string | undefined,
): { name: string; values: Float64Array }[] {
  const years = yearsIn(cellsOf, time, year);
  if (years === undefined) return [];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of years) [first, last] = [Math.min(first, value), Math.max(last, value)];
  if (!(last - first + 1 / 12 >= LEAST_YEARS)) return [];
  return [
    { name: "season (sine)", values: years.map((one) => Math.sin(2 * Math.PI * one)) },
    { name: "season (cosine)", values: years.map((one) => Math.cos(2 * Math.PI * one)) },
  ];
}

function sumOfSquares(values: Float64Array | undefined): number {
  return values?.reduce((sum, value) => sum + value * value, 0) ?? 0;
}
