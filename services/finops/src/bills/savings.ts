import type { FocusData } from "../data/index.ts";
import { Params } from "../data/sql.ts";
import { addDays, type Day } from "../periods/days.ts";
import { type Period, type PeriodAsked, periodOf } from "../periods/period.ts";
import type { Caller } from "../query/answer.ts";
import { callersFilters, filtersIn } from "../query/filters.ts";
import type { Filter } from "../query/types.ts";
import type { CommitmentPool, NotJudged, Resource, ResourceKind, SavingsRequest } from "../savings/index.ts";

/** A commitment that can be bought; `discount` is off on-demand rates. */
export type Offer = {
  readonly provider: string;
  readonly name: string;
  readonly term_months: number;
  readonly discount: number;
};

export type SavingsQuery = {
  readonly filter?: readonly Filter[];
  /** What is judged; absent: the last 90 days. */
  readonly period?: PeriodAsked;
  /** Absent: the keys that most of the cost is tagged with. */
  readonly required_tags?: readonly string[];
  /** Absent: more of what there is, at the discount that the bills show. */
  readonly offers?: readonly Offer[];
};

/** What of the usage that commitments can cover they do cover, per month (wire shape). */
export type Coverage = {
  readonly provider: string;
  /** At on-demand rates. */
  readonly coverable: number;
  readonly covered: number;
  readonly coverage: number | null;
  /** What commitments cost, and how much of that covered nothing. */
  readonly committed: number;
  readonly unused: number;
  readonly utilisation: number | null;
};

/** What the bills say that savings can be judged by. */
export type SavingsBasis = {
  readonly currency: string;
  readonly period: Period;
  readonly filter: readonly Filter[];
  readonly restricted: boolean;
  readonly rows: number;
  /** Effective cost of the period, per month. */
  readonly monthly_cost: number;
  readonly request: SavingsRequest;
  readonly coverage: readonly Coverage[];
  readonly not_judged: readonly NotJudged[];
  /** Judged is the currency with the most charges. */
  readonly other_currencies: readonly string[];
};

const DAYS_PER_MONTH = 365 / 12;
const DEFAULT_PERIOD = "last_90_days";
/** A day or two of charges are often still missing. What has none for longer is gone, and saves nothing. */
const GONE_DAYS = 3;
/** Hours say how long something ran, and not whether it was used. */
const TIME_UNIT = "regexp_matches(unit, '(^|[ -])(hour|hours|hrs|minute|minutes|second|seconds)$', 'i')";
const COVERED =
  "commitment IS NOT NULL AND charge = 'Usage' AND coalesce(commitment_status, 'Used') <> 'Unused'";

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads from the bills what `planning` judges. They have no processors, sizes or reads: what they do not say stays unknown.
 * @returns undefined without any charge
 * @throws FinopsError as `answerQuery`
 */
export async function savingsBasisOf(
  data: FocusData,
  query: SavingsQuery,
  caller: Caller = {},
): Promise<SavingsBasis | undefined> {
  const { filter = [], offers } = query;
  const period = periodOf(query.period ?? DEFAULT_PERIOD, data.about);
  const restricting = callersFilters(caller.rows);
  const monthly = DAYS_PER_MONTH / period.days;
  const ask = async (statement: (where: string, params: Params) => string): Promise<Row[]> => {
    const params = new Params();
    const days = `day BETWEEN ${params.date(period.from)} AND ${params.date(period.to)}`;
    const where = [days, ...filtersIn([...filter, ...restricting], params)].join(" AND ");
    return await data.all(statement(where, params), params.values, caller.signal);
  };

  const currencies = await ask(
    (
      where,
    ) => `SELECT currency, count(*) AS rows, CAST(sum(effective) AS DOUBLE) AS cost FROM focus.charges WHERE ${where}
      GROUP BY currency ORDER BY count(*) DESC, currency`,
  );
  const [most] = currencies;
  if (most === undefined) return undefined;
  const currency = String(most.currency);
  const inCurrency = (where: string, params: Params) => `${where} AND currency = ${params.add(currency)}`;

  const resources = await ask(
    (
      where,
      params,
    ) => `SELECT resource, max(category) AS category, max(resource_type) AS type, max(provider) AS provider,
        max(service) AS service, arg_max(sku, day) AS sku, max(unit) AS unit, CAST(sum(effective) AS DOUBLE) AS cost,
        CAST(sum(quantity) AS DOUBLE) AS quantity, count(DISTINCT day) FILTER (WHERE quantity IS NOT NULL) AS measured,
        bool_or(${TIME_UNIT}) AS timed, CAST(max(day) AS VARCHAR) AS last_day, arg_max(tags, day) AS tags
      FROM focus.charges WHERE ${inCurrency(where, params)} AND resource IS NOT NULL GROUP BY resource
      HAVING sum(effective) > 0 AND max(day) > ${params.date(addDays(period.to, -GONE_DAYS))} ORDER BY resource`,
  );
  const judged = resources.map((row) => resourceOf(row, monthly));
  const idle = new Set(
    judged.flatMap(({ resource_id, usage }) => (usage?.requests_per_day === 0 ? [resource_id] : [])),
  );

  const { pools, coverage, without } = await poolsOf({ ask, inCurrency, period, monthly, offers, idle });
  const tags = query.required_tags ?? (await usualTags(data, ask, inCurrency));
  return {
    currency,
    period,
    filter,
    restricted: restricting.length > 0,
    rows: Number(most.rows),
    monthly_cost: Number(most.cost) * monthly,
    request: { resources: judged, pools, rules: { required_tags: tags } },
    coverage,
    not_judged: without.map((subject) => ({ subject, about: "commitment", reason: "NO_OFFERS" })),
    other_currencies: currencies.slice(1).map((one) => String(one.currency)),
  };
}

