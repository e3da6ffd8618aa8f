import { makeRng } from "./rng.ts";

/** Something that is charged for every day. */
export type Resource = {
  readonly provider: string;
  readonly service: string;
  readonly category: string;
  readonly region: string;
  readonly account: Account;
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly sku: string;
  readonly unit: string;
  /** Of a unit, without any discount. */
  readonly listPrice: number;
  /** Negotiated. */
  readonly discount: number;
  /** A day of the middle of the week. */
  readonly quantity: number;
  /** Of the quantity, from day to day. */
  readonly noise: number;
  /** What weekends use of it. */
  readonly weekend: number;
  /** A year. */
  readonly growth: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly commitment?: Commitment;
};

export type Account = { readonly id: string; readonly name: string; readonly environment: string };

export type Commitment = { readonly id: string; readonly type: string; readonly price: number };

const account = (id: string, name: string, environment: string): Account => ({ id, name, environment });

export const AWS = "AWS";
export const AZURE = "Microsoft";
export const GCP = "Google Cloud";

export const ACCOUNTS = {
  web: account("111122223333", "prod-web", "production"),
  data: account("222233334444", "prod-data", "production"),
  staging: account("333344445555", "staging", "staging"),
  sandbox: account("444455556666", "sandbox", "development"),
  erp: account("sub-7f21-erp", "erp-production", "production"),
  bi: account("sub-7f21-bi", "bi-shared", "production"),
  analytics: account("analytics-prod", "analytics-prod", "production"),
  research: account("ml-research", "ml-research", "development"),
} as const;

export const SAVINGS_PLAN: Commitment = {
  id: "arn:aws:savingsplans::111122223333:savingsplan/sp-compute-1",
  type: "Compute Savings Plan",
  price: 0.66,
};
export const RESERVATION: Commitment = {
  id: "/providers/microsoft.capacity/reservations/r-vm-1",
  type: "Reservation",
  price: 0.6,
};

const TEAMS = ["platform", "search", "payments", "mobile", "research"] as const;

type Kind = {
  readonly provider: string;
  readonly service: string;
  readonly category: string;
  readonly type: string;
  readonly prefix: string;
  readonly accounts: readonly Account[];
  readonly regions: readonly string[];
  readonly skus: readonly (readonly [name: string, price: number])[];
  readonly unit: string;
  readonly quantity: number;
  /** What is on all day, always uses the same. */
  readonly steady?: true;
  readonly count: number;
  readonly commitment?: { readonly of: Commitment; readonly every: number };
};

const US = ["us-east-1", "us-west-2"];
const EU = ["eu-central-1"];
const HOURS = "Hours";
const GB_MONTHS = "GB-Months";

