import type { DuckDBConnection } from "@duckdb/node-api";
import { FinopsError } from "../errors.ts";
import { checkRows } from "./check.ts";
import { COLUMNS } from "./columns.ts";
import { Database, type Limits, type Row } from "./database.ts";
import { type DataFile, filesOf } from "./files.ts";
import { type Finding, reportOf } from "./report.ts";
import { type Source, sourceOf, valueIn } from "./source.ts";
import type { Param } from "./sql.ts";

/** A data set that has been loaded, checked and locked. */
export interface FocusData {
  readonly about: AboutData;
  /** Rows of one statement with bound values, over the table `charges`. @throws the signal's reason; FinopsError QUERY_TIMEOUT, QUERY_FAILED */
  all(sql: string, values: readonly Param[], signal?: AbortSignal): Promise<Row[]>;
  close(): void;
}

/** What a data set is, in wire shape. */
export type AboutData = {
  readonly rows: number;
  readonly files: number;
  /** Days with charges, as in ISO 8601. "Last month" and the like are relative to the last one. */
  readonly first_day: string;
  readonly last_day: string;
  readonly currencies: readonly string[];
  readonly tag_keys: readonly string[];
  /** What the files say that they should not, in at most 20 lines. */
  readonly warnings: readonly string[];
};

const DEFAULT_LIMITS: Limits = { memory: "900MB", threads: 2, timeoutMs: 20_000, rowsInMemory: 400_000 };
/** Of more, the most frequent ones. */
const MOST_TAG_KEYS = 200;

/**
 * Loads a file or a directory of FOCUS data.
 * @throws FinopsError INVALID_DATA, whose message has the report: which file, which column, how many rows
 */
export async function openFocus(place: string, limits: Partial<Limits> = {}): Promise<FocusData> {
  const files = filesOf(place);
  const database = await Database.open({ ...DEFAULT_LIMITS, ...limits });
  try {
    const { sources, findings, rows } = await database.load((connection) => check(files, connection));
    await database.attach(rows);
    const about = await database.load(async (connection) => {
      await write(sources.map(selectOf).join(" UNION ALL "), database.isInMemory, connection);
      return await aboutOf(connection, files.length, reportOf(findings));
    });
    await database.lock();
    return {
      about,
      all: (sql, values, signal) => database.all(sql, values, signal),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

type Checked = {
  readonly sources: readonly Source[];
  readonly findings: readonly Finding[];
  readonly rows: number;
};

/** @throws FinopsError INVALID_DATA */
async function check(files: readonly DataFile[], connection: DuckDBConnection): Promise<Checked> {
  const findings: Finding[] = [];
  let rows = 0;
  const sources: Source[] = [];
  for (const file of files) {
    try {
      const source = await sourceOf(file, connection);
      findings.push(...source.findings);
      if (source.findings.some(isError)) continue;
      const checked = await checkRows(source, connection);
      findings.push(...checked.findings);
      rows += checked.rows;
      if (!checked.findings.some(isError)) sources.push(source);
    } catch {
      findings.push({ level: "error", file: file.name, text: `not readable as ${file.kind}` });
    }
  }
  if (findings.some(isError))
    throw new FinopsError(
      "INVALID_DATA",
      `The billing data cannot be used:\n${reportOf(findings).join("\n")}`,
    );
  if (rows === 0) throw new FinopsError("INVALID_DATA", "The billing data have no rows.");
  return { sources, findings, rows };
}

/** Charges of a day, or of many of a month, lie together, so that a question about a time reads few others. */
async function write(charges: string, isSorted: boolean, connection: DuckDBConnection): Promise<void> {
  // Times with an offset are cut to days of UTC.
  await connection.run("SET TimeZone = 'UTC'");
  if (isSorted) {
    await connection.run(`CREATE TABLE focus.charges AS ${charges} ORDER BY day`);
    return;
  }
  await connection.run(`CREATE TABLE focus.loaded AS ${charges}`);
  await connection.run("CREATE TABLE focus.charges AS FROM focus.loaded LIMIT 0");
  const month = "date_trunc('month', day)";
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT CAST(${month} AS VARCHAR) AS month FROM focus.loaded ORDER BY 1`,
  );
  for (const one of reader.getRowObjectsJson())
    await connection.run(`INSERT INTO focus.charges FROM focus.loaded WHERE ${month} = CAST($1 AS DATE)`, [
      String(one.month),
    ]);
  await connection.run("DROP TABLE focus.loaded");
}

function isError({ level }: Finding): boolean {
  return level === "error";
}

/** A file's rows as charges. */
function selectOf(source: Source): string {
  const values = COLUMNS.map((column) => {
    const value = valueIn(source, column);
    if (column.name === "charge") return `${titled(value)} AS charge`;
    return `${column.name === "currency" ? `upper(${value})` : value} AS ${column.name}`;
  });
  return `(SELECT ${values.join(", ")}, ${source.tags} AS tags FROM ${source.from})`;
}

/** `usage` and `USAGE` are `Usage`. */
function titled(value: string): string {
  return `upper(left(${value}, 1)) || lower(substr(${value}, 2))`;
}

async function aboutOf(
  connection: DuckDBConnection,
  files: number,
  warnings: readonly string[],
): Promise<AboutData> {
  const all = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const [row] = await all(
    `SELECT count(*) AS rows, min(day) AS first_day, max(day) AS last_day, list(DISTINCT currency ORDER BY currency) AS currencies
     FROM focus.charges`,
  );
  const keys = await all(
    `SELECT key FROM (SELECT unnest(map_keys(tags)) AS key FROM focus.charges)
     GROUP BY key ORDER BY count(*) DESC, key LIMIT ${MOST_TAG_KEYS}`,
  );
  return {
    rows: Number(row?.rows),
    files,
    first_day: String(row?.first_day),
    last_day: String(row?.last_day),
    currencies: [row?.currencies ?? []].flat().map(String),
    tag_keys: keys.map(({ key }) => String(key)).sort(),
    warnings,
  };
}
