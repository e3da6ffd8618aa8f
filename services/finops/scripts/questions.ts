import type { CostQuery, Filter } from "../src/query/types.ts";

/** A question of docs/finops.md, what it means, and another way to its answer: SQL over the sample's file, of `key` and `value`. */
export type Question = { readonly asked: string; readonly query: CostQuery; readonly sql: string };

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
];
