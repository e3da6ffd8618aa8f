import type { Draw } from "../draw.ts";
import { COST, cents, type Family, FIT, range, table, type World } from "./market.ts";

const NOISE = 0.35;

/**
 * The first of several items whose elasticities resemble each other, each with few rows of its own.
 * @param spread standard deviation of the items' elasticities
 */
function fewRows(draw: Draw, { items = 12, weeks = 40, spread = 0.3 } = {}): World {
  const elasticities = range(items).map(() => Math.min(-1.5, -2.5 + spread * draw.normal()));
  const levels = elasticities.map(() => 50 * Math.exp(0.5 * draw.normal()));
  const rows = elasticities.flatMap((elasticity, item) => {
    const level = levels[item] ?? 0;
    return range(weeks).map((week) => {
      const price = 100 * Math.exp(0.12 * draw.normal());
      const quantity = level * Math.exp(elasticity * Math.log(price / 100) + NOISE * draw.normal());
      return [week + 1, `item-${item}`, price.toFixed(2), quantity.toFixed(2)];
    });
  });
  const [elasticity = -2.5] = elasticities;
  const level = (levels[0] ?? 0) * Math.exp(0.5 * NOISE ** 2);
  const best = (COST * elasticity) / (1 + elasticity);
  const current_price = cents(best * Math.exp(0.2 * draw.normal()));
  const demand = { ...FIT, where: { article: "item-0" } };
  return {
    csv: table("week,article,price,quantity", rows),
    item: { item_id: "item", tiers: { new: { current_price, unit_cost: COST, demand } } },
    profit: ({ new: price = current_price }) => level * (price / 100) ** elasticity * (price - COST),
    oracle: { new: best },
    elasticity,
  };
}

/** Items of a catalogue that say something of each other. */
export const CATALOGUE: readonly Family[] = [
  { name: "one of 12 items, 40 weeks each", kind: "troubled", make: (draw) => fewRows(draw) },
  {
    name: "one of 12 items that differ widely",
    kind: "troubled",
    open: "where elasticities differ this much, those of few rows that move a price are the ones that look larger than they are",
    make: (draw) => fewRows(draw, { spread: 1 }),
  },
];
