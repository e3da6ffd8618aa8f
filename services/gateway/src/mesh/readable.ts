/** Bounds of what {@link readable} writes: members of one list or object, columns of a table, characters of a text, of a name, of a cell, and of all. */
const MEMBERS = 20;
const COLUMNS = 8;
/** Objects with more members are no rows of a table. */
const WIDEST = 16;
const TEXT = 1_000;
const NAME = 100;
const CELL = 40;
const ALL = 4_000;
/** Values nested deeper than this are counted, not written. */
const DEPTH = 5;
/** A list of scalars that fits is written on one line. */
const LINE = 100;

type Plain = Readonly<Record<string, unknown>>;

/**
 * Any JSON value as a text that people read: members by name, lists one by one, lists of like objects as a table. The same value always
 * gives the same text. Numbers are written as JSON writes them. What is left out is counted where it is left out, so that the work and
 * the text are bounded whatever the value.
 */
export function readable(value: unknown): string {
  const page = new Page();
  writeValue(page, value, "", 0);
  return page.text;
}

/** Lines, up to about {@link ALL} characters. */
class Page {
  #lines: string[] = [];
  #size = 0;

  get text(): string {
    return this.#lines.join("\n");
  }

  get isFull(): boolean {
    return this.#size > ALL;
  }

  add(indent: string, line: string): void {
    const text = indent + line.replaceAll(/\r\n?|\n/g, `\n${indent}  `);
    this.#lines.push(text);
    this.#size += text.length + 1;
  }
}

function writeValue(page: Page, value: unknown, indent: string, depth: number): void {
  const line = onOneLine(value, depth);
  if (line !== undefined) page.add(indent, line);
  else if (Array.isArray(value)) writeList(page, value, indent, depth);
  else if (isPlain(value)) writeMembers(page, value, indent, depth);
}

function writeMembers(page: Page, value: Plain, indent: string, depth: number): void {
  const names = Object.keys(value);
  const written = each(page, names, (name) => {
    writeNamed(page, `${cut(name, NAME)}:`, value[name], indent, depth);
  });
  if (written < names.length) page.add(indent, more(names.length - written));
}

function writeList(page: Page, list: readonly unknown[], indent: string, depth: number): void {
  const table = tableOf(list);
  if (table) {
    writeTable(page, table, indent);
    return;
  }
  const written = each(page, list, (value) => writeNamed(page, "-", value, indent, depth));
  if (written < list.length) page.add(indent, `- ${more(list.length - written)}`);
}

/** @param name as it begins the line */
function writeNamed(page: Page, name: string, value: unknown, indent: string, depth: number): void {
  const line = onOneLine(value, depth + 1);
  if (line !== undefined) page.add(indent, `${name} ${line}`);
  else {
    page.add(indent, Array.isArray(value) ? `${name} (${value.length})` : name);
    writeValue(page, value, `${indent}  `, depth + 1);
  }
}

/** A scalar, a short list of scalars, what is empty, and what is nested too deep; undefined for what takes lines of its own. */
function onOneLine(value: unknown, depth: number): string | undefined {
  if (typeof value !== "object" || value === null) return scalar(value, TEXT);
  if (isEmpty(value)) return EMPTY;
  return (
    (Array.isArray(value) ? listOnOneLine(value) : undefined) ?? (depth >= DEPTH ? counted(value) : undefined)
  );
}

function listOnOneLine(list: readonly unknown[]): string | undefined {
  const shown = list.slice(0, MEMBERS);
  if (shown.some((value) => typeof value === "object" && value !== null)) return undefined;
  const line = shown.map((value) => scalar(value, LINE)).join(", ");
  if (line.length > LINE || line.includes("\n")) return undefined;
  return list.length > MEMBERS ? `${line}, ${more(list.length - MEMBERS)}` : line;
}

type Table = { rows: readonly Plain[]; names: readonly string[] };

/** A list of like objects; undefined where it is none. Only the rows that are shown are looked at. */
function tableOf(list: readonly unknown[]): Table | undefined {
  const shown = list.slice(0, MEMBERS);
  const rows = shown.filter(isPlain);
  const counts = rows.map((row) => Object.keys(row).length);
  const names = new Set(rows.flatMap((row) => Object.keys(row).slice(0, WIDEST + 1)));
  // Objects of many members, or with little in common, are read better one by one.
  const isTable =
    rows.length > 1 &&
    rows.length === shown.length &&
    counts.every((count) => count > 0 && count <= WIDEST && count * 2 >= names.size);
  return isTable ? { rows: list as readonly Plain[], names: [...names] } : undefined;
}

function writeTable(page: Page, { rows, names }: Table, indent: string): void {
  const columns = names.slice(0, COLUMNS);
  const shown = rows.slice(0, MEMBERS);
  const cells = [columns, ...shown.map((row) => columns.map((name) => cell(row[name])))].map((row) =>
    row.map((text) => (text.length <= CELL ? text : `${begin(text, CELL - 1)}…`)),
  );
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => (row[index] ?? "").length)));
  const hidden = names.length - columns.length;
  let written = -1;
  for (const row of cells) {
    if (page.isFull) break;
    const line = row.map((text, index) => text.padEnd(widths[index] ?? 0)).join(" | ");
    page.add(indent, line.trimEnd());
    written++;
  }
  if (written < rows.length) page.add(indent, more(rows.length - Math.max(written, 0)));
  if (hidden > 0) page.add(indent, `… ${hidden} more ${hidden === 1 ? "column" : "columns"}`);
}

function cell(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "object" && value !== null) return counted(value);
  return scalar(value, 2 * CELL).replaceAll(/\s+/g, " ");
}

/** Writes as many as there may be. @returns how many that were */
function each<T>(page: Page, values: readonly T[], write: (value: T) => void): number {
  let written = 0;
  for (const value of values.slice(0, MEMBERS)) {
    if (page.isFull) break;
    write(value);
    written++;
  }
  return written;
}

const EMPTY = "(empty)";

function scalar(value: unknown, most: number): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "null";
  return value === "" ? EMPTY : cut(value, most);
}

/** Says how much of a text is missing. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const begun = begin(text, most);
  const rest = text.length - begun.length;
  return `${begun}… (${rest} more ${rest === 1 ? "character" : "characters"})`;
}

/** The two halves of a character beyond the basic plane stay together. */
function begin(text: string, most: number): string {
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most);
}

function counted(value: object): string {
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (count === 0) return EMPTY;
  const [one, many] = Array.isArray(value) ? ["entry", "entries"] : ["member", "members"];
  return `(${count} ${count === 1 ? one : many})`;
}

function isEmpty(value: object): boolean {
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function more(count: number): string {
  return `… ${count} more`;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
