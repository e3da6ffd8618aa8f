import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A row of a bill, by the names of FOCUS. */
export type Bill = Readonly<Record<string, string | number | null>>;

/** A usage charge of ten dollars; what is given replaces it. */
export function bill(more: Bill = {}): Bill {
  return {
    BillingCurrency: "USD",
    BillingPeriodStart: "2026-05-01 00:00:00",
    ChargePeriodStart: "2026-05-04 00:00:00",
    ChargeCategory: "Usage",
    ProviderName: "AWS",
    ServiceName: "Compute",
    RegionId: "us-east-1",
    SubAccountId: "acc-1",
    SubAccountName: "production",
    ResourceId: "vm-1",
    ConsumedQuantity: 24,
    ConsumedUnit: "Hours",
    BilledCost: 10,
    EffectiveCost: 10,
    ListCost: 12,
    ContractedCost: 11,
    Tags: '{"team":"search"}',
    ...more,
  };
}

export function csv(bills: readonly Bill[]): string {
  const names = [...new Set(bills.flatMap((one) => Object.keys(one)))];
  const field = (value: string | number | null | undefined) =>
    value === null || value === undefined ? "" : `"${String(value).replaceAll('"', '""')}"`;
  return [names.join(","), ...bills.map((one) => names.map((name) => field(one[name])).join(","))].join("\n");
}

/** A directory with files of bills, which is gone after `remove`. */
export function billFiles(files: Readonly<Record<string, string>>): { place: string; remove: () => void } {
  const place = mkdtempSync(join(tmpdir(), "bills-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  return { place, remove: () => rmSync(place, { recursive: true, force: true }) };
}
