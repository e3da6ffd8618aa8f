import type { FocusData } from "../data/index.ts";
import { Params } from "../data/sql.ts";
import { addDays, type Day, daysIn } from "../periods/days.ts";
import { type Period, type PeriodAsked, periodOf } from "../periods/period.ts";
import type { Caller } from "../query/answer.ts";
import { dimensionOf } from "../query/dimensions.ts";
import { callersFilters, filtersIn } from "../query/filters.ts";
import type { Filter } from "../query/types.ts";
import { DEFAULT_SENSITIVITY, type Run, type Sensitivity, unusualRuns } from "./detect.ts";
import { type Drivers, driversOf, type Item, mainDriver } from "./drivers.ts";

export type AnomalyQuery = {
  /** When they began. */
  readonly period?: PeriodAsked;
  readonly filter?: readonly Filter[];
  readonly group_by?: readonly string[];
  readonly top?: number;
  readonly sensitivity?: Partial<Sensitivity>;
};

/** What cost more or less than is usual (wire shape). Amounts are effective costs of usage, over all of its days. */
export type Anomaly = Omit<Run, "days"> & {
  readonly keys: Readonly<Record<string, string | null>>;
  readonly currency: string;
  readonly days: number;
  readonly actual: number;
  readonly expected: number;
  /** The expected band of the first day. */
  readonly band: { readonly low: number; readonly high: number };
  readonly impact: number;
  /** A day, against the four weeks before. */
  readonly change_per_day: number;
  readonly drivers: Drivers;
  readonly main_driver: keyof Drivers;
  /** What changed most, by field: a day. */
  readonly contributors: readonly {
    readonly field: string;
    readonly key: string | null;
    readonly change: number;
  }[];
};

export type AnomalyAnswer = {
  readonly period: Period;
  readonly group_by: readonly string[];
  readonly restricted: boolean;
  readonly looked_at: { readonly groups: number; readonly days: number; readonly rows: number };
  /** Those with the greatest impact. */
  readonly anomalies: readonly Anomaly[];
  readonly more: number;
};

/** Usage alone: what is billed once a month is no anomaly, and what is paid back is of another day. */
const USAGE = "charge = 'Usage' AND class IS DISTINCT FROM 'Correction'";
const BASELINE_DAYS = 28;
const MOST_GROUPS = 2000;
const CONTRIBUTORS = ["sku", "resource", "account", "region"] as const;

/**
 * Looks for what is unusual in each group's daily effective cost, by all days that the data have, and says why.
 * @throws FinopsError as `answerQuery`
 */
export async function findAnomalies(
  data: FocusData,
  query: AnomalyQuery,
  caller: Caller = {},
): Promise<AnomalyAnswer> {
  const { period: asked = "last_90_days", group_by = ["provider", "service"], filter = [], top = 10 } = query;
  const period = periodOf(asked, data.about);
  const restricting = callersFilters(caller.rows);
  const filters = [...filter, ...restricting];
  const groups = await seriesOf(data, { group_by, filters, caller });
  const sensitivity = { ...DEFAULT_SENSITIVITY, ...query.sensitivity };
  const found = groups
    .flatMap((group) => unusualRuns(group.series, sensitivity).map((run) => ({ ...group, run })))
    .filter(({ run }) => run.first_day <= period.to && run.last_day >= period.from)
    .sort((one, other) => Math.abs(impactOf(other.run)) - Math.abs(impactOf(one.run)));
  const anomalies: Anomaly[] = [];
  for (const { run, keys, currency } of found.slice(0, top)) {
    const own = Object.entries(keys).map(
      ([field, value]): Filter => ({ field, op: "only", values: [value], exactly: true }),
    );
    const why = await whyOf(data, run, { filters: [...filters, ...own, currencyFilter(currency)], caller });
    anomalies.push({ keys, currency, ...figuresOf(run), ...why });
  }
  return {
    period,
    group_by,
    restricted: restricting.length > 0,
    looked_at: {
      groups: groups.length,
      days: daysIn(data.about.first_day, data.about.last_day),
      rows: groups.reduce((sum, { rows }) => sum + rows, 0),
    },
    anomalies,
    more: found.length - anomalies.length,
  };
}

type Group = {
  readonly keys: Readonly<Record<string, string | null>>;
  readonly currency: string;
  readonly rows: number;
  readonly series: { readonly first: Day; readonly values: number[] };
};

type Scope = { readonly filters: readonly Filter[]; readonly caller: Caller };

