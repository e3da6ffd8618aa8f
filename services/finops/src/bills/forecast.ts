import type { FocusData } from "../data/index.ts";
import { Params } from "../data/sql.ts";
import { FinopsError } from "../errors.ts";
import {
  type Budget,
  type Change,
  type Component,
  forecasting,
  type SpendForecast,
} from "../forecast/index.ts";
import type { Caller } from "../query/answer.ts";
import { callersFilters, filtersIn } from "../query/filters.ts";
import type { Filter } from "../query/types.ts";

export type ForecastQuery = {
  readonly filter?: readonly Filter[];
  /** Days ahead; further if a budget's period ends later. */
  readonly horizon?: number;
  readonly budgets?: readonly Budget[];
  /** Of usage. */
  readonly changes?: readonly Change[];
};

/** Effective costs, by currency (wire shape). */
export type ForecastAnswer = {
  readonly restricted: boolean;
  readonly rows: number;
  readonly parts: readonly (SpendForecast & {
    readonly currency: string;
    /** Corrections, which happen once: in no forecast. */
    readonly left_out: number;
  })[];
};

/** What follows rules of its own is forecast by itself. A day without fees or credits had none. */
const COMPONENTS: readonly Pick<Component, "name" | "kind">[] = [
  { name: "usage", kind: "usage" },
  { name: "commitments", kind: "commitment" },
  { name: "fees", kind: "commitment" },
  { name: "credits", kind: "credit" },
];

const COMPONENT = `CASE WHEN class = 'Correction' THEN 'left_out' WHEN charge = 'Credit' THEN 'credits'
  WHEN commitment IS NOT NULL THEN 'commitments' WHEN charge = 'Usage' THEN 'usage' ELSE 'fees' END`;

const DEFAULT_HORIZON = 30;

/** Credits that come once a month or more seldom are late only after so many days. */
const LEAST_WAIT = 31;

/** Credits that are overdue, since they have not come for longer than ever before, have ended: the bills do not say until when they are granted. */
function endOfCredits(
  costs: ReadonlyMap<string, number>,
  name: string,
  days: readonly string[],
): Pick<Component, "until"> {
  const at = days.flatMap((day, index) => (costs.get(`${name} ${day}`) ? [index] : []));
  const last = at.at(-1);
  if (last === undefined) return {};
  const longest = at.reduce((most, one, i) => Math.max(most, one - (at[i - 1] ?? one)), LEAST_WAIT);
  return days.length - 1 - last > longest ? { until: String(days[last]) } : {};
}

/**
 * Forecasts daily spend from all days that the data have. A day on which nothing at all was charged is missing; one
 * without a charge that the filters let through cost 0. Yields between pieces of work.
 * @throws FinopsError as `answerQuery`, PERIOD_WITHOUT_DATA without any charge; ForecastError
 */
export async function* forecastOf(
  data: FocusData,
  { filter = [], horizon = DEFAULT_HORIZON, budgets = [], changes = [] }: ForecastQuery,
  caller: Caller = {},
): AsyncGenerator<void, ForecastAnswer> {
  const restricting = callersFilters(caller.rows);
  const known = await data.all("SELECT DISTINCT day FROM focus.charges ORDER BY day", [], caller.signal);
  const days = known.map(({ day }) => String(day));
  const params = new Params();
  const where = ["true", ...filtersIn([...filter, ...restricting], params)].join(" AND ");
  const rows = await data.all(
    `SELECT currency, ${COMPONENT} AS component, day, CAST(sum(effective) AS DOUBLE) AS cost, count(*) AS rows
    FROM focus.charges WHERE ${where} GROUP BY ALL ORDER BY currency, component, day`,
    params.values,
    caller.signal,
  );
  if (rows.length === 0)
    throw new FinopsError("PERIOD_WITHOUT_DATA", "There are no charges to forecast from.");
  const parts: ForecastAnswer["parts"][number][] = [];
  for (const [currency, own] of Map.groupBy(rows, (row) => String(row.currency))) {
    const costs = new Map(own.map(({ component, day, cost }) => [`${component} ${day}`, Number(cost)]));
    const first = own.reduce(
      (least, { day }) => (String(day) < least ? String(day) : least),
      String(own[0]?.day),
    );
    const components = COMPONENTS.filter(({ name }) => own.some(({ component }) => component === name)).map(
      (component): Component => ({
        ...component,
        points: days
          .filter((day) => day >= first)
          .map((day) => ({ period: day, cost: costs.get(`${component.name} ${day}`) ?? 0 })),
        ...(component.kind === "usage" ? { changes } : {}),
        ...(component.kind === "credit" ? endOfCredits(costs, component.name, days) : {}),
      }),
    );
    const steps = forecasting({ grain: "day", components, horizon, budgets });
    let next = steps.next();
    for (; !next.done; next = steps.next()) yield;
    const left_out = own.reduce(
      (sum, { component, cost }) => sum + (component === "left_out" ? Number(cost) : 0),
      0,
    );
    parts.push({ currency, ...next.value, left_out });
  }
  return {
    restricted: restricting.length > 0,
    rows: rows.reduce((sum, row) => sum + Number(row.rows), 0),
    parts,
  };
}
