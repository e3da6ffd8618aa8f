import type { Dataset } from "../csv.ts";
import { PricingError } from "../errors.ts";
import type { Grouping } from "./absorb.ts";

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
 * The periods of a time column in order: by number if all cells are numbers, by text if they start with a year
 * (2024-05-01, 2024-W07), else by date if all are dates, else by first appearance.
 */
export function periodsOf(cells: readonly string[]): Grouping {
  const distinct = [...new Set(cells)];
  const ordered = distinct.toSorted(orderOf(distinct));
  const position = new Map(ordered.map((cell, period) => [cell, period]));
  return { codes: Int32Array.from(cells, (cell) => position.get(cell) ?? 0), levels: ordered.length };
}

function orderOf(cells: readonly string[]): (a: string, b: string) => number {
  if (cells.every((cell) => Number.isFinite(numberIn(cell)))) return (a, b) => Number(a) - Number(b);
  if (cells.every((cell) => /^\d{4}\D/.test(cell))) return (a, b) => (a < b ? -1 : 1);
  if (cells.every((cell) => Number.isFinite(Date.parse(cell))))
    return (a, b) => Date.parse(a) - Date.parse(b);
  return () => 0;
}
