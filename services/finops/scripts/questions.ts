import type { AnomalyQuery } from "../src/anomaly/find.ts";
import type { ExpectQuery } from "../src/bills/expect.ts";
import type { AlertQuery } from "../src/effects/propose-alert.ts";
import type { InventoryQuery } from "../src/inventory/inventory.ts";
import type { CostQuery, Filter } from "../src/query/types.ts";

/** A question of docs/finops.md, what it means, and another way to its answer: SQL over the sample's file, of `key` and `value`. */
export type Question = { readonly asked: string; readonly sql: string } & (
  | { readonly task?: undefined; readonly query: CostQuery }
  | { readonly task: "RESOURCE_INFO"; readonly query: InventoryQuery }
  | { readonly task: "ANOMALY"; readonly query: AnomalyQuery }
  | { readonly task: "COST_FORECAST"; readonly query: ExpectQuery }
  | { readonly task: "ALERT_CONFIG"; readonly query: AlertQuery }
);

const month = (name: string) => `strftime(ChargePeriodStart, '%Y-%m') = '${name}'`;
const sums = (column: string, by: string, where: string, top = 100) =>
  `SELECT ${by} AS key, sum(${column}) AS value FROM bills WHERE ${where} GROUP BY 1 ORDER BY 2 DESC LIMIT ${top}`;
const total = (column: string, where: string) =>
  `SELECT NULL AS key, sum(${column}) AS value FROM bills WHERE ${where}`;
const only = (field: string, ...values: (string | null)[]): readonly Filter[] => [
  { field, op: "only", values },
];

