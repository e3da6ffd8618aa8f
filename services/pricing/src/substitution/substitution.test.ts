import { describe, expect, test } from "@jest/globals";
import { parseCsv } from "../csv.ts";
import { evaluateItem, logitDemand, totalOutcome } from "../demand.ts";
import { normalQuantile } from "../normal.ts";
import { optimizeItem } from "../optimize-item.ts";
import { proposeItem } from "../proposal.ts";
import { itemResolver } from "../resolve.ts";
import { makeRng } from "../rng.ts";
import { makeSettings } from "../settings.ts";
import type { Item, Logit, ResolvedItem, Substitution } from "../types.ts";

const NAMES = ["new", "exchange", "repair"];
const LEVELS = [100, 80, 60];
const settings = makeSettings({ increment: 0 });

/** Sales of three tiers in 120 weeks, under the given demand. */
function salesOf(
  demand: (prices: readonly number[]) => readonly number[],
  header = "week,tier,price,quantity",
) {
  const rng = makeRng(9, "tiers");
  const normal = () => normalQuantile(rng());
  const lines = [header];
  for (let week = 1; week <= 120; week++) {
    const prices = LEVELS.map((level) => level * Math.exp(0.15 * normal()));
    demand(prices).forEach((units, i) => {
      lines.push([week, NAMES[i], prices[i], units * Math.exp(0.05 * normal())].join(","));
    });
  }
  return lines.join("\n");
}

function itemOf(substitution?: Substitution): Item {
  const tiers = NAMES.map((name, i) => [
    name,
    {
      current_price: LEVELS[i] ?? 0,
      unit_cost: (LEVELS[i] ?? 0) * 0.6,
      demand: {
        model: "fit",
        dataset: "sales",
        where: { tier: name },
        price: "price",
        quantity: "quantity",
        ...(substitution && { substitution }),
      },
    },
  ]);
  return { item_id: "pump", tiers: Object.fromEntries(tiers) };
}

async function resolved(csv: string, substitution?: Substitution) {
  return itemResolver({ load: async (id) => parseCsv(csv, id) })(itemOf(substitution));
}

const models: Logit[] = [4, 3, 2.2].map((intercept) => ({
  model: "logit",
  market_size: 500,
  intercept,
  price_coefficient: 0.05,
}));
const logit = (prices: readonly number[]) => logitDemand(models, prices);
const ELASTICITIES = [
  [-3, 0.8, 0.4],
  [0.7, -3.2, 0.6],
  [0.3, 0.5, -2.8],
];
const cross = (prices: readonly number[]) =>
  ELASTICITIES.map((row) =>
    row.reduce((units, elasticity, j) => units * ((prices[j] ?? 0) / (LEVELS[j] ?? 1)) ** elasticity, 50),
  );
const apart = (prices: readonly number[]) =>
  prices.map((price, i) => 50 * (price / (LEVELS[i] ?? 1)) ** -(2.2 + 0.4 * i));