function resourceOf(row: Row, monthly: number): Resource {
  const kind = kindOf(row);
  const [quantity, days] = [Number(row.quantity ?? 0), Number(row.measured)];
  const isTold =
    days > 0 && (quantity === 0 || row.timed !== true) && kind !== "object_storage" && kind !== "disk";
  return {
    resource_id: String(row.resource),
    kind,
    monthly_cost: Number(row.cost) * monthly,
    tags: tagsOf(row.tags),
    // What is billed by use is as active as it is billed for.
    ...(isTold ? { usage: { days, requests_per_day: quantity / days } } : {}),
    ...(kind === "object_storage" ? { storage: { gb: quantity * monthly, tier: String(row.sku) } } : {}),
  };
}

/** By the words of the bill: FOCUS has categories of services, and no kinds of resources. */
const KINDS: readonly (readonly [RegExp, ResourceKind])[] = [
  [/load.?balanc/, "load_balancer"],
  [/snapshot/, "snapshot"],
  [/volume|disk/, "disk"],
  [/\bip\b|address/, "address"],
  [/bucket|storage account|object/, "object_storage"],
];

function kindOf({ type, service, category }: Row): ResourceKind {
  const text = `${type ?? ""} ${service}`.toLowerCase();
  const [, kind] = KINDS.find(([words]) => words.test(text)) ?? [];
  if (kind !== undefined) return kind;
  if (category === "Compute") return /function|lambda/.test(text) ? "other" : "compute";
  return category === "Databases" ? "database" : "other";
}

type PoolsAsked = {
  readonly ask: (statement: (where: string, params: Params) => string) => Promise<Row[]>;
  readonly inCurrency: (where: string, params: Params) => string;
  readonly period: Period;
  readonly monthly: number;
  readonly offers: readonly Offer[] | undefined;
  readonly idle: ReadonlySet<string>;
};

/**
 * Of each provider, the usage that its commitments can cover: services and units that some of it has been covered in. Of a provider without a
 * commitment, computing that is billed by the hour.
 */
