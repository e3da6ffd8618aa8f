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
  const now = within(asked.period, params);
  const columns = [
    ...apart,
    ...measures(asked, now, params),
    `count(*) FILTER (WHERE ${now} AND ${column} IS NULL) AS missing`,
    ...(isCost
      ? [
          `coalesce(sum(${column}) FILTER (WHERE ${now} AND ${CREDIT}), 0) AS credits`,
          `coalesce(sum(${column}) FILTER (WHERE ${now} AND ${refundIn(column)}), 0) AS refunds`,
        ]
      : []),
  ];
  const sql = `SELECT ${columns.join(", ")} FROM focus.charges WHERE ${conditions(asked, params)}
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
  const now = within(asked.period, params);
  const grouped = `SELECT ${[...apart, ...keys, ...names, ...measures(asked, now, params)].join(", ")}
    FROM focus.charges WHERE ${conditions(asked, params)}
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

function measures({ metric, comparedWith }: Asked, now: string, params: Params): string[] {
  const { column, perUnit } = metricOf(metric);
  const found = [
    `coalesce(sum(${column}) FILTER (WHERE ${now}), 0) AS value`,
    `count(*) FILTER (WHERE ${now}) AS rows`,
  ];
  if (perUnit) found.push(`coalesce(sum(quantity) FILTER (WHERE ${now}), 0) AS quantity`);
  if (comparedWith) {
    const before = within(comparedWith, params);
    found.push(`coalesce(sum(${column}) FILTER (WHERE ${before}), 0) AS previous`);
    if (perUnit) found.push(`coalesce(sum(quantity) FILTER (WHERE ${before}), 0) AS previous_quantity`);
  }
  return found;
}

function conditions({ metric, filters, period, comparedWith }: Asked, params: Params): string {
  const { where } = metricOf(metric);
  const days = [within(period, params), ...(comparedWith ? [within(comparedWith, params)] : [])];
  return [`(${days.join(" OR ")})`, ...(where ? [where] : []), ...filtersIn(filters, params)].join(" AND ");
}

function within({ from, to }: Period, params: Params): string {
  return `(day BETWEEN ${params.date(from)} AND ${params.date(to)})`;
}
