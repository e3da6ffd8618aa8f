import type { DuckDBConnection } from "@duckdb/node-api";
import { COLUMNS, type Column, LEFT_OUT, TAGS } from "./columns.ts";
import type { DataFile } from "./files.ts";
import type { Finding } from "./report.ts";
import { identifier, literal } from "./sql.ts";

/** How a file is read: expressions over its columns for those of the table of charges. */
export type Source = {
  readonly file: DataFile;
  /** What stands after FROM. */
  readonly from: string;
  /** Each column's text as the file has it, without what stands for nothing; absent: the file has no such column. */
  readonly raw: ReadonlyMap<Column, string>;
  readonly tags: string;
  /** Whether a row's tags are text that is no JSON object. */
  readonly badTags: string;
  readonly findings: readonly Finding[];
};

/** Looks at a file's columns. @throws what DuckDB says of a file that it cannot read */
export async function sourceOf(file: DataFile, connection: DuckDBConnection): Promise<Source> {
  const from = readerOf(file);
  const reader = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  const types = new Map(
    reader.getRowObjectsJson().map((row) => [String(row.column_name), String(row.column_type)]),
  );
  const named = new Map([...types.keys()].map((name) => [name.toLowerCase(), name]));
  const own = (name: string) => named.get(name.toLowerCase());
  const raw = new Map<Column, string>();
  const findings: Finding[] = [];
  for (const column of COLUMNS) {
    const found = column.from.flatMap((name) => own(name) ?? []);
    if (found.length > 0) raw.set(column, firstOf(found, types, column));
    else if (column.needs)
      findings.push({
        level: "error",
        file: file.name,
        text: `no column ${column.from.slice(0, 2).join(" or ")}`,
      });
  }
  const known = new Set(
    [...COLUMNS.flatMap(({ from: names }) => names), ...LEFT_OUT].map((name) => name.toLowerCase()),
  );
  // Columns of a provider's own begin with x_.
  const others = [...types.keys()].filter((name) => !known.has(name.toLowerCase()) && !/^x_/i.test(name));
  if (others.length > 0)
    findings.push({
      level: "warning",
      file: file.name,
      text: `columns that are not of FOCUS, and not read: ${others.slice(0, 5).join(", ")}${others.length > 5 ? ", …" : ""}`,
    });
  const tags = own(TAGS);
  return { file, from, raw, findings, ...tagsIn(tags, types.get(tags ?? "") ?? "") };
}

/** CSV is read as text: what its columns mean is the specification's, and no guess. */
function readerOf({ kind, path }: DataFile): string {
  return kind === "parquet"
    ? `read_parquet(${literal(path)})`
    : `read_csv(${literal(path)}, all_varchar = true, header = true, quote = '"', escape = '"')`;
}

/** The first that has a value. Exports write NULL or nothing for what there is not; what has a type of its own needs no look. */
function firstOf(names: readonly string[], types: ReadonlyMap<string, string>, { type }: Column): string {
  const texts = names.map((name) => {
    const column = identifier(name);
    const isText = types.get(name) === "VARCHAR";
    if (!isText) return type === "VARCHAR" ? `CAST(${column} AS VARCHAR)` : column;
    return `CASE WHEN trim(${column}) IN ('', 'NULL', 'null') THEN NULL ELSE trim(${column}) END`;
  });
  return texts.length === 1 ? String(texts[0]) : `coalesce(${texts.join(", ")})`;
}

const NO_TAGS = "CAST(MAP {} AS MAP(VARCHAR, VARCHAR))";

function tagsIn(name: string | undefined, type: string): Pick<Source, "tags" | "badTags"> {
  if (name === undefined) return { tags: NO_TAGS, badTags: "false" };
  const column = identifier(name);
  if (type.startsWith("MAP"))
    return { tags: `coalesce(CAST(${column} AS MAP(VARCHAR, VARCHAR)), ${NO_TAGS})`, badTags: "false" };
  const text = `trim(CAST(${column} AS VARCHAR))`;
  const map = `TRY_CAST(TRY_CAST(${text} AS JSON) AS MAP(VARCHAR, VARCHAR))`;
  return {
    tags: `coalesce(${map}, ${NO_TAGS})`,
    badTags: `${column} IS NOT NULL AND ${text} NOT IN ('', 'NULL', 'null') AND ${map} IS NULL`,
  };
}

/** A column of the table of charges, from a file; null where it is missing or of another type. */
export function valueIn(source: Source, column: Column): string {
  const raw = source.raw.get(column);
  if (raw === undefined) return `CAST(NULL AS ${column.type})`;
  return column.type === "VARCHAR" ? raw : typed(raw, column);
}

function typed(raw: string, { type }: Column): string {
  // A time with an offset is of UTC afterwards; FOCUS has UTC.
  return type === "DATE" ? `CAST(TRY_CAST(${raw} AS TIMESTAMP) AS DATE)` : `TRY_CAST(${raw} AS ${type})`;
}
