import type { AboutData, FocusData } from "../data/index.ts";
import { Params } from "../data/sql.ts";
import { FinopsError } from "../errors.ts";
import { PERIOD_NAMES, PERIOD_PATTERN } from "../periods/period.ts";
import { spokenPeriod } from "../periods/spoken.ts";
import type { Caller } from "../query/answer.ts";
import { DIMENSION_NAMES, dimensionOf } from "../query/dimensions.ts";
import { callersFilters, filtersIn } from "../query/filters.ts";
import { METRIC_NAMES, type MetricName } from "../query/metrics.ts";
import { type CostQuery, type Filter, ORDERS, type Order } from "../query/types.ts";
import type { Constraint } from "./constraint.ts";
import { timesInQuestion } from "./question.ts";

/** A question with what was said of it, and what became of each constraint. */
export type Said = {
  readonly query: CostQuery;
  readonly applied: readonly Constraint[];
  readonly not_applied: readonly Constraint[];
};

/** What can be selected by a slot of the same name. */
const SELECTED = new Set([
  "provider",
  "service",
  "category",
  "region",
  "account",
  "resource",
  "resource_type",
  "charge",
]);
const MOST_SUGGESTED = 10;

type Asked = {
  readonly query: CostQuery;
  readonly constraints?: readonly Constraint[] | undefined;
  /** The message that the constraints were read from. */
  readonly question?: string | undefined;
};

type Change = (query: CostQuery) => CostQuery;

/**
 * Applies constraints to a question. One that is not known, or not known in this form, is named and not applied.
 * @param without slots that the task has no use for
 * @param isAhead whether it is about what comes
 * @throws FinopsError UNKNOWN_VALUE where something is selected that the caller's data have nothing of
 */
export async function applySaid(
  data: FocusData,
  { query, constraints = [], question = "" }: Asked,
  caller: Caller,
  without: readonly string[] = [],
  isAhead = false,
): Promise<Said> {
  let found = query;
  const applied: Constraint[] = [];
  const notApplied: Constraint[] = [];
  for (const constraint of constraints) {
    const change = without.includes(constraint.slot) ? undefined : changeFor(constraint, data.about);
    if (change === undefined) notApplied.push(constraint);
    else {
      found = change(found);
      applied.push(constraint);
    }
  }
  for (const [slot, value] of Object.entries(timesInQuestion(question, data.about, isAhead))) {
    // Words of the question are nearer to what was meant than a slot that cannot hold them: "August 11" is no August.
    if (without.includes(slot) || (slot === "period" && query.period !== undefined)) continue;
    found = { ...found, [slot]: value };
    applied.push({ slot, op: "set", value });
  }
  await checkValues(data, found.filter ?? [], caller);
  const isReplaced = ({ slot }: Constraint, index: number) =>
    applied.findLastIndex((one) => one.slot === slot) > index && slot === "period";
  return {
    query: found,
    applied: applied.filter((one, index) => !isReplaced(one, index)),
    not_applied: notApplied,
  };
}

function changeFor({ slot, op, value, scope }: Constraint, known: Known): Change | undefined {
  // A limit of a part of the charges would have to be a question of its own.
  if (scope !== undefined && Object.keys(scope).length > 0) return undefined;
  if (op === "clear") return (query) => query;
  const setter = Object.hasOwn(SETTERS, slot) ? SETTERS[slot] : undefined;
  if (setter !== undefined) return op === "set" || op === "only" ? setter(oneOf(value), known) : undefined;
  const field = fieldFor(slot, known.tag_keys);
  const values = [value].flat().filter((one) => typeof one === "string");
  if (field === undefined || values.length === 0) return undefined;
  if (op !== "only" && op !== "set" && op !== "except") return undefined;
  const filter: Filter = { field, op: op === "except" ? "except" : "only", values };
  return (query) => ({ ...query, filter: [...(query.filter ?? []), filter] });
}

/** A selection of one is that one. As people say it: "last month", "by region", "billed cost", "the period before". */
function oneOf(value: unknown): unknown {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return Array.isArray(single) ? single.map(spelt) : spelt(single);
}

function spelt(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const name = value.trim().replaceAll(" ", "_");
  return SPOKEN[name] ?? name.replace(/^by_/, "").replace(/^(effective|billed|list|contracted)_cost$/, "$1");
}

const SPOKEN: Readonly<Record<string, string>> = { the_period_before: "previous", a_year_ago: "year_ago" };

