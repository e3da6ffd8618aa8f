import { at, leastSquares, tabulate } from "../stats/index.ts";
import { dayOfMonth, daysInMonth } from "./calendar.ts";
import type { History } from "./series.ts";

/** Values that a regressor needs on either side before it enters. */
export const LEAST_AROUND_A_STEP = { day: 7, month: 3 } as const;

/**
 * Least squares on a linear trend, Fourier terms and known steps. Days have three harmonics of the week, and, once the
 * history spans two of them, the first of the month (when fees are billed) with two harmonics of the month; both grains
 * have two harmonics of the year after two years. What the last residual says about the next ones decays as ρ^h, where
 * ρ is the residuals' first autocorrelation (regression with AR(1) errors; Hyndman and Athanasopoulos, 3rd edition, 10).
 */
export function forecastRegression(history: History, horizon: number): Float64Array {
  const { values } = history;
  const rows: number[] = [];
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(at(values, i))) rows.push(i);
  const columns = columnsOf(history, rows.length, horizon);
  const coefficients = leastSquares(
    columns.map((column) => tabulate(rows.length, (row) => at(column, at(rows, row)))),
    tabulate(rows.length, (row) => at(values, at(rows, row))),
  );
  const fitted = new Float64Array(values.length + horizon);
  columns.forEach((column, j) => {
    for (let i = 0; i < fitted.length; i++) fitted[i] = at(fitted, i) + at(coefficients, j) * at(column, i);
  });

  const residuals = values.map((value, i) => value - at(fitted, i));
  const rho = autocorrelation(residuals);
  const last = at(rows, rows.length - 1);
  return fitted
    .subarray(values.length)
    .map((value, h) => value + rho ** (values.length + h - last) * at(residuals, last));
}

/** The terms that this much history can tell apart, at most one for each four values, for its periods and the next ones. */
function columnsOf({ grain, start, values, steps }: History, count: number, horizon: number): Float64Array[] {
  const end = start + values.length;
  const column = (of: (period: number) => number) => tabulate(values.length + horizon, (i) => of(start + i));
  const columns = [column(() => 1)];
  const add = (more: readonly Float64Array[]) => {
    if (4 * (columns.length + more.length) <= count) columns.push(...more);
  };
  add([column((period) => (period - start) / values.length)]);
  for (const step of steps) {
    const least = Math.min(step - start, end - step);
    if (least >= LEAST_AROUND_A_STEP[grain]) add([column((period) => (period >= step ? 1 : 0))]);
  }
  if (grain === "day") {
    add(
      harmonics(
        3,
        column((day) => day / 7),
      ),
    );
    if (values.length >= 62) {
      add([column((day) => (dayOfMonth(day) === 0 ? 1 : 0))]);
      add(
        harmonics(
          2,
          column((day) => dayOfMonth(day) / daysInMonth(day)),
        ),
      );
    }
  }
  const year = grain === "day" ? 365.25 : 12;
  if (values.length >= 2 * year)
    add(
      harmonics(
        2,
        column((period) => period / year),
      ),
    );
  return columns;
}

/** The cosine and sine of one turn per cycle, of two, and so on. */
function harmonics(order: number, cycles: Float64Array): Float64Array[] {
  return Array.from({ length: order }, (_, k) => 2 * Math.PI * (k + 1)).flatMap((turn) => [
    cycles.map((cycle) => Math.cos(turn * cycle)),
    cycles.map((cycle) => Math.sin(turn * cycle)),
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
