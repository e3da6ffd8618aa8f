import { type ExpectAnswer, expectationOf } from "../bills/expect.ts";
import type { FocusData } from "../data/index.ts";
import { FinopsError } from "../errors.ts";
import {
  addDays,
  addMonths,
  type Day,
  monthEnd,
  monthStart,
  quarterStart,
  weekStart,
} from "../periods/days.ts";
import { type PeriodAsked, periodAhead } from "../periods/period.ts";
import { answerQuery, type Caller } from "../query/answer.ts";
import { callersFilters } from "../query/filters.ts";
import type { Filter } from "../query/types.ts";
import type { SaidAmount } from "../said/ahead.ts";
import type { Alert, AlertPeriod, Grain, Threshold } from "./alert.ts";

export type AlertQuery = {
  readonly filter?: readonly Filter[];
  /** With `every`, the days that it repeats within; absent: for good. */
  readonly period?: PeriodAsked;
  /** Absent: each month where no period is named, else once. */
  readonly every?: Grain;
  /** Absent: the upper end of the 80 % band of what is forecast. */
  readonly amount?: SaidAmount;
  readonly thresholds?: readonly Threshold[];
};

/** A budget or alert that could be created, with what a decider needs to know of it (wire shape). */
export type AlertProposal = {
  readonly proposed: readonly [Alert];
  readonly review: {
    readonly amount_from: "said" | "forecast";
    /** The first period that it would be of. */
    readonly from: Day;
    readonly to: Day;
    readonly expected: number;
    readonly p80: readonly [number, number];
    readonly p95: readonly [number, number];
    /** null: too few such periods could be tested. */
    readonly chance_exceeded: number | null;
    /** Of days and months: how many whole ones there were lately, in how many of them more was spent, and the most. */
    readonly past?: { readonly periods: number; readonly exceeded: number; readonly most: number };
  };
  readonly restricted: boolean;
  readonly rows: number;
  readonly data: ExpectAnswer["data"];
};

const ON_THE_WAY: readonly Threshold[] = [
  { share: 0.8, of: "actual" },
  { share: 1, of: "actual" },
  { share: 1, of: "forecast" },
];
const AT_THE_LIMIT: readonly Threshold[] = [{ share: 1, of: "actual" }];
const MOST_ID = 64;

/**
 * Proposes a budget or an alert; nothing is created. Its scope is never wider than what the caller may see.
 * @throws as `expectationOf`; FinopsError INVALID_QUERY where the charges are in several currencies and none is named
 */
export async function* proposingAlert(
  data: FocusData,
  { filter = [], period: asked, every: grain, amount: said, thresholds }: AlertQuery,
  caller: Caller = {},
): AsyncGenerator<void, AlertProposal> {
  const { last_day } = data.about;
  const days = asked === undefined ? undefined : periodAhead(asked, data.about);
  const every = grain ?? (days === undefined ? "month" : undefined);
  const period: AlertPeriod = {
    ...(every === undefined ? {} : { every }),
    ...(days === undefined ? {} : { from: days.from, to: days.to }),
  };
  const first = firstOf(period, last_day);
  const expect = async function* (budget?: SaidAmount) {
    return yield* expectationOf(data, { filter, period: first, ...(budget ? { budget } : {}) }, caller);
  };
  const known = yield* expect(said);
  const currency = said?.currency ?? onlyCurrency(known);
  const amount = said?.amount ?? rounded(partOf(known, currency).total.p80[1]);
  // Without an amount it is known only now what the chance is of.
  const answer = said === undefined ? yield* expect({ amount, currency }) : known;
  const { total } = partOf(answer, currency);
  const past = await pastOf(data, { filter, every, amount, currency }, caller);
  const kind = every === "day" ? "alert" : "budget";
  const scope = [...filter, ...callersFilters(caller.rows)];
  const alert: Alert = {
    id: idOf(kind, scope, period),
    kind,
    metric: "effective",
    filter: scope,
    amount,
    currency,
    period,
    thresholds: thresholds ?? (kind === "alert" ? AT_THE_LIMIT : ON_THE_WAY),
  };
  return {
    proposed: [alert],
    review: {
      amount_from: said === undefined ? "forecast" : "said",
      ...first,
      expected: total.expected,
      p80: total.p80,
      p95: total.p95,
      chance_exceeded: total.chance_exceeded ?? null,
      ...(past === undefined ? {} : { past }),
    },
    restricted: answer.restricted,
    rows: answer.rows,
    data: answer.data,
  };
}

/** The first days that it is of and that are not over. */
function firstOf({ every, from, to }: AlertPeriod, last: Day): { readonly from: Day; readonly to: Day } {
  const next = addDays(last, 1);
  const start = from !== undefined && from > next ? from : next;
  if (every === undefined) return { from: from ?? start, to: to ?? start };
  return WINDOWS[every](start);
}

const WINDOWS: Readonly<Record<Grain, (day: Day) => { from: Day; to: Day }>> = {
  day: (day) => ({ from: day, to: day }),
  week: (day) => ({ from: weekStart(day), to: addDays(weekStart(day), 6) }),
  month: (day) => ({ from: monthStart(day), to: monthEnd(day) }),
  quarter: (day) => ({ from: quarterStart(day), to: monthEnd(addMonths(quarterStart(day), 2)) }),
};

function onlyCurrency({ parts }: ExpectAnswer): string {
  const [first, second] = parts;
  if (first === undefined || second !== undefined)
    throw new FinopsError(
      "INVALID_QUERY",
      "The charges are in several currencies: an amount has to name its own.",
    );
  return first.currency;
}

function partOf({ parts }: ExpectAnswer, currency: string): ExpectAnswer["parts"][number] {
  const part = parts.find((one) => one.currency === currency);
  if (part === undefined)
    throw new FinopsError("INVALID_QUERY", "Nothing of that scope is charged in that currency.");
  return part;
}

/** Up, to two digits: an amount that nobody said pretends to no cents. */
function rounded(amount: number): number {
  const step = 10 ** (Math.floor(Math.log10(Math.max(amount, 1))) - 1);
  return Math.max(Math.ceil(amount / step) * step, 1);
}

const PAST = { day: "last_90_days", month: "last_12_months" } as const;

async function pastOf(
  data: FocusData,
  {
    filter,
    every,
    amount,
    currency,
  }: Pick<Alert, "filter" | "amount" | "currency"> & { every?: Grain | undefined },
  caller: Caller,
): Promise<AlertProposal["review"]["past"]> {
  if (every !== "day" && every !== "month") return undefined;
  const { parts } = await answerQuery(data, { filter, group_by: [every], period: PAST[every] }, caller);
  const groups = parts.find((part) => part.currency === currency)?.groups ?? [];
  const costs = groups.map(({ value }) => value);
  return {
    periods: costs.length,
    exceeded: costs.filter((cost) => cost > amount).length,
    most: Math.max(0, ...costs),
  };
}

function idOf(kind: Alert["kind"], filter: readonly Filter[], { every, from, to }: AlertPeriod): string {
  const days = from === undefined ? [] : [from, to];
  const parts = [kind, ...filter.flatMap(({ values }) => values), every, ...days];
  return parts
    .filter((part) => part !== undefined && part !== null)
    .join("-")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, MOST_ID);
}
