import type { FocusData } from "../data/index.ts";
import { numberOf, percentages, unitsOf } from "../decimal.ts";
import { FinopsError } from "../errors.ts";
import { comparedPeriod, periodOf } from "../periods/period.ts";
import { callersFilters, type RowFilters } from "./filters.ts";
import { metricOf } from "./metrics.ts";
import { type Asked, dimensionsOf, groupsStatement, totalsStatement } from "./statement.ts";
import type { CostAnswer, CostQuery, Group, Part } from "./types.ts";

export type Caller = {
  /** Which charges he may see; absent: all of the data set. */
  readonly rows?: RowFilters | undefined;
  readonly signal?: AbortSignal | undefined;
};

const DEFAULT_TOP = 1000;
/** Of a usage without a filter there are dozens of units. */
const MOST_PARTS = 12;

type Row = Readonly<Record<string, unknown>>;

/**
 * Answers a question about costs. Two statements, both with the caller's filters: the totals, and the groups, whose sums must be the same.
 * @throws FinopsError INVALID_QUERY, UNKNOWN_PERIOD, PERIOD_WITHOUT_DATA, UNKNOWN_ROW_FILTER, QUERY_TIMEOUT
 */
export async function answerQuery(
  data: FocusData,
  query: CostQuery,
  caller: Caller = {},
): Promise<CostAnswer> {
  const { metric = "effective", group_by = [], filter = [], period = "last_month" } = query;
  const { top = DEFAULT_TOP, compare_to } = query;
  const dimensions = dimensionsOf(group_by);
  // Days and months are told in their order, unless the most expensive ones are asked for.
  const isSeries = dimensions.every(({ isTime }) => isTime) && query.top === undefined;
  const order = query.order ?? (isSeries ? "name" : "largest");
  checkShape(group_by, dimensions.filter(({ isTime }) => isTime).length, query);
  const restricting = callersFilters(caller.rows);
  const asked: Asked = {
    metric,
    dimensions,
    filters: [...filter, ...restricting],
    period: periodOf(period, data.about),
    ...(compare_to === undefined ? {} : { comparedWith: comparedPeriod(compare_to, period, data.about) }),
    top,
    order,
  };
  const ask = async ({ sql, values }: ReturnType<typeof totalsStatement>) =>
    await data.all(sql, values, caller.signal);
  const totals = await ask(totalsStatement(asked));
  const groups = dimensions.length === 0 ? [] : await ask(groupsStatement(asked));
  const shown = totals.slice(0, MOST_PARTS);
  const { first_day, last_day, warnings } = data.about;
  return {
    query: {
      metric,
      group_by,
      filter,
      period,
      top,
      order,
      ...(compare_to === undefined ? {} : { compare_to }),
    },
    period: asked.period,
    ...(asked.comparedWith ? { compared_with: asked.comparedWith } : {}),
    restricted: restricting.length > 0,
    rows: totals.reduce((sum, { rows }) => sum + Number(rows), 0),
    parts: shown.map((total) => partOf(total, groups, asked)),
    more_parts: totals.length - shown.length,
    data: { first_day, last_day, warnings },
  };
}

function checkShape(names: readonly string[], times: number, { compare_to, order }: CostQuery): void {
  const refuse = (message: string): never => {
    throw new FinopsError("INVALID_QUERY", message);
  };
  if (names.length > 3 || new Set(names).size < names.length)
    refuse("At most three dimensions, each of them once, group a question.");
  if (times > 1) refuse("One time at most groups a question.");
  if (times > 0 && compare_to !== undefined)
    refuse(
      "Days or months are not compared with those of another period: leave out compare_to, or the time.",
    );
  if ((order === "grown" || order === "shrunk") && compare_to === undefined)
    refuse("What has grown or shrunk needs a period to compare with.");
}

