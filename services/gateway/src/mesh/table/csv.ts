import type { Localised } from "../../language/index.ts";
import type { InPieces } from "../turns.ts";

/** A cell with its place in the text, both counted from 1. */
export type Cell = { text: string; line: number; column: number };

/** A text that is no CSV, and where. */
export class CsvError extends Error {
  readonly at: Pick<Cell, "line" | "column">;
  readonly text: Localised;

  constructor(at: Pick<Cell, "line" | "column">, text: Localised) {
    super(text.en);
    this.at = at;
    this.text = text;
  }
}

const OPEN_QUOTE: Localised = { en: "a quote is not closed", ko: "따옴표가 닫히지 않았습니다" };
const BEHIND_QUOTE: Localised = {
  en: "there is text behind a closed quote",
  ko: "닫힌 따옴표 뒤에 글자가 있습니다",
};

export type Csv = { delimiter: string; rows: Cell[][] };

const DELIMITERS = [",", ";", "\t"];
const ROWS_AT_ONCE = 500;

/**
 * Reads CSV (RFC 4180; a BOM, blank lines, rows of empty cells and spaces around cells are allowed). Cells are separated by what the header has most of: commas,
 * semicolons or tabs.
 * @throws CsvError for a quote that is not closed, and for text behind a closed one
 */
export function* readCsv(source: string): InPieces<Csv> {
  const text = source.replace(/^\uFEFF/, "");
  const [header = ""] = /^[^\r\n]*/.exec(text) ?? [];
  const count = (mark: string) => header.split(mark).length;
  const delimiter = DELIMITERS.reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  const rows: Cell[][] = [];
  let [at, line, lineStart] = [0, 1, 0];
  let row: Cell[] = [];
  while (at < text.length) {
    const cell = { text: "", line, column: at - lineStart + 1 };
    while (text[at] === " ") at += 1;
    if (text[at] === '"') {
      const began = { line, column: at - lineStart + 1 };
      let end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      if (end < 0) throw new CsvError(began, OPEN_QUOTE);
      const quoted = text.slice(at + 1, end);
      cell.text = quoted.replaceAll('""', '"').trim();
      const breaks = quoted.split("\n").length - 1;
      line += breaks;
      if (breaks > 0) lineStart = at + 1 + quoted.lastIndexOf("\n") + 1;
      at = end + 1;
      while (text[at] === " ") at += 1;
      if (at < text.length && text[at] !== delimiter && text[at] !== "\r" && text[at] !== "\n")
        throw new CsvError({ line, column: at - lineStart + 1 }, BEHIND_QUOTE);
    } else {
      const began = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== "\n") at += 1;
      cell.text = text.slice(began, at).trim();
    }
    row.push(cell);
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      row.push({ text: "", line, column: at - lineStart + 1 });
    } else at = text.startsWith("\r\n", at) ? at + 2 : at + 1;
    // Spreadsheets end tables with rows of separators alone: they are as blank as an empty line.
    if (row.some((one) => one.text !== "")) rows.push(row);
    row = [];
    line += 1;
    lineStart = at;
    if (rows.length % ROWS_AT_ONCE === 0) yield;
  }
  return { delimiter, rows };
}
