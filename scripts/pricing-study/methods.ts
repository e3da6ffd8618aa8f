import {
  analyseItems,
  type DatasetSource,
  type Item,
  itemResolver,
  makeSettings,
  PricingError,
  parseCsv,
  proposeItem,
  type ResolvedItem,
} from "@interlock/pricing";
import { type Prior, priorOf } from "../../services/pricing/src/estimation/partial-pooling.ts";
import { leastSquares } from "../../services/pricing/src/regression.ts";
import { studentTQuantile } from "../../services/pricing/src/student-t.ts";
import type { World } from "./families/index.ts";

/** What a method says about one world. */
export type Answer = {
  /** Price by tier; today's if the method keeps them. */
  readonly prices: Readonly<Record<string, number>>;
  /** Profit per period that the method promises at its prices and at today's. */
  readonly promised: number;
  readonly today: number;
  readonly warned: boolean;
  /** The best prices if the estimates are right; `prices` may stop short of them. */
  readonly full: Readonly<Record<string, number>>;
  /**
   * 90% band of the gain per period over today's prices, by the sensitivity analysis: of the best prices by the estimates, so that
   * worlds without a sure step count too.
   */
  readonly band?: { low: number; high: number; prices: Readonly<Record<string, number>> };
  /** How sure the sensitivity analysis is that the best prices by the estimates beat today's; null: no draw tells. */
  readonly score?: number | null;
  /** Estimate of the first tier's elasticity. */
  readonly elasticity?: number | undefined;
  readonly interval?: { low: number; high: number } | undefined;
  readonly identified: boolean;
};

export type Method = (world: World) => Promise<Answer | undefined>;

const settings = makeSettings({ tierOrder: ["new", "exchange", "repair"], enforce: [], increment: 0.01 });

/** The method as shipped. */
export const shipped: Method = async ({ csv, item }) => {
  const datasets: DatasetSource = { load: async (id) => parseCsv(csv, id) };
  try {
    const resolved = await itemResolver(datasets)(item);
    const answer = answerOf(resolved.item, resolved.warnings);
    const full = answer?.full ?? {};
    const moves = Object.entries(item.tiers).some(([name, tier]) => full[name] !== tier.current_price);
    return answer && { ...answer, ...(moves && sureness(resolved.item, full)) };
  } catch (error) {
    // Data that are refused have no proposal.
    if (error instanceof PricingError) return undefined;
    throw error;
  }
};

/** Costs are known in the study, so that they hardly vary. */
const UNCERTAINTY = { draws: 100, cost_pct: 1e-6 };

function sureness(item: ResolvedItem, prices: Answer["prices"]): Pick<Answer, "band" | "score"> {
  const tiers = Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, { price }]));
  const steps = analyseItems([item], [{ item_id: item.item_id, tiers }], settings, UNCERTAINTY);
  for (let step = steps.next(); ; step = steps.next()) {
    if (!step.done) continue;
    const { difference_band, robustness } = step.value.totals;
    return {
      band: { low: difference_band.p5, high: difference_band.p95, prices },
      score: robustness.score,
    };
  }
}

/**
 * The textbook's method: log-log least squares on the rows with sales, HC1 errors, tiers on their own, any
 * price.
 */
export const plain: Method = async ({ csv, item }) => {
  const answer = answerOf(
    plainItem(csv, item, () => undefined),
    [],
  );
  // It knew no warnings of this kind.
  return answer && { ...answer, warned: false };
};

/** The same, with each elasticity drawn towards those of the family's other worlds by empirical Bayes. */
export function empiricalBayes(worlds: readonly World[]): Method {
  const fits = worlds.map(({ csv, item }) => tiersOf(csv, item));
  return async (world) => {
    const k = worlds.indexOf(world);
    const others = fits.filter((_, other) => other !== k).flat();
    const prior = (tier: string) =>
      priorOf(others.flatMap(({ name, fit }) => (name === tier && fit.error > 0 ? [fit] : [])));
    const answer = answerOf(plainItem(world.csv, world.item, prior), []);
    return answer && { ...answer, warned: false };
  };
}

type PlainFit = {
  readonly elasticity: number;
  readonly error: number;
  readonly degreesOfFreedom: number;
  readonly n: number;
  /** Expected quantity at this price, before the elasticity is drawn anywhere. */
  readonly middle: { readonly price: number; readonly quantity: number };
};

