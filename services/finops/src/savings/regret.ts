import { at, makeRng, quantile, tabulate } from "../stats/index.ts";
import { commitmentOutcome, type Layer, optimalCommitment } from "./commitment.ts";

/** How a commitment would do if usage went on like before, but not the same. Means per period, in its currency. */
export type CommitmentRisk = {
  readonly saving: { readonly p5: number; readonly p50: number; readonly p95: number };
  readonly chance_of_loss: number;
  /** What the commitment that is best in hindsight would have saved beyond this one. */
  readonly regret: { readonly mean: number; readonly p95: number };
  readonly scenarios: number;
};

export type RiskOptions = {
  /** Periods that are drawn together, such as a week of hours: what depends on the time of the week stays together. */
  readonly block: number;
  readonly scenarios: number;
  readonly seed: number;
  /** Standard deviation of the logarithm of the level of usage over the term against that of the past; 0: the same. */
  readonly levelDeviation: number;
};

/**
 * Regret under usage uncertainty: usage drawn in blocks of consecutive periods (circular block bootstrap; Politis and
 * Romano 1992), the same ones for all layers, times a lognormal change of level. Yields twice a scenario.
 */
export function* commitmentRisk(
  layers: readonly Layer[],
  level: number,
  { block, scenarios, seed, levelDeviation }: RiskOptions,
): Generator<void, CommitmentRisk> {
  const random = makeRng(seed);
  const periods = at(layers, 0).onDemand.length;
  const savings = new Float64Array(scenarios);
  const regrets = new Float64Array(scenarios);
  for (let s = 0; s < scenarios; s++) {
    const scale = Math.exp(levelDeviation * normal(random));
    const drawn = drawBlocks(periods, block, random);
    const usage = layers.map(({ onDemand, discount }) => ({
      onDemand: tabulate(periods, (t) => at(onDemand, at(drawn, t)) * scale),
      discount,
    }));
    const bestLevel = optimalCommitment(usage);
    yield;
    const best = commitmentOutcome(usage, bestLevel).saving;
    savings[s] = commitmentOutcome(usage, level).saving;
    regrets[s] = best - at(savings, s);
    yield;
  }
  const losses = savings.filter((saving) => saving < 0).length;
  savings.sort();
  regrets.sort();
  return {
    saving: { p5: quantile(savings, 0.05), p50: quantile(savings, 0.5), p95: quantile(savings, 0.95) },
    chance_of_loss: losses / scenarios,
    regret: { mean: regrets.reduce((sum, one) => sum + one, 0) / scenarios, p95: quantile(regrets, 0.95) },
    scenarios,
  };
}

function drawBlocks(periods: number, block: number, random: () => number): Int32Array {
  const drawn = new Int32Array(periods);
  for (let i = 0; i < periods; i += block) {
    const start = Math.floor(random() * periods);
    for (let j = i; j < Math.min(i + block, periods); j++) drawn[j] = (start + j - i) % periods;
  }
  return drawn;
}

/** Box and Muller 1958. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
