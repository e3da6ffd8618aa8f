import type { Item } from "@interlock/pricing";
import { cents, type Family, FIT, range, table } from "./market.ts";

const TIERS = [
  { name: "new", quality: 4.2, cost: 60 },
  { name: "exchange", quality: 3.2, cost: 45 },
  { name: "repair", quality: 2.4, cost: 35 },
] as const;
const SLOPE = 0.045;
const MARKET = 400;

/** Units of each tier at these prices. */
type Sold = (prices: readonly number[]) => number[];

function logitSold(prices: readonly number[]): number[] {
  const weights = TIERS.map(({ quality }, i) => Math.exp(quality - SLOPE * (prices[i] ?? 0)));
  const total = 1 + weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (MARKET * weight) / total);
}

/** The best prices, by coordinate search with ever finer steps: profits of these demands have one maximum. */
function bestPrices(profitAt: (prices: readonly number[]) => number): number[] {
  const prices = TIERS.map(({ cost }) => cost + 30);
  for (let step = 8; step > 1e-3; step /= 2) {
    for (let moved = true; moved; ) {
      moved = false;
      for (const i of prices.keys()) {
        for (const change of [step, -step]) {
          const next = prices.with(i, (prices[i] ?? 0) + change);
          if (profitAt(next) <= profitAt(prices)) continue;
          prices[i] = next[i] ?? 0;
          moved = true;
        }
      }
    }
  }
  return prices;
}

/** Tiers that take buyers from each other; today's prices scatter around the best ones. */
function tiersOf(occasions: number, weeks: boolean, sold: Sold): Family["make"] {
  const profitAt = (prices: readonly number[]) =>
    sold(prices).reduce((sum, units, i) => sum + units * ((prices[i] ?? 0) - (TIERS[i]?.cost ?? 0)), 0);
  const best = bestPrices(profitAt);
  return (draw) => {
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
        current_price: cents((best[i] ?? 0) * Math.exp(0.1 * draw.normal())),
        unit_cost: cost,
        demand: { ...FIT, where: { kind: i } },
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
  };
}

/** Two nests: the dear tier alone, and two cheap ones that are close substitutes (McFadden 1978). */
const DISSIMILARITY = 0.4;

function nestedSold(prices: readonly number[]): number[] {
  const utilities = TIERS.map(({ quality }, i) => quality - SLOPE * (prices[i] ?? 0));
  const inner = utilities.map((utility, i) => Math.exp(i === 0 ? utility : utility / DISSIMILARITY));
  const cheap = inner.slice(1).reduce((sum, weight) => sum + weight, 0);
  const nests = [inner[0] ?? 0, cheap ** DISSIMILARITY];
  const total = 1 + nests.reduce((sum, weight) => sum + weight, 0);
  return inner.map((weight, i) => (MARKET / total) * (i === 0 ? weight : ((nests[1] ?? 0) * weight) / cheap));
}

export const TIERED: readonly Family[] = [
  { name: "logit tiers, 104 weeks", kind: "well-behaved", make: tiersOf(104, true, logitSold) },
  { name: "logit tiers, 40 weeks", kind: "troubled", make: tiersOf(40, true, logitSold) },
  { name: "logit tiers, rows not matched", kind: "troubled", make: tiersOf(104, false, logitSold) },
  {
    name: "nested tiers, 104 weeks",
    kind: "troubled",
    open: "the rows reject the logit, whose bands these still are: nests are found, not modelled",
    make: tiersOf(104, true, nestedSold),
  },
];