describe("how tiers take sales from each other", () => {
  test("a warning says that rows that sold out are taken as they are", async () => {
    const [header, ...rows] = salesOf(logit).split("\n");
    const limit = 120;
    const capped = rows.map((row) => {
      const cells = row.split(",");
      return [...cells.slice(0, 3), Math.min(limit, Number(cells[3])), limit].join(",");
    });
    const { item, warnings } = await resolved([`${header},stock`, ...capped].join("\n"), "logit");
    expect(item.joint?.model).toBe("logit");
    expect(warnings.join()).toMatch(/some rows sold out, and the fit of its tiers together/);
    const open = await resolved([`${header},stock`, ...rows.map((row) => `${row},9999`)].join("\n"), "logit");
    expect(open.warnings.join()).not.toMatch(/sold out/);
  });

  test.each([
    ["logit", logit],
    ["cross_price", cross],
    ["none", apart],
  ])("%s is found where it is true, by what predicts held-out weeks", async (model, demand) => {
    const { item } = await resolved(salesOf(demand));
    expect(item.substitution).toMatchObject({ model, basis: "held_out", occasions: 120 });
  });

  test("a logit recovers slope and market, and prices near the true optimum", async () => {
    const { item } = await resolved(salesOf(logit));
    const demand = item.tiers.new?.demand;
    expect(demand).toMatchObject({ model: "logit", price_coefficient: expect.closeTo(0.05, 2) });
    const truth: ResolvedItem = {
      ...item,
      tiers: Object.fromEntries(
        NAMES.map((name, i) => [
          name,
          {
            current_price: LEVELS[i] ?? 0,
            unit_cost: (LEVELS[i] ?? 0) * 0.6,
            demand: models[i] ?? logitModel(),
          },
        ]),
      ),
    };
    const profit = (prices: Record<string, number>) => totalOutcome(evaluateItem(truth, prices)).profit;
    const ours = pricesOf(optimizeItem(item, settings));
    const best = pricesOf(optimizeItem(truth, settings));
    expect(profit(ours) / profit(best)).toBeGreaterThan(0.995);
  });

  test("with cross-price effects the optimum is that of a search over all prices", async () => {
    const { item } = await resolved(salesOf(cross), "cross_price");
    expect(item.tiers.new?.demand).toMatchObject({
      elasticity: expect.closeTo(-3, 0),
      cross: { repair: expect.any(Number) },
    });
    const free = makeSettings({ increment: 0, enforce: [] });
    const ours = optimizeItem(item, free);
    const start = ours.objective.unrounded;
    for (const name of NAMES) {
      const prices = pricesOf(ours);
      for (const factor of [0.98, 0.999, 1.001, 1.02]) {
        const moved = { ...prices, [name]: (prices[name] ?? 0) * factor };
        const range = item.tiers[name]?.fit?.observed_range;
        if (range && ((moved[name] ?? 0) < range.low || (moved[name] ?? 0) > range.high)) continue;
        expect(totalOutcome(evaluateItem(item, moved)).profit).toBeLessThanOrEqual(start * (1 + 1e-9));
      }
    }
  });
});

describe("where the data cannot tell", () => {
  const unmatched = salesOf(logit).replaceAll(/^[^,]+,/gm, "");

  test("independence is said in the answer, and no price loses under plausible diversion", async () => {
    const { item, warnings } = await resolved(unmatched);
    expect(item.substitution).toMatchObject({ model: "none", basis: "assumed", diversion: 0.8 });
    expect(warnings).toEqual([expect.stringMatching(/^Item pump: its tiers are assumed to be independent/)]);
    const proposal = proposeItem(item, settings, warnings);
    const prices = Object.fromEntries(
      Object.entries(proposal.tiers).map(([name, { price }]) => [name, price]),
    );
    const truth = (at: Record<string, number>) =>
      logit(NAMES.map((name, i) => at[name] ?? LEVELS[i] ?? 0)).reduce(
        (sum, units, i) => sum + units * ((at[NAMES[i] ?? ""] ?? LEVELS[i] ?? 0) - 0.6 * (LEVELS[i] ?? 0)),
        0,
      );
    expect(truth(prices)).toBeGreaterThanOrEqual(truth({}));
  });

  test("independence that was asked for has no limits", async () => {
    const { item, warnings } = await resolved(unmatched, "none");
    expect(item.substitution).toMatchObject({ model: "none", basis: "requested" });
    expect(warnings).toEqual([]);
    expect(Object.values(optimizeItem(item, settings).tiers).some(({ change_pct }) => change_pct !== 0)).toBe(
      true,
    );
  });
});

function pricesOf({ tiers }: { tiers: Record<string, { price: number }> }): Record<string, number> {
  return Object.fromEntries(Object.entries(tiers).map(([name, { price }]) => [name, price]));
}

function logitModel(): Logit {
  return { model: "logit", market_size: 500, intercept: 0, price_coefficient: 0.05 };
}
