import { at } from "../at.ts";
import type { Dataset } from "../csv.ts";
import { groupBy } from "../estimation/absorb.ts";
import { numberIn } from "../estimation/columns.ts";
import type { Design, Sample } from "../estimation/design.ts";
import { stepNamed } from "../estimation/names.ts";
import { rolesOf } from "../estimation/roles.ts";
import { readTime } from "../estimation/time.ts";
import type { Fit } from "../types.ts";
import { duplicateRows } from "./duplicates.ts";
import { type Finding, findingOf } from "./findings.ts";
import { contradicted, oddPrices, oddQuantities } from "./odd-rows.ts";
import { followsDemand } from "./price-causes.ts";
import { mixtures, soldOut } from "./said-columns.ts";
import { cappedSales, rarelyChanges, stockpiling, unexplainedZeros } from "./sales-checks.ts";

/** Where more rows than this share sold out, little is seen of demand. */
const MOST_SOLD_OUT = 0.5;

/** Rows that a fit may use, and what was found on the way. */
export type Inspection = {
  readonly rows: readonly number[];
  readonly findings: readonly Finding[];
  /** Rows of which demand was at least the quantity. */
  readonly soldOut: ReadonlySet<number>;
};

/**
 * The data gate before a fit: looks for what makes rows useless or misleading, and leaves out the rows that the table of
 * findings excludes. Columns that the dataset does not have are left to the fit, which names them.
 */
export function inspectRows(spec: Fit, dataset: Dataset, given: readonly number[]): Inspection {
  const taken = new Set([
    spec.price,
    spec.quantity,
    ...(spec.controls ?? []),
    ...Object.keys(spec.where ?? {}),
  ]);
  const findings: Finding[] = [];
  for (const { code, column, rows } of mixtures(
    dataset,
    given,
    new Set([...taken, ...(spec.fixed_effects ?? [])]),
  ))
    findings.push(findingOf(code, rows, column));
  const out = soldOut(dataset, given, spec.quantity, taken);
  const repeated = duplicateRows(dataset, given, spec.quantity);
  if (repeated.length > 0) findings.push(findingOf("duplicate_rows", repeated));
  const rows = without(given, repeated);

  const [prices, quantities] = [dataset.columns.get(spec.price), dataset.columns.get(spec.quantity)];
  if (prices === undefined || quantities === undefined) return { rows, findings, soldOut: new Set() };
  const soldOutRows = new Set(out?.rows);
  // A row without sales and without stock says nothing of demand.
  const absent = rows.filter((row) => soldOutRows.has(row) && !(numberIn(quantities[row]) > 0));
  const usable = without(rows, absent).filter(
    (row) => numberIn(prices[row]) > 0 && numberIn(quantities[row]) >= 0,
  );
  const logs = Float64Array.from(usable, (row) => Math.log(Number(prices[row])));
  const sold = Float64Array.from(usable, (row) => Number(quantities[row]));
  const roles = rolesOf(dataset, usable, taken);
  const grouped = (names: readonly string[]) =>
    names.length === 0
      ? undefined
      : groupBy(usable.map((row) => names.map((name) => dataset.columns.get(name)?.[row]).join("\n"))).codes;
  const { apart, odd: far } = oddPrices(logs, grouped(roles.products));
  const odd = contradicted(far, logs, sold);
  const rowsAt = (positions: readonly number[]) => positions.map((r) => at(usable, r));
  if (apart.length > 0) findings.push(findingOf("price_levels_apart", rowsAt(apart), spec.price));
  const excluded = new Set(absent);
  const exclude = (
    code: "odd_price" | "odd_quantity" | "zeros_excluded",
    found: readonly number[],
    column: string,
  ) => {
    if (found.length === 0) return;
    findings.push(findingOf(code, found, column));
    for (const row of found) excluded.add(row);
  };
  exclude("odd_price", rowsAt(odd), spec.price);
  const unusual = new Set(odd);
  const steady = (positions: readonly number[]) => rowsAt(positions.filter((r) => !unusual.has(r)));
  const groups = grouped([...roles.products, ...(roles.unit === undefined ? [] : [roles.unit])]);
  if (apart.length === 0) exclude("odd_quantity", steady(oddQuantities(logs, sold, groups)), spec.quantity);
  const zeros = groups === undefined ? unexplainedZeros(logs, sold) : undefined;
  if (zeros?.random) exclude("zeros_excluded", steady(zeros.rows), spec.quantity);
  else if (zeros && zeros.rows.length > 0)
    findings.push(findingOf("suspicious_zeros", rowsAt(zeros.rows), spec.quantity));
  const capped = out === undefined && groups === undefined ? cappedSales(sold) : [];
  const used = excluded.size === 0 ? rows : rows.filter((row) => !excluded.has(row));
  const limited = out?.rows ?? rowsAt(capped);
  const modelled =
    (spec.estimator ?? "auto") === "auto" &&
    limited.length <= MOST_SOLD_OUT * rows.length &&
    used.every((row) => numberIn(quantities[row]) !== 0);
  const code = modelled ? (out ? "sold_out" : "capped_sales") : "sold_out_not_modelled";
  if (limited.length > 0) findings.push(findingOf(code, limited, out?.column ?? spec.quantity));
  return { rows: used, findings, soldOut: new Set(modelled ? limited : []) };
}

/** What is found once the roles of the columns are known. */
export function inspectDesign(
  spec: Fit,
  dataset: Dataset,
  { rows, prices, quantities, controls }: Sample,
  { periods, guessed, timeColumn, unitColumn, shift, season, dependence }: Design,
): Finding[] {
  const findings: Finding[] = [];
  if ((spec.prices_follow ?? []).length > 0) findings.push(findingOf("prices_follow_said", [], spec.price));
  if (guessed.includes("time")) findings.push(findingOf("time_guessed", [], timeColumn));
  if (guessed.includes("unit")) findings.push(findingOf("place_guessed", [], unitColumn));
  const times = timeColumn === undefined ? undefined : dataset.columns.get(timeColumn);
  if (times !== undefined && timeColumn !== undefined) {
    const reading = readTime(
      rows.map((row) => times[row] ?? ""),
      stepNamed(timeColumn),
    );
    if (reading === undefined) findings.push(findingOf("time_not_read", rows, timeColumn));
    else if (reading.instead !== undefined) findings.push(findingOf("time_ambiguous", rows, timeColumn));
  }
  if (shift !== undefined) findings.push(findingOf(shift.code, [], spec.price));
  if (periods === undefined) return findings;
  const others = season.map(({ values }) => values);
  const after = stockpiling(prices.map(Math.log), quantities, periods, others).map((r) => at(rows, r));
  if (after.length > 0) findings.push(findingOf("stockpiling", after, spec.quantity));
  const controlled = [...controls.map(({ values }) => values), ...others];
  if (followsDemand(prices.map(Math.log), quantities, periods, dependence.clusters, controlled))
    findings.push(findingOf("prices_follow_demand", [], spec.price));
  if (rarelyChanges(prices, periods)) findings.push(findingOf("few_price_changes", [], spec.price));
  return findings;
}

function without(rows: readonly number[], left: readonly number[]): readonly number[] {
  if (left.length === 0) return rows;
  const gone = new Set(left);
  return rows.filter((row) => !gone.has(row));
}
