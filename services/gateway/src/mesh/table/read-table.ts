import type { MeshTable, MeshTableField } from "@interlock/contracts";
import type { Localised } from "../../language/index.ts";
import type { InPieces } from "../turns.ts";
import { type Cell, CsvError, readCsv } from "./csv.ts";

type Value = string | number | boolean;
type Kind = NonNullable<MeshTableField["kind"]>;

/** What a field is read from. */
type Column = {
  field: string;
  rule: MeshTableField;
  /** Where in the rows its cells are, and what the column is called; absent: every row has what the rule says otherwise. */
  index?: number;
  header?: string;
  kind: Kind;
};

/** What keeps a table from being read: where, and what, without values. */
export type TableProblem = {
  line: number;
  column: number;
  text: Localised;
  /** The field that no column is for. */
  lacks?: string;
};

/** How the columns of a table are understood. */
export type ReadColumns = {
  /** Fields, each with its column, or what every row has. */
  columns: { field: string; column?: string; otherwise?: Value; kind: Kind }[];
  /** Columns that nothing is read from. */
  unused: string[];
  rows: number;
};

export type TableReading = ReadColumns & {
  inputs: Record<string, unknown>;
  /** How many rows were read, from which columns, and what was left out. */
  note: Localised;
};

/** A manifest's table; who sends one may also say that a field has no column (null). */
type Table = Omit<MeshTable, "columns"> & { columns?: Readonly<Record<string, string | null>> };

const MOST_PROBLEMS = 20;
const ROWS_AT_ONCE = 200;
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const COMMA = /^-?(?:0|[1-9]\d*)(?:,\d+)?$/;
const FLAGS = new Map([
  ["true", true],
  ["false", false],
]);

/**
 * Reads the rows of a CSV file as inputs. All rows are read, or none.
 * @param name of the file, as notes name it
 * @returns the inputs, or what keeps them from being read
 */
export function* readTable(
  text: string,
  name: string,
  table: Table = {},
): InPieces<TableReading | (ReadColumns & { problems: TableProblem[] })> {
  const problems: TableProblem[] = [];
  const problem: Report = ({ line, column }, text) => problems.push({ line, column, text });
  let read: ReadColumns = { columns: [], unused: [], rows: 0 };
  try {
    const csv = yield* readCsv(text);
    const [header = [], ...rows] = csv.rows;
    checkHeader(header, problem);
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_AT_ONCE === 0) yield;
      if (row.length !== header.length)
        problem(row[0] ?? START, {
          en: `the row has ${row.length} cells, the header has ${header.length}`,
          ko: `행에는 칸이 ${row.length}개, 머리글에는 ${header.length}개 있습니다`,
        });
    }
    if (rows.length === 0)
      problem(START, { en: "there are no rows below the header", ko: "머리글 아래에 행이 없습니다" });
    if (problems.length > 0) return { ...read, problems: shown(problems, rows.length) };
    const isComma = csv.delimiter !== ",";
    const { columns, unused, missing } = yield* columnsOf(header, rows, table, isComma);
    problems.push(...missing.map((one) => ({ ...START, ...one })));
    read = { columns: columns.map(readColumn), unused, rows: rows.length };
    const elements = new Map<string | number, Node>();
    const orders = columns.flatMap(({ field, rule: { order } }) =>
      order && !Object.hasOwn(table.with ?? {}, order.as) ? { field, ...order, means: new Map() } : [],
    );
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_AT_ONCE === 0) yield;
      const values = valuesOf(row, columns, isComma, problem);
      const key = table.key === undefined ? index : String(values.get(table.key) ?? "");
      const element: Node = elements.get(key) ?? new Map();
      elements.set(key, element);
      for (const order of orders) count(order, values);
      for (const { field, rule, index: at } of columns) {
        const value = values.get(field);
        if (value === undefined) continue;
        for (const path of [rule.to ?? field].flat())
          if (!put(element, filled(path, values), value, path.includes("{")))
            problem(row[at ?? 0] ?? START, {
              en: `${field}: an earlier row has it for the same ${table.key ?? "row"}`,
              ko: `${field}: ${table.key ?? "행"}이(가) 같은 앞 행에 이미 있습니다`,
            });
      }
    }
    if (problems.length > 0) return { ...read, problems: shown(problems, rows.length) };
    const lists = Object.fromEntries(orders.map((order) => [order.as, highestFirst(order)]));
    const member = table.rows ?? "rows";
    const list: Record<string, unknown>[] = [];
    for (const element of elements.values()) {
      if (list.length % ROWS_AT_ONCE === 0) yield;
      list.push(plainOf(element));
    }
    return {
      ...read,
      inputs: { [member]: list, ...lists, ...table.with },
      note: noteOf({
        name,
        rows: rows.length,
        elements: list.length,
        member,
        columns,
        unused,
        lists,
        with: table.with ?? {},
      }),
    };
  } catch (error) {
    if (error instanceof CsvError) return { ...read, problems: [{ ...error.at, text: error.text }] };
    throw error;
  }
}

