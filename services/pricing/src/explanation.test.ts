import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type ExplanationInputs, explainPrices } from "./explanation.ts";
import type { Factor, Move } from "./explanation-types.ts";
import { optimizeItem } from "./optimize-item.ts";
import { standardRulePack } from "./rule-pack.ts";
import { settingsFor } from "./settings.ts";
import type { ConstantElasticity, ResolvedItem, ResolvedTier } from "./types.ts";

function elastic(elasticity: number, reference_price: number, reference_quantity = 100): ConstantElasticity {
  return {
    model: "constant_elasticity",
    reference_price,
    reference_quantity,
    elasticity,
  };
}

function tier(
  current_price: number,
  unit_cost: number,
  elasticity: number,
  extra: Partial<ResolvedTier> = {},
): ResolvedTier {
  return {
    current_price,
    unit_cost,
    demand: elastic(elasticity, current_price),
    ...extra,
  };
}

function item(tiers: Record<string, ResolvedTier>, item_id = "pump"): ResolvedItem {
  return { item_id, tiers };
}

function explain(inputs: ExplanationInputs) {
  return explainPrices(inputs, standardRulePack);
}

function part(move: Move | undefined, factor: Factor) {
  return move?.attributions.find((one) => one.factor === factor)?.value;
}

function gap({ from, to, attributions }: Move) {
  return (
    Math.abs(attributions.reduce((sum, { value }) => sum + value, 0) - (to - from)) /
    Math.max(Math.abs(from), Math.abs(to))
  );
}

