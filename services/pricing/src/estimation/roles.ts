import type { Dataset } from "../csv.ts";
import { isText } from "./columns.ts";
import { namedWords, PRODUCTS, type Step, stepNamed, TIMES, UNITS, YEARS } from "./names.ts";
import { readTime } from "./time.ts";

/** What the names and cells of a dataset's columns say about its rows. */
export type Roles = {
  /** A place or buyer that is observed again and again: the store of a panel. */
  unit?: string;
  /** Columns that tell products apart, if the rows are of several. */
  products: string[];
  time?: string;
  /** The year, if `time` counts weeks or months within it. */
  year?: string;
  /** Roles that the names do not say, found from the cells. */
  guessed: ("unit" | "time")[];
};

/** A unit's rows must be this many on average; otherwise the column names rows, not a panel. */
const FEWEST_PER_LEVEL = 5;
/** Minimum number of places in a guessed place column, where no time column distinguishes the places. */
const FEWEST_UNITS = 5;
/** Share of the pairs of a guessed place and a period that have a single row. */
const DISTINCT_PAIRS = 0.98;
const FEWEST_STEPS = 10;

/**
 * Reads roles from column names such as store_id, week or StoreNumber, and from the cells where no name says them: a
 * time column holds dates, or numbers that count the rows; a place column tells apart the rows of a period. A column
 * counts only if it varies in these rows and, for units and products, if its values recur.
 * @param taken columns that the fit uses otherwise
 */
export function rolesOf(dataset: Dataset, rows: readonly number[], taken: ReadonlySet<string>): Roles {
  const roles: Roles = { products: [], guessed: [] };
  const others: string[] = [];
  let most = 1;
  let unitLevels = 0;
  for (const [name, cells] of dataset.columns) {
    if (taken.has(name)) continue;
    const kind = kindOf(name);
    if (kind === undefined) {
      others.push(name);
      continue;
    }
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
      else if (levels > unitLevels) {
        roles.unit = name;
        unitLevels = levels;
      }
    }
  }
  guess(dataset, rows, others, roles);
  if (roles.time === undefined) {
    const { year, ...rest } = roles;
    return year === undefined ? rest : { ...rest, time: year };
  }
  const { year: _, ...rest } = roles;
  return { ...rest, ...yearOf(dataset, rows, roles) };
}

/** Adds the time and the place to the roles, if a column looks like it and no name says which is. */
function guess(dataset: Dataset, rows: readonly number[], others: readonly string[], roles: Roles): void {
  const cellsOf = (name: string) => dataset.columns.get(name) ?? [];
  if (roles.time === undefined && roles.year === undefined) {
    const time = others.find((name) => looksLikeTime(cellsOf(name), rows));
    if (time !== undefined) {
      roles.time = time;
      roles.guessed.push("time");
    }
  }
  if (roles.unit !== undefined) return;
  const time = roles.time === undefined ? undefined : cellsOf(roles.time);
  const years = roles.year === undefined ? undefined : cellsOf(roles.year);
  const periods = time && rows.map((row) => `${years?.[row] ?? ""} ${time[row]}`);
  // One row in each period needs no place to tell them apart.
  if (periods && 1.2 * new Set(periods).size > rows.length) return;
  let found: { name: string; levels: number } | undefined;
  for (const name of others) {
    if (name === roles.time) continue;
    const levels = placesIn(cellsOf(name), rows, periods);
    if (levels > (found?.levels ?? 1)) found = { name, levels };
  }
  if (found === undefined) return;
  roles.unit = found.name;
  roles.guessed.push("unit");
}

/** Cells that are dates, or numbers that count up by one from row to row. */
function looksLikeTime(cells: readonly string[], rows: readonly number[]): boolean {
  if (rows.length < FEWEST_STEPS) return false;
  const first = rows.slice(0, FEWEST_STEPS).map((row) => cells[row] ?? "");
  const counts = first.every((cell, k) => Number(cell) === Number(first[0]) + k && cell !== "");
  if (counts) return rows.every((row, k) => Number(cells[row]) === Number(first[0]) + k);
  const reading = readTime(first);
  if (!reading?.dated || reading.form.startsWith("epoch")) return false;
  return readTime(rows.map((row) => cells[row] ?? ""))?.dated === true;
}

/** How many places the column tells apart; 0 if it does not look like places. */
function placesIn(
  cells: readonly string[],
  rows: readonly number[],
  periods: readonly string[] | undefined,
): number {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const cell = cells[row] ?? "";
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
    if (FEWEST_PER_LEVEL * counts.size > rows.length) return 0;
  }
  if (periods !== undefined) {
    const pairs = new Set(rows.map((row, r) => `${cells[row]}\n${periods[r]}`)).size;
    return pairs >= DISTINCT_PAIRS * rows.length ? counts.size : 0;
  }
  const largest = Math.max(...counts.values());
  const even = largest * counts.size <= 3 * rows.length;
  return even && counts.size >= FEWEST_UNITS && isText(cells, rows) ? counts.size : 0;
}

function kindOf(name: string): "unit" | "product" | "time" | "year" | undefined {
  const words = namedWords(name);
  const [word = ""] = words;
  if (words.length === 1 && YEARS.has(word)) return "year";
  if (words.length === 2 && words.some((one) => YEARS.has(one)) && words.some((one) => TIMES.has(one)))
    return "time";
  if (words.length !== 1) return undefined;
  if (UNITS.has(word)) return "unit";
  if (PRODUCTS.has(word)) return "product";
  return TIMES.has(word) ? "time" : undefined;
}

const PER_YEAR: Readonly<Record<Step, number>> = {
  day: 365.25,
  week: 365.25 / 7,
  month: 12,
  quarter: 4,
  year: 1,
};
/** A column that counts periods (week 1, 2, …) has only numbers below this. */
const MOST_STEPS = 10_000;

/**
 * The time of each row in years, for the season; undefined if the column does not tell.
 * @param year a column with the year, if `time` counts within it
 */
export function yearsIn(
  cellsOf: (name: string) => readonly string[],
  time: string,
  year: string | undefined,
): Float64Array | undefined {
  const step = stepNamed(time);
  const cells = cellsOf(time);
  if (year !== undefined) {
    if (step === undefined) return undefined;
    const years = cellsOf(year);
    const within = Float64Array.from(
      cells,
      (cell, r) => Number(years[r]) - 1970 + (Number(cell) - 1) / PER_YEAR[step],
    );
    return within.every(Number.isFinite) ? within : undefined;
  }
  const reading = readTime(cells, step);
  if (reading?.dated) return reading.position;
  if (reading === undefined || step === undefined) return undefined;
  const steps = reading.position.every(
    (value) => Number.isInteger(value) && value >= 0 && value < MOST_STEPS,
  );
  return steps ? reading.position.map((value) => value / PER_YEAR[step]) : undefined;
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
