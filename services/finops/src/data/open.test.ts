import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, describe, expect, test } from "@jest/globals";
import { type Bill, bill, billFiles, csv } from "../../test/bills.ts";
import { type FocusData, openFocus } from "./open.ts";

const open: { data?: FocusData; remove?: () => void } = {};
afterEach(() => {
  open.data?.close();
  open.remove?.();
  open.data = undefined as never;
});

async function load(
  files: Readonly<Record<string, readonly Bill[] | string>>,
  limits = {},
): Promise<FocusData> {
  const texts = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === "string" ? content : csv(content),
  ]);
  const { place, remove } = billFiles(Object.fromEntries(texts));
  open.remove = remove;
  open.data = await openFocus(place, limits);
  return open.data;
}

const refusal = async (files: Readonly<Record<string, readonly Bill[] | string>>): Promise<string> =>
  await load(files).then(
    () => "loaded",
    (error: Error) => error.message,
  );

describe("loads", () => {
  test("CSV with the names of FOCUS 1.0, and says what the data are", async () => {
    const data = await load({
      "may.csv": [bill(), bill({ ChargePeriodStart: "2026-05-09T05:00:00Z", Tags: '{"cost-center":"7"}' })],
    });
    expect(data.about).toEqual({
      rows: 2,
      files: 1,
      first_day: "2026-05-04",
      last_day: "2026-05-09",
      currencies: ["USD"],
      tag_keys: ["cost-center", "team"],
      warnings: [],
    });
  });

  test("a directory of CSV and Parquet, whose columns are of different versions", async () => {
    const { place, remove } = billFiles({ "may.csv": csv([bill()]) });
    open.remove = remove;
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT 'EUR' AS BillingCurrency, TIMESTAMP '2026-06-01' AS BillingPeriodStart,
        TIMESTAMP '2026-06-03 07:00:00' AS ChargePeriodStart, 'usage' AS ChargeCategory, 'Azure' AS ServiceProviderName,
        'SQL' AS ServiceName, 1.25::DECIMAL(18, 6) AS BilledCost, 1.25::DOUBLE AS EffectiveCost, 2 AS ListCost, 2 AS ContractedCost,
        MAP {'team': 'search'} AS Tags) TO '${join(place, "june.parquet")}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
    open.data = await openFocus(place);
    const rows = await open.data.all(
      "SELECT provider, charge, CAST(day AS VARCHAR) AS day, effective, tags FROM focus.charges ORDER BY day",
      [],
    );
    expect(rows).toMatchObject([
      { provider: "AWS", charge: "Usage", day: "2026-05-04", effective: "10.000000000000" },
      {
        provider: "Azure",
        charge: "Usage",
        day: "2026-06-03",
        effective: "1.250000000000",
        tags: [{ key: "team", value: "search" }],
      },
    ]);
  });

  test("what stands for nothing as nothing, and tiny amounts in full", async () => {
    const data = await load({
      "a.csv": [bill({ RegionId: "NULL", Tags: "NULL", EffectiveCost: "0.00000000053" })],
    });
    expect(
      await data.all("SELECT region, effective, cardinality(tags) AS tags FROM focus.charges", []),
    ).toEqual([{ region: null, effective: "0.000000000530", tags: "0" }]);
  });

  // The project publishes it: 1,000 rows of FOCUS 1.0.
  const SAMPLE = process.env.FOCUS_SAMPLE ?? "";
  (existsSync(SAMPLE) ? test : test.skip)(
    "a file of the FOCUS project as it is, and reports its quirks",
    async () => {
      open.data = await openFocus(SAMPLE);
      expect(open.data.about).toMatchObject({ rows: 1000, first_day: "2024-09-01", last_day: "2024-09-30" });
      expect(open.data.about.warnings.join("\n")).toMatch(/ContractedCost, 7 rows: no value/);
      expect(open.data.about.warnings.join("\n")).toMatch(
        /EffectiveCost, \d+ rows: billed usage with an effective cost of 0/,
      );
    },
  );
});