describe("an explanation", () => {
  test("of a single tier attributes the whole move to elasticity, because the implied cost is the actual one", () => {
    const { items } = explain({ items: [item({ new: tier(100, 50, -3) })], price_increment: 0 });
    const price = items[0]?.tiers.new?.price;
    expect(price?.to).toBeCloseTo(75, 9);
    expect(price?.attributions).toMatchObject([
      { factor: "unit_cost", baseline: 50, actual: 50 },
      { factor: "elasticity", baseline: -2, actual: -3 },
    ]);
    expect(part(price, "unit_cost")).toBeCloseTo(0, 9);
    expect(part(price, "elasticity")).toBeCloseTo(-25, 9);
  });

  test("of unlinked tiers matches the two-factor closed form φ_cost = ½(c − c₀)(µ₀ + µ), φ_elasticity = ½(µ − µ₀)(c₀ + c)", () => {
    const pump = item({ new: tier(200, 90, -2.5), exchange: tier(100, 60, -1.8) });
    const { items } = explain({ items: [pump], enforce: [], price_increment: 0 });
    const µ0 = 300 / 150;
    for (const [name, p, c, e] of [
      ["new", 200, 90, -2.5],
      ["exchange", 100, 60, -1.8],
    ] as const) {
      const µ = e / (1 + e);
      const price = items[0]?.tiers[name]?.price;
      expect(part(price, "unit_cost")).toBeCloseTo(0.5 * (c - p / µ0) * (µ0 + µ), 8);
      expect(part(price, "elasticity")).toBeCloseTo(0.5 * (µ - µ0) * (p / µ0 + c), 8);
      expect(part(price, "demand_level")).toBeCloseTo(0, 8);
      expect(price?.to).toBeCloseTo(c * µ, 8);
    }
  });

  test("attributes the effect of a binding rule, with its shadow price", () => {
    const pump = item({ new: tier(100, 50, -1.5) });
    const { items, summary, trace } = explain({ items: [pump], max_change_pct: 0.1 });
    const { price, binding, narrative } = items[0]?.tiers.new ?? {};
    expect(price?.to).toBe(110);
    // v(none) = 100, v(elasticity) = 150, v(rule) = 100, v(both) = 110.
    expect(part(price, "elasticity")).toBeCloseTo((50 + 10) / 2, 6);
    expect(part(price, "max_change")).toBeCloseTo((10 - 50) / 2, 6);
    // d/dp (p − 50)·100·(p/100)^−1.5 at 110
    const slope = 100 * 1.1 ** -1.5 * (1 - 1.5 * (60 / 110));
    expect(binding).toEqual([{ constraint: "max_change_up", shadow_price: expect.closeTo(slope, 3) }]);
    expect(narrative).toBe(
      "new moves from 100.00 today to 110.00 (+10%). Price sensitivity, against the one that today's prices imply (−1.5 against −2), adds 30.00; the maximum change, against no limit, takes off 20.00. The maximum change upwards binds: room of 1% of the price would add about 17.34 to profit per period.",
    );
    expect(summary).toMatch(
      /^pump: profit per period moves from 5,000\.00 at today's prices to 5,200\.71 \(\+4\.01%\): \+322\.01 from price sensitivity, against the one that today's prices imply/,
    );
    expect(trace.map(({ step }) => step)).toEqual([
      "optimize",
      "select",
      "compare",
      "baseline",
      "attribute",
      "bind",
    ]);
  });

  test("of tiers linked by a binding gap has a demand level factor and names the gap", () => {
    const pump = item({
      new: tier(100, 70, -3.5, { demand: elastic(-3.5, 100, 10) }),
      exchange: tier(97, 70, -2.5, { demand: elastic(-2.5, 97, 500) }),
    });
    const { items } = explain({ items: [pump], segment: "budget" } as ExplanationInputs);
    const explained = items[0]?.tiers;
    expect(explained?.new?.binding[0]?.constraint).toBe("gap:new>exchange");
    expect(Math.abs(part(explained?.new?.price, "demand_level") ?? 0)).toBeGreaterThan(0.1);
    expect(explained?.new?.narrative).toContain(
      "The minimum gap between new and exchange binds: one percentage point less",
    );
  });

  test("discloses the convention that it rests on, where a case has no best price", () => {
    const bounded = tier(100, 50, -0.5, { bounds: { max: 120 } });
    const { items, summary } = explain({ items: [item({ new: bounded })] });
    // Without its bound, the inelastic tier has no best price in the cases with its actual elasticity.
    expect(items[0]?.convention).toEqual({ cases: 2, of: 6, multiple: 10, open_multiple: 2 });
    expect(summary).toContain("The attribution of 1 item rests on a convention");
    const elasticTier = explain({ items: [item({ new: tier(100, 50, -2) })] });
    expect(elasticTier.items[0]?.convention).toBeUndefined();
  });

  test("says why a held tier does not move", () => {
    const pump = item({ new: tier(100, 50, 0.4, { held: true }), exchange: tier(80, 50, -3) });
    const { items, trace } = explain({ items: [pump] });
    const held = items[0]?.tiers.new;
    expect(held).toMatchObject({ held: true, price: { from: 100, to: 100 }, binding: [] });
    expect(held?.price.attributions.every(({ value }) => value === 0)).toBe(true);
    expect(held?.narrative).toBe(
      "new stays at 100.00: it is held, because the data do not tell how demand answers to its price.",
    );
    expect(trace[0]?.detail).toContain("1 of their tiers held");
  });

  test("with revenue as the objective has an `objective` factor and explains revenue too", () => {
    const pump = item({ new: tier(100, 50, -3, { bounds: { min: 80 } }) });
    const { items, summary } = explain({ items: [pump], objective: "revenue" });
    expect(items[0]?.tiers.new?.price.to).toBe(80);
    expect(part(items[0]?.tiers.new?.price, "objective")).toBeLessThan(0);
    expect(part(items[0]?.tiers.new?.price, "bounds")).toBeGreaterThan(0);
    expect(items[0]?.revenue).toMatchObject({ from: 10_000, to: expect.closeTo(80 * 100 * 0.8 ** -3, 6) });
    expect(summary).toContain("revenue per period moves");
  });
});

