import { at } from "./at.ts";
import { same } from "./compare.ts";
import { evaluateItem, totalOutcome } from "./demand.ts";
import type { Factor } from "./explanation-types.ts";
import { limitMoves } from "./limit-moves.ts";
import { solveProblem } from "./optimum.ts";
import { isFixed, observedLimits, stateProblem } from "./problem.ts";
import type { OptimizeSettings } from "./settings.ts";
import { shapleyVector } from "./shapley.ts";
import type { StatusQuo } from "./status-quo.ts";
import type { ConstraintFamily, ResolvedItem, ResolvedTier } from "./types.ts";

/**
 * Shapley values: each factor's contribution to each tier's price (money) and to the item's profit and
 * revenue (money per period).
 */
export type GameResult = {
  readonly factors: readonly Factor[];
  /** prices[tier][k], profit[k] and revenue[k] are the contributions of factors[k]. */
  readonly prices: Readonly<Record<string, readonly number[]>>;
  readonly profit: readonly number[];
  readonly revenue: readonly number[];
  /** Number of optimizations solved. */
  readonly solved: number;
  /** Coalitions in which a price stops at `REACH` or `OPEN_REACH`, and not at a rule or an optimum. */
  readonly stopped: number;
};

/**
 * A coalition's prices lie between a tenth of the lower and ten times the
 * higher of the current and the recommended price.
 */
export const REACH = 10;
/**
 * The factor used instead of `REACH` in a direction in which the objective has no maximum. A coalition leaves
 * out rules, and without an upper bound profit at an elasticity ≥ −1 rises with the price for ever; without a
 * lower bound revenue at an elasticity < −1 rises as the price falls.
 */
export const OPEN_REACH = 2;

/**
 * The cooperative game whose players are an item's factors. v(S) is the optimal price of each tier (before
 * rounding) if the factors in S have their actual values and all others those of the status quo
 * (`statusQuo`): implied cost, implied elasticity, evenly spread demand, no rules, and profit as the
 * objective. So v(∅) is the current price, v(all) the recommended one, and the Shapley values sum to the move
 * between them. Profit and revenue are evaluated at the prices of v(S) with actual costs and demand.
 *
 * There are at most nine factors, hence 512 coalitions: `unit_cost` (or `objective` if revenue is maximised,
 * because cost has no influence then), `elasticity`, `demand_level`, each constraint family that is
 * enforced and applies to the item, the observed range of prices, and the limits of moves that may lose
 * (`limitMoves`).
 * @param optimum the recommended prices before rounding, by tier
 */
export function playPriceGame(
  item: ResolvedItem,
  settings: OptimizeSettings,
  quo: StatusQuo,
  optimum: Readonly<Record<string, number>>,
): GameResult {
  const names = Object.keys(item.tiers);
  const limited = limitMoves(item, settings);
  const factors = factorsOf(item, limited, settings);
  const everyone = 2 ** factors.length - 1;
  let stopped = 0;
  const priced = (prices: Readonly<Record<string, number>>) => {
    const { profit, revenue } = totalOutcome(evaluateItem(item, prices));
    return [profit, revenue, ...names.map((name) => prices[name] ?? Number.NaN)];
  };
  const shares = shapleyVector((coalition) => {
    if (coalition === 0) return priced(currentPrices(item));
    if (coalition === everyone) return priced(optimum);
    const present = new Set(factors.filter((_, k) => coalition & (1 << k)));
    const best = bestPrices({ item, limited, settings, quo, optimum }, present);
    if (best.stops) stopped += 1;
    return priced(best.prices);
  }, factors.length);
  return {
    factors,
    prices: Object.fromEntries(names.map((name, i) => [name, shares.map((share) => at(share, i + 2))])),
    profit: shares.map((share) => at(share, 0)),
    revenue: shares.map((share) => at(share, 1)),
    solved: Math.max(0, everyone - 1),
    stopped,
  };
}

export function currentPrices(item: ResolvedItem): Record<string, number> {
  return Object.fromEntries(Object.entries(item.tiers).map(([name, tier]) => [name, tier.current_price]));
}

