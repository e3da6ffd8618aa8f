import type { HeldOut } from "./cross-validate.ts";

/** Temperatures that are tried, 0.3 to 2. */
const CANDIDATES = Array.from({ length: 171 }, (_, i) => 0.3 + i / 100);

/**
 * The temperature at which the answers of two samples are likeliest, each sample counting the same: the blocked folds, whose sentences
 * were written to differ from each other more than those of users do, and sentences by another writer.
 */
export function fitTemperature(samples: readonly (readonly HeldOut[])[]): number {
  const loss = (temperature: number) =>
    samples
      .filter((sample) => sample.length > 0)
      .reduce((sum, sample) => sum + meanLoss(sample, temperature), 0);
  let best = 1;
  for (const candidate of CANDIDATES) if (loss(candidate) < loss(best)) best = candidate;
  return Number(best.toFixed(2));
}

/** Mean negative log-likelihood. */
function meanLoss(sample: readonly HeldOut[], temperature: number): number {
  let loss = 0;
  for (const held of sample)
    loss -= Math.log(Math.max(1e-9, heated(held, temperature).probabilities[held.label] ?? 0));
  return loss / sample.length;
}

/** The same answer at another temperature. */
export function heated(held: HeldOut, temperature: number): HeldOut {
  const odds = Object.entries(held.probabilities).map(
    ([category, probability]) => [category, Math.max(probability, 1e-12) ** (1 / temperature)] as const,
  );
  const sum = odds.reduce((total, [, value]) => total + value, 0);
  const probabilities = Object.fromEntries(odds.map(([category, value]) => [category, value / sum]));
  return { ...held, probabilities, confidence: probabilities[held.category] ?? 0 };
}
