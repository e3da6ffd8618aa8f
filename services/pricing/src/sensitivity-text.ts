import type { Assumptions } from "./assumptions.ts";
import type { Distribution } from "./distribution.ts";
import type { Format } from "./format.ts";
import type { ItemSensitivity, SensitivityDetails, SensitivityTotals } from "./sensitivity.ts";
import { MOST_DETAILED } from "./sensitivity-details.ts";
import type { TornadoBar } from "./tornado.ts";
import type { Objective } from "./types.ts";

/** Says how sure the recommendation is, what decides it, and every assumption that the request did not make. */
export function sensitivitySummary(
  reports: readonly (ItemSensitivity & SensitivityDetails)[],
  totals: SensitivityTotals,
  assumptions: Assumptions,
  about: { readonly draws: number; readonly objective: Objective },
  format: Format,
): string {
  const { profit_band: band, difference_band: gain } = totals;
  return [
    ...scoreSentences(totals, about.draws, format),
    `Profit per period lies between ${format.wholeMoney(band.p5)} and ${format.wholeMoney(band.p95)} in nine draws of ten, ${format.wholeMoney(band.p50)} in the middle.`,
    `Against today's prices ${about.objective} changes by ${signedWhole(gain.p5, format)} to ${signedWhole(gain.p95, format)} in nine draws of ten, ${signedWhole(gain.p50, format)} in the middle.`,
    ...weakestSentences(reports, format),
    ...unsolvedSentences(reports, format),
    ...(reports.length > MOST_DETAILED
      ? [
          `Tornados and scenarios are given for the ${format.count(MOST_DETAILED)} least certain of ${format.counted(reports.length, "item", "items")}.`,
        ]
      : []),
    assumptionsText(assumptions, format),
  ].join(" ");
}

/** All beliefs behind an analysis, in one or two sentences: first those that nobody gave. */
export function assumptionsText(
  { elasticity, cost, demand, common_share }: Assumptions,
  format: Format,
): string {
  const { tiers } = elasticity;
  const share = format.share(common_share.value);
  const lines: [assumed: boolean, text: string][] = [
    [
      true,
      tiers.assumed === 0
        ? ""
        : `a standard error of ${format.share(elasticity.relative_se)} for ${format.counted(tiers.assumed, "elasticity", "elasticities")} without one`,
    ],
    [cost.assumed, `unit costs ${beliefText(cost, format)}`],
    [demand.assumed, `demand ${beliefText(demand, format)}`],
    [
      common_share.assumed,
      `${share} of the variance of cost and demand shocks common to all items, and errors of elasticities independent of each other`,
    ],
  ];
  const of = (assumed: boolean) =>
    lines.filter(([is, text]) => is === assumed && text).map(([, text]) => text);
  const [made, given] = [of(true), of(false)];
  return [
    ...(made.length > 0 ? [`Assumed, as the request does not say: ${made.join("; ")}.`] : []),
    ...(given.length > 0 ? [`As given: ${given.join("; ")}.`] : []),
  ].join(" ");
}

/** The factor that decides most whether the recommendation beats today's prices. */
export function decidingFactor(bars: readonly TornadoBar[]): TornadoBar | undefined {
  return bars.find((bar) => bar.decides);
}

export function factorText(factor: string): string {
  const [kind, tier] = factor.split(":");
  if (kind === "elasticity") return `the elasticity of ${tier}`;
  if (kind === "price_coefficient") return "the price coefficient of its tiers";
  return kind === "cost" ? "unit cost" : "the level of demand";
}

function scoreSentences({ robustness }: SensitivityTotals, draws: number, format: Format): string[] {
  const { score, interval, ties } = robustness;
  if (score === null || interval === null)
    return [`In all ${format.count(draws)} draws the recommended prices earn what today's do.`];
  const tied = ties === 0 ? "" : `; ${format.counted(ties, "draw ties", "draws tie")} and count for neither`;
  return [
    `In ${format.share(score, 3)} of ${format.count(draws)} draws the recommended prices beat today's (Wilson interval at ${format.share(interval.level)}: ${format.share(interval.low, 3)} to ${format.share(interval.high, 3)})${tied}.`,
  ];
}

function weakestSentences(
  reports: readonly (ItemSensitivity & SensitivityDetails)[],
  format: Format,
): string[] {
  const scored = reports.flatMap(({ item_id, robustness, tornado }) =>
    robustness.score === null ? [] : [{ item_id, score: robustness.score, tornado }],
  );
  const kept = reports.length - scored.length;
  const sentences =
    kept === 0
      ? []
      : [
          `${format.counted(kept, "item earns", "items earn")} what today's prices do in every draw, which is no loss.`,
        ];
  const [first, ...others] = scored;
  if (first === undefined) return sentences;
  const weakest = others.reduce((least, next) => (next.score < least.score ? next : least), first);
  const decides = decidingFactor(weakest.tornado);
  const why = decides
    ? `; whether it beats today's prices depends most on ${factorText(decides.factor)}`
    : "; no single factor decides whether it beats today's prices";
  return [
    `Least certain is ${weakest.item_id}, better in ${format.share(weakest.score, 3)} of its draws${why}.`,
    ...sentences,
  ];
}

function unsolvedSentences(reports: readonly ItemSensitivity[], format: Format): string[] {
  const total = (of: (report: ItemSensitivity) => number) => reports.reduce((sum, one) => sum + of(one), 0);
  const unbounded = total(({ unsolved }) => unsolved.unbounded);
  const infeasible = total(({ unsolved }) => unsolved.infeasible);
  return [
    ...(unbounded > 0
      ? [
          `${format.counted(unbounded, "draw of an item has", "draws of items have")} no largest objective, as no rule limits a price there: that price and its regret count as infinite.`,
        ]
      : []),
    ...(infeasible > 0
      ? [
          `${format.counted(infeasible, "draw of an item has", "draws of items have")} no prices that keep the rules: price bands and regret leave them out.`,
        ]
      : []),
  ];
}

function beliefText(belief: Distribution, format: Format): string {
  if (belief.distribution === "uniform") {
    const [low, high] = [belief.low - 1, belief.high - 1];
    return `uniform between ${format.signedShare(low)} and ${format.signedShare(high)}`;
  }
  if (belief.distribution === "normal")
    return `normal around ${format.signedShare(belief.mean - 1)} with a standard deviation of ${format.share(belief.sd)}`;
  return `lognormal around ${format.signedShare(belief.median - 1)} with a standard deviation of ${format.number(belief.log_sd)} of the logarithm`;
}

function signedWhole(value: number, format: Format): string {
  return value < 0 ? format.wholeMoney(value) : `+${format.wholeMoney(value)}`;
}
