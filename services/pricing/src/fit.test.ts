import { existsSync } from "node:fs";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parseCsv } from "./csv.ts";
import { datasetsUnder, directoryDatasets } from "./datasets.ts";
import { fitDemand } from "./fit.ts";
import { proposeItem } from "./proposal.ts";
import { leastSquares } from "./regression.ts";
import { resolveItems } from "./resolve.ts";
import { makeRng } from "./rng.ts";
import { makeSettings } from "./settings.ts";
import type { Fit, Item } from "./types.ts";

const SPEC: Fit = { model: "fit", dataset: "sales", price: "price", quantity: "quantity" };

/** CSV of sales drawn from ln q = 5 − 2·ln p + 0.4·promo + noise. */
function sales(rows: number, more: { noise?: number; price?: () => number } = {}): string {
  const next = makeRng(3, "sales");
  const lines = ["price,quantity,promo,constant,double"];
  for (let r = 0; r < rows; r++) {
    const price = more.price?.() ?? 5 + 10 * next();
    const promo = next() < 0.3 ? 1 : 0;
    const noise = (more.noise ?? 0.2) * (next() - 0.5);
    lines.push(
      [price, Math.exp(5 - 2 * Math.log(price) + 0.4 * promo + noise), promo, 7, 2 * promo].join(","),
    );
  }
  return `${lines.join("\n")}\n`;
}

function fitOf(csv: string, spec: Partial<Fit> = {}) {
  const dataset = parseCsv(csv, "sales");
  const rows = Array.from({ length: dataset.rows }, (_, row) => row);
  return fitDemand({ ...SPEC, ...spec }, dataset, rows);
}

describe("least squares", () => {
  test("coefficients, HC1 standard errors and R² match the matrix formulas", () => {
    const x = Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8]);
    const z = Float64Array.from([0, 1, 1, 0, 1, 0, 0, 1]);
    const y = Float64Array.from([2.1, 3.9, 6.4, 7.7, 10.8, 11.6, 14.9, 16.2]);
    const result = leastSquares(y, [x, z]);
    const design = Array.from(x, (value, i) => [1, value, z[i] ?? 0]);
    const inverse = invert(gram(design, design));
    const beta = inverse.map((row) =>
      inner(
        row,
        gram(
          design,
          Array.from(y, (value) => [value]),
        ).map(([v = 0]) => v),
      ),
    );
    const errors = Array.from(y, (value, i) => value - inner(design[i] ?? [], beta));
    const meat = gram(
      design.map((row, i) => row.map((v) => v * (errors[i] ?? 0))),
      design.map((row, i) => row.map((v) => v * (errors[i] ?? 0))),
    );
    const robust = [1, 2].map((j) => {
      const weights = inverse[j] ?? [];
      return Math.sqrt(
        (8 / 5) *
          inner(
            weights,
            meat.map((row) => inner(row, weights)),
          ),
      );
    });
    expect(result.coefficients[0]).toBeCloseTo(beta[1] ?? 0, 12);
    expect(result.coefficients[1]).toBeCloseTo(beta[2] ?? 0, 12);
    expect(result.standardErrors[0]).toBeCloseTo(robust[0] ?? 0, 12);
    expect(result.standardErrors[1]).toBeCloseTo(robust[1] ?? 0, 12);
    expect(result.degreesOfFreedom).toBe(5);
  });

  test("columns with large means lose no precision", () => {
    const next = makeRng(5, "far");
    const x = Float64Array.from({ length: 200 }, () => 1e6 + next());
    const y = x.map((value) => 3 + 2 * (value - 1e6));
    expect(leastSquares(y, [x]).coefficients[0]).toBeCloseTo(2, 8);
  });
});