const KINDS: readonly Kind[] = [
  {
    provider: AWS,
    service: "Amazon Elastic Compute Cloud",
    category: "Compute",
    type: "instance",
    prefix: "i-0",
    accounts: [ACCOUNTS.web, ACCOUNTS.data, ACCOUNTS.staging, ACCOUNTS.sandbox],
    regions: [...US, ...EU],
    skus: [
      ["m7i.large", 0.1008],
      ["m7i.xlarge", 0.2016],
      ["c7i.2xlarge", 0.357],
    ],
    unit: HOURS,
    quantity: 24,
    steady: true,
    count: 160,
    commitment: { of: SAVINGS_PLAN, every: 3 },
  },
  {
    provider: AWS,
    service: "Amazon Elastic Compute Cloud",
    category: "Storage",
    type: "volume",
    prefix: "vol-0",
    accounts: [ACCOUNTS.web, ACCOUNTS.data, ACCOUNTS.sandbox],
    regions: US,
    skus: [["gp3", 0.08]],
    unit: GB_MONTHS,
    quantity: 8,
    steady: true,
    count: 60,
  },
  {
    provider: AWS,
    service: "Amazon Relational Database Service",
    category: "Databases",
    type: "db",
    prefix: "db-",
    accounts: [ACCOUNTS.web, ACCOUNTS.data],
    regions: [...US, ...EU],
    skus: [
      ["db.r7g.large", 0.239],
      ["db.r7g.xlarge", 0.478],
    ],
    unit: HOURS,
    quantity: 24,
    steady: true,
    count: 30,
  },
  {
    provider: AWS,
    service: "Amazon Simple Storage Service",
    category: "Storage",
    type: "bucket",
    prefix: "bucket-",
    accounts: [ACCOUNTS.web, ACCOUNTS.data],
    regions: US,
    skus: [
      ["s3-standard", 0.023],
      ["s3-infrequent", 0.0125],
    ],
    unit: GB_MONTHS,
    quantity: 900,
    count: 20,
  },
  {
    provider: AWS,
    service: "AWS Lambda",
    category: "Compute",
    type: "function",
    prefix: "fn-",
    accounts: [ACCOUNTS.web, ACCOUNTS.staging],
    regions: US,
    skus: [["lambda-gb-second", 0.0000166667]],
    unit: "GB-Seconds",
    quantity: 600_000,
    count: 25,
  },
  {
    provider: AWS,
    service: "Amazon CloudFront",
    category: "Networking",
    type: "distribution",
    prefix: "E",
    accounts: [ACCOUNTS.web],
    regions: ["global"],
    skus: [["cloudfront-out", 0.085]],
    unit: "GB",
    quantity: 450,
    count: 8,
  },
  {
    provider: AWS,
    service: "Elastic Load Balancing",
    category: "Networking",
    type: "loadbalancer",
    prefix: "app/",
    accounts: [ACCOUNTS.web, ACCOUNTS.staging],
    regions: US,
    skus: [["alb-hour", 0.0225]],
    unit: "LCU-Hours",
    quantity: 60,
    count: 14,
  },
  {
    provider: AZURE,
    service: "Virtual Machines",
    category: "Compute",
    type: "virtual machine",
    prefix: "vm-",
    accounts: [ACCOUNTS.erp, ACCOUNTS.bi],
    regions: ["westeurope", "koreacentral"],
    skus: [
      ["D4s v5", 0.192],
      ["E8s v5", 0.504],
    ],
    unit: HOURS,
    quantity: 24,
    steady: true,
    count: 60,
    commitment: { of: RESERVATION, every: 4 },
  },
  {
    provider: AZURE,
    service: "Azure SQL Database",
    category: "Databases",
    type: "sql database",
    prefix: "sql-",
    accounts: [ACCOUNTS.erp],
    regions: ["westeurope"],
    skus: [["vCore General Purpose", 0.25]],
    unit: "vCore Hours",
    quantity: 96,
    count: 16,
  },
  {
    provider: AZURE,
    service: "Storage Accounts",
    category: "Storage",
    type: "storage account",
    prefix: "st",
    accounts: [ACCOUNTS.erp, ACCOUNTS.bi],
    regions: ["westeurope", "koreacentral"],
    skus: [["Hot LRS", 0.0196]],
    unit: GB_MONTHS,
    quantity: 600,
    count: 22,
  },
  {
    provider: GCP,
    service: "Compute Engine",
    category: "Compute",
    type: "instance",
    prefix: "gce-",
    accounts: [ACCOUNTS.analytics, ACCOUNTS.research],
    regions: ["europe-west1", "asia-northeast3"],
    skus: [
      ["n2-standard-4", 0.194],
      ["n2-standard-8", 0.388],
    ],
    unit: HOURS,
    quantity: 24,
    steady: true,
    count: 60,
  },
  {
    provider: GCP,
    service: "BigQuery",
    category: "Analytics",
    type: "dataset",
    prefix: "bq-",
    accounts: [ACCOUNTS.analytics],
    regions: ["europe-west1"],
    skus: [["analysis-slot", 0.04]],
    unit: "Slot-Hours",
    quantity: 260,
    count: 18,
  },
  {
    provider: GCP,
    service: "Cloud Storage",
    category: "Storage",
    type: "bucket",
    prefix: "gs-",
    accounts: [ACCOUNTS.analytics, ACCOUNTS.research],
    regions: ["europe-west1", "asia-northeast3"],
    skus: [
      ["standard", 0.02],
      ["nearline", 0.01],
    ],
    unit: GB_MONTHS,
    quantity: 700,
    count: 24,
  },
  {
    provider: GCP,
    service: "Kubernetes Engine",
    category: "Compute",
    type: "cluster",
    prefix: "gke-",
    accounts: [ACCOUNTS.analytics, ACCOUNTS.research],
    regions: ["europe-west1"],
    skus: [["autopilot-vcpu", 0.0573]],
    unit: "vCPU Hours",
    quantity: 180,
    count: 12,
  },
];

/** All resources of the sample, the same for a seed. */
export function sampleResources(seed: number): Resource[] {
  const random = makeRng(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  return KINDS.flatMap((kind) =>
    Array.from({ length: kind.count }, (_, index): Resource => {
      const [sku, listPrice] = pick(kind.skus);
      const account = pick(kind.accounts);
      const name = `${kind.prefix}${(0x4a31 + index * 7919).toString(16)}`;
      // One in seven has no tags at all.
      const tags: Record<string, string> =
        random() < 0.14 ? {} : { team: pick(TEAMS), environment: account.environment };
      if (tags.team === "payments") tags["cost-center"] = "CC-4100";
      return {
        provider: kind.provider,
        service: kind.service,
        category: kind.category,
        region: pick(kind.regions),
        account,
        type: kind.type,
        id: `${account.id}/${name}`,
        name,
        sku,
        unit: kind.unit,
        listPrice,
        discount: kind.provider === AWS ? 0.05 : 0,
        quantity: kind.steady ? kind.quantity : Math.round(kind.quantity * (0.4 + 1.2 * random())),
        noise: kind.steady ? 0 : 0.06,
        weekend: kind.steady ? 1 : 0.65 + 0.3 * random(),
        growth: kind.steady ? 0 : 0.25 * random(),
        tags,
        ...(kind.commitment && index % kind.commitment.every === 0 ? { commitment: kind.commitment.of } : {}),
      };
    }),
  );
}
