import { at } from "../at.ts";
import { rounded } from "../estimation/validate.ts";
import type { Substitution } from "../types.ts";
import { crossPrice, independent, logitFrom, meansOnly, type Predict } from "./candidates.ts";
import type { LogitFit } from "./logit.ts";
import type { Panel } from "./panel.ts";

/** From fewer matched occasions than this, substitution cannot be told from noise. */
export const FEWEST_OCCASIONS = 30;
const FOLDS = 5;

export type HeldOut = Partial<Record<Substitution, number>>;

/**
 * How well each model of substitution predicts blocks of occasions that it has not seen: 1 − Poisson deviance /
 * that of each tier's mean. A model that cannot be fitted in every fold has no entry.  Yields between fits.
 * @param logit the fit to all occasions, if there is one
 */
export function* comparisonSteps(panel: Panel, logit: LogitFit | undefined): Generator<void, HeldOut> {
  const candidates = {
    none: independent,
    cross_price: crossPrice,
    logit: logitFrom(logit?.parameters),
  };
  const scores: Partial<Record<Substitution, number>> = {};
  const base = yield* lossOf(panel, meansOnly);
  for (const model of ["none", "cross_price", "logit"] as const) {
    const loss = yield* lossOf(panel, candidates[model]);
    if (base !== undefined && base > 0 && loss !== undefined) scores[model] = rounded(1 - loss / base);
  }
  return scores;
}

/** The model that predicts best; with equal scores the one that assumes least. */
export function bestOf(scores: HeldOut): Substitution {
  let best: Substitution = "none";
  for (const model of ["cross_price", "logit"] as const) {
    const score = scores[model];
    if (score !== undefined && score > (scores[best] ?? Number.NEGATIVE_INFINITY)) best = model;
  }
  return best;
}

function* lossOf(panel: Panel, predict: Predict): Generator<void, number | undefined> {
  let loss = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const training: number[] = [];
    const held: number[] = [];
    for (let t = 0; t < panel.occasions; t++) {
      (Math.floor((FOLDS * t) / panel.occasions) === fold ? held : training).push(t);
    }
    const predicted = yield* predict(panel, training, held);
    if (predicted === undefined) return undefined;
    panel.series.forEach(({ quantities }, i) => {
      held.forEach((t, position) => {
        const expected = Math.max(at(at(predicted, i), position), Number.MIN_VALUE);
        const sold = at(quantities, t);
        loss += expected - sold + (sold > 0 ? sold * Math.log(sold / expected) : 0);
      });
    });
  }
  return Number.isFinite(loss) ? loss : undefined;
}
