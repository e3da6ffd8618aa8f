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
    const band = answer && moves ? bandOf(resolved.item, full) : undefined;
    return answer && { ...answer, ...(band && { band }) };
  } catch (error) {
    // Data that are refused have no proposal.
    if (error instanceof PricingError) return undefined;
    throw error;
  }
};

/** Costs are known in the study, so that they hardly vary. */
const UNCERTAINTY = { draws: 100, cost_pct: 1e-6 };

function bandOf(item: ResolvedItem, prices: Answer["prices"]): Answer["band"] {
  const tiers = Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, { price }]));
  const steps = analyseItems([item], [{ item_id: item.item_id, tiers }], settings, UNCERTAINTY);
  for (let step = steps.next(); ; step = steps.next()) {
    if (!step.done) continue;
    const { p5, p95 } = step.value.totals.difference_band;
    return { low: p5, high: p95, prices };
  }
}

/**
 * The textbook's method: log-log least squares on the rows with sales, HC1 errors, tiers on their own, any
 * price.
 */
export const plain: Method = async ({ csv, item }) => {
  const dataset = parseCsv(csv, "sales");
  const column = (name: string) => dataset.columns.get(name) ?? [];
  const [prices, quantities] = [column("price"), column("quantity")];
  const tiers = Object.entries(item.tiers).map(([name, tier]) => {
    const where = tier.demand.model === "fit" ? (tier.demand.where ?? {}) : {};
    const rows = prices
      .map((_, row) => row)
      .filter((row) => Number(quantities[row]) > 0)
      .filter((row) => Object.entries(where).every(([key, value]) => Number(column(key)[row]) === value));
    return [name, plainTier(tier, rows, prices, quantities)] as const;
  });
  const answer = answerOf({ ...item, tiers: Object.fromEntries(tiers) }, []);
  // It knew no warnings of this kind.
  return answer && { ...answer, warned: false };
};

function plainTier(
  { demand: _, ...tier }: Item["tiers"][string],
  rows: readonly number[],
  prices: readonly string[],
  quantities: readonly string[],
): ResolvedItem["tiers"][string] {
  const logs = (cells: readonly string[]) => Float64Array.from(rows, (row) => Math.log(Number(cells[row])));
  const [x, y] = [logs(prices), logs(quantities)];
  const { coefficients, standardErrors, residuals, degreesOfFreedom } = leastSquares(y, [x]);
  const [elasticity = 0] = coefficients;
  const [standardError = 0] = standardErrors;
  const reach = studentTQuantile(0.975, degreesOfFreedom) * standardError;
  const identified = elasticity + reach < 0 && rows.length >= 30;
  const smearing = residuals.reduce((sum, error) => sum + Math.exp(error), 0) / rows.length;
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const used = Math.min(elasticity, 0);
  return {
    ...tier,
    demand: {
      model: "constant_elasticity",
      reference_price: tier.current_price,
      reference_quantity: Math.exp(mean(y) + used * (Math.log(tier.current_price) - mean(x))) * smearing,
      elasticity: used,
    },
    fit: {
      elasticity,
      interval: { low: elasticity - reach, high: elasticity + reach },
      n: rows.length,
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
