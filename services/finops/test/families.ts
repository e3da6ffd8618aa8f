import type { CostPoint } from "../src/forecast/index.ts";
import type { Rng } from "../src/stats/index.ts";

/** Simulated daily spend, whose future is known. */
export type Family = (days: number, random: Rng) => number[];

/** Days since 1970-01-01 of 2025-01-01. */
const START = 20089;

export function dailyPoints(costs: readonly number[]): CostPoint[] {
  return costs.map((cost, i) => ({ period: dayText(i), cost }));
}

export function dayText(i: number): string {
  return new Date((START + i) * 86_400_000).toISOString().slice(0, 10);
}

/** A level that wanders, a week, a fee on the first of the month, and noise: all of them added up. */
export const structural: Family = (days, random) => {
  let level = 1000;
  return Array.from({ length: days }, (_, i) => {
    level += 8 * normal(random);
    const week = (START + i) % 7 < 2 ? -120 : 40;
    const fee = dayText(i).endsWith("-01") ? 300 : 0;
    return Math.max(0, level + week + fee + 30 * normal(random));
  });
};

/** Growth in per cent with noise in per cent that lasts for days, and quiet weekends. */
export const growing: Family = (days, random) => {
  let noise = 0;
  return Array.from({ length: days }, (_, i) => {
    noise = 0.6 * noise + 0.05 * normal(random);
    const week = (START + i) % 7 < 2 ? 0.85 : 1;
    return 500 * 1.002 ** i * week * Math.exp(noise);
  });
};

/** Box and Muller 1958. */
export function normal(random: Rng): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
