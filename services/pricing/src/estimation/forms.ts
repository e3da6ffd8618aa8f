import { at, gather } from "../at.ts";
import { median, spreadAround } from "../data/robust.ts";
import { logitChange } from "../demand-form.ts";
import { leastSquares, type Regression } from "../regression.ts";
import { studentTQuantile } from "../student-t.ts";
import { solveAll } from "../substitution/linear.ts";
import type { DemandForm, FormFit } from "../types.ts";
import { absorb, type Grouping, groupsAt } from "./absorb.ts";
import { rounded } from "./validate.ts";
import { type Dependence, type Uncertainty, uncertaintyOf } from "./variance.ts";

/** What a form is fitted to: one weighted regression, of ln q or of the last step of Poisson pseudo-maximum likelihood. */
export type FormData = {
  /** ln q, or the working response. */
  readonly response: Float64Array;
  readonly weights?: Float64Array;
  readonly logPrices: Float64Array;
  /** Controls and season. */
  readonly others: readonly Float64Array[];
  readonly groupings: readonly Grouping[];
  readonly dependence: Dependence;
  /** Periods in order, whose blocks are held out; without them blocks of rows are. */
  readonly periods?: Grouping;
};

/** Rows beyond this many are thinned evenly: no test of a form needs more. */
export const MOST_FORM_ROWS = 20_000;
/** A form is ruled out if a free curvature beside it differs from 0 at this level. */
const LEVEL = 0.05;
const ROUNDS = 6;
/** Demand of the linear form, as a share of that at the centre, below which its logarithm is not followed further. */
const LEAST_DEMAND = 0.05;

/**
 * Fits the forms of demand on one design, and rules out those that the rows reject. Each form but the logit has one
 * parameter, its elasticity at the centre of the prices, so that a free curvature beside it, which is 0 if the form is
 * right, tests it (in the spirit of Davidson and MacKinnon 1981). A form that this rejects still counts if none
 * predicts held-out blocks better. The logit of one item with an unknown market has two:
 * its elasticity and its curvature, from a quadratic in ln p. It counts if the rows are more concave than a constant
 * elasticity. Yields between regressions.
 * @param own the elasticity of the constant form with its uncertainty, as estimated from all rows
 */
export function* formSteps(
  given: FormData,
  own: { readonly elasticity: number; readonly uncertainty: Uncertainty },
): Generator<void, { forms: FormFit[]; data: FormData }> {
  const data = ordinary(given);
  const { logPrices } = data;
  const centre = logPrices.reduce((sum, value) => sum + value, 0) / logPrices.length;
  const z = logPrices.map((value) => value - centre);
  const square = z.map((value) => value * value);
  const curved = regress(data, [z, square]);
  yield;
  if (curved.entered[1] !== true || !(curved.degreesOfFreedom > 0)) return { forms: [], data };
  const bend = uncertaintyOf(curved, 1, data.dependence);
  const line = data === given ? undefined : regress(data, [z]);
  const { elasticity, uncertainty } = line
    ? { elasticity: at(line.coefficients, 0), uncertainty: uncertaintyOf(line, 0, data.dependence) }
    : own;
  const constant = formOf("constant_elasticity", centre, elasticity, uncertainty, {
    curvature: at(curved.coefficients, 1),
    ...bend,
  });
  const forms: FormFit[] = [constant];
  const shapes = [z];
  for (const form of ["semi_log", "linear"] as const) {
    let slope = Math.min(elasticity, -1e-3);
    for (let round = 0; round < (form === "linear" ? ROUNDS : 1); round++) {
      const fitted = regress(data, [z.map((value) => shapeOf(form, slope, value))]);
      slope = Math.min(at(fitted.coefficients, 0), -1e-3);
      yield;
    }
    const shape = z.map((value) => shapeOf(form, slope, value));
    const fitted = regress(data, [shape]);
    const tested = regress(data, [shape, square]);
    yield;
    if (tested.entered[1] !== true) continue;
    shapes.push(shape);
    forms.push(
      formOf(form, centre, slope, uncertaintyOf(fitted, 0, data.dependence), {
        curvature: at(tested.coefficients, 1),
        ...uncertaintyOf(tested, 1, data.dependence),
      }),
    );
  }
  const scores = heldOut(data, [...shapes.map((shape) => [shape]), [z, square]]);
  yield;
  const best = Math.max(...scores);
  const judged = forms.map((form, k) => {
    const held_out = at(scores, k);
    return { ...form, held_out, plausible: form.plausible || held_out === best };
  });
  if (!constant.plausible || forms.every(({ plausible }) => !plausible)) {
    const quadratic = {
      fitted: curved,
      elasticity: at(curved.coefficients, 0),
      curvature: at(curved.coefficients, 1),
    };
    const logit = quadratic.curvature < 0 ? logitOf(data, z, quadratic) : undefined;
    yield;
    const { fitted, elasticity: slope, curvature } = logit ?? quadratic;
    const [line, curve] = [0, 1].map((j) => uncertaintyOf(fitted, j, data.dependence));
    if (line === undefined || curve === undefined) return { forms: judged, data };
    judged.push({
      form: curvature < 0 ? "logit" : "log_quadratic",
      plausible: true,
      held_out: at(scores, forms.length),
      centre: Math.exp(centre),
      elasticity: slope,
      curvature,
      covariance: covarianceOf(fitted, line, curve, data.dependence),
      degrees_of_freedom: Math.min(line.degreesOfFreedom, curve.degreesOfFreedom),
    });
  }
  return { forms: judged, data };
}

