import { setImmediate as nextTurn } from "node:timers/promises";
import { type Figure, figuresIn, normalised } from "../../language/index.ts";

/** What a template shows of one thing: `VALVE-V7, new: 115.00 → 126.87 (+10.3%)`, `profit 954,968 → 964,705`. */
export type Row = {
  /** What the numbers are of, in lower case: `["valve-v7", "new"]`. */
  names: readonly string[];
  /** Absent where one number stands alone. */
  from?: Figure;
  to: Figure;
  /** How far it is from the first to the second, as a share of the first or as an amount. */
  change?: Figure;
};

const NUMBER = String.raw`[-+]?(?:US)?[$€£₩¥]?[-+]?\d[\d.,']*(?:\s?(?:%|[$€£₩¥원]|[A-Z]{3}\b))?`;
const NUMBERS = String.raw`${NUMBER}(?:\s→\s${NUMBER}(?:\s\(${NUMBER}\))?)?`;
/** Everything before the last colon is what the numbers are of. */
const NAMED = new RegExp(String.raw`^(?<label>[^:]{1,160}):\s(?<numbers>${NUMBERS})[.;,]?$`, "u");
/** Several in a line, each behind what it is of; a title may stand before them. */
const CELL = String.raw`[\p{L}][\p{L} _-]{0,60}\s${NUMBERS}`;
const CELLS = new RegExp(String.raw`^(?:[^:\d]{1,80}:\s)?(?<cells>${CELL}(?:,\s${CELL})*)\.?$`, "u");
const EACH = new RegExp(String.raw`(?<label>[\p{L}][\p{L} _-]{0,60})\s(?<numbers>${NUMBERS})`, "gu");

/** Neither row nor list is that long; patterns are tried at every place of a line. */
const LONGEST_LINE = 400;

/** The rows of a template's text. Prose has none: what its numbers are of cannot be told without knowing what it is about. */
export async function rowsOf(report: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const line of report.split("\n")) {
    if (!/\d/u.test(line) || line.length > LONGEST_LINE) continue;
    await nextTurn();
    rows.push(...rowsOfLine(plain(line.replace(/^\s*[-*•]\s/u, ""))));
  }
  return rows;
}

function rowsOfLine(line: string): Row[] {
  const named = NAMED.exec(line)?.groups;
  if (named) return rowOf(named.label, named.numbers);
  const cells = CELLS.exec(line)?.groups?.cells;
  if (cells === undefined) return [];
  return [...cells.matchAll(EACH)].flatMap(({ groups }) => rowOf(groups?.label, groups?.numbers));
}

/** Signs and spaces in one form; words stay as they are. */
function plain(line: string): string {
  return line.normalize("NFKC").replace(/[−–—]/gu, "-").replace(/\s+/gu, " ").trim();
}

function rowOf(label = "", numbers = ""): Row[] {
  const names = label.split(",").map(nameOf);
  const { figures } = figuresIn(normalised(numbers));
  const printed = numbers.split(/ → | \(/u).length;
  const [first, second, third] = figures;
  if (!first || figures.length !== printed || !names.every(isName)) return [];
  if (figures.some(({ value }) => !Number.isFinite(value))) return [];
  if (!second) return [{ names, to: first }];
  const row: Row = { names, from: first, to: second };
  return [third && isChange(third, first, second) ? { ...row, change: third } : row];
}

export const nameOf = (text: string): string => text.normalize("NFKC").trim().toLowerCase();

const isName = (name: string): boolean => name.length <= 80 && /\p{L}/u.test(name);

export const signed = ({ value, sign }: Figure): number => (sign === "-" ? -value : value);

/** Whether the number says how far it is from the one to the other. */
function isChange(change: Figure, from: Figure, to: Figure): boolean {
  const far = signed(to) - signed(from);
  const [is, off] =
    change.unit === "%" && to.unit !== "%"
      ? // Each of the two may be off by half of its last digit.
        [(100 * far) / Math.abs(signed(from)), (100 * (from.step + to.step)) / Math.abs(signed(from))]
      : [far, from.step + to.step];
  const isOfIt = change.unit === to.unit || (change.unit === "%" && from.value !== 0) || change.unit === "pp";
  return isOfIt && Math.abs(is - signed(change)) <= change.step / 2 + off;
}
