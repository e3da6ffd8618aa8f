import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openFocus, samplePlace } from "../src/data/index.ts";
import type { FocusData } from "../src/data/open.ts";
import { PERIOD_NAMES } from "../src/periods/period.ts";
import { METRIC_NAMES } from "../src/query/metrics.ts";
import { RECOMMENDATION_KINDS } from "../src/savings/index.ts";

export const CATALOGUE = fileURLToPath(new URL("../data/catalogue.json", import.meta.url));

/** What services of the sample are also called. Of other bills, their names are all that is known. */
const ALSO: Readonly<Record<string, readonly [name: string, korean?: string]>> = {
  "Amazon Elastic Compute Cloud": ["EC2"],
  "Amazon Relational Database Service": ["RDS"],
  "Amazon Simple Storage Service": ["S3"],
  "AWS Lambda": ["Lambda", "람다"],
  "Amazon CloudFront": ["CloudFront", "클라우드프런트"],
  "Elastic Load Balancing": ["load balancers", "로드 밸런서"],
  "Virtual Machines": ["Azure VMs", "가상 머신"],
  "Azure SQL Database": ["Azure SQL"],
  "Storage Accounts": ["Azure Storage"],
  "Compute Engine": ["GCE"],
  BigQuery: ["BQ", "빅쿼리"],
  "Cloud Storage": ["GCS"],
  "Kubernetes Engine": ["GKE"],
};

/** What messages can name of some bills. */
export async function catalogueOf(data: FocusData): Promise<object> {
  const distinct = async (expression: string) =>
    (
      await data.all(
        `SELECT value FROM (SELECT ${expression} AS value, sum(effective) AS cost FROM focus.charges GROUP BY value)
         WHERE value IS NOT NULL ORDER BY cost DESC, value LIMIT 2000`,
        [],
      )
    ).map(({ value }) => String(value));
  const tags = async (key: string) => await distinct(`map_extract_value(tags, '${key}')`);
  const [currency, ...others] = await distinct("currency");
  return {
    ...(currency !== undefined && others.length === 0 ? { currency } : {}),
    providers: await distinct("provider"),
    services: (await distinct("service")).map((service) => {
      const [name, korean] = ALSO[service] ?? [];
      return {
        service,
        ...(name === undefined ? {} : { name }),
        ...(korean === undefined ? {} : { korean }),
      };
    }),
    accounts: (await distinct("account_name")).map((account) => ({ account })),
    regions: await distinct("region"),
    teams: await tags("team"),
    environments: await tags("environment"),
    periods: [...PERIOD_NAMES, ...COUNTED].filter((name) => !SHORT.test(name)).map(spoken),
    comparisons: [
      ...["the period before", "a year ago"],
      ...PERIOD_NAMES.filter((name) => !SHORT.test(name) && !AHEAD.test(name)).map(
        (name) => `against ${spoken(name)}`,
      ),
    ],
    saving_kinds: RECOMMENDATION_KINDS.map(spoken),
    metrics: METRIC_NAMES.map((name) => (COSTS.test(name) ? `${name} cost` : spoken(name))),
    groupings: GROUPINGS.map((name) => `by ${name}`),
  };
}

const COUNTED = [
  ...["last_7_days", "last_30_days", "last_90_days", "last_3_months", "last_6_months", "last_12_months"],
  ...["next_7_days", "next_30_days", "next_90_days", "next_3_months", "next_6_months", "next_12_months"],
];
const AHEAD = /^(?:tomorrow|next_)/;
const SHORT = /^(?:[mqy]td|all)$/;
const COSTS = /^(?:effective|billed|list|contracted)$/;
const GROUPINGS = [
  "provider",
  "service",
  "account",
  "region",
  "team",
  "environment",
  "resource",
  "day",
  "week",
  "month",
];

const spoken = (name: string): string => name.replaceAll("_", " ");

/** Writes what messages can name, of the bills that FOCUS_DATA names: `npm run -s agent -- services/finops/scripts/write-catalogue.ts`. */
if (import.meta.main) {
  const data = await openFocus(process.env.FOCUS_DATA || samplePlace);
  writeFileSync(CATALOGUE, `${JSON.stringify(await catalogueOf(data), undefined, 2)}\n`);
  data.close();
}