function partOf(total: Row, all: readonly Row[], asked: Asked): Part {
  const { apart, isCost, perUnit = false } = metricOf(asked.metric);
  const rows = all.filter((row) => apart.every((name) => row[name] === total[name]));
  const whole = units(total, "value");
  const grouped = rows[0] ? units(rows[0], "groups_total") : whole;
  // Both come from the same charges by different ways: a difference is a defect, and not to be told as a number.
  if (grouped !== whole) throw new Error("the groups of an answer do not add up to its total");
  const left = whole - rows.reduce((sum, row) => sum + units(row, "value"), 0n);
  const groupCount = Number(rows[0]?.groups ?? 0);
  const hidden = groupCount - rows.length;
  const percents = perUnit
    ? undefined
    : percentages([...rows.map((row) => units(row, "value")), ...(hidden > 0 ? [left] : [])]);
  const credits = isCost ? units(total, "credits") : 0n;
  const refunds = isCost ? units(total, "refunds") : 0n;
  const missing = Number(total.missing);
  return {
    ...named(total, apart),
    total: figure(total, perUnit),
    rows: Number(total.rows),
    ...(isCost
      ? { gross: numberOf(whole - credits - refunds), credits: numberOf(credits), refunds: numberOf(refunds) }
      : {}),
    ...(missing > 0 ? { rows_without_value: missing } : {}),
    ...(perUnit ? { quantity: numberOf(units(total, "quantity")) } : {}),
    ...changeOf(total, asked, perUnit),
    groups: rows.map(
      (row, index): Group => ({
        ...keysOf(row, asked),
        value: figure(row, perUnit),
        share: perUnit ? null : shareOf(units(row, "value"), whole),
        percent: percents?.[index] ?? null,
        rows: Number(row.rows),
        ...(perUnit ? { quantity: numberOf(units(row, "quantity")) } : {}),
        ...changeOf(row, asked, perUnit),
      }),
    ),
    ...(hidden > 0
      ? {
          other: otherOf(total, rows, {
            left,
            whole,
            hidden,
            percent: percents?.at(-1) ?? null,
            perUnit,
            asked,
          }),
        }
      : {}),
    tie_out: { groups: groupCount, groups_total: numberOf(grouped), difference: 0 },
  };
}

function otherOf(
  total: Row,
  rows: readonly Row[],
  about: {
    left: bigint;
    whole: bigint;
    hidden: number;
    percent: number | null;
    perUnit: boolean;
    asked: Asked;
  },
): NonNullable<Part["other"]> {
  const { left, whole, hidden, percent, perUnit, asked } = about;
  const rest = (field: string) =>
    units(total, field) - rows.reduce((sum, row) => sum + units(row, field), 0n);
  const fields: Row = {
    value: decimal(left),
    ...(perUnit ? { quantity: decimal(rest("quantity")) } : {}),
    ...(asked.comparedWith ? { previous: decimal(rest("previous")) } : {}),
    ...(asked.comparedWith && perUnit ? { previous_quantity: decimal(rest("previous_quantity")) } : {}),
  };
  return {
    groups: hidden,
    value: figure(fields, perUnit),
    share: perUnit ? null : shareOf(left, whole),
    percent,
    rows: Number(total.rows) - rows.reduce((sum, row) => sum + Number(row.rows), 0),
    ...(perUnit ? { quantity: numberOf(units(fields, "quantity")) } : {}),
    ...changeOf(fields, asked, perUnit),
  };
}

function keysOf(row: Row, { dimensions }: Asked): Pick<Group, "keys" | "names"> {
  const keys = Object.fromEntries(dimensions.map(({ name }, index) => [name, textOf(row[`k${index}`])]));
  const names = Object.fromEntries(
    dimensions.flatMap(({ name }, index) => {
      const text = textOf(row[`n${index}`]);
      return text === null || text === keys[name] ? [] : [[name, text]];
    }),
  );
  return { keys, ...(Object.keys(names).length > 0 ? { names } : {}) };
}

function named(row: Row, apart: readonly string[]): { currency?: string; unit?: string } {
  return Object.fromEntries(apart.map((name) => [name, String(row[name])]));
}

function changeOf(
  row: Row,
  { comparedWith }: Asked,
  perUnit: boolean,
): Pick<Group, "previous" | "change" | "change_share"> {
  if (!comparedWith) return {};
  if (!perUnit) {
    const [value, before] = [units(row, "value"), units(row, "previous")];
    return {
      previous: numberOf(before),
      change: numberOf(value - before),
      change_share: before === 0n ? null : numberOf(value - before) / Math.abs(numberOf(before)),
    };
  }
  const value = figure(row, true);
  const previous = ratio(units(row, "previous"), units(row, "previous_quantity"));
  return {
    previous,
    change: value - previous,
    change_share: previous === 0 ? null : (value - previous) / Math.abs(previous),
  };
}

function figure(row: Row, perUnit: boolean): number {
  return perUnit ? ratio(units(row, "value"), units(row, "quantity")) : numberOf(units(row, "value"));
}

/** A cost per unit; 0 where nothing was used. */
function ratio(cost: bigint, quantity: bigint): number {
  return quantity === 0n ? 0 : numberOf(cost) / numberOf(quantity);
}

function shareOf(value: bigint, whole: bigint): number | null {
  return whole === 0n ? null : numberOf(value) / numberOf(whole);
}

function units(row: Row, field: string): bigint {
  return unitsOf(String(row[field]));
}

/** As the database prints it. */
function decimal(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(13, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