const LOGIT_ROUNDS = 12;
const SETTLED = 1e-6;

/**
 * Elasticity and curvature at the centre of the logit itself, by Gauss–Newton steps from those of the quadratic, which only
 * resembles it near the centre. Undefined if the steps leave the logits.
 */
function logitOf(data: FormData, z: Float64Array, start: { elasticity: number; curvature: number }) {
  let { elasticity, curvature } = start;
  const curveAt = (e: number, c: number) =>
    z.map((value) => logitChange({ elasticity: e, curvature: c, centre: 1 }, 1, Math.exp(value)));
  for (let round = 0; round < LOGIT_ROUNDS; round++) {
    const [e, c] = [elasticity, curvature];
    const step = 1e-4;
    const here = curveAt(e, c);
    const slopes = [curveAt(e + step, c), curveAt(e, c + step)].map((there) =>
      there.map((value, r) => (value - at(here, r)) / step),
    );
    const response = data.response.map(
      (value, r) => value - at(here, r) + e * at(at(slopes, 0), r) + c * at(at(slopes, 1), r),
    );
    const fitted = regress({ ...data, response }, slopes);
    if (!fitted.entered[0] || !fitted.entered[1]) return undefined;
    [elasticity, curvature] = [at(fitted.coefficients, 0), at(fitted.coefficients, 1)];
    // A logit bends more than the semi-logarithmic form, whose curvature is e/2.
    if (!(elasticity < 0) || !(curvature < elasticity / 2)) return undefined;
    if (Math.abs(elasticity - e) + Math.abs(curvature - c) < SETTLED)
      return { fitted, elasticity, curvature };
  }
  return undefined;
}

const MOST_DEVIATIONS = 4;
const MOST_UNUSUAL = 0.05;

/**
 * The rows that a curve explains, but for few: where hardly anything is sold, a logarithm makes single rows outweigh all others.
 * Counts have weights instead.
 */
function ordinary(data: FormData): FormData {
  if (data.weights) return data;
  const { logPrices, response, others, groupings, periods, dependence } = data;
  const { residuals } = regress(data, [logPrices, logPrices.map((value) => value * value)]);
  const limit = MOST_DEVIATIONS * spreadAround(residuals, median(residuals));
  const keep = [...residuals.keys()].filter((r) => Math.abs(at(residuals, r)) <= limit);
  const left = residuals.length - keep.length;
  if (left === 0 || left > MOST_UNUSUAL * residuals.length) return data;
  const { clusters, ...rest } = dependence;
  return {
    response: gather(response, keep),
    logPrices: gather(logPrices, keep),
    others: others.map((values) => gather(values, keep)),
    groupings: groupings.map((one) => groupsAt(one, keep)),
    ...(periods && { periods: ordered(periods, keep) }),
    dependence: {
      ...rest,
      ...(clusters && { clusters: groupsAt(clusters, keep) }),
      ...(dependence.periods && { periods: ordered(dependence.periods, keep) }),
    },
  };
}

