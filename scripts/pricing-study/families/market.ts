import type { Fit, Item } from "@interlock/pricing";
import type { Draw } from "../draw.ts";

/** A simulated market: what an analyst would have, and what only the simulation knows. */
export type World = {
  readonly csv: string;
  readonly item: Item;
  /** Profit per period at these prices, under the true demand; tiers without a price keep today's. */
  profit(prices: Readonly<Record<string, number>>): number;
  /** Prices with the largest true profit. */
  readonly oracle: Readonly<Record<string, number>>;
  /** The true elasticity, if the demand has one. */
  readonly elasticity?: number;
};

/** Worlds that share one trouble, or none. */
export type Family = {
  readonly name: string;
  /**
   * `well-behaved`: the method's assumptions hold. `troubled`: they do not, and the data show it. `hidden`: they do not, and
   * only outside knowledge could tell.
   */
  readonly kind: "well-behaved" | "troubled" | "hidden";
  /** Why the family misses its goal for now; absent if it must reach it. */
  readonly open?: string;
  make(draw: Draw): World;
};

export const COST = 60;
export const ELASTICITY = -2.5;
/** The best price under `ELASTICITY` and `COST`. */
export const BEST = (COST * ELASTICITY) / (1 + ELASTICITY);
export const FIT: Fit = { model: "fit", dataset: "sales", price: "price", quantity: "quantity" };

/** The log of the true effect of a price, against 100. */
export const effect = (price: number) => ELASTICITY * Math.log(price / 100);

export const range = (count: number) => Array.from({ length: count }, (_, i) => i);

export type Cell = string | number;

/** A price as it is charged. */
export const cents = (price: number) => Number(price.toFixed(2));

/** A table as CSV. */
export function table(header: string, rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows.map((row) => row.join(","))].join("\n");
}

/** A series with autocorrelation 0.8 and variance 1. */
export function persistent(draw: Draw, length: number): number[] {
  let value = draw.normal();
  return range(length).map(() => {
    value = 0.8 * value + 0.6 * draw.normal();
    return value;
  });
}

/**
 * One tier with constant elasticity, sold today at a price drawn around the best one: of today's prices, some are too
 * high and others too low, so that no direction wins by construction.
 * @param unit what one currency unit of the study is in the data's money
 */
export function oneTier(draw: Draw, csv: string, level: number, { fit = {}, unit = 1 } = {}): World {
  const current_price = cents(unit * BEST * Math.exp(0.2 * draw.normal()));
  const unit_cost = unit * COST;
  return {
    csv,
    item: { item_id: "item", tiers: { new: { current_price, unit_cost, demand: { ...FIT, ...fit } } } },
    profit: ({ new: price = current_price }) =>
      level * (price / unit / 100) ** ELASTICITY * (price - unit_cost),
    oracle: { new: unit * BEST },
    elasticity: ELASTICITY,
  };
}

/**
 * One tier under any demand. Today's price scatters around the best one.
 * @param demand units per period at a price
 * @param at the price that the search for the best one starts from
 */
export function underDemand(
  draw: Draw,
  csv: string,
  demand: (price: number) => number,
  { cost = COST, scatter = 0.1, today }: { cost?: number; scatter?: number; today?: number } = {},
): World {
  const gain = (price: number) => demand(price) * (price - cost);
  const best = range(4000).reduce((top, k) => {
    const price = cost * (1 + k / 1000);
    return gain(price) > gain(top) ? price : top;
  }, cost);
  const current_price = cents(today ?? best * Math.exp(scatter * draw.normal()));
  return {
    csv,
    item: { item_id: "item", tiers: { new: { current_price, unit_cost: cost, demand: FIT } } },
    profit: ({ new: price = current_price }) => gain(price),
    oracle: { new: best },
  };
}

/** A row of a single store's weekly sales. */
export type Week = { readonly week: number; price: number; quantity: number };

/** Weekly sales of one store: prices and shocks as independent draws, demand with `ELASTICITY`. */
export function weekly(draw: Draw, weeks: number, { spread = 0.2, noise = 0.25 } = {}): Week[] {
  return range(weeks).map((week) => {
    const price = 100 * Math.exp(spread * draw.normal());
    return { week: week + 1, price, quantity: 50 * Math.exp(effect(price) + noise * draw.normal()) };
  });
}

/** Weekly sales as CSV, prices in cents and quantities in tenths as registers print them. */
export function weeklyTable(rows: readonly Week[]): string {
  return table(
    "week,price,quantity",
    rows.map(({ week, price, quantity }) => [week, price.toFixed(2), quantity.toFixed(1)]),
  );
}