describe("a demand fit", () => {
  test("recovers the elasticity, with and without noise", () => {
    expect(fitOf(sales(50, { noise: 0 }), { controls: ["promo"] }).report.elasticity).toBeCloseTo(-2, 10);
    const { report } = fitOf(sales(2000), { controls: ["promo"] });
    expect(report.interval?.low).toBeLessThan(-2);
    expect(report.interval?.high).toBeGreaterThan(-2);
    expect(report).toMatchObject({ identified: true, n: 2000, dropped_rows: 0, controls: ["promo"] });
  });

  test("predicts mean demand, not its median", () => {
    const dataset = parseCsv(sales(5000, { noise: 2, price: () => 10 }), "sales");
    const quantities = (dataset.columns.get("quantity") ?? []).map(Number);
    const mean = quantities.reduce((sum, q) => sum + q, 0) / quantities.length;
    const fitted = fitDemand(
      SPEC,
      dataset,
      quantities.map((_, row) => row),
    );
    expect(fitted.demandAt(10).reference_quantity / mean).toBeCloseTo(1, 10);
  });

  test("leaves out constant and collinear controls and reports them", () => {
    const fitted = fitOf(sales(100), { controls: ["promo", "constant", "double"] });
    expect(fitted.warnings).toEqual([expect.stringMatching(/^control constant, double is constant/)]);
    expect(fitted.report.controls).toEqual(["promo"]);
  });

  test("drops and counts rows with a price or quantity ≤ 0 or a cell that is not a number", () => {
    const bad = "0,5,0,7,0\n5,-1,0,7,0\nx,5,0,7,0\n5,,0,7,0\n5,5,maybe,7,0\n";
    expect(fitOf(sales(100) + bad, { controls: ["promo"] }).report).toMatchObject({
      n: 100,
      dropped_rows: 5,
    });
  });

  test.each([
    ["fewer than 30 rows", sales(29), {}],
    ["a price that never varies", sales(60, { price: () => 8 }), {}],
    [
      "demand that does not depend on the price",
      `price,quantity\n${Array.from({ length: 60 }, (_, i) => `${5 + i},${7 + (i % 2)}`).join("\n")}`,
      {},
    ],
    [
      "demand that rises with the price",
      `price,quantity\n${Array.from({ length: 60 }, (_, i) => `${5 + i},${5 + i + (i % 2)}`).join("\n")}`,
      {},
    ],
    ["one row", sales(1), {}],
  ])("does not identify an elasticity from %s", (_, csv, spec) => {
    const fitted = fitOf(csv, spec);
    expect(fitted.report.identified).toBe(false);
    expect(fitted.demandAt(8).reference_quantity).toBeGreaterThan(0);
    expect(fitted.demandAt(8).elasticity).toBeLessThanOrEqual(0);
  });

  test("without usable rows or with an unknown column is an error", () => {
    expect(() => fitOf("price,quantity\n0,0\n")).toThrow(expect.objectContaining({ code: "NO_USABLE_ROWS" }));
    expect(() => fitOf(sales(50), { controls: ["weather"] })).toThrow(
      expect.objectContaining({
        code: "INVALID_DATASET",
        details: { dataset: "sales", column: "weather" },
        message: expect.stringMatching(
          /^Dataset sales has no column weather\. Its columns are \w+(?:, \w+)*\.$/,
        ),
      }),
    );
  });
});

describe("CSV", () => {
  test("BOM, quotes, CRLF, blank lines and spaces around cells are accepted", () => {
    const { rows, columns } = parseCsv('\u{feff}a, b\r\n"x, ""y""",1\r\n\r\nz , 2\r\n', "t");
    expect(rows).toBe(2);
    expect(columns.get("a")).toEqual(['x, "y"', "z"]);
    expect(columns.get("b")).toEqual(["1", "2"]);
  });

  test.each([
    ["empty", ""],
    ["a row too wide", "a,b\n1,2,3\n"],
    ["an open quote", 'a,b\n"1,2\n'],
    ["a column without a name", "a,\n1,2\n"],
    ["a column named twice", "a,a\n1,2\n"],
  ])("%s is refused", (_, text) => {
    expect(() => parseCsv(text, "t")).toThrow(expect.objectContaining({ code: "INVALID_DATASET" }));
  });
});

describe("datasets by id", () => {
  let directory = "";
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "datasets-"));
    await writeFile(join(directory, "sales.csv"), sales(60));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const itemOf = (id: string, demand: Fit): Item => ({
    item_id: id,
    tiers: { new: { current_price: 8, unit_cost: 3, demand } },
  });

  test.each(["unknown", "../sales", "sales.csv", "", "a/b"])("the id %p is refused", async (id) => {
    await expect(directoryDatasets([directory]).load(id)).rejects.toMatchObject({ code: "UNKNOWN_DATASET" });
  });

  test("a file that changed is read again", async () => {
    const source = directoryDatasets([directory]);
    await writeFile(join(directory, "grows.csv"), sales(40));
    expect((await source.load("grows")).rows).toBe(40);
    expect(await source.load("grows")).toBe(await source.load("grows"));
    await writeFile(join(directory, "grows.csv"), sales(41));
    await utimes(join(directory, "grows.csv"), 1, 1);
    expect((await source.load("grows")).rows).toBe(41);
  });

  test("DATASETS_DIR has to name directories that there are", () => {
    expect(() => datasetsUnder([directory, "/nowhere"].join(delimiter))).toThrow(
      "there is no directory /nowhere",
    );
  });

  test("the first directory with the file wins, and the sample comes last", async () => {
    const source = datasetsUnder([directory, tmpdir()].join(delimiter));
    expect((await source.load("sales")).rows).toBe(60);
    expect((await source.load("sample_scanner")).rows).toBeGreaterThan(1000);
  });

  test("`where` selects rows by text and by number, and equal fits are computed once", async () => {
    const source = directoryDatasets([directory]);
    const spec: Fit = { ...SPEC, where: { promo: 0, constant: "7" } };
    const { items } = await resolveItems([itemOf("A", spec), itemOf("B", spec)], source);
    const [a, b] = items.map((item) => item.tiers.new?.fit);
    expect(a?.n).toBeLessThan(60);
    expect(a).toBe(b);
  });

  test("a tier whose elasticity is not identified is held, with a warning that names item and tier", async () => {
    const spec: Fit = { ...SPEC, where: { promo: 1 } };
    const { items, warnings } = await resolveItems([itemOf("A", spec)], directoryDatasets([directory]));
    expect(items[0]?.tiers.new).toMatchObject({ held: true, fit: { identified: false } });
    expect(warnings).toEqual([expect.stringMatching(/^Item A, tier new: .* the current price is kept/)]);
  });

  test("errors have item, tier and dataset; a repeated item is refused", async () => {
    const source = directoryDatasets([directory]);
    await expect(resolveItems([itemOf("A", { ...SPEC, dataset: "none" })], source)).rejects.toMatchObject({
      code: "UNKNOWN_DATASET",
      details: { item_id: "A", tiers: ["new"], dataset: "none" },
    });
    await expect(resolveItems([itemOf("A", SPEC), itemOf("A", SPEC)], source)).rejects.toMatchObject({
      code: "INVALID_ITEM",
    });
  });
});