type Report = (at: Pick<Cell, "line" | "column">, text: Localised) => void;

/** Where what is about the whole table stands. */
const START = { line: 1, column: 1 };

function readColumn({ field, header, rule, kind }: Column): ReadColumns["columns"][number] {
  if (header !== undefined) return { field, column: header, kind };
  return { field, kind, ...(rule.otherwise === undefined ? {} : { otherwise: rule.otherwise }) };
}

function checkHeader(header: readonly Cell[], problem: Report): void {
  const seen = new Set<string>();
  for (const cell of header) {
    if (cell.text === "") problem(cell, { en: "the column has no name", ko: "열 이름이 없습니다" });
    else if (seen.has(cell.text))
      problem(cell, { en: "an earlier column has the same name", ko: "같은 이름의 열이 앞에 있습니다" });
    seen.add(cell.text);
  }
}

/** Without case, spaces and punctuation. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** A column's name as a field's: `In stock` is `in_stock`. */
const snake = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "") || "column";

/** Each column counts for the field that the manifest says, or for the first one that its name is for; without `fields`, for one of its name. */
function* columnsOf(
  header: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  { fields, columns: said = {} }: Table,
  isComma: boolean,
): InPieces<{ columns: Column[]; unused: string[]; missing: Pick<TableProblem, "text" | "lacks">[] }> {
  const names = header.map(({ text }) => text);
  const taken = new Set(Object.values(said));
  const missing: Pick<TableProblem, "text" | "lacks">[] = [];
  const all = names.join(", ");
  const columns: Column[] = [];
  function* add(field: string, rule: MeshTableField, name: string | null | undefined): InPieces<void> {
    const index = typeof name === "string" ? names.indexOf(name) : -1;
    if (typeof name !== "string" || index < 0) {
      if (typeof name === "string")
        missing.push({
          text: {
            en: `there is no column "${name}" for ${field}; the columns are ${all}`,
            ko: `${field}의 열 "${name}"이(가) 없습니다. 있는 열: ${all}`,
          },
        });
      else if (rule.otherwise !== undefined) columns.push({ field, rule, kind: "text" });
      else if (rule.needed)
        missing.push({
          text: {
            en: `no column is for ${field}; the columns are ${all}`,
            ko: `${field}에 맞는 열이 없습니다. 있는 열: ${all}`,
          },
          lacks: field,
        });
      return;
    }
    const kind = rule.kind ?? (yield* kindOf(rows, index, isComma));
    columns.push({ field, rule, index, header: name, kind });
  }
  for (const [field, rule] of Object.entries(fields ?? {})) {
    const wanted = [field, ...(rule.columns ?? [])].map(plain);
    const found = wanted.flatMap(
      (one) => names.find((name) => !taken.has(name) && plain(name) === one) ?? [],
    );
    const name = Object.hasOwn(said, field) ? said[field] : found[0];
    yield* add(field, rule, name);
    if (typeof name === "string") taken.add(name);
  }
  for (const [field, name] of Object.entries(said))
    if (!Object.hasOwn(fields ?? {}, field)) yield* add(field, {}, name);
  const left = names.filter((name) => !taken.has(name));
  if (fields) return { columns, unused: left, missing };
  const unused = left.filter((name) => said[snake(name)] === null);
  for (const name of left) if (!unused.includes(name)) yield* add(snake(name), {}, name);
  return { columns, unused, missing };
}

/** The kind that all cells have which are not empty; text where they differ. */
function* kindOf(rows: readonly (readonly Cell[])[], at: number, isComma: boolean): InPieces<Kind> {
  const kinds = new Set<Kind>();
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) yield;
    const text = row[at]?.text ?? "";
    if (text === "") continue;
    const isNumber = numberIn(text, isComma) !== undefined;
    kinds.add(isNumber ? "number" : FLAGS.has(text.toLowerCase()) ? "flag" : "text");
    if (kinds.size > 1) return "text";
  }
  const [kind = "text"] = kinds;
  return kind;
}

/** A comma is a decimal one only where it separates no cells. */
function numberIn(text: string, isComma: boolean): number | undefined {
  if (PLAIN.test(text)) return Number(text);
  return isComma && COMMA.test(text) ? Number(text.replace(",", ".")) : undefined;
}

function valuesOf(
  row: readonly Cell[],
  columns: readonly Column[],
  isComma: boolean,
  problem: Report,
): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const { field, rule, index, header, kind } of columns) {
    const cell = index === undefined ? undefined : row[index];
    const text = cell?.text ?? "";
    const where = `${header} (${field})`;
    if (!cell || text === "") {
      if (rule.otherwise !== undefined) values.set(field, rule.otherwise);
      else if (cell && rule.needed) problem(cell, { en: `${where} is empty`, ko: `${where}: 비어 있습니다` });
      continue;
    }
    const value =
      kind === "number" ? numberIn(text, isComma) : kind === "flag" ? FLAGS.get(text.toLowerCase()) : text;
    if (value === undefined)
      problem(cell, {
        en: `${where} is ${seenAs(text).en}, and must be a ${kind === "number" ? "number such as 12.50" : "flag: true or false"}`,
        ko: `${where}: ${seenAs(text).ko}입니다. ${kind === "number" ? "12.50 같은 숫자여야 합니다" : "true나 false여야 합니다"}`,
      });
    else values.set(field, value);
  }
  return values;
}

