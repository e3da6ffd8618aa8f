import { parse } from "csv-parse/sync";
import { PricingError } from "./errors.ts";

/** A table of text cells by column. A fit converts the columns that it needs to numbers. */
export type Dataset = {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, readonly string[]>;
};

/**
 * Parses CSV with a header row (RFC 4180; a BOM, blank lines and spaces around cells are allowed).
 * @param id the dataset's id, for errors
 * @throws PricingError INVALID_DATASET for rows of another width than the header, broken quotes, and blank or
 *   repeated column names
 */
export function parseCsv(text: string, id: string): Dataset {
  const [header, ...rows] = readRows(text, id);
  if (header === undefined) throw invalid(id, "has no header row");
  if (header.some((name) => name === "")) throw invalid(id, "has a column without a name");
  if (new Set(header).size !== header.length) throw invalid(id, "names a column twice");
  const columns = new Map(header.map((name, column) => [name, rows.map((row) => row[column] ?? "")]));
  return { rows: rows.length, columns };
}

function readRows(text: string, id: string): string[][] {
  try {
    return parse(text, { bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    const line =
      typeof error === "object" && error !== null && "lines" in error ? ` near line ${error.lines}` : "";
    throw invalid(id, `is not a well-formed CSV table${line}`);
  }
}

function invalid(id: string, reason: string): PricingError {
  return new PricingError("INVALID_DATASET", `Dataset ${id} ${reason}.`, { dataset: id });
}