describe("a proposal", () => {
  const pump = item({ new: tier(100, 50, -3), exchange: tier(90, 50, -3) });
  const proposed = (prices: Record<string, number>) => [
    {
      item_id: "pump",
      tiers: Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, { price }])),
    },
  ];

  test("equal to the optimum has the optimum's explanation", () => {
    const optimum = explain({ items: [pump] });
    const prices = Object.fromEntries(
      Object.entries(optimum.items[0]?.tiers ?? {}).map(([name, { price }]) => [name, price.to]),
    );
    expect(explain({ items: [pump], proposed: proposed(prices) }).items).toEqual(optimum.items);
  });

  test("different from the optimum has the difference as `policy_repair` if it repairs the optimum, else as `proposal`", () => {
    // Without ordering and gaps both tiers have the optimal price 75.
    const repair = explain({
      items: [pump],
      enforce: ["bounds"],
      proposed: proposed({ new: 77, exchange: 74.5 }),
    });
    expect(part(repair.items[0]?.tiers.new?.price, "policy_repair")).toBeCloseTo(2, 9);
    expect(part(repair.items[0]?.tiers.exchange?.price, "policy_repair")).toBeCloseTo(-0.5, 9);
    const choice = explain({ items: [pump], proposed: proposed({ NEW: 120 }) });
    expect(part(choice.items[0]?.tiers.new?.price, "proposal")).toBeGreaterThan(40);
    expect(choice.items[0]?.tiers.exchange?.price).toMatchObject({ from: 90, to: 90 });
    expect(gap(choice.items[0]?.tiers.new?.price ?? { from: 0, to: 1, attributions: [] })).toBeLessThan(1e-9);
  });

  test("is refused for an unknown item or tier", () => {
    expect(() => explain({ items: [pump], proposed: [{ item_id: "other", tiers: {} }] })).toThrow(
      /not among the items/,
    );
    expect(() => explain({ items: [pump], proposed: proposed({ usm: 1 }) })).toThrow(/does not have/);
    expect(() => explain({ items: [pump, pump] })).toThrow(/occurs twice/);
  });
});

describe("with max_items", () => {
  test("the items whose profit moves most are explained in request order, and the others are counted", () => {
    const items = [75, 60, 100, 74].map((price, i) => item({ new: tier(price, 50, -3) }, `item-${i}`));
    const { items: explained, omitted, summary } = explain({ items, max_items: 2 });
    expect(explained.map(({ item_id }) => item_id)).toEqual(["item-1", "item-2"]);
    expect(omitted).toBe(2);
    expect(summary).toContain("2 items explained: against today's prices profit per period changes by +");
    expect(summary).toContain("2 further items move profit less and are not explained.");
  });
});