/** What a cell holds in place of what it should, without quoting it. */
function seenAs(text: string): Localised {
  if (/^[^\d]*\d{1,3}(?:[.,\s]\d{3})+(?:[.,]\d+)?[^\d]*$/.test(text))
    return { en: "a number with thousands separators or a unit", ko: "천 단위 구분 기호나 단위가 붙은 숫자" };
  if (/^-?\d+,\d+$/.test(text)) return { en: "a number with a decimal comma", ko: "소수점이 쉼표인 숫자" };
  if (PLAIN.test(text)) return { en: "a number", ko: "숫자" };
  return /\d/.test(text)
    ? { en: "a text with digits", ko: "숫자가 섞인 글자" }
    : { en: "a text", ko: "글자" };
}

/** The values of a field, and the sums and numbers of the figures that order them. */
type Order = { field: string; by: string; means: Map<Value, { sum: number; count: number }> };

function count({ field, by, means }: Order, values: ReadonlyMap<string, Value>): void {
  const [value, figure] = [values.get(field), values.get(by)];
  if (value === undefined || typeof figure !== "number") return;
  const { sum, count: before } = means.get(value) ?? { sum: 0, count: 0 };
  means.set(value, { sum: sum + figure, count: before + 1 });
}

function highestFirst({ means }: Order): Value[] {
  const ordered = [...means].sort(([, a], [, b]) => b.sum / b.count - a.sum / a.count);
  return ordered.map(([value]) => value);
}

/** Maps, so that no name in a file is special. */
type Node = Map<string, Node | Value>;

/** @returns false where another row has put something there that may not stand beside it */
function put(element: Node, path: readonly string[], value: Value, isOnce: boolean): boolean {
  const [name = "", ...rest] = path;
  const there = element.get(name);
  if (rest.length === 0) {
    if (there !== undefined) return !isOnce && there === value;
    element.set(name, value);
    return true;
  }
  if (there !== undefined && !(there instanceof Map)) return false;
  const within: Node = there ?? new Map();
  element.set(name, within);
  return put(within, rest, value, isOnce);
}

/** `tiers.{tier}.price` in a row: a value may have dots. */
function filled(path: string, values: ReadonlyMap<string, Value>): string[] {
  return path.split(".").map((part) => {
    const field = /^\{(.+)\}$/.exec(part)?.[1];
    return field === undefined ? part : String(values.get(field) ?? "");
  });
}

function plainOf(node: Node): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(node, ([name, value]) => [name, value instanceof Map ? plainOf(value) : value]),
  );
}

function shown(problems: readonly TableProblem[], rows: number): TableProblem[] {
  const some = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - some.length;
  if (more === 0) return some;
  const text = { en: `and ${more} more problems in ${rows} rows`, ko: `그 밖에 ${rows}행에 문제 ${more}개` };
  return [...some, { ...START, text }];
}

function noteOf(read: {
  name: string;
  rows: number;
  elements: number;
  member: string;
  columns: readonly Column[];
  unused: readonly string[];
  lists: Readonly<Record<string, readonly Value[]>>;
  with: Readonly<Record<string, unknown>>;
}): Localised {
  const { name, rows, elements, member, unused } = read;
  const kinds = {
    en: { number: "number", text: "text", flag: "flag" },
    ko: { number: "숫자", text: "글자", flag: "참·거짓" },
  };
  const taken = (language: "en" | "ko") =>
    read.columns
      .map(({ field, header, kind }) =>
        header === undefined ? undefined : `${header} → ${field} (${kinds[language][kind]})`,
      )
      .filter((one) => one !== undefined)
      .join(", ");
  const supposed = read.columns
    .filter(({ header }) => header === undefined)
    .map(({ field, rule }) => `${field}: ${rule.otherwise}`);
  const said = [...supposed, ...Object.keys(read.with)].join(", ");
  const listed = Object.entries(read.lists)
    .map(([as, values]) => `; ${as}: ${values.slice(0, MOST_PROBLEMS).join(", ")}`)
    .join("");
  const more = (label: string, text: string) => (text === "" ? "" : `; ${label}: ${text}`);
  // A row is a row: only what rows become under another name is said.
  const as = member === "rows" ? "" : elements === rows ? ` as ${member}` : ` as ${elements} ${member}`;
  const made = member === "rows" ? "" : elements === rows ? ` ${member}로` : ` ${member} ${elements}개로`;
  return {
    en: `${name}: ${rows} ${rows === 1 ? "row" : "rows"}${as}: ${taken("en")}${more("not used", unused.join(", "))}${more("from the manifest", said)}${listed}.`,
    ko: `${name}: ${rows}행을${made} 읽음: ${taken("ko")}${more("쓰지 않음", unused.join(", "))}${more("매니페스트에서", said)}${listed}.`,
  };
}
