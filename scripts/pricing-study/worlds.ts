import type { Item } from "@interlock/pricing";
import type { Draw } from "./draw.ts";

/** A simulated market: what an analyst would have, and what only the simulation knows. */
export type World = {
  readonly csv: string;
  readonly item: Item;
  /** Profit per period at these prices, under the true demand. */
  profit(prices: Readonly<Record<string, number>>): number;
  /** Prices with the largest true profit. */
  readonly oracle: Readonly<Record<string, number>>;
  /** The true elasticity, if the demand has one. */
  readonly elasticity?: number;
};

export type WorldKind = {
  /** The row of the table of methods that it belongs to. */
  readonly row: number;
  readonly name: string;
  readonly worlds: number;
  make(draw: Draw): World;
};

const COST = 60;
const ELASTICITY = -2.5;
const fit = { model: "fit", dataset: "sales", price: "price", quantity: "quantity" } as const;

/** One tier with constant elasticity, sold today at a price drawn around the best one. */
function oneTier(draw: Draw, csv: string, level: number): World {
  const best = (COST * ELASTICITY) / (1 + ELASTICITY);
  const current_price = best * Math.exp(0.2 * draw.normal());
  return {
    csv,
    item: { item_id: "item", tiers: { new: { current_price, unit_cost: COST, demand: fit } } },
    profit: ({ new: price = current_price }) => level * (price / 100) ** ELASTICITY * (price - COST),
    oracle: { new: best },
    elasticity: ELASTICITY,
  };
}

function table(header: string, rows: readonly (readonly number[])[]): string {
  return [header, ...rows.map((row) => row.join(","))].join("\n");
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** A series with autocorrelation 0.8 and variance 1. */
function persistent(draw: Draw, length: number): number[] {
  let value = draw.normal();
  return range(length).map(() => {
    value = 0.8 * value + 0.6 * draw.normal();
    return value;
  });
}

const effect = (price: number) => ELASTICITY * Math.log(price / 100);

const counts: WorldKind = {
  row: 1,
  name: "counts of mean 1, many of them 0",
  worlds: 300,
  make(draw) {
    const rows = range(200).map(() => {
      const price = 100 * Math.exp(0.25 * draw.normal());
      return [price, draw.poisson(Math.exp(effect(price)))];
    });
    return oneTier(draw, table("price,quantity", rows), 1);
  },
};

const independentRows: WorldKind = {
  row: 2,
  name: "independent rows",
  worlds: 400,
  make(draw) {
    const rows = range(100).map(() => {
      const price = 100 * Math.exp(0.2 * draw.normal());
      return [price, 50 * Math.exp(effect(price) + 0.4 * draw.normal())];
    });
    return oneTier(draw, table("price,quantity", rows), 50);
  },
};

const autocorrelated: WorldKind = {
  row: 2,
  name: "104 weeks, AR(0.8)",
  worlds: 400,
  make(draw) {
    const prices = persistent(draw, 104);
    const shocks = persistent(draw, 104);
    const rows = prices.map((x, week) => {
      const price = 100 * Math.exp(0.2 * x);
      return [week + 1, price, 50 * Math.exp(effect(price) + 0.4 * (shocks[week] ?? 0))];
    });
    return oneTier(draw, table("week,price,quantity", rows), 50);
  },
};

const panel: WorldKind = {
  row: 2,
  name: "20 stores × 50 weeks",
  worlds: 200,
  make(draw) {
    const rows = range(20).flatMap((store) => {
      const [habit, size] = [draw.normal(), draw.normal()];
      const shocks = persistent(draw, 50);
      return range(50).map((week) => {
        const price = 100 * Math.exp(0.15 * habit + 0.1 * draw.normal());
        const quantity = 50 * Math.exp(effect(price) + 0.6 * size + 0.2 * (shocks[week] ?? 0));
        return [store + 1, week + 1, price, quantity];
      });
    });
    return oneTier(draw, table("store,week,price,quantity", rows), 50);
  },
};

/** Linear demand, seen in a narrow range of prices: a constant elasticity fits there, and nowhere else. */
const narrow: WorldKind = {
  row: 3,
  name: "linear demand, prices seen ±10%",
  worlds: 300,
  make(draw) {
    const demand = (price: number) => Math.max(0, 100 * (1 - price / 5));
    const rows = range(150).map(() => {
      const price = 2.6 * Math.exp(0.05 * draw.normal());
      return [price, demand(price) * Math.exp(0.05 * draw.normal())];
    });
    const cost = 1.5;
    const current_price = 2.6;
    return {
      csv: table("price,quantity", rows),
      item: { item_id: "item", tiers: { new: { current_price, unit_cost: cost, demand: fit } } },
      profit: ({ new: price = current_price }) => demand(price) * (price - cost),
      oracle: { new: (5 + cost) / 2 },
    };
  },
};

const TIERS = [
  { name: "new", quality: 4.2, cost: 60 },
  { name: "exchange", quality: 3.2, cost: 45 },
  { name: "repair", quality: 2.4, cost: 35 },
] as const;
const SLOPE = 0.045;
const MARKET = 400;

/** Tiers that take buyers from each other by a logit; today's prices scatter around the best ones. */
function substitutes(occasions: number, weeks: boolean): Pick<WorldKind, "make"> {
  const sold = (prices: readonly number[]) => {
    const weights = TIERS.map(({ quality }, i) => Math.exp(quality - SLOPE * (prices[i] ?? 0)));
    const total = 1 + weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => (MARKET * weight) / total);
  };
  const profitAt = (prices: readonly number[]) =>
    sold(prices).reduce((sum, units, i) => sum + units * ((prices[i] ?? 0) - (TIERS[i]?.cost ?? 0)), 0);
  // All tiers share the best margin m, which solves m = 1 / (b·outside share).
  let margin = 1 / SLOPE;
  for (let round = 0; round < 200; round++) {
    const units = sold(TIERS.map(({ cost }) => cost + margin)).reduce((sum, one) => sum + one, 0);
    margin = 0.5 * (margin + 1 / (SLOPE * (1 - units / MARKET)));
  }
  const best = TIERS.map(({ cost }) => cost + margin);
  return {
    make(draw) {
      const rows = range(occasions).flatMap((week) => {
        const prices = best.map((price) => price * Math.exp(0.12 * draw.normal()));
        return sold(prices).map((units, i) => [
          ...(weeks ? [week + 1] : []),
          i,
          prices[i] ?? 0,
          draw.poisson(units * Math.exp(0.1 * draw.normal())),
        ]);
      });
      const tiers = TIERS.map(({ name, cost }, i) => [
        name,
        {
          current_price: (best[i] ?? 0) * Math.exp(0.1 * draw.normal()),
          unit_cost: cost,
          demand: { ...fit, where: { kind: i } },
        },
      ]);
      const item: Item = { item_id: "item", tiers: Object.fromEntries(tiers) };
      return {
        csv: table(`${weeks ? "week," : ""}kind,price,quantity`, rows),
        item,
        profit: (prices) =>
          profitAt(TIERS.map(({ name }) => prices[name] ?? item.tiers[name]?.current_price ?? 0)),
        oracle: Object.fromEntries(TIERS.map(({ name }, i) => [name, best[i] ?? 0])),
      };
    },
  };
}

