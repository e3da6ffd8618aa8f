import type { FocusData } from "../data/index.ts";
import { Params } from "../data/sql.ts";
import { type Period, type PeriodAsked, periodOf } from "../periods/period.ts";
import type { Caller } from "../query/answer.ts";
import { callersFilters, filtersIn } from "../query/filters.ts";
import type { Filter } from "../query/types.ts";

export type InventoryQuery = {
  readonly period?: PeriodAsked;
  readonly filter?: readonly Filter[];
  /** Resources that are listed. */
  readonly top?: number;
};

type Some = { readonly resources: number; readonly cost: number };

/** What there is, as far as it is charged for (wire shape). Costs are effective ones. */
export type InventoryPart = Some & {
  readonly currency: string;
  readonly types: readonly (Some & {
    readonly provider: string;
    readonly service: string;
    readonly resource_type: string | null;
  })[];
  readonly listed: readonly {
    readonly resource: string;
    readonly name: string;
    readonly service: string;
    readonly resource_type: string | null;
    readonly account: string | null;
    readonly region: string | null;
    readonly cost: number;
    readonly last_day: string;
    readonly tags: Readonly<Record<string, string>>;
  }[];
  /** Without any tag. */
  readonly untagged: Some & { readonly share: number | null };
  /** Of all charges, with or without a resource. */
  readonly untagged_by_key: readonly {
    readonly key: string;
    readonly cost: number;
    readonly share: number | null;
  }[];
  /** Charged for, with usage data, which say that nothing was used. */
  readonly idle: Some & { readonly examples: readonly string[] };
  /** Their bills say nothing of usage, so that nothing tells whether they are idle. */
  readonly without_usage_data: Some;
  readonly charges_without_resource: { readonly rows: number; readonly cost: number };
};

export type InventoryAnswer = {
  readonly period: Period;
  readonly restricted: boolean;
  readonly rows: number;
  readonly parts: readonly InventoryPart[];
};

const MOST_KEYS = 8;
const MOST_TYPES = 50;
const IDLE = "measured > 0 AND quantity = 0 AND cost > 0";

/** Tells of the resources of a period. @throws FinopsError as `answerQuery` */
export async function inventoryOf(
  data: FocusData,
  query: InventoryQuery,
  caller: Caller = {},
): Promise<InventoryAnswer> {
  const period = periodOf(query.period ?? "last_30_days", data.about);
  const restricting = callersFilters(caller.rows);
  const asked = { data, caller, period, filters: [...(query.filter ?? []), ...restricting] };
  const totals = await rowsOf(
    asked,
    (resources) => `SELECT currency,
      ${sums({ cost: "resource IS NOT NULL", untagged: "resource IS NOT NULL AND tagged = 0", idle: IDLE, unmeasured: "resource IS NOT NULL AND measured = 0", bare: "resource IS NULL" })},
      coalesce(sum(rows) FILTER (WHERE resource IS NULL), 0) AS bare_rows, sum(rows) AS rows,
      list(name ORDER BY cost DESC, name) FILTER (WHERE ${IDLE} AND resource IS NOT NULL) AS idle_names
    FROM ${resources} GROUP BY currency ORDER BY currency`,
  );
  const types = await rowsOf(
    asked,
    (
      resources,
    ) => `SELECT currency, provider, service, resource_type, count(*) AS resources, ${cost("sum(cost)")} AS cost
    FROM ${resources} WHERE resource IS NOT NULL GROUP BY ALL ORDER BY sum(cost) DESC, provider, service, resource_type, currency LIMIT ${MOST_TYPES}`,
  );
  const listed = await rowsOf(
    asked,
    (resources, params) => `SELECT * EXCLUDE (cost), ${cost("cost")} AS cost FROM ${resources} AS r
    WHERE resource IS NOT NULL QUALIFY row_number() OVER (PARTITION BY currency ORDER BY r.cost DESC, resource) <= CAST(${params.add(query.top ?? 10)} AS INTEGER)
    ORDER BY currency, r.cost DESC, resource`,
  );
  const byKey = await untaggedByKey(asked);
  // Which tags others use is not for somebody who does not see their charges.
  const keys = restricting.length > 0 ? byKey.filter(({ cost: own, total }) => own !== total) : byKey;
  return {
    period,
    restricted: restricting.length > 0,
    rows: totals.reduce((sum, { rows }) => sum + Number(rows), 0),
    parts: totals.map((total): InventoryPart => {
      const { currency } = total;
      const own = (rows: readonly Row[]) => rows.filter((row) => row.currency === currency);
      const some = (name: string): Some => ({
        resources: Number(total[`${name}_resources`]),
        cost: Number(total[`${name}_cost`]),
      });
      const all = some("cost");
      const untagged = some("untagged");
      return {
        currency: String(currency),
        ...all,
        types: own(types).map((row) => ({
          provider: String(row.provider),
          service: String(row.service),
          resource_type: textOf(row.resource_type),
          resources: Number(row.resources),
          cost: Number(row.cost),
        })),
        listed: own(listed).map(listedOf),
        untagged: { ...untagged, share: all.cost === 0 ? null : untagged.cost / all.cost },
        untagged_by_key: own(keys).map((row) => ({
          key: String(row.key),
          cost: Number(row.cost),
          share: Number(row.total) === 0 ? null : Number(row.cost) / Number(row.total),
        })),
        idle: { ...some("idle"), examples: [total.idle_names ?? []].flat().map(String).slice(0, 10) },
        without_usage_data: some("unmeasured"),
        charges_without_resource: { rows: Number(total.bare_rows), cost: some("bare").cost },
      };
    }),
  };
}

