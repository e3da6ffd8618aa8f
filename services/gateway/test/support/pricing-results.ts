/** Prices of three items as agents give them, and what a template makes of them. The proposal breaks three rules. */
const PRICES = {
  "VALVE-V7": {
    new: [115, 126.8712, 12_410.4, 13_005.77],
    exchange: [95, 95.4304, 9_873.02, 9_901.6],
    repair: [94, 86.1792, 10_204.9, 10_411.25],
  },
  "MOTOR-M2": {
    new: [1_150, 1_075.1703, 88_120.5, 89_030.12],
    exchange: [1_127, 1_032.1611, 54_310.25, 55_120.4],
    repair: [690, 751.0502, 27_125.06, 26_818.44],
  },
  "CONTROLLER-K8": { new: [3_090, 3_090, 61_200, 61_200], repair: [1_480, 1_480, 21_940, 21_940] },
} as const;

type Tiers = Readonly<Record<string, readonly [number, number, number, number]>>;
const ITEMS: readonly [string, Tiers][] = Object.entries(PRICES);

const TOTALS = {
  current: { profit: 285_184.13, revenue: 907_794.4 },
  expected: { profit: 287_427.58, revenue: 899_038.2 },
  change: { profit: 0.00787, revenue: -0.00965 },
};

const VIOLATIONS = [
  ["MOTOR-M2", "exchange at 1,032.16 is 4% below new at 1,075.17; at least 5% is required."],
  ["VALVE-V7", "exchange at 95.43 is 24.8% below new at 126.87; at most 20% is allowed."],
  ["CONTROLLER-K8", "new at 3,090.00 is above the ceiling of 3,000.00."],
].map(([item_id, message]) => ({ item_id, type: "rule", message }));

const mapped = <T>(tiers: Tiers, to: (tier: Tiers[string]) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(tiers).map(([name, tier]) => [name, to(tier)]));

export const PROPOSED = {
  objective: "profit",
  items: ITEMS.map(([item_id, tiers]) => ({
    item_id,
    tiers: mapped(tiers, ([current_price, price, before, after]) => ({
      price,
      current_price,
      change_pct: (price - current_price) / current_price,
      current: { profit: before },
      expected: { profit: after },
      demand_model: { model: "fit", elasticity: -2.35 },
    })),
  })),
  totals: TOTALS,
};

export const CHECKED = {
  passed: false,
  violations: VIOLATIONS,
  suggestions: [
    { item_id: "VALVE-V7", field: "exchange", current: 95, new_value: 101.5 },
    { item_id: "MOTOR-M2", field: "exchange", current: 1_127, new_value: 1_021.4 },
  ],
};

/** What the steps of a run leave behind. */
export const RESULTS = {
  optimize: { outputs: PROPOSED, warnings: [] },
  check: {
    outputs: CHECKED,
    kept: {
      proposed: ITEMS.map(([item_id, tiers]) => ({
        item_id,
        tiers: mapped(tiers, ([, price]) => ({ price })),
      })),
    },
    warnings: [],
  },
};

const money = (value: number, digits = 2) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const share = (value: number) =>
  `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toLocaleString("en-US", { maximumSignificantDigits: 3 })}%`;
const effect = (of: "profit" | "revenue") =>
  `${of} ${money(TOTALS.current[of], 0)} → ${money(TOTALS.expected[of], 0)} (${share(TOTALS.change[of])})`;

/** The template's text. */
export const REPORT = [
  "Proposed prices",
  ...ITEMS.flatMap(([item, tiers]) =>
    Object.entries(tiers).map(
      ([tier, [from, to]]) =>
        `- ${item}, ${tier}: ${money(from)} → ${money(to)} (${share((to - from) / from)})`,
    ),
  ),
  "",
  `Expected effect: ${effect("profit")}, ${effect("revenue")}.`,
  "",
  `The proposal still breaks ${VIOLATIONS.length} rules:`,
  ...VIOLATIONS.map(({ item_id, message }) => `- ${item_id}: ${message}`),
  "Smallest fix:",
  ...CHECKED.suggestions.map(
    ({ item_id, field, current, new_value }) =>
      `- ${item_id}, ${field}: ${money(current)} → ${money(new_value)}`,
  ),
].join("\n");
