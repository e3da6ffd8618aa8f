import { at } from "../stats/index.ts";
import { type Prepared, signed, withGapsFilled } from "./component.ts";
import { scheduled, withinTerms } from "./contract.ts";
import { ForecastError } from "./errors.ts";
import type { Method } from "./methods.ts";
import { errorScale, rollingOrigin } from "./rolling-origin.ts";
import type { History, Series } from "./series.ts";
import type { Component, ComponentForecast } from "./types.ts";

/** A component's forecast, with what the total needs of it. */
export type Part = {
  readonly answer: ComponentForecast;
  /** As observed. */
  readonly series: Series;
  /** The same, with estimates in its gaps. */
  readonly filled: Float64Array;
  /** Of a statistical forecast: its errors, by origin. */
  readonly tested?: { readonly history: History; readonly errors: readonly Float64Array[] };
};

/** What the contract says. Its past is what was charged. */
export function byContract(component: Component, series: Series, horizon: number): Part {
  const { name, kind, schedule = [] } = component;
  const first = series.start + series.values.length;
  const costs = scheduled(name, schedule, series.grain, first, horizon);
  return {
    answer: {
      name,
      kind,
      method: "schedule",
      mase: null,
      compared: [],
      costs: [...costs],
      gaps: [],
      changes_not_applied: [],
    },
    series,
    filled: series.values.map((value) => (Number.isNaN(value) ? 0 : value)),
  };
}

/** By the method whose mean absolute error over all origins is least. Yields after each origin. */
export function* byBestMethod(
  { component, history, effect, gaps, notApplied }: Prepared,
  series: Series,
  { methods, origins, horizon }: { methods: readonly Method[]; origins: readonly number[]; horizon: number },
): Generator<void, Part> {
  const { name, kind } = component;
  const { grain, start, values } = history;
  const known = at(origins, 0) - start;
  const able = methods.filter(({ least }) => least(history) <= known).map((one) => signed(one, history));
  const tests = yield* rollingOrigin(history, able, origins, horizon);
  const ranked = able
    .map((method, i) => ({ method, ...at(tests, i) }))
    .filter(({ mae }) => !Number.isNaN(mae))
    .sort((a, b) => a.mae - b.mae);
  const [best] = ranked;
  if (best === undefined)
    throw new ForecastError("SERIES_TOO_SHORT", "No forecast could be compared with what came.", {
      series: name,
    });

  const first = start + values.length;
  const costs = best.method.forecast(history, horizon).map((cost, h) => cost + effect(first + h));
  const scale = errorScale(history);
  const mase = (mae: number) => (mae === 0 ? 0 : scale > 0 ? mae / scale : null);
  return {
    answer: {
      name,
      kind,
      method: best.method.name,
      mase: mase(best.mae),
      compared: ranked.map(({ method, mae }) => ({ method: method.name, mase: mase(mae), mae })),
      costs: [...withinTerms(component, costs, grain, first)],
      gaps,
      changes_not_applied: notApplied,
    },
    series,
    filled: withGapsFilled(history, best.method).map((value, i) => value + effect(start + i)),
    tested: { history, errors: best.errors },
  };
}