export const QUESTIONS: readonly Question[] = [
  {
    asked: "What were my top cloud costs last month?",
    query: { group_by: ["service"], period: "last_month", top: 5 },
    sql: sums("EffectiveCost", "ServiceName", month("2026-08"), 5),
  },
  {
    asked: "How much did we spend on AWS last month, against the month before?",
    query: { filter: only("provider", "AWS"), period: "last_month", compare_to: "previous" },
    sql: total("EffectiveCost", `ServiceProviderName = 'AWS' AND ${month("2026-08")}`),
  },
  {
    asked: "What was billed in the second quarter?",
    query: { metric: "billed", period: "2026-Q2" },
    sql: total("BilledCost", "ChargePeriodStart >= '2026-04-01' AND ChargePeriodStart < '2026-07-01'"),
  },
  {
    asked: "Spend by provider this month so far, against the same days of August",
    query: { group_by: ["provider"], period: "mtd", compare_to: "previous" },
    sql: sums("EffectiveCost", "ServiceProviderName", month("2026-09")),
  },
  {
    asked: "Which accounts cost most this year?",
    query: { group_by: ["account"], period: "this_year", top: 3 },
    sql: sums("EffectiveCost", "SubAccountName", "year(ChargePeriodStart) = 2026", 3),
  },
  {
    asked: "Cost by team in July",
    query: { group_by: ["tag:team"], period: "july" },
    sql: sums("EffectiveCost", "json_extract_string(Tags, '$.team')", month("2026-07")),
  },
  {
    asked: "How much of July has no team?",
    query: { filter: only("tag:team", null), period: "july" },
    sql: total("EffectiveCost", `json_extract_string(Tags, '$.team') IS NULL AND ${month("2026-07")}`),
  },
  {
    asked: "Which credits did we get?",
    query: { metric: "credits", period: "all" },
    sql: total("BilledCost", "ChargeCategory = 'Credit'"),
  },
  {
    asked: "What was refunded?",
    query: { metric: "refunds", period: "all" },
    sql: total(
      "BilledCost",
      "BilledCost < 0 AND (ChargeClass = 'Correction' OR ChargeCategory = 'Adjustment')",
    ),
  },
  {
    asked: "What would August have cost at list prices, by region?",
    query: { metric: "list", group_by: ["region"], period: "2026-08", top: 4 },
    sql: sums("ListCost", "RegionId", month("2026-08"), 4),
  },
  {
    asked: "What did Lambda cost on the 11th of August?",
    query: { filter: only("service", "AWS Lambda"), period: "2026-08-11" },
    sql: total("EffectiveCost", "ServiceName = 'AWS Lambda' AND ChargePeriodStart = '2026-08-11'"),
  },
  {
    asked: "Committed and on demand, last quarter",
    query: { group_by: ["pricing"], period: "last_quarter" },
    sql: sums(
      "EffectiveCost",
      "PricingCategory",
      "ChargePeriodStart >= '2026-04-01' AND ChargePeriodStart < '2026-07-01'",
    ),
  },
  {
    asked: "What in S3 cost most in August?",
    query: {
      filter: only("service", "Amazon Simple Storage Service"),
      group_by: ["sku"],
      period: "2026-08",
      top: 3,
    },
    sql: sums(
      "EffectiveCost",
      "SkuId",
      `ServiceName = 'Amazon Simple Storage Service' AND ${month("2026-08")}`,
      3,
    ),
  },
  {
    asked: "Cost of Azure on each of the first three days of August",
    query: {
      filter: only("provider", "Microsoft"),
      group_by: ["day"],
      period: { from: "2026-08-01", to: "2026-08-03" },
    },
    sql: `SELECT strftime(ChargePeriodStart, '%Y-%m-%d') AS key, sum(EffectiveCost) AS value FROM bills
      WHERE ServiceProviderName = 'Microsoft' AND ChargePeriodStart >= '2026-08-01' AND ChargePeriodStart < '2026-08-04' GROUP BY 1 ORDER BY 1`,
  },
  {
    asked: "What did production cost last month, by provider?",
    query: { filter: only("tag:environment", "production"), group_by: ["provider"], period: "last_month" },
    sql: sums(
      "EffectiveCost",
      "ServiceProviderName",
      `json_extract_string(Tags, '$.environment') = 'production' AND ${month("2026-08")}`,
    ),
  },
  {
    asked: "Everything but AWS in the second quarter, by account",
    query: {
      filter: [{ field: "provider", op: "except", values: ["AWS"] }],
      group_by: ["account"],
      period: "2026-Q2",
      top: 3,
    },
    sql: sums(
      "EffectiveCost",
      "SubAccountName",
      "ServiceProviderName <> 'AWS' AND ChargePeriodStart >= '2026-04-01' AND ChargePeriodStart < '2026-07-01'",
      3,
    ),
  },
  {
    asked: "What did each commitment cost last quarter?",
    query: {
      filter: [{ field: "commitment", op: "except", values: [null] }],
      group_by: ["commitment"],
      period: "last_quarter",
    },
    sql: sums(
      "EffectiveCost",
      "CommitmentDiscountId",
      "CommitmentDiscountId IS NOT NULL AND ChargePeriodStart >= '2026-04-01' AND ChargePeriodStart < '2026-07-01'",
    ),
  },
  {
    asked: "GCP by month since June",
    query: {
      filter: only("provider", "Google Cloud"),
      group_by: ["month"],
      period: { from: "2026-06-01", to: "2026-08-31" },
    },
    sql: `SELECT strftime(ChargePeriodStart, '%Y-%m-01') AS key, sum(EffectiveCost) AS value FROM bills
      WHERE ServiceProviderName = 'Google Cloud' AND ChargePeriodStart >= '2026-06-01' AND ChargePeriodStart < '2026-09-01' GROUP BY 1 ORDER BY 1`,
  },
  {
    asked: "What was billed in March, by kind of charge?",
    query: { metric: "billed", group_by: ["charge"], period: "2026-03" },
    sql: sums("BilledCost", "ChargeCategory", month("2026-03")),
  },
  {
    asked: "Which services grew most in August?",
    query: { group_by: ["service"], period: "2026-08", compare_to: "previous", order: "grown", top: 3 },
    sql: `SELECT ServiceName AS key, coalesce(sum(EffectiveCost) FILTER (WHERE ${month("2026-08")}), 0) AS value FROM bills
      GROUP BY 1 ORDER BY value - coalesce(sum(EffectiveCost) FILTER (WHERE ${month("2026-07")}), 0) DESC LIMIT 3`,
  },
  {
    asked: "What did Korea Central cost yesterday?",
    query: { filter: only("region", "koreacentral"), period: "yesterday" },
    sql: total("EffectiveCost", "RegionId = 'koreacentral' AND ChargePeriodStart = '2026-09-17'"),
  },
  {
    asked: "What stands idle in us-east-1, and what has no tags?",
    task: "RESOURCE_INFO",
    query: { filter: only("region", "us-east-1"), period: "last_30_days", top: 2 },
    sql: `WITH resources AS (SELECT ResourceId, sum(EffectiveCost) AS cost, sum(ConsumedQuantity) AS used, count(ConsumedQuantity) AS measured,
        bool_and(coalesce(Tags, '{}') = '{}') AS bare FROM bills
        WHERE RegionId = 'us-east-1' AND ResourceId IS NOT NULL AND ChargePeriodStart BETWEEN '2026-08-20' AND '2026-09-18' GROUP BY 1)
      SELECT 'idle' AS key, sum(cost) FILTER (WHERE measured > 0 AND used = 0 AND cost > 0) AS value FROM resources
      UNION ALL SELECT 'untagged', sum(cost) FILTER (WHERE bare) FROM resources`,
  },
  {
    asked: "Was anything unusual on the 11th of August?",
    task: "ANOMALY",
    query: { period: "2026-08-11", filter: only("provider", "AWS") },
    sql: total("EffectiveCost", "ServiceName = 'AWS Lambda' AND ChargePeriodStart = '2026-08-11'").replace(
      "NULL AS key",
      "'AWS Lambda' AS key",
    ),
  },
  {
    asked: "Will we exceed $150,000 this month?",
    task: "COST_FORECAST",
    query: { period: "this_month", budget: { amount: 150_000 } },
    sql: `SELECT 'so far' AS key, sum(EffectiveCost) FILTER (WHERE ${month("2026-09")}) AS value FROM bills
      UNION ALL SELECT 'last month', sum(EffectiveCost) FILTER (WHERE ${month("2026-08")}) FROM bills`,
  },
  {
    asked: "Set a monthly budget of $58,000 for AWS",
    task: "ALERT_CONFIG",
    query: { filter: only("provider", "AWS"), every: "month", amount: { amount: 58_000 } },
    sql: `WITH months AS (SELECT strftime(ChargePeriodStart, '%Y-%m') AS month, sum(EffectiveCost) AS cost FROM bills
        WHERE ServiceProviderName = 'AWS' AND ChargePeriodStart < '2026-09-01' GROUP BY 1)
      SELECT 'exceeded' AS key, count(*) FILTER (WHERE cost > 58000) AS value FROM months UNION ALL SELECT 'most', max(cost) FROM months`,
  },
];
