import { at } from "../at.ts";
import { groupBy } from "../estimation/absorb.ts";
import { coefficientsOf, estimateSteps } from "../estimation/estimate.ts";
import { logitMeans, logitSteps } from "./logit.ts";
import { type Panel, panelPart } from "./panel.ts";

/** Predicted quantities, by tier and occasion; undefined if the model could not be fitted. */
export type Predicted = readonly Float64Array[] | undefined;

/** Fits a model to some occasions and predicts others. Yields between steps. */
export type Predict = (
  panel: Panel,
  training: readonly number[],
  held: readonly number[],
) => Generator<void, Predicted>;

/** Every tier at its mean: what a model must beat. */
export function* meansOnly(
  panel: Panel,
  training: readonly number[],
  held: readonly number[],
): Generator<void, Predicted> {
  yield;
  return panel.series.map(({ quantities }) => {
    const mean = training.reduce((sum, t) => sum + at(quantities, t), 0) / training.length;
    return new Float64Array(held.length).fill(Math.max(mean, Number.MIN_VALUE));
  });
}

/** Each tier by its own price. */
export const independent: Predict = (panel, training, held) => logLinear(panel, training, held, false);

/** Each tier by the prices of all tiers. */
export const crossPrice: Predict = (panel, training, held) => logLinear(panel, training, held, true);

/** The fit to all occasions is where the fits to parts of them begin; it does not change where they end. */
export function logitFrom(start: readonly number[] | undefined): Predict {
  return (panel, training, held) => logitChoice(panel, training, held, start);
}

function* logitChoice(
  panel: Panel,
  training: readonly number[],
  held: readonly number[],
  start: readonly number[] | undefined,
): Generator<void, Predicted> {
  const fit = start && (yield* logitSteps(panelPart(panel, training), start));
  if (fit === undefined) return undefined;
  const means = held.map((t) => logitMeans(panel, fit.parameters, t));
  return panel.series.map((_, i) => Float64Array.from(means, (one) => at(one, i)));
}

/** The regressors of tier i: its own log price, those of the others if asked for, and its controls. */
export function regressorsOf(panel: Panel, i: number, cross: boolean): Float64Array[] {
  const logs = panel.series.map(({ prices }) => prices.map(Math.log));
  const others = cross ? logs.filter((_, j) => j !== i) : [];
  return [at(logs, i), ...others, ...at(panel.series, i).controls];
}

function* logLinear(
  panel: Panel,
  training: readonly number[],
  held: readonly number[],
  cross: boolean,
): Generator<void, Predicted> {
  const part = panelPart(panel, training);
  const predicted: Float64Array[] = [];
  for (let i = 0; i < panel.series.length; i++) {
    const { quantities } = at(part.series, i);
    if (quantities.every((quantity) => quantity === 0)) return undefined;
    const estimator = quantities.some((quantity) => quantity === 0) ? "ppml" : "ols";
    const several = new Set(part.units).size > 1;
    const own = regressorsOf(part, i, cross);
    const fitted = yield* estimateSteps(estimator, quantities, own, several ? [groupBy(part.units)] : []);
    if (!fitted.converged || fitted.regression.degreesOfFreedom <= 0) return undefined;
    const slopes = coefficientsOf(fitted.regression);
    const effect = (regressors: readonly Float64Array[], t: number) =>
      slopes.reduce((sum, slope, k) => sum + slope * at(at(regressors, k), t), 0);
    const levels = new Map<string, { sum: number; count: number }>();
    let smearing = 0;
    fitted.linear.forEach((eta, t) => {
      const unit = part.units[t] ?? "";
      const level = levels.get(unit) ?? { sum: 0, count: 0 };
      levels.set(unit, { sum: level.sum + eta - effect(own, t), count: level.count + 1 });
      smearing += estimator === "ols" ? at(quantities, t) / Math.exp(eta) : 1;
    });
    const all = regressorsOf(panel, i, cross);
    predicted.push(
      Float64Array.from(held, (t) => {
        const level = levels.get(panel.units[t] ?? "") ?? levels.values().next().value;
        const base = level === undefined ? 0 : level.sum / level.count;
        return (Math.exp(base + effect(all, t)) * smearing) / training.length;
      }),
    );
  }
  return predicted;
}
