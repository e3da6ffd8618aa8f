import type { DuckDBConnection } from "@duckdb/node-api";
import { CHARGES, COLUMNS, type Column } from "./columns.ts";
import type { Finding } from "./report.ts";
import { type Source, valueIn } from "./source.ts";
import { literal } from "./sql.ts";

type Check = Omit<Finding, "file" | "rows"> & { /** True of a row that is wrong. */ readonly wrong: string };

/** Goes through all rows of a file once and counts them, and what is wrong with them. */
export async function checkRows(
  source: Source,
  connection: DuckDBConnection,
): Promise<{ readonly rows: number; readonly findings: readonly Finding[] }> {
  const checks = [...COLUMNS.flatMap((column) => checksOf(column, source)), ...checksOfRows(source)];
  const counts = checks.map(({ wrong }, index) => `count(*) FILTER (WHERE ${wrong}) AS c${index}`);
  const sql = `SELECT count(*) AS total, ${counts.join(", ")} FROM ${source.from}`;
  const [row = {}] = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const file = source.file.name;
  const total = Number(row.total);
  if (total === 0) return { rows: 0, findings: [{ level: "warning", file, text: "has no rows" }] };
  const findings = checks.flatMap(({ wrong: _, ...check }, index): Finding[] => {
    const rows = Number(row[`c${index}`]);
    return rows === 0 ? [] : [{ ...check, file, rows }];
  });
  return { rows: total, findings };
}

function checksOf(column: Column, source: Source): Check[] {
  const raw = source.raw.get(column);
  if (raw === undefined) return [];
  const name = String(column.from[0]);
  const value = valueIn(source, column);
  const found: Check[] = [];
  if (column.needs === "value")
    found.push({ level: "error", column: name, wrong: `${raw} IS NULL`, text: "no value" });
  if (column.needs === "column")
    found.push({
      level: "warning",
      column: name,
      wrong: `${raw} IS NULL`,
      text: "no value; left out of this metric",
    });
  if (column.type !== "VARCHAR")
    found.push({
      level: "error",
      column: name,
      wrong: `${raw} IS NOT NULL AND ${value} IS NULL`,
      text: column.type === "DATE" ? "not a time" : "not a number",
    });
  return found;
}

function checksOfRows(source: Source): Check[] {
  const of = (name: string) => {
    const column = COLUMNS.find((one) => one.name === name);
    if (column === undefined) throw new TypeError(`there is no column ${name}`);
    return valueIn(source, column);
  };
  const charges = CHARGES.map((name) => literal(name.toLowerCase())).join(", ");
  return [
    {
      level: "warning",
      column: "ChargeCategory",
      wrong: `lower(${of("charge")}) NOT IN (${charges})`,
      text: "a category that FOCUS does not know",
    },
    {
      level: "error",
      column: "BillingCurrency",
      wrong: `NOT regexp_full_match(${of("currency")}, '[A-Za-z]{3}')`,
      text: "not a currency of ISO 4217",
    },
    {
      level: "warning",
      column: "ChargePeriodStart",
      wrong: `${of("day")} < ${of("billing_month")} OR ${of("day")} >= ${of("billing_month")} + INTERVAL 1 MONTH`,
      text: "outside the billing period; counted on the day of the charge",
    },
    {
      level: "warning",
      column: "EffectiveCost",
      wrong: `${of("effective")} = 0 AND ${of("billed")} <> 0 AND lower(${of("charge")}) = 'usage'`,
      text: "billed usage with an effective cost of 0; effective costs are too low",
    },
    { level: "warning", column: "Tags", wrong: source.badTags, text: "not a JSON object; taken as no tags" },
  ];
}