describe("efficiency: the attributions sum to the move", () => {
  const tierNames = ["new", "exchange", "repair", "usm"];
  const share = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const elasticTiers = fc.array(
    fc.record({
      price: share(10, 200),
      cost: fc.oneof(fc.constant(0), share(0.01, 1.3)),
      elasticity: share(-6, -0.5),
      quantity: share(1, 1000),
      floor: share(0.3, 1),
      ceiling: share(1, 3),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const inputs = fc.record(
    {
      max_change_pct: fc.constantFrom(0.05, 0.2, 0.6),
      objective: fc.constantFrom("profit" as const, "revenue" as const),
      price_increment: fc.constantFrom(0, 0.01, 1),
      thresholds: fc.constantFrom({ default: 0.05 }, { new_exchange: 0.1 }),
    },
    { requiredKeys: ["price_increment"] },
  );

  const sums = (given: ExplanationInputs) => {
    let explained: ReturnType<typeof explain>;
    try {
      explained = explain(given);
    } catch {
      return false; // Infeasible and unbounded items have no recommendation to explain.
    }
    for (const { tiers, profit, revenue } of explained.items) {
      for (const move of [profit, ...(revenue ? [revenue] : [])]) expect(gap(move)).toBeLessThan(1e-9);
      for (const { price } of Object.values(tiers)) expect(gap(price)).toBeLessThan(1e-9);
      const settings = settingsFor(given, standardRulePack);
      const optimum = optimizeItem(given.items[0] as ResolvedItem, settings);
      for (const [name, { price }] of Object.entries(tiers))
        expect(price.to).toBe(optimum.tiers[name]?.price);
    }
    return true;
  };

  test("holds to 1e-9 relative for elastic and inelastic demand, prices below cost, any objective and rules", () => {
    let explained = 0;
    fc.assert(
      fc.property(elasticTiers, inputs, fc.boolean(), (tiers, given, bounded) => {
        const all = tiers
          .sort((a, b) => b.price - a.price)
          .map((t, i) => {
            const bounds = bounded ? { bounds: { min: t.price * t.floor, max: t.price * t.ceiling } } : {};
            const demand = elastic(t.elasticity, t.price * 0.9, t.quantity);
            return [tierNames[i], tier(t.price, t.cost * t.price, t.elasticity, { demand, ...bounds })];
          });
        if (sums({ ...given, items: [item(Object.fromEntries(all))] })) explained++;
      }),
      { numRuns: 150 },
    );
    expect(explained).toBeGreaterThan(50);
  });

  test("holds where one of the worlds that are compared has a demand so steep that its weights overflow", () => {
    const logit = (current_price: number, unit_cost: number, intercept: number): ResolvedTier => ({
      current_price,
      unit_cost,
      demand: { model: "logit", market_size: 1000, intercept, price_coefficient: 0.05 },
    });
    const steep = item({ new: logit(20, 0, -1), exchange: logit(5, 4.95, 3) });
    expect(sums({ items: [steep], price_increment: 0 })).toBe(true);
  });

  test("holds for logit demand", () => {
    const logitTiers = fc.array(fc.tuple(share(5, 20), share(0, 0.99), share(0.05, 0.6), share(-1, 3)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(logitTiers, inputs, (tiers, given) => {
        const all = tiers
          .sort(([a], [b]) => b - a)
          .map(([price, cost, price_coefficient, intercept], i) => {
            const demand = { model: "logit" as const, market_size: 1000, intercept, price_coefficient };
            return [tierNames[i], { current_price: price, unit_cost: cost * price, demand }];
          });
        sums({ ...given, items: [item(Object.fromEntries(all))] });
      }),
      { numRuns: 60 },
    );
  });
});

describe("limits that come with the data", () => {
  const sumOf = ({ attributions }: Move) => attributions.reduce((sum, { value }) => sum + value, 0);
  const shareOf = ({ attributions }: Move, factor: Factor) =>
    attributions.find((one) => one.factor === factor)?.value;

  test("the observed range has the share that two orders of arrival give it", () => {
    const fit = {
      n: 200,
      dropped_rows: 0,
      identified: true,
      controls: [],
      estimator: "ols",
      estimator_reason: "every row has sales",
      zero_rows: 0,
      fixed_effects: [],
      observed_range: { low: 8, high: 12 },
    } as const;
    const one = item({ new: tier(10, 5, -1.25, { fit: { ...fit, controls: [], fixed_effects: [] } }) });
    const { items } = explain({ items: [one], price_increment: 0 });
    const move = items[0]?.tiers.new?.price;
    if (move === undefined) throw new Error("no move");
    // Alone the range changes nothing; with the actual elasticity it takes 5·1.25/0.25 = 25 to 12.
    expect(move.to).toBe(12);
    expect(shareOf(move, "observed_range")).toBeCloseTo((12 - 25) / 2, 9);
    expect(shareOf(move, "elasticity")).toBeCloseTo((25 - 10 + (12 - 10)) / 2, 9);
    expect(sumOf(move)).toBeCloseTo(2, 9);
    const free = explain({ items: [one], price_increment: 0, extrapolate: true });
    expect(free.items[0]?.tiers.new?.price.attributions.map(({ factor }) => factor)).not.toContain(
      "observed_range",
    );
  });

  test("caution about substitution takes off what it keeps tiers from moving", () => {
    const tiers = { new: tier(100, 60, -1.8), exchange: tier(70, 40, -3) };
    const substitution = {
      model: "none",
      basis: "assumed",
      reason: "few occasions",
      diversion: 0.8,
    } as const;
    const inputs = { price_increment: 0, enforce: [] };
    const free = explain({ items: [item(tiers)], ...inputs }).items[0]?.tiers;
    const cautious = explain({ items: [{ ...item(tiers), substitution }], ...inputs }).items[0]?.tiers;
    for (const name of ["new", "exchange"] as const) {
      const [without, move] = [free?.[name]?.price, cautious?.[name]?.price];
      if (without === undefined || move === undefined) throw new Error("no move");
      expect(shareOf(without, "substitution")).toBeUndefined();
      expect(sumOf(move)).toBeCloseTo(move.to - move.from, 9);
      const held = move.to - without.to;
      expect(Math.sign(shareOf(move, "substitution") ?? 0)).toBe(Math.sign(held));
      expect(Math.abs(shareOf(move, "substitution") ?? 0)).toBeLessThanOrEqual(Math.abs(held) + 1e-9);
    }
  });
});
