import type { Dataset } from "../csv.ts";

/** What the names and cells of a dataset's columns say about its rows. */
export type Roles = {
  /** A place or buyer that is observed again and again: the store of a panel. */
  unit?: string;
  /** Columns that tell products apart, if the rows are of several. */
  products: string[];
  time?: string;
  /** The year, if `time` counts weeks or months within it. */
  year?: string;
  /** Length of a year in steps of `time`, if it has numbered steps; 1 if it has dates. */
  stepsPerYear?: number;
};

const UNITS = new Set(
  "store shop outlet branch site location market customer account household panel dealer warehouse channel city region country".split(
    " ",
  ),
);
const PRODUCTS = new Set("brand product sku part item upc ean article variant model tier".split(" "));
const TIMES: ReadonlyMap<string, number> = new Map([
  ["date", 1],
  ["day", 365.25],
  ["week", 365.25 / 7],
  ["month", 12],
  ["quarter", 4],
  ["period", 0],
  ["time", 0],
]);
const SUFFIXES = new Set("id no nr num number name code key start end ending index of".split(" "));
/** A unit's rows must be this many on average; otherwise the column names rows, not a panel. */
const FEWEST_PER_LEVEL = 5;

/**
 * Reads roles from column names such as store_id, week or StoreNumber. A column counts only if it varies in
 * these rows and, for units and products, if its values recur.
 * @param taken columns that the fit uses otherwise
 */
export function rolesOf(dataset: Dataset, rows: readonly number[], taken: ReadonlySet<string>): Roles {
  const roles: Roles = { products: [] };
  let most = 1;
  for (const [name, cells] of dataset.columns) {
    const kind = taken.has(name) ? undefined : kindOf(name);
    if (kind === undefined) continue;
    const levels = new Set(rows.map((row) => cells[row])).size;
    if (levels < 2) continue;
    if (kind === "time") {
      // The finest of several, say week among week and quarter.
      if (roles.time !== undefined && levels <= most) continue;
      most = levels;
      roles.time = name;
    } else if (kind === "year") {
      roles.year = name;
    } else if (rows.length >= FEWEST_PER_LEVEL * levels) {
      if (kind === "product") roles.products.push(name);
      else if (roles.unit === undefined || levels > levelsOf(dataset, rows, roles.unit)) roles.unit = name;
    }
  }
  if (roles.time === undefined) {
    if (roles.year === undefined) return roles;
    const { year, ...rest } = roles;
    return { ...rest, time: year };
  }
  const { year: _, ...rest } = roles;
  return { ...rest, ...stepsOf(dataset, rows, roles.time), ...yearOf(dataset, rows, roles) };
}

function levelsOf(dataset: Dataset, rows: readonly number[], name: string): number {
  const cells = dataset.columns.get(name) ?? [];
  return new Set(rows.map((row) => cells[row])).size;
}

function kindOf(name: string): "unit" | "product" | "time" | "year" | undefined {
  const words = wordsOf(name).filter((word) => !SUFFIXES.has(word));
  const [word = ""] = words;
  if (words.length === 1 && word === "year") return "year";
  if (words.length === 2 && words.includes("year") && words.some((one) => TIMES.has(one))) return "time";
  if (words.length !== 1) return undefined;
  if (UNITS.has(word)) return "unit";
  if (PRODUCTS.has(word)) return "product";
  return TIMES.has(word) ? "time" : undefined;
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

/** How many steps of the time column make a year; nothing if that is not known. */
export function stepsOf(dataset: Dataset, rows: readonly number[], time: string): { stepsPerYear?: number } {
  const cells = dataset.columns.get(time) ?? [];
  if (rows.every((row) => /^\d{4}-\d{2}-\d{2}/.test(cells[row] ?? ""))) return { stepsPerYear: 1 };
  const steps = wordsOf(time).map((word) => TIMES.get(word) ?? 0);
  const known = Math.max(0, ...steps);
  const numbered = rows.every((row) => /^\d{1,4}$/.test(cells[row] ?? ""));
  return known > 1 && numbered ? { stepsPerYear: known } : {};
}

function yearOf(dataset: Dataset, rows: readonly number[], roles: Roles): { year?: string } {
  const { year, time } = roles;
  if (year === undefined || time === undefined) return {};
  // Weeks that count on through the years need no year.
  const years = dataset.columns.get(year) ?? [];
  const cells = dataset.columns.get(time) ?? [];
  const seen = new Map<string, string>();
  const recurs = rows.some((row) => {
    const cell = cells[row] ?? "";
    const known = seen.get(cell);
    seen.set(cell, years[row] ?? "");
    return known !== undefined && known !== years[row];
  });
  return recurs ? { year } : {};
}
