import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Charge, sampleCharges } from "./sample.ts";

const MONEY = "DECIMAL(18, 6)";

/** The columns of the sample's file, their types, and where their values come from. */
const COLUMNS: readonly (readonly [
  name: string,
  type: string,
  of: (charge: Charge) => string | number | undefined,
])[] = [
  ["BillingCurrency", "VARCHAR", () => "USD"],
  ["BillingPeriodStart", "TIMESTAMP", ({ day }) => `${day.slice(0, 7)}-01`],
  ["ChargePeriodStart", "TIMESTAMP", ({ day }) => day],
  ["ChargeCategory", "VARCHAR", ({ category }) => category],
  ["ChargeClass", "VARCHAR", ({ correction }) => (correction ? "Correction" : undefined)],
  ["ServiceProviderName", "VARCHAR", ({ provider }) => provider],
  ["HostProviderName", "VARCHAR", ({ provider }) => provider],
  ["ServiceName", "VARCHAR", ({ service }) => service],
  ["ServiceCategory", "VARCHAR", ({ serviceCategory }) => serviceCategory],
  ["RegionId", "VARCHAR", ({ region }) => region],
  ["SubAccountId", "VARCHAR", ({ account }) => account.id],
  ["SubAccountName", "VARCHAR", ({ account }) => account.name],
  ["ResourceId", "VARCHAR", ({ resource }) => resource?.id],
  ["ResourceName", "VARCHAR", ({ resource }) => resource?.name],
  ["ResourceType", "VARCHAR", ({ resource }) => resource?.type],
  ["SkuId", "VARCHAR", ({ sku }) => sku],
  ["PricingCategory", "VARCHAR", ({ pricing }) => pricing],
  ["CommitmentDiscountId", "VARCHAR", ({ commitment }) => commitment?.id],
  ["CommitmentDiscountType", "VARCHAR", ({ commitment }) => commitment?.type],
  ["CommitmentDiscountStatus", "VARCHAR", ({ commitment }) => commitment?.status],
  ["ConsumedQuantity", MONEY, ({ quantity }) => quantity],
  ["ConsumedUnit", "VARCHAR", ({ unit }) => unit],
  ["BilledCost", MONEY, ({ billed }) => billed],
  ["EffectiveCost", MONEY, ({ effective }) => effective],
  ["ListCost", MONEY, ({ list }) => list],
  ["ContractedCost", MONEY, ({ contracted }) => contracted],
  [
    "Tags",
    "VARCHAR",
    ({ resource }) =>
      resource && Object.keys(resource.tags).length > 0 ? JSON.stringify(resource.tags) : undefined,
  ],
];

/** Writes the sample as Parquet. */
export async function writeSample(path: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "focus-sample-"));
  const csv = join(scratch, "sample.csv");
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  try {
    const lines = [COLUMNS.map(([name]) => name).join(",")];
    for (const charge of sampleCharges()) lines.push(COLUMNS.map(([, , of]) => field(of(charge))).join(","));
    writeFileSync(csv, `${lines.join("\n")}\n`);
    const columns = COLUMNS.map(([name, type]) => `CAST(${name} AS ${type}) AS ${name}`).join(", ");
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT ${columns} FROM read_csv('${csv}', all_varchar = true, header = true))
       TO '${path}' (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, COMPRESSION_LEVEL 19, ROW_GROUP_SIZE 250000)`,
    );
    connection.closeSync();
  } finally {
    instance.closeSync();
    rmSync(scratch, { recursive: true });
  }
}

function field(value: string | number | undefined): string {
  const text = String(value ?? "");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
