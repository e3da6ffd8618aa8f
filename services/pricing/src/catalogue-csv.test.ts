import { describe, expect, test } from "@jest/globals";
import { type CatalogueOrder, readCatalogue } from "./catalogue-csv.ts";
import { formatFor } from "./format.ts";

const read = (csv: string, more: Omit<CatalogueOrder, "csv"> = {}) =>
  readCatalogue({ csv, ...more }, formatFor({ language: "en" }));

test("columns are told by their names, and it is said which, and which are not used", () => {
  const reading = read(
    "SKU,Grade,List Price,Cost,Units sold,Elasticity,Colour\nA-1,basic,9,5.5,1400,-2.9,red\nA-1,plus,12,6.5,900,-2.4,red\nB-2,plus,20,8,100,-3,\n",
  );
  expect(reading.inputs.tier_order).toEqual(["plus", "basic"]);
  expect(reading.inputs.items.map(({ item_id }) => item_id)).toEqual(["A-1", "B-2"]);
  expect(reading.inputs.items[0]?.tiers.plus).toEqual({
    current_price: 12,
    unit_cost: 6.5,
    demand: { model: "constant_elasticity", reference_price: 12, reference_quantity: 900, elasticity: -2.4 },
  });
  expect(reading).toMatchObject({ unused: ["Colour"], rows: 3 });
  expect(reading.summary).toBe(
    "Read 3 rows of 2 items: SKU → item_id, Grade → tier, List Price → current_price, Cost → unit_cost, Units sold → quantity, " +
      "Elasticity → elasticity. Not used: Colour. Tiers, the dearest first: plus, basic.",
  );
});

test("columns that are named count, and so does an elasticity for all rows, which is said", () => {
  const { summary, inputs } = read("code,p,c,q\nA,12,6,900\n", {
    columns: { item_id: "code", current_price: "p", unit_cost: "c", quantity: "q" },
    elasticity: -2,
  });
  expect(summary).toContain("p → current_price");
  expect(summary).toMatch(/Assumed for all: elasticity -2\.$/);
  expect(inputs.items[0]?.tiers.standard?.demand).toMatchObject({ elasticity: -2 });
});

describe("nothing is skipped: the catalogue is refused", () => {
  const GOOD = "sku,price,cost,units,elasticity\nA,12,6,900,-2\n";
  test.each([
    [
      "a column that is missing",
      "sku,price,units,elasticity\nA,1,2,-2\n",
      {},
      "no column is for unit_cost; the columns are sku, price, units, elasticity.",
    ],
    ["no elasticity", "sku,price,cost,units\nA,1,1,2\n", {}, 'or give one for all rows: {"elasticity": -2}'],
    [
      "a column that is named and is not there",
      GOOD,
      { columns: { name: "title" } },
      "there is no column for name of that name; the columns are sku, ",
    ],
    [
      "an empty cell",
      "sku,price,cost,units,elasticity\nA,12,,900,-2\n",
      {},
      "row 2: cost (unit_cost) is empty",
    ],
    [
      "a text",
      `${GOOD}B,dear,6,900,-2\n`,
      {},
      "row 3: price (current_price) is a text, and must be a number",
    ],
    [
      "a decimal comma",
      `${GOOD}B,"12,5",6,900,-2\n`,
      {},
      "row 3: price (current_price) is a number with a decimal comma",
    ],
    [
      "thousands",
      `${GOOD}B,"1,200",6,900,-2\n`,
      {},
      "row 3: price (current_price) is a number with thousands separators or a unit",
    ],
    ["a price of nothing", `${GOOD}B,0,6,900,-2\n`, {}, "row 3: price (current_price) must be above 0"],
    ["an elasticity above 0", `${GOOD}B,1,1,900,2\n`, {}, "row 3: the elasticity must be below 0"],
    ["a tier twice", `${GOOD}A,1,1,900,-2\n`, {}, "row 3: its item has that tier in an earlier row"],
    ["no rows", "sku,price,cost,units,elasticity\n", {}, "there are no rows below the header"],
  ])("for %s", (_what, csv, more, problem) => {
    expect(() => read(csv, more)).toThrow(
      expect.objectContaining({ code: "INVALID_CATALOGUE", message: expect.stringContaining(problem) }),
    );
  });

  test("with all problems counted, and no value of a cell", () => {
    const rows = Array.from({ length: 104 }, (_, row) => `I-${row},secret,1,1,-2`).join("\n");
    const refusal = expect.objectContaining({
      message: expect.stringMatching(
        /^The catalogue cannot be read: 104 problems in 104 rows: row 2: price \(current_price\) is a text(?!.*secret).*; and 84 more\.$/,
      ),
    });
    expect(() => read(`sku,price,cost,units,elasticity\n${rows}\n`)).toThrow(refusal);
  });
});
