import { describe, expect, test } from "@jest/globals";
import { dailyPoints, type Family, growing, structural } from "../../test/families.ts";
import { makeRng } from "../stats/index.ts";
import { forecastSpend } from "./index.ts";

const REPLICAS = 120;
const KNOWN = 160;
const AHEAD = 28;
/** The first of June, from the first of January. */
const JUNE = 151;

const families: readonly (readonly [string, Family])[] = [
  ["costs that are added up", structural],
  ["costs that grow in per cent", growing],
];

/** Forecasts each replica from what is known of it, and compares it with the rest. */
function replicas(family: Family) {
  return Array.from({ length: REPLICAS }, (_, replica) => {
    const costs = family(KNOWN + AHEAD, makeRng(1000 + replica));
    const known = costs.slice(0, KNOWN);
    const components = [{ name: "all", kind: "usage", points: dailyPoints(known) }] as const;
    // The known days end on 9 June. Budgets are between 6 % less and more than June would be at the rate of the last four weeks.
    const amount = 30 * mean(known.slice(-28)) * (0.94 + (0.12 * (replica % 10)) / 9);
    return {
      future: costs.slice(KNOWN),
      exceeded: costs.slice(JUNE, JUNE + 30).reduce((sum, cost) => sum + cost, 0) > amount,
      forecast: forecastSpend({
        grain: "day",
        components,
        horizon: AHEAD,
        budgets: [{ period: "2025-06", amount }],
      }),
    };
  });
}

describe.each(families)("of %s", (_, family) => {
  const all = replicas(family);

  test.each(["p80", "p95"] as const)(
    "the %s bands contain what comes as often as they say, less 3 points at most",
    (band) => {
      const within = all.flatMap(({ future, forecast }) =>
        future.map((cost, h) => {
          const [low, high] = forecast.points[h]?.[band] ?? [Number.NaN, Number.NaN];
          return low <= cost && cost <= high ? 1 : 0;
        }),
      );
      const coverage = within.reduce((sum: number, one) => sum + one, 0) / within.length;
      expect(coverage).toBeGreaterThanOrEqual(Number(band.slice(1)) / 100 - 0.03);
    },
  );

  test("budgets are exceeded as often as their chances say", () => {
    const chances = all.map(({ forecast, exceeded }) => ({
      exceeded: Number(exceeded),
      chance: forecast.totals.find(({ period }) => period === "2025-06")?.chance_exceeded ?? Number.NaN,
    }));
    const ranked = chances.toSorted((a, b) => a.chance - b.chance);
    const third = REPLICAS / 3;
    for (const some of [0, 1, 2].map((i) => ranked.slice(i * third, (i + 1) * third))) {
      const said = mean(some.map(({ chance }) => chance));
      // Within 5 points and three standard errors of what comes, if it comes as often as it was said.
      const error = Math.sqrt(mean(some.map(({ chance }) => chance * (1 - chance))) / third);
      expect(Math.abs(mean(some.map(({ exceeded }) => exceeded)) - said)).toBeLessThan(3 * error + 0.05);
    }
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
