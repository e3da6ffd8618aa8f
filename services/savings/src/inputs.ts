import type { SavingsRequest } from "@interlock/finops/savings";

export type SavingsInputs = SavingsRequest & { readonly currency?: string; readonly language?: string };

/** An example of what is judged without bills, four weeks of a small account: a bit of everything, with two changes that overlap. */
export function sampleInputs(): SavingsInputs {
  const hours = Array.from({ length: 4 * 168 }, (_, hour) => hour);
  const office = (hour: number) => hour % 24 >= 8 && hour % 24 < 18 && hour % 168 < 120;
  return {
    currency: "USD",
    resources: [
      {
        resource_id: "web-1",
        kind: "compute",
        monthly_cost: 292,
        tags: { team: "shop" },
        usage: { days: 28, cpu_peak: 0.62, cpu_p95: 0.31, memory_p95: 0.34, network_mb_per_day: 5200 },
        sizes: [{ name: "half", cpu: 0.5, memory: 0.5, monthly_cost: 146 }],
      },
      {
        resource_id: "batch-7",
        kind: "compute",
        monthly_cost: 146,
        tags: { team: "data" },
        usage: { days: 28, cpu_peak: 0.02, cpu_p95: 0.01, network_mb_per_day: 0.4 },
      },
      { resource_id: "legacy-3", kind: "compute", monthly_cost: 73 },
      { resource_id: "disk-9", kind: "disk", monthly_cost: 40, attached: false, tags: { team: "shop" } },
      {
        resource_id: "archive",
        kind: "object_storage",
        monthly_cost: 230,
        tags: { team: "data" },
        storage: { gb: 10_000, tier: "standard", read_gb_per_month: 20 },
      },
    ],
    pools: [
      {
        name: "compute",
        grain: "hour",
        usage: [
          { group: "general", resource_id: "web-1", on_demand: hours.map(() => 0.4) },
          { group: "general", resource_id: "batch-7", on_demand: hours.map(() => 0.2) },
          { group: "general", on_demand: hours.map((hour) => (office(hour) ? 1.5 : 0.5)) },
        ],
        options: [
          { name: "one year", term_months: 12, discounts: { general: 0.28 } },
          { name: "three years", term_months: 36, discounts: { general: 0.46 } },
        ],
      },
    ],
    transfers: [
      {
        transfer_id: "nat-to-storage",
        gb_per_month: 3000,
        monthly_cost: 135,
        alternative: { name: "private endpoint", per_gb: 0.01, monthly_fee: 7.3 },
      },
    ],
    tiers: [
      { name: "standard", gb_month: 0.023, gb_read: 0 },
      { name: "infrequent", gb_month: 0.0125, gb_read: 0.01 },
    ],
    rules: { required_tags: ["team"] },
  };
}
