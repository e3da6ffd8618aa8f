import { makeRng } from "./rng.ts";
import {
  ACCOUNTS,
  AWS,
  AZURE,
  type Commitment,
  GCP,
  RESERVATION,
  type Resource,
  SAVINGS_PLAN,
  sampleResources,
} from "./sample-resources.ts";

export const FIRST_DAY = "2025-09-01";
/** Within a month, so that "this month" is of some days. */
export const LAST_DAY = "2026-09-18";
export const SEED = 20260918;

/** What is wrong with the bills of the sample, on purpose: one of each kind. */
export const PLANTED = [
  { kind: "spike", service: "AWS Lambda", first_day: "2026-08-11", last_day: "2026-08-11" },
  { kind: "step", service: "Compute Engine", first_day: "2026-07-14", last_day: LAST_DAY },
  { kind: "ramp", service: "Amazon Simple Storage Service", first_day: "2026-06-08", last_day: "2026-07-07" },
  { kind: "price", service: "Azure SQL Database", first_day: "2026-04-01", last_day: LAST_DAY },
  { kind: "mix", service: "BigQuery", first_day: "2026-08-20", last_day: LAST_DAY },
  { kind: "drop", service: "Amazon CloudFront", first_day: "2026-02-17", last_day: "2026-02-19" },
] as const;

/** A row of a bill, with the columns of FOCUS 1.4 that the sample has. */
export type Charge = {
  readonly day: string;
  readonly category: "Usage" | "Purchase" | "Tax" | "Credit" | "Adjustment";
  readonly correction?: true;
  readonly provider: string;
  readonly service: string;
  readonly serviceCategory: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly resource?: Resource;
  readonly region?: string;
  readonly sku?: string;
  readonly quantity?: number;
  readonly unit?: string;
  readonly pricing?: "Standard" | "Committed";
  readonly commitment?: Commitment & { readonly status?: "Used" | "Unused" };
  readonly billed: number;
  readonly effective: number;
  readonly list: number;
  readonly contracted: number;
};

const IDLE = /^app\/(?:4a31|6920|880f)$/;

/** All charges, resource by resource, so that the file is small. The same for a seed. */
export function* sampleCharges(seed = SEED): Generator<Charge> {
  const random = makeRng(seed + 1);
  const days = daysBetween(FIRST_DAY, LAST_DAY);
  for (const resource of [...sampleResources(seed), ...leftRunning(seed)]) {
    for (const [index, day] of days.entries()) yield* chargesOf(resource, { day, index, random });
  }
  for (const day of days) yield* unusedOf(day);
  for (const month of new Set(days.map((one) => `${one.slice(0, 7)}-01`))) yield* monthly(month);
  yield* paidBack();
}

type At = { readonly day: string; readonly index: number; readonly random: () => number };

function* chargesOf(resource: Resource, { day, index, random }: At): Generator<Charge> {
  const { provider, service, account, region, unit, listPrice, discount } = resource;
  if (resource.id.includes("gpu-left-on") && day < PLANTED[1].first_day) return;
  const isWeekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  const noisy = 1 + resource.noise * (random() + random() + random() - 1.5);
  const quantity =
    resource.quantity *
    noisy *
    (isWeekend ? resource.weekend : 1) *
    (1 + (resource.growth * index) / 365) *
    plantedUse(resource, day);
  const used = IDLE.test(resource.name) ? 0 : rounded(quantity, 1);
  const price = listPrice * plantedPrice(resource, day);
  // What stands still is charged by the hour.
  const list = rounded(used === 0 ? 24 * listPrice : used * price);
  const contracted = rounded(list * (1 - discount));
  const { commitment } = resource;
  yield {
    day,
    category: "Usage",
    provider,
    service,
    serviceCategory: resource.category,
    account,
    resource,
    region,
    sku: plantedSku(resource, day),
    quantity: used,
    unit,
    pricing: commitment ? "Committed" : "Standard",
    ...(commitment ? { commitment: { ...commitment, status: "Used" as const } } : {}),
    billed: commitment ? 0 : contracted,
    effective: commitment ? rounded(list * commitment.price) : contracted,
    list,
    contracted,
  };
}

function plantedUse({ service, name }: Resource, day: string): number {
  const [spike, , ramp, , , drop] = PLANTED;
  if (service === spike.service && day === spike.first_day) return 6;
  if (service === drop.service && day >= drop.first_day && day <= drop.last_day) return 0.08;
  // One bucket of logs that nobody deletes, until somebody does.
  if (service === ramp.service && name === "bucket-4a31" && day >= ramp.first_day && day <= ramp.last_day)
    return 1 + 0.45 * daysBetween(ramp.first_day, day).length;
  return 1;
}

