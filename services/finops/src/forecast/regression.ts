import { at, leastSquares } from "../stats/index.ts";
import { dayOfMonth, daysInMonth } from "./calendar.ts";
import type { History } from "./series.ts";

/** Values that a regressor needs on either side before it enters. */
export const LEAST_AROUND_A_STEP = { day: 7, month: 3 } as const;

type Regressor = (period: number) => number;

/**
 * Least squares on a linear trend, Fourier terms and known steps. Days have three harmonics of the week, and, once the
 * history spans two of them, the first of the month (when fees are billed) with two harmonics of the month; both grains
 * have two harmonics of the year after two years. What the last residual says about the next ones decays as ρ^h, where
 * ρ is the residuals' first autocorrelation (regression with AR(1) errors; Hyndman and Athanasopoulos, 3rd edition, 10).
 */
export function forecastRegression(history: History, horizon: number): Float64Array {
  const { start, values } = history;
  const rows: number[] = [];
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(at(values, i))) rows.push(i);
  const regressors = regressorsFor(history, rows.length);
  const columns = regressors.map((f) => Float64Array.from(rows, (i) => f(start + i)));
  const coefficients = leastSquares(
    columns,
    Float64Array.from(rows, (i) => at(values, i)),
  );
  const fitted = (period: number) =>
    regressors.reduce((sum, f, j) => sum + at(coefficients, j) * f(period), 0);

  const residuals = values.map((value, i) => value - fitted(start + i));
  const rho = autocorrelation(residuals);
  const last = at(rows, rows.length - 1);
  return Float64Array.from({ length: horizon }, (_, h) => {
    const i = values.length + h;
    return fitted(start + i) + rho ** (i - last) * at(residuals, last);
  });
}

/** The terms that this much history can tell apart: at most one for each four values. */
function regressorsFor({ grain, start, values, steps }: History, count: number): Regressor[] {
  const end = start + values.length;
  const regressors: Regressor[] = [() => 1];
  const add = (...more: Regressor[]) => {
    if (4 * (regressors.length + more.length) <= count) regressors.push(...more);
  };
  add((period) => (period - start) / values.length);
  for (const step of steps) {
    const least = Math.min(step - start, end - step);
    if (least >= LEAST_AROUND_A_STEP[grain]) add((period) => (period >= step ? 1 : 0));
  }
  const year = grain === "day" ? 365.25 : 12;
  if (grain === "day") {
    add(...harmonics(3, (day) => day / 7));
    if (values.length >= 62) {
      add((day) => (dayOfMonth(day) === 0 ? 1 : 0));
      add(...harmonics(2, (day) => dayOfMonth(day) / daysInMonth(day)));
    }
  }
  if (values.length >= 2 * year) add(...harmonics(2, (period) => period / year));
  return regressors;
}

function harmonics(order: number, cycles: (period: number) => number): Regressor[] {
  return Array.from({ length: order }, (_, k) => 2 * Math.PI * (k + 1)).flatMap((turn) => [
    (period: number) => Math.cos(turn * cycles(period)),
    (period: number) => Math.sin(turn * cycles(period)),
  ]);
}

function autocorrelation(residuals: Float64Array): number {
  let [products, squares] = [0, 0];
  for (let i = 1; i < residuals.length; i++) {
    const [before, now] = [at(residuals, i - 1), at(residuals, i)];
    if (Number.isNaN(before) || Number.isNaN(now)) continue;
    products += before * now;
    squares += before * before;
  }
  return squares > 0 ? Math.min(Math.max(products / squares, 0), 0.99) : 0;
}
