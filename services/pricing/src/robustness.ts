import { same } from "./compare.ts";
import { normalQuantile } from "./normal.ts";

/** How often the recommendation beats today's prices in the objective. */
export type Robustness = {
  /** Of the draws that do not tie, the share in which it does; null if all draws tie. */
  readonly score: number | null;
  /** Wilson's interval of the score, for the finite number of draws. */
  readonly interval: { readonly low: number; readonly high: number; readonly level: number } | null;
  readonly draws: number;
  readonly wins: number;
  /** Draws in which both are equal up to rounding errors: all, if the recommendation is today's prices. */
  readonly ties: number;
  readonly losses: number;
};

export const INTERVAL_LEVEL = 0.95;

/** Compares the two objectives draw by draw. */
export function robustness(recommended: Float64Array, current: Float64Array): Robustness {
  let wins = 0;
  let ties = 0;
  const draws = recommended.length;
  for (let draw = 0; draw < draws; draw++) {
    const value = recommended[draw] ?? 0;
    const today = current[draw] ?? 0;
    if (same(value, today)) ties += 1;
    else if (value > today) wins += 1;
  }
  const decided = draws - ties;
  return {
    score: decided === 0 ? null : wins / decided,
    interval:
      decided === 0 ? null : { ...wilsonInterval(wins, decided, INTERVAL_LEVEL), level: INTERVAL_LEVEL },
    draws,
    wins,
    ties,
    losses: decided - wins,
  };
}

/**
 * Wilson's score interval of a share (Wilson 1927): it stays within 0 and 1, and has a width if all draws agree.
 * @param level coverage, say 0.95
 */
export function wilsonInterval(
  successes: number,
  trials: number,
  level: number,
): { low: number; high: number } {
  const z = normalQuantile(0.5 + 0.5 * level);
  const share = successes / trials;
  const scale = 1 + (z * z) / trials;
  const centre = (share + (z * z) / (2 * trials)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  return {
    low: successes === 0 ? 0 : centre - half,
    high: successes === trials ? 1 : centre + half,
  };
}