function tiersOf(csv: string, item: Item): { name: string; fit: PlainFit }[] {
  const dataset = parseCsv(csv, "sales");
  const column = (name: string) => dataset.columns.get(name) ?? [];
  const [prices, quantities] = [column("price"), column("quantity")];
  return Object.entries(item.tiers).map(([name, { demand }]) => {
    const where = demand.model === "fit" ? Object.entries(demand.where ?? {}) : [];
    const rows = prices
      .map((_, row) => row)
      .filter((row) => Number(quantities[row]) > 0)
      .filter((row) => where.every(([key, value]) => column(key)[row] === String(value)));
    return { name, fit: plainFit(rows, prices, quantities) };
  });
}

function plainFit(
  rows: readonly number[],
  prices: readonly string[],
  quantities: readonly string[],
): PlainFit {
  const logs = (cells: readonly string[]) => Float64Array.from(rows, (row) => Math.log(Number(cells[row])));
  const [x, y] = [logs(prices), logs(quantities)];
  const { coefficients, standardErrors, residuals, degreesOfFreedom } = leastSquares(y, [x]);
  const smearing = residuals.reduce((sum, error) => sum + Math.exp(error), 0) / rows.length;
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    elasticity: coefficients[0] ?? 0,
    error: standardErrors[0] ?? 0,
    degreesOfFreedom,
    n: rows.length,
    middle: { price: Math.exp(mean(x)), quantity: Math.exp(mean(y)) * smearing },
  };
}

function plainItem(csv: string, item: Item, prior: (tier: string) => Prior | undefined): ResolvedItem {
  const fits = tiersOf(csv, item).map(({ name, fit }) => {
    const { demand: _, ...tier } = item.tiers[name] ?? { current_price: 1, unit_cost: 1 };
    return [name, plainTier(tier, drawnTowards(prior(name), fit))] as const;
  });
  return { ...item, tiers: Object.fromEntries(fits) };
}

function drawnTowards(prior: Prior | undefined, fit: PlainFit): PlainFit {
  if (prior === undefined) return fit;
  const gain = fit.error ** 2 / (fit.error ** 2 + prior.sd ** 2);
  return {
    ...fit,
    elasticity: fit.elasticity + gain * (prior.mean - fit.elasticity),
    error: fit.error * Math.sqrt(1 - gain),
  };
}

function plainTier(
  tier: Omit<Item["tiers"][string], "demand">,
  { elasticity, error, degreesOfFreedom, n, middle }: PlainFit,
): ResolvedItem["tiers"][string] {
  const reach = studentTQuantile(0.975, degreesOfFreedom) * error;
  const identified = elasticity + reach < 0 && n >= 30;
  const used = Math.min(elasticity, 0);
  return {
    ...tier,
    demand: {
      model: "constant_elasticity",
      reference_price: tier.current_price,
      reference_quantity: middle.quantity * (tier.current_price / middle.price) ** used,
      elasticity: used,
    },
    fit: {
      elasticity,
      interval: { low: elasticity - reach, high: elasticity + reach },
      n,
      dropped_rows: 0,
      identified,
      controls: [],
      estimator: "ols",
      estimator_reason: "",
      zero_rows: 0,
      fixed_effects: [],
      observed_range: { low: 0, high: Number.MAX_VALUE },
    },
    ...(!identified && { held: true as const }),
  };
}

/** Undefined if there is no proposal, as for an objective that rises with the price for ever. */
function answerOf(item: ResolvedItem, warnings: readonly string[]): Answer | undefined {
  const [first] = Object.values(item.tiers);
  try {
    const proposal = proposeItem(item, settings, warnings);
    const tiers = Object.entries(proposal.tiers);
    const prices = Object.fromEntries(tiers.map(([name, { price }]) => [name, price]));
    const total = (key: "expected" | "current") => tiers.reduce((sum, [, tier]) => sum + tier[key].profit, 0);
    return {
      prices,
      full: proposal.safe_step?.full_move.prices ?? prices,
      promised: total("expected"),
      today: total("current"),
      warned: proposal.warnings !== undefined,
      elasticity: first?.fit?.elasticity,
      interval: first?.fit?.interval,
      identified: first?.fit?.identified ?? false,
    };
  } catch (error) {
    if (error instanceof PricingError) return undefined;
    throw error;
  }
}
