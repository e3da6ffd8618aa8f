import type { ItemSensitivity, SensitivityDetails } from "./sensitivity.ts";

/** Items with a tornado and scenarios: those of a large catalogue would fill its answer, and nobody reads them all. */
export const MOST_DETAILED = 1000;

/** More than any input has; doubles print up to seventeen. */
const DIGITS = 12;

/**
 * The reports as they are sent: twelve digits, and details of the least certain items alone. Items that tie
 * in every draw are certain.
 */
export function withDetails(
  reports: readonly (ItemSensitivity & SensitivityDetails)[],
  most = MOST_DETAILED,
): ItemSensitivity[] {
  const order = reports
    .map(({ robustness }, position) => ({ position, score: robustness.score ?? 1 }))
    .sort((a, b) => a.score - b.score);
  const detailed = new Set(order.slice(0, most).map(({ position }) => position));
  return reports.map(({ tornado, worst, best, ...report }, position) => {
    const { tiers, robustness, ...numbers } = report;
    return {
      ...rounded(numbers),
      tiers: Object.fromEntries(
        Object.entries(tiers).map(([name, tier]) => [
          name,
          { recommended_price: tier.recommended_price, price_band: rounded(tier.price_band) },
        ]),
      ),
      robustness,
      ...(detailed.has(position) && rounded({ tornado, worst, best })),
    };
  });
}

/** The value with all its numbers rounded. */
function rounded<T>(value: T): T;
function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}