async function poolsOf({ ask, inCurrency, period, monthly, offers, idle }: PoolsAsked): Promise<{
  pools: CommitmentPool[];
  coverage: Coverage[];
  without: string[];
}> {
  // On-demand rates are those of the contract: what list prices would save is no saving.
  const rows = await ask((where, params) => {
    const own = inCurrency(where, params);
    return `WITH own AS (FROM focus.charges WHERE ${own}),
      covered AS (SELECT DISTINCT provider, service, unit FROM own WHERE ${COVERED}),
      coverable AS (
        FROM covered
        UNION SELECT DISTINCT provider, service, unit FROM own
          WHERE charge = 'Usage' AND category = 'Compute' AND ${TIME_UNIT} AND NOT regexp_matches(unit, '-')
          AND provider NOT IN (SELECT provider FROM covered))
      SELECT provider, service, CAST(day AS VARCHAR) AS day, resource,
        CAST(sum(coalesce(contracted, list)) AS DOUBLE) AS on_demand,
        CAST(coalesce(sum(coalesce(contracted, list)) FILTER (WHERE ${COVERED}), 0) AS DOUBLE) AS covered,
        CAST(coalesce(sum(effective) FILTER (WHERE ${COVERED}), 0) AS DOUBLE) AS paid
      FROM own SEMI JOIN coverable USING (provider, service, unit)
      WHERE charge = 'Usage' AND class IS DISTINCT FROM 'Correction' AND coalesce(commitment_status, 'Used') <> 'Unused'
      GROUP BY provider, service, day, resource ORDER BY provider, service, day`;
  });
  const unusedBy = new Map(
    (
      await ask(
        (where, params) => `SELECT provider, CAST(sum(effective) AS DOUBLE) AS unused FROM focus.charges
          WHERE ${inCurrency(where, params)} AND commitment IS NOT NULL AND commitment_status = 'Unused' GROUP BY provider`,
      )
    ).map(({ provider, unused }) => [String(provider), Number(unused)]),
  );
  const days = Array.from({ length: period.days }, (_, index) => addDays(period.from, index));
  const pools: CommitmentPool[] = [];
  const coverage: Coverage[] = [];
  const without: string[] = [];
  for (const [provider, own] of Map.groupBy(rows, (row) => String(row.provider))) {
    const sum = (some: readonly Row[], field: string) =>
      some.reduce((all, row) => all + Number(row[field]), 0);
    const discounts: Record<string, number> = {};
    for (const [service, some] of Map.groupBy(own, (row) => String(row.service))) {
      const covered = sum(some, "covered");
      if (covered > 0) discounts[service] = Math.min(Math.max(1 - sum(some, "paid") / covered, 0), 0.99);
    }
    const [coverable, covered, paid, unused] = [
      sum(own, "on_demand"),
      sum(own, "covered"),
      sum(own, "paid"),
      unusedBy.get(provider) ?? 0,
    ];
    coverage.push({
      provider,
      coverable: coverable * monthly,
      covered: covered * monthly,
      coverage: coverable === 0 ? null : covered / coverable,
      committed: (paid + unused) * monthly,
      unused: unused * monthly,
      utilisation: paid + unused === 0 ? null : paid / (paid + unused),
    });
    const services = [...new Set(own.map((row) => String(row.service)))];
    const offered = (offers ?? []).filter((one) => one.provider.toLowerCase() === provider.toLowerCase());
    const options = [
      ...offered.map(({ name, term_months, discount }) => ({
        name,
        term_months,
        discounts: Object.fromEntries(services.map((service) => [service, discount])),
      })),
      ...(Object.keys(discounts).length > 0
        ? [{ name: "more of today's commitment", term_months: 12, discounts }]
        : []),
    ];
    if (options.length === 0) {
      without.push(provider);
      continue;
    }
    pools.push({
      name: `${provider} compute`,
      grain: "day",
      usage: usageOf(own, days, idle),
      ...(paid > 0 ? { existing: { per_period: (paid + unused) / period.days, discounts } } : {}),
      options,
    });
  }
  return { pools, coverage, without };
}

/** By service; what is idle is a series of its own, so that stopping it changes what is committed to. */
function usageOf(
  rows: readonly Row[],
  days: readonly Day[],
  idle: ReadonlySet<string>,
): CommitmentPool["usage"] {
  const index = new Map(days.map((day, at) => [day, at]));
  const billed = new Set(rows.map(({ day }) => String(day)));
  const series = new Map<string, { group: string; resource_id?: string; on_demand: (number | null)[] }>();
  for (const row of rows) {
    const [group, resource] = [String(row.service), String(row.resource)];
    const own = row.resource !== null && idle.has(resource) ? resource : undefined;
    const key = JSON.stringify([group, own]);
    let found = series.get(key);
    if (found === undefined) {
      // A day without any charge is unknown, one without this is 0.
      const on_demand = days.map((day) => (billed.has(day) ? 0 : null));
      found = { group, on_demand, ...(own === undefined ? {} : { resource_id: own }) };
      series.set(key, found);
    }
    const at = index.get(String(row.day)) ?? -1;
    found.on_demand[at] = (found.on_demand[at] ?? 0) + Math.max(0, Number(row.on_demand));
  }
  return [...series.values()];
}

/** Keys that more than half of the cost of resources is tagged with. */
async function usualTags(
  data: FocusData,
  ask: PoolsAsked["ask"],
  inCurrency: PoolsAsked["inCurrency"],
): Promise<string[]> {
  const rows = await ask(
    (where, params) => `SELECT key FROM (
        SELECT unnest(map_keys(tags)) AS key, effective FROM (
          SELECT tags, sum(effective) AS effective FROM focus.charges WHERE ${inCurrency(where, params)} AND resource IS NOT NULL GROUP BY tags))
      GROUP BY key HAVING sum(effective) > 0.5 * (SELECT sum(effective) FROM focus.charges WHERE ${inCurrency(where, params)} AND resource IS NOT NULL)
      ORDER BY key`,
  );
  const known = rows.map(({ key }) => String(key));
  return data.about.tag_keys.filter((key) => known.includes(key));
}

/** The database prints a map as a list of its entries. */
function tagsOf(value: unknown): Record<string, string> {
  const entries = Array.isArray(value) ? value : [];
  return Object.fromEntries(entries.map((entry) => [String(Object(entry).key), String(Object(entry).value)]));
}
