import { describe, expect, test } from "@jest/globals";
import type { Move } from "../explanation-types.ts";
import { formatFor } from "../format.ts";
import { policyCheck } from "../policy.ts";
import { standardRulePack } from "../rule-pack.ts";
import type { ResolvedTier } from "../types.ts";
import { waterfallPicture } from "./bars.ts";
import { demandCurve, profitCurve } from "./curves.ts";
import { artifactOf, MOST_PICTURED, pictureIn, policyPictures } from "./index.ts";

const tier: ResolvedTier = {
  current_price: 10,
  unit_cost: 6,
  demand: {
    model: "constant_elasticity",
    reference_price: 10,
    reference_quantity: 100,
    elasticity: -3,
    elasticity_se: 0.5,
  },
};
const parts = {
  ...{ name: "pump, new", tier, proposed: 9, points: [], currency: "EUR" },
  range: { low: 8.5, high: Number.POSITIVE_INFINITY },
};

/** Everything under a name, at any depth. */
function all(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...all(member, name),
  ]);
}

function rowsWith(picture: unknown, ...fields: string[]): Record<string, number>[] {
  const rows = all(picture, "values").flatMap((values) => (Array.isArray(values) ? values : []));
  return rows.filter((row) => fields.every((field) => field in row));
}

describe("curves", () => {
  test("have the demand and the profit of the model, with the 95% interval of the elasticity", () => {
    const units = rowsWith(demandCurve(parts), "units", "low");
    expect(units.length).toBeGreaterThan(50);
    for (const { price = 0, units: q, low, high } of units) {
      expect(q).toBeCloseTo(100 * (price / 10) ** -3, 8);
      const ends = [-1.959963984540054, 1.959963984540054].map((z) => 100 * (price / 10) ** (-3 + 0.5 * z));
      expect(low).toBeCloseTo(Math.min(...ends), 8);
      expect(high).toBeCloseTo(Math.max(...ends), 8);
    }
    for (const { price = 0, profit } of rowsWith(profitCurve(parts), "profit"))
      expect(profit).toBeCloseTo(100 * (price / 10) ** -3 * (price - 6), 8);
  });

  test("mark both prices and shade what the rules forbid, with units on the axes", () => {
    expect(rowsWith(profitCurve(parts), "which")).toEqual([
      { at: 10, which: "today's price" },
      { at: 9, which: "proposed price" },
    ]);
    expect(rowsWith(profitCurve(parts), "start", "end")).toEqual([
      { start: expect.closeTo(8.1, 9), end: 8.5 },
    ]);
    expect(all(profitCurve(parts), "title")).toContain("Profit per period (EUR)");
  });

  test("show where the forms of demand differ, and the best price by the estimates beside a safe step", () => {
    const form = { plausible: true, centre: 10, elasticity: -3, elasticity_se: 0.5, degrees_of_freedom: 90 };
    const doubtful = profitCurve({
      ...parts,
      tier: {
        ...tier,
        forms: [
          { ...form, form: "constant_elasticity" },
          { ...form, form: "linear" },
          { ...form, form: "semi_log", plausible: false },
        ],
      },
      full: { price: 8.6, periods: 24 },
    });
    const linear = rowsWith(doubtful, "price", "profit", "form");
    expect(new Set(linear.map((row) => String(row.form)))).toEqual(new Set(["if demand is linear"]));
    for (const { price = 0, profit } of linear)
      expect(profit).toBeCloseTo(100 * Math.max(0, 1 - 3 * (price / 10 - 1)) * (price - 6), 6);
    expect(rowsWith(doubtful, "which").map(({ at }) => at)).toEqual([10, 9, 8.6]);
    expect(JSON.stringify(doubtful)).toMatch(/test both prices in 24 periods/);
  });

  test("show at most 200 observed sales, and say of how many", () => {
    const points = Array.from({ length: 5000 }, (_, i) => ({ price: 8 + (i % 40) / 10, quantity: i % 150 }));
    const picture = demandCurve({ ...parts, points });
    expect(rowsWith(picture, "price", "units").filter((row) => !("low" in row)).length).toBeLessThanOrEqual(
      200,
    );
    expect(JSON.stringify(picture)).toMatch(/200 of 5000 observed sales/);
  });
});

test("a waterfall goes from today's outcome to the proposed one, and says where its axis starts", () => {
  const move: Move = {
    from: 1000,
    to: 1080,
    attributions: [
      { factor: "unit_cost", value: 100 },
      { factor: "gaps", value: -20 },
    ],
  };
  const picture = waterfallPicture("pump", move, "profit", undefined, formatFor());
  const rows = rowsWith(picture, "label", "start", "end").slice(0, 4);
  expect(rows.map(({ start, end }) => [start, end]).slice(1, 3)).toEqual([
    [1000, 1100],
    [1100, 1080],
  ]);
  expect(JSON.stringify(picture)).toMatch(/the axis starts at [\d.,]+, not at 0/);
});

test("a catalogue of 10,000 items has at most three ladders, which fit in an artifact", () => {
  const items = Array.from({ length: 10_000 }, (_, i) => ({
    item_id: `item-${i}`,
    tiers: { new: { current_price: 100 }, exchange: { current_price: 101 } },
  }));
  const pictures = policyPictures({ items }, policyCheck({ items }, standardRulePack));
  expect(pictures).toHaveLength(MOST_PICTURED);
  for (const one of pictures) {
    const artifact = artifactOf(one);
    expect(artifact.length).toBeLessThan(20_000);
    expect(pictureIn(artifact)).toEqual(one);
    expect(artifact).toMatch(/^data:application\/vnd\.vegalite\.v5\+json,/);
  }
  expect(pictureIn("report.pdf")).toBeUndefined();
});