/** The periods of these rows, numbered in their order. */
export function ordered(periods: Grouping, rows: readonly number[]): Grouping {
  const codes = Int32Array.from(rows, (r) => at(periods.codes, r));
  const rank = new Map([...new Set(codes)].sort((a, b) => a - b).map((code, k) => [code, k]));
  return { codes: codes.map((code) => rank.get(code) ?? 0), levels: rank.size };
}

const FOLDS = 5;

/**
 * How well each set of price regressors predicts blocks of time (or of rows) that it was not fitted to: 1 − squared error / that
 * without a price. From cross products by block, on columns without the effects of the groups.
 */
function heldOut(data: FormData, candidates: readonly (readonly Float64Array[])[]): number[] {
  const { response, weights, others, groupings, periods } = data;
  const total = periods?.levels ?? response.length;
  const blocks = Int32Array.from(response, (_, r) =>
    Math.floor((FOLDS * (periods ? at(periods.codes, r) : r)) / total),
  );
  const roots = weights?.map(Math.sqrt);
  const [y = response, ...all] = absorb([response, ...others, ...candidates.flat()], groupings, weights).map(
    (column) => (roots ? column.map((value, r) => value * at(roots, r)) : column),
  );
  const controls = all.slice(0, others.length);
  let next = others.length;
  const base = lossOf(y, controls, blocks);
  return candidates.map((own) => {
    const columns = all.slice(next, next + own.length);
    next += own.length;
    return rounded(1 - lossOf(y, [...columns, ...controls], blocks) / base);
  });
}

function lossOf(y: Float64Array, columns: readonly Float64Array[], blocks: Int32Array): number {
  const all = [...columns, y];
  const size = all.length;
  const empty = () => Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const products = Array.from({ length: FOLDS }, empty);
  blocks.forEach((block, r) => {
    const own = at(products, Math.min(block, FOLDS - 1));
    for (let a = 0; a < size; a++) {
      const row = at(own, a);
      const left = at(at(all, a), r);
      for (let b = 0; b <= a; b++) row[b] = at(row, b) + left * at(at(all, b), r);
    }
  });
  let loss = 0;
  for (const held of products) {
    const value = (matrix: readonly (readonly number[])[], a: number, b: number) =>
      a < b ? at(at(matrix, b), a) : at(at(matrix, a), b);
    const rest = (a: number, b: number) =>
      products.reduce((sum, one) => sum + (one === held ? 0 : value(one, a, b)), 0);
    const xs = columns.map((_, a) => columns.map((_other, b) => rest(a, b)));
    const slopes = columns.length === 0 ? [] : solveAll(xs, [columns.map((_, a) => rest(a, size - 1))])?.[0];
    const weightsOf = [...(slopes ?? columns.map(() => 0)).map((slope) => -slope), 1];
    weightsOf.forEach((left, a) => {
      weightsOf.forEach((right, b) => {
        loss += left * right * value(held, a, b);
      });
    });
  }
  return loss;
}

/** Rows on each side of today's price without which a kink there is not tested. */
const FEWEST_BESIDE = 10;
const LEAST_SHARE_BESIDE = 0.1;
/** Of the test of a kink: stricter than that of the forms, since a curve looks like a weak kink. */
const KINK_LEVEL = 0.01;
/** A kink that is ruled out, but not at this level, leaves a doubt. */
const SURE_LEVEL = 0.001;

/**
 * Demand with one elasticity below a price and another one above it (Tversky and Kahneman 1991: buyers notice rises
 * more), if the rows tell the two apart; undefined if they do not, or if few lie on a side. Like the forms, it is ruled
 * out if the rows show a curve beside it.
 */
