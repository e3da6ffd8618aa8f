import type { FocusData } from "../data/index.ts";
import { addDays, addMonths, type Day, monthEnd, monthStart } from "../periods/days.ts";
import { type Period, type PeriodAsked, periodAhead, periodOf } from "../periods/period.ts";
import { answerQuery, type Caller } from "../query/answer.ts";
import type { Filter } from "../query/types.ts";
import type { SaidAmount } from "../said/ahead.ts";
import { type ForecastAnswer, type ForecastQuery, forecastOf } from "./forecast.ts";

export type ExpectQuery = Pick<ForecastQuery, "changes"> & {
  readonly filter?: readonly Filter[];
  /** What is forecast; absent: this month and the two after it, or this month alone where there is a budget. */
  readonly period?: PeriodAsked;
  /** A budget for that period. */
  readonly budget?: SaidAmount;
};

/** The forecast of a period (wire shape). */
export type ExpectAnswer = Omit<ForecastAnswer, "parts"> & {
  readonly period: Pick<Period, "name" | "from" | "to">;
  readonly filter: readonly Filter[];
  readonly parts: readonly ExpectPart[];
  readonly data: { readonly first_day: Day; readonly last_day: Day; readonly warnings: readonly string[] };
};

export type ExpectPart = ForecastAnswer["parts"][number] & {
  /** The period's own total: what was spent in it so far, and what is forecast. */
  readonly total: ForecastAnswer["parts"][number]["totals"][number];
  /** What was spent in the last whole month that the data have, with credits. */
  readonly last_month: number | null;
};

const MONTHS_AHEAD = 2;

type Ahead = Pick<Period, "name" | "from" | "to">;

/**
 * What a period will cost: its total with bands, that of each of its months, and whether a budget will do.
 * @throws as `forecastOf`; FinopsError UNKNOWN_PERIOD, PERIOD_OVER
 */
export async function* expectationOf(
  data: FocusData,
  { filter = [], period: asked, budget, changes }: ExpectQuery,
  caller: Caller = {},
): AsyncGenerator<void, ExpectAnswer> {
  const { first_day, last_day, warnings } = data.about;
  const period =
    asked !== undefined
      ? periodAhead(asked, data.about)
      : budget === undefined
        ? theseMonths(last_day)
        : thisMonth(last_day);
  const key = `${period.from}/${period.to}`;
  const { parts, ...answer } = yield* forecastOf(
    data,
    {
      filter,
      horizon: 1,
      budgets: [{ period: key, ...(budget ? { amount: budget.amount } : {}) }],
      ...(changes ? { changes } : {}),
    },
    caller,
  );
  const months = await lastMonth(data, filter, caller);
  return {
    ...answer,
    period,
    filter,
    parts: parts.map((part): ExpectPart => {
      const found = part.totals.find((one) => one.period === key);
      if (found === undefined) throw new Error("the forecast has no total of its period");
      // A budget is of one currency: others are not held to it.
      const { budget: _, chance_exceeded: __, ...plain } = found;
      const isOwn = budget?.currency === undefined || budget.currency === part.currency;
      return {
        ...part,
        totals: part.totals.filter((one) => one !== found),
        total: isOwn ? found : plain,
        last_month: months.get(part.currency) ?? null,
      };
    }),
    data: { first_day, last_day, warnings },
  };
}

/** Of a month that is over, the next one. */
function thisMonth(last: Day): Ahead {
  const from = monthStart(addDays(last, 1));
  return { name: from.slice(0, 7), from, to: monthEnd(from) };
}

function theseMonths(last: Day): Ahead {
  const { from } = thisMonth(last);
  const to = monthEnd(addMonths(from, MONTHS_AHEAD));
  return { name: `${from.slice(0, 7)}/${to.slice(0, 7)}`, from, to };
}

async function lastMonth(
  data: FocusData,
  filter: readonly Filter[],
  caller: Caller,
): Promise<ReadonlyMap<string, number>> {
  const { from } = periodOf(data.about.last_day, data.about);
  if (monthStart(from) <= data.about.first_day) return new Map();
  const { parts } = await answerQuery(data, { filter, period: "last_month" }, caller);
  return new Map(parts.map(({ currency = "", total }) => [currency, total]));
}