type Row = Readonly<Record<string, unknown>>;
type Asked = {
  readonly data: FocusData;
  readonly caller: Caller;
  readonly period: Period;
  readonly filters: readonly Filter[];
};

async function rowsOf(
  { data, caller, period, filters }: Asked,
  statement: (resources: string, params: Params) => string,
): Promise<Row[]> {
  const params = new Params();
  const where = conditions({ period, filters }, params);
  const resources = `(SELECT currency, provider, service, resource_type, resource, max(resource_name) AS name, max(account) AS account,
      max(region) AS region, sum(effective) AS cost, sum(quantity) AS quantity, count(quantity) AS measured, count(*) AS rows,
      CAST(max(day) AS VARCHAR) AS last_day, max(cardinality(tags)) AS tagged, arg_max(tags, day) AS tags
    FROM focus.charges WHERE ${where} GROUP BY currency, provider, service, resource_type, resource)`;
  return await data.all(statement(resources, params), params.values, caller.signal);
}

async function untaggedByKey({ data, caller, period, filters }: Asked): Promise<Row[]> {
  const keys = data.about.tag_keys.slice(0, MOST_KEYS);
  const found: Row[] = [];
  for (const key of keys) {
    const params = new Params();
    const rows = await data.all(
      `SELECT currency, ${cost(`coalesce(sum(effective) FILTER (WHERE map_extract_value(tags, ${params.add(key)}) IS NULL), 0)`)} AS cost,
         ${cost("sum(effective)")} AS total
       FROM focus.charges WHERE ${conditions({ period, filters }, params)} GROUP BY currency`,
      params.values,
      caller.signal,
    );
    found.push(...rows.map((row) => ({ ...row, key })));
  }
  return found;
}

function conditions({ period, filters }: Pick<Asked, "period" | "filters">, params: Params): string {
  const days = `day BETWEEN ${params.date(period.from)} AND ${params.date(period.to)}`;
  return [days, ...filtersIn(filters, params)].join(" AND ");
}

/** How many, and what they cost, of each condition. */
function sums(conditionsOf: Readonly<Record<string, string>>): string {
  return Object.entries(conditionsOf)
    .map(
      ([name, where]) =>
        `count(*) FILTER (WHERE ${where}) AS ${name}_resources, ${cost(`coalesce(sum(cost) FILTER (WHERE ${where}), 0)`)} AS ${name}_cost`,
    )
    .join(", ");
}

/** The sum is exact, what is told is the nearest double. */
function cost(sum: string): string {
  return `CAST(${sum} AS DOUBLE)`;
}

function listedOf(row: Row): InventoryPart["listed"][number] {
  return {
    resource: String(row.resource),
    name: String(row.name),
    service: String(row.service),
    resource_type: textOf(row.resource_type),
    account: textOf(row.account),
    region: textOf(row.region),
    cost: Number(row.cost),
    last_day: String(row.last_day),
    tags: tagsOf(row.tags),
  };
}

/** The database prints a map as a list of its entries. */
function tagsOf(value: unknown): Record<string, string> {
  const entries = Array.isArray(value) ? value : [];
  return Object.fromEntries(entries.map((entry) => [String(Object(entry).key), String(Object(entry).value)]));
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
