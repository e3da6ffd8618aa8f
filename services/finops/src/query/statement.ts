import { Params } from "../data/sql.ts";
import type { Period } from "../periods/period.ts";
import { type Dimension, dimensionOf } from "./dimensions.ts";
import { filtersIn } from "./filters.ts";
import { CREDIT, type MetricName, metricOf, refundIn } from "./metrics.ts";
import type { Filter, Order } from "./types.ts";

/** What both statements of a question are made of. */
export type Asked = {
  readonly metric: MetricName;
  readonly dimensions: readonly Dimension[];
  /** Those of the question and those of the caller: all hold. */
  readonly filters: readonly Filter[];
  readonly period: Period;
  readonly comparedWith?: Period;
  readonly top: number;
  readonly order: Order;
};

export type Statement = { readonly sql: string; readonly values: Params["values"] };

export function dimensionsOf(names: readonly string[]): Dimension[] {
  return names.map(dimensionOf);
}

/** One row a part: its total, and of costs what is credited and refunded in it. */
export function totalsStatement(asked: Asked): Statement {
  const params = new Params();
  const { apart, column, isCost } = metricOf(asked.metric);
  const when = daysOf(asked, params);
  const now = when.before === undefined ? "true" : when.now;
  const columns = [
    ...apart,
    ...measures(asked, when),
    `count(*) FILTER (WHERE ${now} AND ${column} IS NULL) AS missing`,
    ...(isCost
      ? [
          `coalesce(sum(${column}) FILTER (WHERE ${now} AND ${CREDIT}), 0) AS credits`,
          `coalesce(sum(${column}) FILTER (WHERE ${now} AND ${refundIn(column)}), 0) AS refunds`,
        ]
      : []),
  ];
  const sql = `SELECT ${columns.join(", ")} FROM focus.charges WHERE ${conditions(asked, when, params)}
    GROUP BY ${apart.join(", ")} ORDER BY count(*) DESC, ${apart.join(", ")}`;
  return { sql, values: params.values };
}

/**
 * The groups of each part that are shown, in order, each with the sum of all groups of its part and their number, so that what is left can
 * be told without being read.
 */
export function groupsStatement(asked: Asked): Statement {
  const params = new Params();
  const { apart } = metricOf(asked.metric);
  const { dimensions, order } = asked;
  const keys = dimensions.map((dimension, index) => `${dimension.expression(params)} AS k${index}`);
  const names = dimensions.flatMap(({ alsoNamed }, index) =>
    alsoNamed === undefined ? [] : [`max(${alsoNamed}) AS n${index}`],
  );
  const when = daysOf(asked, params);
  const grouped = `SELECT ${[...apart, ...keys, ...names, ...measures(asked, when)].join(", ")}
    FROM focus.charges WHERE ${conditions(asked, when, params)}
    GROUP BY ${[...apart, ...dimensions.map((_, index) => `k${index}`)].join(", ")}`;

  const entities = dimensions.flatMap(({ isTime }, index) => (isTime ? [] : [`k${index}`]));
  const times = dimensions.flatMap(({ isTime }, index) => (isTime ? [`k${index}`] : []));
  const part = `PARTITION BY ${apart.join(", ")}`;
  // With a time, the other dimensions are ranked by what they come to over all of it.
  const own = entities.length > 0 ? entities : times;
  const weight = (measure: string) =>
    entities.length > 0 && times.length > 0
      ? `sum(${measure}) OVER (PARTITION BY ${[...apart, ...entities].join(", ")})`
      : measure;
  const change = asked.comparedWith ? "(value - previous)" : "value";
  const ranks: Readonly<Record<Order, string>> = {
    largest: "weight DESC",
    smallest: "weight",
    grown: "weight DESC",
    shrunk: "weight",
    name: "",
  };
  const measure = order === "grown" || order === "shrunk" ? change : "value";
  const by = [ranks[order], ...own.map((key) => `${key} NULLS LAST`)]
    .filter((text) => text !== "")
    .join(", ");
  const sql = `WITH grouped AS (${grouped}),
    weighed AS (SELECT *, ${weight(measure)} AS weight, sum(value) OVER (${part}) AS groups_total, count(*) OVER (${part}) AS groups
      FROM grouped),
    ranked AS (SELECT *, dense_rank() OVER (${part} ORDER BY ${by}) AS place FROM weighed)
    SELECT * FROM ranked WHERE place <= CAST(${params.add(asked.top)} AS INTEGER)
    ORDER BY ${[...apart, "place", ...times].join(", ")} LIMIT ${MOST_ROWS}`;
  return { sql, values: params.values };
}

/** Rows of an answer, over all of its parts. */
const MOST_ROWS = 20_000;

/** Which days are of the period, and which of the one that it is compared with. */
type When = { readonly now: string; readonly before: string | undefined };

function daysOf({ period, comparedWith }: Asked, params: Params): When {
  const within = ({ from, to }: Period) => `(day BETWEEN ${params.date(from)} AND ${params.date(to)})`;
  return { now: within(period), before: comparedWith && within(comparedWith) };
}

/** Without a period to compare with, all charges that are read are of the one period. */
function measures({ metric }: Asked, { now, before }: When): string[] {
  const { column, perUnit } = metricOf(metric);
  const sum = (what: string, when?: string) =>
    `coalesce(sum(${what})${when === undefined ? "" : ` FILTER (WHERE ${when})`}, 0)`;
  if (before === undefined)
    return [
      `${sum(column)} AS value`,
      "count(*) AS rows",
      ...(perUnit ? [`${sum("quantity")} AS quantity`] : []),
    ];
  return [
    `${sum(column, now)} AS value`,
    `count(*) FILTER (WHERE ${now}) AS rows`,
    `${sum(column, before)} AS previous`,
    ...(perUnit
      ? [`${sum("quantity", now)} AS quantity`, `${sum("quantity", before)} AS previous_quantity`]
      : []),
  ];
}

function conditions({ metric, filters }: Asked, { now, before }: When, params: Params): string {
  const { where } = metricOf(metric);
  const days = before === undefined ? now : `(${now} OR ${before})`;
  return [days, ...(where ? [where] : []), ...filtersIn(filters, params)].join(" AND ");
}
