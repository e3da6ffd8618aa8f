import type { Dataset } from "../csv.ts";
import { PricingError } from "../errors.ts";
import type { Grouping } from "./absorb.ts";
import type { Step } from "./names.ts";
import { readTime } from "./time.ts";

const MOST_NAMED = 30;
const LONGEST_NAME = 64;

/** The cells of a column. @throws PricingError INVALID_DATASET */
export function columnOf(dataset: Dataset, id: string, name: string): readonly string[] {
  const column = dataset.columns.get(name);
  if (column === undefined) {
    throw new PricingError("INVALID_DATASET", missing(name, [...dataset.columns.keys()], id), {
      dataset: id,
      column: name,
    });
  }
  return column;
}

/** Says which columns there are, so that nobody has to guess. */
function missing(name: string, columns: readonly string[], id: string): string {
  const shown = columns.slice(0, MOST_NAMED).map((column) => column.slice(0, LONGEST_NAME));
  const more = columns.length > MOST_NAMED ? `, and ${columns.length - MOST_NAMED} more` : "";
  return `Dataset ${id} has no column ${name}. Its columns are ${shown.join(", ")}${more}.`;
}

/** The number in a cell; NaN if it is empty or text. */
export function numberIn(cell: string | undefined): number {
  return cell === undefined || cell === "" ? Number.NaN : Number(cell);
}

/** Whether a column holds names rather than numbers: fewer than half of the cells in these rows are numbers. */
export function isText(column: readonly string[], rows: readonly number[]): boolean {
  let filled = 0;
  let numbers = 0;
  for (const row of rows) {
    const cell = column[row];
    if (cell === undefined || cell === "") continue;
    filled += 1;
    if (Number.isFinite(Number(cell))) numbers += 1;
  }
  return filled > 0 && 2 * numbers < filled;
}

/**
 * The periods of a time column in order: by time, if its form is known (`readTime`), else by first appearance.
 * @param step what the column's name counts, if it says so
 */
export function periodsOf(cells: readonly string[], step?: Step): Grouping {
  const distinct = [...new Set(cells)];
  const reading = readTime(distinct, step);
  const order = distinct.map((_, k) => k);
  if (reading) order.sort((a, b) => (reading.position[a] ?? 0) - (reading.position[b] ?? 0));
  const period = new Map(order.map((k, position) => [distinct[k] ?? "", position]));
  return { codes: Int32Array.from(cells, (cell) => period.get(cell) ?? 0), levels: distinct.length };
}