function factorsOf(item: ResolvedItem, limited: ResolvedItem, settings: OptimizeSettings): Factor[] {
  const tiers = Object.values(item.tiers);
  const links = stateProblem(item, settings).links;
  const inForce = (family: ConstraintFamily, applies: boolean): Factor[] =>
    settings.enforce.has(family) && applies ? [family] : [];
  return [
    settings.objective === "revenue" ? "objective" : "unit_cost",
    "elasticity",
    ...(tiers.length > 1 ? (["demand_level"] as const) : []),
    ...inForce(
      "bounds",
      settings.minimumMargin !== undefined || tiers.some((tier) => tier.bounds !== undefined),
    ),
    ...inForce("max_change", settings.maxChange !== undefined),
    ...inForce("ordering", tiers.length > 1),
    ...inForce(
      "gaps",
      links.some((link) => link?.gapped),
    ),
    ...(tiers.some((tier) => !isFixed(tier) && observedLimits(tier, settings) !== undefined)
      ? (["observed_range"] as const)
      : []),
    ...(limited.limited === undefined ? [] : [limited.limited.by]),
  ];
}

type Game = {
  readonly item: ResolvedItem;
  /** The item with the limits of its moves, where more may lose. */
  readonly limited: ResolvedItem;
  readonly settings: OptimizeSettings;
  readonly quo: StatusQuo;
  readonly optimum: Readonly<Record<string, number>>;
};

function bestPrices(
  { item, limited, settings, quo, optimum }: Game,
  present: ReadonlySet<Factor>,
): { prices: Record<string, number>; stops: boolean } {
  const believed = quo.item({
    cost: present.has("unit_cost"),
    elasticity: present.has("elasticity"),
    level: present.has("demand_level") || Object.keys(item.tiers).length === 1,
  });
  const limits = new Map<string, { low: number; high: number }>();
  const tiers = Object.entries(believed.tiers).map(([name, tier]) => {
    const actual = item.tiers[name] ?? tier;
    const target = optimum[name] ?? tier.current_price;
    const reach = reachOf(tier, present.has("objective"));
    const ranges = [
      {
        min: Math.min(tier.current_price, target) / reach.down,
        max: Math.max(tier.current_price, target) * reach.up,
      },
      ...(present.has("bounds") ? [{ ...actual.bounds }] : []),
      // The minimum margin is over the actual unit cost, even in a coalition that assumes the implied cost.
      ...(present.has("bounds") && settings.minimumMargin !== undefined
        ? [{ min: actual.unit_cost * (1 + settings.minimumMargin) }]
        : []),
    ];
    const bounds = {
      min: Math.max(...ranges.map(({ min }) => min ?? 0)),
      max: Math.min(...ranges.map(({ max }) => max ?? Number.POSITIVE_INFINITY)),
    };
    const [own] = ranges;
    // An artificial limit that no rule of the coalition makes void.
    limits.set(name, {
      low: bounds.min === own?.min ? bounds.min : 0,
      high: bounds.max === own?.max ? bounds.max : Number.POSITIVE_INFINITY,
    });
    const moves = limited.limited && present.has(limited.limited.by) ? limited.tiers[name] : undefined;
    return [
      name,
      {
        ...tier,
        bounds,
        ...(moves?.held && { held: moves.held }),
        ...(moves?.move_limits && { move_limits: moves.move_limits }),
      },
    ] as const;
  });
  const families: ConstraintFamily[] = ["bounds", "max_change", "ordering", "gaps"];
  const problem = stateProblem(
    { ...believed, tiers: Object.fromEntries(tiers) },
    {
      ...settings,
      objective: present.has("objective") ? "revenue" : "profit",
      minimumMargin: undefined,
      observedMargin: present.has("observed_range") ? settings.observedMargin : undefined,
      enforce: new Set(families.filter((family) => family === "bounds" || present.has(family))),
    },
  );
  const { prices } = solveProblem(problem);
  const stops = problem.names.some((name, i) => {
    const { low, high } = limits.get(name) ?? { low: 0, high: Number.POSITIVE_INFINITY };
    return same(at(prices, i), low) || same(at(prices, i), high);
  });
  return { prices: Object.fromEntries(problem.names.map((name, i) => [name, at(prices, i)])), stops };
}

function reachOf({ demand }: ResolvedTier, revenue: boolean): { down: number; up: number } {
  if (demand.model === "logit") return { down: REACH, up: REACH };
  if (demand.elasticity >= -1) return { down: REACH, up: OPEN_REACH };
  return { down: revenue ? OPEN_REACH : REACH, up: REACH };
}