async function seriesOf(
  data: FocusData,
  { group_by, filters, caller }: Scope & { group_by: readonly string[] },
): Promise<Group[]> {
  const params = new Params();
  const keys = group_by.map((name, index) => `${dimensionOf(name).expression(params)} AS k${index}`);
  const names = ["currency", ...group_by.map((_, index) => `k${index}`)].join(", ");
  const where = [USAGE, ...filtersIn(filters, params)].join(" AND ");
  const sql = `WITH daily AS (SELECT ${["currency", ...keys].join(", ")}, day, CAST(sum(effective) AS DOUBLE) AS cost, count(*) AS rows
      FROM focus.charges WHERE ${where} GROUP BY ${names}, day)
    SELECT ${names}, list(day ORDER BY day) AS days, list(cost ORDER BY day) AS costs, sum(rows) AS rows
    FROM daily GROUP BY ${names} ORDER BY sum(cost) DESC, ${names} LIMIT ${MOST_GROUPS}`;
  const rows = await data.all(sql, params.values, caller.signal);
  return rows.map((row) => ({
    keys: Object.fromEntries(
      group_by.map((name, index) => [name, row[`k${index}`] === null ? null : String(row[`k${index}`])]),
    ),
    currency: String(row.currency),
    rows: Number(row.rows),
    series: filledIn([row.days].flat().map(String), [row.costs].flat().map(Number), data.about.last_day),
  }));
}

/** A day without charges cost nothing, up to the data's last day. */
function filledIn(days: readonly Day[], costs: readonly number[], last: Day): Group["series"] {
  const first = days[0] ?? last;
  const values = new Array<number>(daysIn(first, last)).fill(0);
  for (const [index, day] of days.entries()) values[daysIn(first, day) - 1] = costs[index] ?? 0;
  return { first, values };
}

function impactOf({ days }: Run): number {
  return days.reduce((sum, { actual, expected }) => sum + actual - expected, 0);
}

function figuresOf({ days, ...run }: Run) {
  const sum = (of: (day: Run["days"][number]) => number) => days.reduce((total, day) => total + of(day), 0);
  const [first] = days;
  return {
    ...run,
    days: days.length,
    actual: sum(({ actual }) => actual),
    expected: sum(({ expected }) => expected),
    band: { low: first?.low ?? 0, high: first?.high ?? 0 },
    impact: sum(({ actual, expected }) => actual - expected),
  };
}

type Change = { readonly key: string | null; readonly change: number };

/** The largest first; of equal ones by name, so that the same question has the same answer. */
function byChange(one: Change, other: Change): number {
  const millionths = ({ change }: Change): number => Math.round(1e6 * Math.abs(change));
  return millionths(other) - millionths(one) || (String(one.key) < String(other.key) ? -1 : 1);
}

/** A day of the run against a day like it of the four weeks before. */
async function whyOf(data: FocusData, run: Run, scope: Scope) {
  const days = run.days.map(({ day }) => day);
  const weekdays = new Set(days.map(weekdayOf));
  const before = Array.from({ length: BASELINE_DAYS }, (_, index) =>
    addDays(run.first_day, index - BASELINE_DAYS),
  ).filter((day) => day >= data.about.first_day && weekdays.has(weekdayOf(day)));
  const items = await itemsOf(data, { days, before }, scope);
  const drivers = driversOf(items);
  const contributors = CONTRIBUTORS.flatMap((field) => {
    const changes = [...Map.groupBy(items, (item) => item.keys[field] ?? null)].map(([key, own]) => ({
      field,
      key,
      change: own.reduce((sum, { cost, costBefore }) => sum + cost - costBefore, 0),
    }));
    return changes.sort(byChange).slice(0, 2);
  });
  return {
    change_per_day: items.reduce((sum, { cost, costBefore }) => sum + cost - costBefore, 0),
    drivers,
    main_driver: mainDriver(drivers),
    contributors,
  };
}

type KeyedItem = Item & { readonly keys: Readonly<Record<string, string | null>> };

async function itemsOf(
  data: FocusData,
  { days, before }: { days: readonly Day[]; before: readonly Day[] },
  { filters, caller }: Scope,
): Promise<KeyedItem[]> {
  const params = new Params();
  const among = (list: readonly Day[]) =>
    list.length === 0 ? "false" : `day IN (${list.map((day) => params.date(day)).join(", ")})`;
  const now = among(days);
  const then = among(before);
  const mean = (column: string, when: string, count: number) =>
    `coalesce(CAST(sum(${column}) FILTER (WHERE ${when}) AS DOUBLE), 0) / ${Math.max(count, 1)}`;
  const sql = `SELECT ${CONTRIBUTORS.join(", ")}, unit,
      ${mean("quantity", now, days.length)} AS quantity, ${mean("effective", now, days.length)} AS cost,
      ${mean("quantity", then, before.length)} AS quantity_before, ${mean("effective", then, before.length)} AS cost_before
    FROM focus.charges WHERE (${now} OR ${then}) AND ${[USAGE, ...filtersIn(filters, params)].join(" AND ")}
    GROUP BY ${CONTRIBUTORS.join(", ")}, unit`;
  const rows = await data.all(sql, params.values, caller.signal);
  return rows.map((row) => ({
    keys: Object.fromEntries(
      CONTRIBUTORS.map((field) => [field, row[field] === null ? null : String(row[field])]),
    ),
    unit: row.unit === null ? null : String(row.unit),
    quantity: Number(row.quantity),
    cost: Number(row.cost),
    quantityBefore: Number(row.quantity_before),
    costBefore: Number(row.cost_before),
  }));
}

function currencyFilter(currency: string): Filter {
  return { field: "currency", op: "only", values: [currency], exactly: true };
}

function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}
