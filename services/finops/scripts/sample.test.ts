import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { findAnomalies } from "../src/anomaly/find.ts";
import { type FocusData, openFocus, samplePlace } from "../src/data/index.ts";
import { PLANTED } from "./sample.ts";
import { writeSample } from "./write-sample.ts";

let data: FocusData;
beforeAll(async () => {
  data = await openFocus(samplePlace);
});
afterAll(() => data.close());

test("is small enough for the repository, and large enough to say something", () => {
  expect(statSync(samplePlace).size).toBeLessThanOrEqual(5 * 1024 * 1024);
  expect(data.about).toMatchObject({
    first_day: "2025-09-01",
    last_day: "2026-09-18",
    currencies: ["USD"],
    warnings: [],
  });
  expect(data.about.rows).toBeGreaterThanOrEqual(200_000);
});

test("has three providers, tags, credits, commitments and refunds", async () => {
  const [row] = await data.all(
    `SELECT count(DISTINCT provider) AS providers, count(*) FILTER (WHERE cardinality(tags) > 0) AS tagged,
       count(*) FILTER (WHERE charge = 'Credit') AS credits, count(*) FILTER (WHERE commitment_status = 'Used') AS covered,
       count(*) FILTER (WHERE commitment_status = 'Unused') AS unused, count(*) FILTER (WHERE charge = 'Purchase') AS purchases,
       count(*) FILTER (WHERE class = 'Correction') AS corrections, count(*) FILTER (WHERE charge = 'Adjustment' AND billed < 0) AS paid_back
     FROM focus.charges`,
    [],
  );
  expect(row?.providers).toBe("3");
  for (const [name, count] of Object.entries(row ?? {}))
    expect([name, Number(count) > 0]).toEqual([name, true]);
});

test("is what its script makes", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "sample-"));
  const instance = await DuckDBInstance.create();
  try {
    const made = join(scratch, "sample.parquet");
    await writeSample(made);
    const connection = await instance.connect();
    const both = (one: string, other: string) =>
      `(SELECT count(*) FROM (SELECT * FROM read_parquet('${one}') EXCEPT ALL SELECT * FROM read_parquet('${other}')))`;
    const reader = await connection.runAndReadAll(
      `SELECT ${both(made, samplePlace)} AS more, ${both(samplePlace, made)} AS less`,
    );
    expect(reader.getRowObjectsJson()).toEqual([{ more: "0", less: "0" }]);
    connection.closeSync();
  } finally {
    instance.closeSync();
    rmSync(scratch, { recursive: true });
  }
});

test("what was planted is found, each by its kind and its cause, and little else", async () => {
  const { anomalies, more } = await findAnomalies(data, { period: "all", top: 100 });
  const found = (service: string) => anomalies.filter(({ keys }) => keys.service === service);
  const [spike, step, ramp, price, mix, drop] = PLANTED;
  expect(found(spike.service)).toMatchObject([
    { kind: "spike", first_day: spike.first_day, last_day: spike.last_day, main_driver: "quantity" },
  ]);
  expect(found(step.service)).toMatchObject([
    { kind: "step", first_day: step.first_day, lasting: true, main_driver: "mix" },
  ]);
  expect(found(step.service)[0]?.contributors).toContainEqual(
    expect.objectContaining({ field: "sku", key: "a2-highgpu-1g" }),
  );
  expect(found(ramp.service)).toMatchObject([{ direction: "up", main_driver: "quantity" }]);
  expect(found(ramp.service)[0]?.first_day.slice(0, 7)).toBe("2026-06");
  expect(found(price.service)).toMatchObject([
    { kind: "step", first_day: price.first_day, main_driver: "price" },
  ]);
  expect(found(mix.service)).toMatchObject([{ kind: "step", first_day: mix.first_day, main_driver: "mix" }]);
  expect(found(drop.service)).toMatchObject([
    { kind: "dip", first_day: drop.first_day, last_day: drop.last_day, main_driver: "quantity" },
  ]);
  expect(anomalies.length + more).toBeLessThanOrEqual(PLANTED.length + 2);
});