export function kinkAt(data: FormData, price: number): FormFit | undefined {
  const z = data.logPrices.map((value) => value - Math.log(price));
  const sides = [z.map((value) => Math.min(value, 0)), z.map((value) => Math.max(value, 0))];
  const above = z.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  const needed = Math.max(FEWEST_BESIDE, LEAST_SHARE_BESIDE * z.length);
  if (above < needed || z.length - above < needed) return undefined;
  const fitted = regress(data, sides);
  if (!fitted.entered[0] || !fitted.entered[1] || !(fitted.degreesOfFreedom > 0)) return undefined;
  const [below, over] = [0, 1].map((j) => uncertaintyOf(fitted, j, data.dependence));
  const difference = uncertaintyOf(combination(fitted, [1, -1]), 0, data.dependence);
  const step = at(fitted.coefficients, 0) - at(fitted.coefficients, 1);
  const reach = studentTQuantile(1 - KINK_LEVEL / 2, difference.degreesOfFreedom) * difference.standardError;
  if (below === undefined || over === undefined || !(Math.abs(step) > reach)) return undefined;
  const tested = regress(data, [...sides, z.map((value) => value * value)]);
  const bend = uncertaintyOf(tested, 2, data.dependence);
  const t = tested.entered[2] ? at(tested.coefficients, 2) / bend.standardError : 0;
  return {
    form: "kinked",
    plausible: isPlausible(t, bend),
    ...(isPlausible(t, bend, SURE_LEVEL) && { doubtful: true }),
    misfit_t: t,
    centre: price,
    elasticity: at(fitted.coefficients, 0),
    elasticity_se: below.standardError,
    elasticity_above: at(fitted.coefficients, 1),
    elasticity_above_se: over.standardError,
    degrees_of_freedom: Math.min(below.degreesOfFreedom, over.degreesOfFreedom),
  };
}

/** ln of demand at exp(z) times the centre, against that at the centre, per unit of the elasticity there. */
function shapeOf(form: "semi_log" | "linear", elasticity: number, z: number): number {
  const rise = Math.expm1(z);
  if (form === "semi_log") return rise;
  return Math.log(Math.max(LEAST_DEMAND, 1 + elasticity * rise)) / elasticity;
}

function formOf(
  form: DemandForm,
  centre: number,
  elasticity: number,
  { standardError, degreesOfFreedom }: Uncertainty,
  bend: Uncertainty & { readonly curvature: number },
): FormFit {
  const t = bend.curvature / bend.standardError;
  return {
    form,
    plausible: isPlausible(t, bend),
    centre: Math.exp(centre),
    elasticity,
    elasticity_se: standardError,
    degrees_of_freedom: degreesOfFreedom,
    misfit_t: t,
  };
}

function isPlausible(t: number, { degreesOfFreedom }: Uncertainty, level = LEVEL): boolean {
  return !(Math.abs(t) > studentTQuantile(1 - level / 2, degreesOfFreedom));
}

function regress(data: FormData, regressors: readonly Float64Array[]): Regression {
  const { response, others, weights, groupings } = data;
  return leastSquares(response, [...regressors, ...others], { groupings, ...(weights && { weights }) });
}

/** The regression with the first coefficient replaced by a combination of the first ones. */
function combination(regression: Regression, shares: readonly number[]): Regression {
  const mixed = (rows: readonly ArrayLike<number>[]) =>
    Float64Array.from({ length: at(rows, 0).length }, (_, r) =>
      shares.reduce((sum, share, j) => sum + share * at(at(rows, j), r), 0),
    );
  return {
    ...regression,
    directions: [mixed(regression.directions)],
    inverse: [[...mixed(regression.inverse)]],
  };
}

/** Variances of the elasticity and the curvature, and between them their covariance, by polarisation. */
function covarianceOf(
  curved: Regression,
  line: Uncertainty,
  bend: Uncertainty,
  dependence: Dependence,
): [number, number, number] {
  const [v, w] = [line.standardError ** 2, bend.standardError ** 2];
  // Both at one scale, or the sum would be that of the larger.
  const scale = line.standardError / bend.standardError;
  const both = uncertaintyOf(combination(curved, [1, scale]), 0, dependence).standardError ** 2;
  const most = Math.sqrt(v * w);
  return [v, Math.max(-most, Math.min(most, (both - v - scale * scale * w) / (2 * scale))), w];
}
