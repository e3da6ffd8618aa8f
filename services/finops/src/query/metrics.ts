/** Credits, and what is paid back of earlier charges: a correction or adjustment below 0. */
export const CREDIT = "charge = 'Credit'";
export const refundIn = (column: string) =>
  `(charge <> 'Credit' AND ${column} < 0 AND (class = 'Correction' OR charge = 'Adjustment'))`;

type Metric = {
  /** What is summed. */
  readonly column: string;
  /** Only charges of which this is true. */
  readonly where?: string;
  /** What must not be summed together: other currencies, other units. */
  readonly apart: readonly ("currency" | "unit")[];
  /** Whether credits and refunds are shown beside it. */
  readonly isCost: boolean;
  /** Divided by the quantity. */
  readonly perUnit?: boolean;
};

const MEASURED = "charge = 'Usage' AND quantity IS NOT NULL AND unit IS NOT NULL";

const cost = (column: string): Metric => ({ column, apart: ["currency"], isCost: true });

export const METRICS = {
  /** Amortised: what commitments cost is spread over what they cover. */
  effective: cost("effective"),
  /** As on the invoice. */
  billed: cost("billed"),
  /** Without any discount. */
  list: cost("list"),
  /** With negotiated discounts, without commitments. */
  contracted: cost("contracted"),
  usage: { column: "quantity", where: MEASURED, apart: ["unit"], isCost: false },
  unit_cost: {
    column: "effective",
    where: MEASURED,
    apart: ["currency", "unit"],
    isCost: false,
    perUnit: true,
  },
  credits: { column: "billed", where: CREDIT, apart: ["currency"], isCost: false },
  refunds: { column: "billed", where: refundIn("billed"), apart: ["currency"], isCost: false },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

export function metricOf(name: MetricName): Metric {
  return METRICS[name];
}
