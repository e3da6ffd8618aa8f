import type { ScenarioSolver } from "./scenario-solver.ts";
import { type Belief, type FactorKey, scenarioWith } from "./uncertainty.ts";

/** One end of a bar. */
export type TornadoEnd = {
  /** The factor's value: an elasticity, or the factor that multiplies cost or demand. */
  readonly value: number;
  /** The objective at the recommended prices minus that at today's, money per period. */
  readonly difference: number;
};

/**
 * What the recommendation gains over today's prices with one factor at its 5% and 95% quantile and all others at
 * their centres.
 */
export type TornadoBar = {
  /** `elasticity:<tier>`, `price_coefficient` (of a logit fitted to all tiers together), `cost` or `demand`. */
  readonly factor: string;
  readonly low: TornadoEnd;
  readonly high: TornadoEnd;
  /** |high − low| of the difference. */
  readonly swing: number;
  /**
   * Whether the factor can change which prices are better. Demand cannot: it multiplies the objective at all prices
   * alike. Nor can a factor that leaves the difference as it is.
   */
  readonly decides: boolean;
};

export const TORNADO_QUANTILES = [0.05, 0.95] as const;

/** All factors, by swing. */
export function tornado(
  solver: ScenarioSolver,
  belief: Belief,
  proposal: readonly number[],
  current: readonly number[],
): TornadoBar[] {
  const [proposed, today] = [solver.valueAt(proposal), solver.valueAt(current)];
  const end = (factor: FactorKey, p: number): TornadoEnd => {
    const { scenario, value } = scenarioWith(belief, factor, p);
    return { value, difference: proposed(scenario).objective - today(scenario).objective };
  };
  const bar = (name: string, factor: FactorKey): TornadoBar => {
    const [low, high] = [end(factor, TORNADO_QUANTILES[0]), end(factor, TORNADO_QUANTILES[1])];
    const swing = Math.abs(high.difference - low.difference);
    return { factor: name, low, high, swing, decides: factor !== "demand" && swing > 0 };
  };
  return [
    ...belief.elasticities.map(({ tier }, i) => bar(`elasticity:${tier}`, i)),
    ...(belief.joint ? [bar("price_coefficient", "slope")] : []),
    bar("cost", "cost"),
    bar("demand", "demand"),
  ].sort((a, b) => b.swing - a.swing);
}