describe("refuses, and says which file, which column and how many rows", () => {
  test("a file without a column that is needed", async () => {
    const { EffectiveCost: _, ...without } = bill();
    expect(await refusal({ "good.csv": [bill()], "bad.csv": [without] })).toContain(
      "bad.csv: no column EffectiveCost",
    );
  });

  test("values that are missing or of another type", async () => {
    const message = await refusal({
      "bad.csv": [
        bill(),
        bill({ BilledCost: "ten" }),
        bill({ BilledCost: "1,5" }),
        bill({ ServiceName: null }),
        bill({ BillingCurrency: "dollars" }),
      ],
    });
    expect(message).toContain("bad.csv, BilledCost, 2 rows: not a number");
    expect(message).toContain("bad.csv, ServiceName, 1 row: no value");
    expect(message).toContain("bad.csv, BillingCurrency, 1 row: not a currency");
    expect(message).not.toContain("ten");
  });

  test("in at most twenty lines", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`f${index}.csv`, [bill({ BilledCost: "x" })]]),
    );
    expect((await refusal(files)).split("\n").length).toBeLessThanOrEqual(21);
  });

  test("a place without bills", async () => {
    expect(await refusal({ "notes.txt": "nothing" })).toContain("no .csv or .parquet file");
    await expect(openFocus("/nowhere/at/all")).rejects.toMatchObject({ code: "INVALID_DATA" });
  });
});

describe("once it is loaded", () => {
  test("reaches no file, and nobody can change that", async () => {
    const data = await load({ "a.csv": [bill()] });
    const statements = [
      "SELECT * FROM read_csv('/etc/passwd')",
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM '/etc/passwd'",
      "COPY focus.charges TO '/tmp/stolen.csv'",
      "ATTACH '/tmp/stolen.db' AS stolen",
      "INSTALL httpfs",
      "LOAD httpfs",
      "SET enable_external_access = true",
      "SET memory_limit = '64GB'",
      "EXPORT DATABASE '/tmp/stolen'",
    ];
    for (const sql of statements)
      expect([
        sql,
        await data.all(sql, []).then(
          () => "done",
          (error) => error.code,
        ),
      ]).toEqual([sql, "QUERY_FAILED"]);
    expect(existsSync("/tmp/stolen.csv")).toBe(false);
  });

  test("many rows are kept in a file, which can only be read, and whose name is gone", async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("interlock-focus-"));
    const bills = [bill({ ChargePeriodStart: "2026-06-02", BillingPeriodStart: "2026-06-01" }), bill()];
    const data = await load({ "a.csv": bills }, { rowsInMemory: 1 });
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith("interlock-focus-"));
    expect(left.filter((name) => !before.includes(name))).toEqual([]);
    await expect(data.all("DELETE FROM focus.charges", [])).rejects.toMatchObject({ code: "QUERY_FAILED" });
    const sql = "SELECT CAST(day AS VARCHAR) AS day, billed FROM focus.charges";
    expect(await data.all(sql, [])).toMatchObject([{ day: "2026-05-04" }, { day: "2026-06-02" }]);
  });

  /** Would take minutes. */
  const LONG = "SELECT count(*) FROM range(100000000) a, range(1000000) b WHERE a.range * b.range % 7 = 3";

  test("a question ends at its limit of time", async () => {
    const data = await load({ "a.csv": [bill()] }, { timeoutMs: 2000 });
    await expect(data.all(LONG, [])).rejects.toMatchObject({ code: "QUERY_TIMEOUT" });
    expect(await data.all("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
  });

  test("a question ends when its caller goes away", async () => {
    const data = await load({ "a.csv": [bill()] });
    const leaving = new AbortController();
    const asked = data.all(LONG, [], leaving.signal);
    setTimeout(() => leaving.abort(new Error("gone")), 50);
    await expect(asked).rejects.toThrow("gone");
  });

  test("memory is limited", async () => {
    const data = await load({ "a.csv": [bill()] }, { memory: "100MB" });
    const sql = "SELECT count(*) FROM (SELECT DISTINCT random() AS x, uuid() AS y FROM range(20000000))";
    await expect(data.all(sql, [])).rejects.toMatchObject({ code: "QUERY_FAILED" });
  });
});
