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
  const texts = format.texts.sensitivity;
  return [
    ...scoreSentences(totals, about.draws, format),
    texts.profitBand(format.wholeMoney(band.p5), format.wholeMoney(band.p95), format.wholeMoney(band.p50)),
    texts.changeBand(
      about.objective,
      signedWhole(gain.p5, format),
      signedWhole(gain.p95, format),
      signedWhole(gain.p50, format),
    ),
    ...weakestSentences(reports, format),
    ...unsolvedSentences(reports, format),
    ...(reports.length > MOST_DETAILED ? [texts.detailed(MOST_DETAILED, reports.length)] : []),
    assumptionsText(assumptions, format),
  ].join(" ");
}

/** All beliefs behind an analysis, in one or two sentences: first those that nobody gave. */
export function assumptionsText(
  { elasticity, cost, demand, common_share }: Assumptions,
  format: Format,
): string {
  const { tiers } = elasticity;
  const texts = format.texts.sensitivity;
  const lines: [assumed: boolean, text: string][] = [
    [
      true,
      tiers.assumed === 0 ? "" : texts.elasticityErrors(format.share(elasticity.relative_se), tiers.assumed),
    ],
    [cost.assumed, texts.costBelief(beliefText(cost, format))],
    [demand.assumed, texts.demandBelief(beliefText(demand, format))],
    [common_share.assumed, texts.common(format.share(common_share.value))],
  ];
  const of = (assumed: boolean) =>
    lines.filter(([is, text]) => is === assumed && text).map(([, text]) => text);
  const [made, given] = [of(true), of(false)];
  return [
    ...(made.length > 0 ? [texts.assumed(made)] : []),
    ...(given.length > 0 ? [texts.given(given)] : []),
  ].join(" ");
}

/** The factor that decides most whether the recommendation beats today's prices. */
export function decidingFactor(bars: readonly TornadoBar[]): TornadoBar | undefined {
  return bars.find((bar) => bar.decides);
}

function factorText(factor: string, { texts }: Format): string {
  const [kind, tier = ""] = factor.split(":");
  if (kind === "elasticity") return texts.sensitivity.elasticity(tier);
  if (kind === "price_coefficient") return texts.sensitivity.priceCoefficient;
  return kind === "cost" ? texts.sensitivity.cost : texts.sensitivity.demand;
}

function scoreSentences({ robustness }: SensitivityTotals, draws: number, format: Format): string[] {
  const { score, interval, ties } = robustness;
  const texts = format.texts.sensitivity;
  if (score === null || interval === null) return [texts.allTie(draws)];
  const [low, high] = [format.share(interval.low, 3), format.share(interval.high, 3)];
  const level = format.share(interval.level);
  return [texts.score({ score: format.share(score, 3), draws, level, low, high, ties })];
}

function weakestSentences(
  reports: readonly (ItemSensitivity & SensitivityDetails)[],
  format: Format,
): string[] {
  const scored = reports.flatMap(({ item_id, robustness, tornado }) =>
    robustness.score === null ? [] : [{ item_id, score: robustness.score, tornado }],
  );
  const kept = reports.length - scored.length;
  const sentences = kept === 0 ? [] : [format.texts.sensitivity.keep(kept)];
  const [first, ...others] = scored;
  if (first === undefined) return sentences;
  const weakest = others.reduce((least, next) => (next.score < least.score ? next : least), first);
  const decides = decidingFactor(weakest.tornado);
  const factor = decides && factorText(decides.factor, format);
  return [
    format.texts.sensitivity.weakest(weakest.item_id, format.share(weakest.score, 3), factor),
    ...sentences,
  ];
}

function unsolvedSentences(reports: readonly ItemSensitivity[], format: Format): string[] {
  const total = (of: (report: ItemSensitivity) => number) => reports.reduce((sum, one) => sum + of(one), 0);
  const unbounded = total(({ unsolved }) => unsolved.unbounded);
  const infeasible = total(({ unsolved }) => unsolved.infeasible);
  const texts = format.texts.sensitivity;
  return [
    ...(unbounded > 0 ? [texts.unbounded(unbounded)] : []),
    ...(infeasible > 0 ? [texts.infeasible(infeasible)] : []),
  ];
}

function beliefText(belief: Distribution, format: Format): string {
  const texts = format.texts.sensitivity;
  if (belief.distribution === "uniform")
    return texts.uniform(format.signedShare(belief.low - 1), format.signedShare(belief.high - 1));
  if (belief.distribution === "normal")
    return texts.normal(format.signedShare(belief.mean - 1), format.share(belief.sd));
  return texts.lognormal(format.signedShare(belief.median - 1), format.number(belief.log_sd));
}

function signedWhole(value: number, format: Format): string {
  return value < 0 ? format.wholeMoney(value) : `+${format.wholeMoney(value)}`;
}