function plantedPrice(resource: Resource, day: string): number {
  const { service } = resource;
  if (service === PLANTED[3].service && day >= PLANTED[3].first_day) return 1.35;
  return plantedSku(resource, day) === resource.sku ? 1 : 2.2;
}

/** Half of the queries move to another edition. */
function plantedSku({ service, name, sku }: Resource, day: string): string {
  const moved =
    service === PLANTED[4].service &&
    day >= PLANTED[4].first_day &&
    Number.parseInt(name.slice(-1), 16) % 2 === 0;
  return moved ? "enterprise-plus-slot" : sku;
}

/** Machines with graphics cards that somebody forgot. */
function leftRunning(seed: number): Resource[] {
  const like = sampleResources(seed).find(({ service }) => service === PLANTED[1].service);
  if (like === undefined) throw new TypeError("the sample has no such service");
  return Array.from({ length: 6 }, (_, index) => ({
    ...like,
    account: ACCOUNTS.research,
    region: "europe-west1",
    id: `${ACCOUNTS.research.id}/gpu-left-on-${index + 1}`,
    name: `gpu-left-on-${index + 1}`,
    sku: "a2-highgpu-1g",
    listPrice: 3.67,
    quantity: 24,
    tags: {},
  }));
}

/** What commitments cost beyond what they cover: on weekends, less is covered. */
function* unusedOf(day: string): Generator<Charge> {
  const isWeekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  const cost = isWeekend ? 14.4 : 4.8;
  yield {
    day,
    category: "Usage",
    provider: AWS,
    service: "Amazon Elastic Compute Cloud",
    serviceCategory: "Compute",
    account: ACCOUNTS.web,
    pricing: "Committed",
    commitment: { ...SAVINGS_PLAN, status: "Unused" },
    billed: 0,
    effective: cost,
    list: 0,
    contracted: 0,
  };
}

/** On the first of a month: what commitments cost, tax, and a credit as long as there is some. */
function* monthly(day: string): Generator<Charge> {
  const fee = (
    commitment: Commitment,
    provider: string,
    service: string,
    account: (typeof ACCOUNTS)["web" | "erp"],
    billed: number,
  ): Charge => ({
    ...{
      day,
      category: "Purchase",
      provider,
      service,
      serviceCategory: "Compute",
      account,
      pricing: "Committed",
    },
    ...{ commitment, billed, effective: 0, list: billed, contracted: billed },
  });
  yield fee(SAVINGS_PLAN, AWS, "Amazon Elastic Compute Cloud", ACCOUNTS.web, 5200);
  yield fee(RESERVATION, AZURE, "Virtual Machines", ACCOUNTS.erp, 2300);
  const plain = (
    provider: string,
    service: string,
    account: { id: string; name: string },
    amount: number,
  ) => ({
    ...{ day, provider, service, serviceCategory: "Other", account, billed: amount, effective: amount },
    ...{ list: amount, contracted: amount },
  });
  yield { ...plain(AZURE, "Virtual Machines", ACCOUNTS.erp, 890.5), category: "Tax" };
  if (day < "2026-06-01") yield { ...plain(GCP, "BigQuery", ACCOUNTS.analytics, -1500), category: "Credit" };
}

/** A correction of an earlier bill, and a goodwill payment. */
function* paidBack(): Generator<Charge> {
  const amounts = (amount: number) => ({
    billed: amount,
    effective: amount,
    list: amount,
    contracted: amount,
  });
  yield {
    ...{
      day: "2026-03-12",
      category: "Usage",
      correction: true,
      provider: AWS,
      service: "Amazon Relational Database Service",
    },
    ...{ serviceCategory: "Databases", account: ACCOUNTS.data, ...amounts(-1240.75) },
  };
  yield {
    ...{ day: "2026-08-05", category: "Adjustment", provider: AZURE, service: "Storage Accounts" },
    ...{ serviceCategory: "Storage", account: ACCOUNTS.bi, ...amounts(-310.2) },
  };
}

function rounded(value: number, decimals = 4): number {
  return Number(value.toFixed(decimals));
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += 86_400_000)
    days.push(new Date(time).toISOString().slice(0, 10));
  return days;
}