/** Stores with loyal buyers charge more: across stores the price goes with demand. */
const confounded: WorldKind = {
  row: 5,
  name: "dear stores sell more",
  worlds: 150,
  make(draw) {
    const rows = range(20).flatMap((store) => {
      const size = draw.normal();
      return range(50).map((week) => {
        const price = 100 * Math.exp(0.15 * size + 0.1 * draw.normal());
        return [store + 1, week + 1, price, 50 * Math.exp(effect(price) + 0.3 * size + 0.3 * draw.normal())];
      });
    });
    return oneTier(draw, table("store,week,price,quantity", rows), 50);
  },
};

/** Demand that does not depend on the price within the range, while both wander. */
const unrelated: WorldKind = {
  row: 6,
  name: "no effect of the price, both wander",
  worlds: 300,
  make(draw) {
    const prices = persistent(draw, 104);
    const shocks = persistent(draw, 104);
    const rows = prices.map((x, week) => [
      week + 1,
      100 * Math.exp(0.2 * x),
      50 * Math.exp(0.4 * (shocks[week] ?? 0)),
    ]);
    return {
      csv: table("week,price,quantity", rows),
      item: { item_id: "item", tiers: { new: { current_price: 100, unit_cost: COST, demand: fit } } },
      // Only identification is judged: without an effect there is no best price.
      profit: () => 1,
      oracle: {},
      elasticity: 0,
    };
  },
};

export const WORLDS: readonly WorldKind[] = [
  counts,
  independentRows,
  autocorrelated,
  panel,
  narrow,
  { row: 4, name: "logit tiers, 104 weeks", worlds: 100, ...substitutes(104, true) },
  { row: 4, name: "logit tiers, 40 weeks", worlds: 100, ...substitutes(40, true) },
  { row: 4, name: "logit tiers, rows not matched", worlds: 150, ...substitutes(104, false) },
  confounded,
  unrelated,
];