type Known = Pick<AboutData, "tag_keys" | "last_day">;
type Setter = (value: unknown, known: Known) => Change | undefined;

const SETTERS: Readonly<Record<string, Setter>> = {
  period: (value, { last_day }) => {
    const period = periodIn(value, last_day);
    return period === undefined ? undefined : (query) => ({ ...query, period });
  },
  compare_to: (value, { last_day }) => {
    const said = typeof value === "string" ? value.replace(/^against_/, "") : value;
    const period = said === "previous" || said === "year_ago" ? said : periodIn(said, last_day);
    return period === undefined ? undefined : (query) => ({ ...query, compare_to: period });
  },
  metric: (value) => (isMetric(value) ? (query) => ({ ...query, metric: value }) : undefined),
  order: (value) => (isOrder(value) ? (query) => ({ ...query, order: value }) : undefined),
  top: (value) => {
    const top = Number(value);
    return Number.isInteger(top) && top >= 1 && top <= 1000 ? (query) => ({ ...query, top }) : undefined;
  },
  group_by: (value, { tag_keys: tagKeys }) => {
    const said = [value].flat();
    const dimensions = said.flatMap((one) =>
      typeof one === "string" ? (dimensionFor(one, tagKeys) ?? []) : [],
    );
    if (dimensions.length === 0 || dimensions.length < said.length || dimensions.length > 3) return undefined;
    return (query) => ({ ...query, group_by: dimensions });
  },
};

function periodIn(value: unknown, last: string): string | undefined {
  if (typeof value !== "string") return undefined;
  if (PERIOD_NAMES.includes(value) || new RegExp(PERIOD_PATTERN).test(value)) return value;
  return spokenPeriod(value.replaceAll("_", " "), last);
}

function isMetric(value: unknown): value is MetricName {
  return METRIC_NAMES.some((name) => name === value);
}

function isOrder(value: unknown): value is Order {
  return ORDERS.some((name) => name === value);
}

function dimensionFor(name: string, tagKeys: readonly string[]): string | undefined {
  return DIMENSION_NAMES.includes(name) ? name : fieldFor(name, tagKeys);
}

/** A slot's name is a word of letters; a tag's key may be "cost-center". */
function fieldFor(slot: string, tagKeys: readonly string[]): string | undefined {
  if (SELECTED.has(slot)) return slot;
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "_");
  const key = tagKeys.find((one) => plain(one) === plain(slot.replace(/^tag:/, "")));
  return key === undefined ? undefined : `tag:${key}`;
}

/** An answer about something that is not there would be a 0 that looks like a saving. */
async function checkValues(data: FocusData, filters: readonly Filter[], caller: Caller): Promise<void> {
  for (const filter of filters) {
    for (const value of filter.values) {
      if (value === null || (await has(data, { ...filter, op: "only", values: [value] }, caller))) continue;
      const known = await knownValues(data, filter.field, caller);
      // The key of a tag that there is not is somebody's text.
      const key = /^tag:(.*)$/s.exec(filter.field)?.[1];
      const field = key === undefined || data.about.tag_keys.includes(key) ? filter.field : "tag";
      const others = known.length > 0 ? ` They have ${known.join(", ")}.` : "";
      throw new FinopsError("UNKNOWN_VALUE", `The data have nothing of that ${field}.${others}`, {
        field,
        known,
      });
    }
  }
}

async function has(data: FocusData, filter: Filter, caller: Caller): Promise<boolean> {
  const params = new Params();
  const where = filtersIn([filter, ...callersFilters(caller.rows)], params).join(" AND ");
  const rows = await data.all(
    `SELECT 1 AS found FROM focus.charges WHERE ${where} LIMIT 1`,
    params.values,
    caller.signal,
  );
  return rows.length > 0;
}

/** The ones with the highest costs. */
async function knownValues(data: FocusData, field: string, caller: Caller): Promise<string[]> {
  const params = new Params();
  const { alsoNamed, ...dimension } = dimensionOf(field);
  const value = alsoNamed ?? dimension.expression(params);
  const where = ["true", ...filtersIn(callersFilters(caller.rows), params)].join(" AND ");
  const rows = await data.all(
    `SELECT value FROM (SELECT ${value} AS value, sum(effective) AS cost FROM focus.charges WHERE ${where} GROUP BY value)
     WHERE value IS NOT NULL ORDER BY cost DESC, value LIMIT ${MOST_SUGGESTED}`,
    params.values,
    caller.signal,
  );
  return rows.map((row) => String(row.value));
}