const JUICE = "orange_juice_scanner";
const juiceDirectory = (process.env.DATASETS_DIR ?? "")
  .split(delimiter)
  .find((directory) => directory !== "" && existsSync(join(directory, `${JUICE}.csv`)));

/** Compares with published estimates. Runs only if DATASETS_DIR has the data, which are not ours to share. */
(juiceDirectory === undefined ? describe.skip : describe)("the orange juice data", () => {
  test.each([
    ["tropicana", -2.71177, -2.29149],
    ["minute.maid", -3.32074, -2.36931],
    ["dominicks", -3.37753, -2.90339],
  ])("%s has the published elasticities", async (brand, plain, controlled) => {
    const source = directoryDatasets([juiceDirectory ?? ""]);
    const spec: Fit = { ...SPEC, dataset: JUICE, where: { brand }, quantity: "sales" };
    const tier = (demand: Fit) => ({ current_price: 2.5, unit_cost: 1, demand });
    const item = {
      item_id: "juice",
      tiers: { new: tier(spec), repair: tier({ ...spec, controls: ["feat"] }) },
    };
    const { items } = await resolveItems([item], source);
    expect(Math.abs((items[0]?.tiers.new?.fit?.elasticity ?? 0) - plain)).toBeLessThan(1e-4);
    expect(Math.abs((items[0]?.tiers.repair?.fit?.elasticity ?? 0) - controlled)).toBeLessThan(1e-4);
  });

  test.each([
    ["all brands", undefined, 3.87],
    ["tropicana", { brand: "tropicana" }, 3.87],
    ["minute.maid", { brand: "minute.maid" }, 3.17],
    ["dominicks", { brand: "dominicks" }, 2.69],
  ])(
    "%s: the price stays within those seen, on an elasticity that predicts held-out rows",
    async (_, where, most) => {
      const demand: Fit = { ...SPEC, dataset: JUICE, quantity: "sales", ...(where && { where }) };
      const item = { item_id: "juice", tiers: { new: { current_price: 2.28, unit_cost: 1.2, demand } } };
      const { items } = await resolveItems([item], directoryDatasets([juiceDirectory ?? ""]));
      const [one] = items;
      if (one === undefined) throw new Error("the item was not resolved");
      const tier = proposeItem(one, makeSettings()).tiers.new;
      expect(tier?.demand_model).toMatchObject({
        identified: true,
        fixed_effects: where ? [] : ["brand"],
        validation: { predictive_r2: expect.any(Number) },
      });
      expect(tier?.demand_model.validation?.predictive_r2).toBeGreaterThan(0.1);
      expect(tier?.price).toBeLessThanOrEqual(most);
    },
  );
});

function inner(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

/** A'B of two matrices with equally many rows. */
function gram(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number[][] {
  const columns = (table: readonly (readonly number[])[]) =>
    (table[0] ?? []).map((_, j) => table.map((row) => row[j] ?? 0));
  return columns(a).map((left) => columns(b).map((right) => inner(left, right)));
}

/** The inverse of a matrix, by Gauss-Jordan elimination without pivoting. */
function invert(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => (i === j ? 1 : 0))]);
  for (let i = 0; i < size; i++) {
    const pivot = (rows[i] ?? []).map((value) => value / (rows[i]?.[i] ?? 1));
    rows[i] = pivot;
    for (let k = 0; k < size; k++) {
      const factor = rows[k]?.[i] ?? 0;
      if (k !== i) rows[k] = (rows[k] ?? []).map((value, j) => value - factor * (pivot[j] ?? 0));
    }
  }
  return rows.map((row) => row.slice(size));
}
