import { normalQuantile } from "../src/normal.ts";
import { makeRng } from "../src/rng.ts";
import type { DemandSpec, Item, PricingInputs, Tier } from "../src/types.ts";

/**
 * The shipped sample: refurbished industrial parts, sold new, as exchange units, repaired, and as used
 * serviceable material (usm).
 *
 * Weekly sales are drawn from ln q = ln base + elasticity·ln(price / regular price) + PROMOTION·promo +
 * SEASON·sin(year) + NOISE·z, and rounded to whole units. Prices vary around the regular price by
 * PRICE_SPREAD, and a promotion lowers the price. So a fit with the control `promo` recovers the elasticities
 * below within its standard error, while a fit without it overstates them (omitted-variable bias).
 */
export const SEED = 20260402;
export const DATASET = "sample_scanner";
const WEEKS = 156;
const PROMOTION = 0.3;
const PROMOTION_RATE = 0.15;
const PROMOTION_DISCOUNT = 0.08;
const SEASON = 0.1;
const NOISE = 0.15;
const PRICE_SPREAD = 0.12;

type Product = {
  /** The true elasticity of the simulation. */
  readonly elasticity: number;
  readonly base: number;
  readonly regular: number;
  readonly current: number;
  readonly cost: number;
  /** The series is too short, and its price varies too little, to identify the elasticity. */
  readonly hidden?: true;
};

type Part = {
  readonly id: string;
  readonly segment: string;
  readonly region: string;
  readonly tiers: Readonly<Record<string, Product>>;
};

/** The simulated parts, with the true demand of each tier. */
export const PARTS: readonly Part[] = [
  {
    id: "GEARBOX-A1",
    segment: "premium",
    region: "EMEA",
    tiers: {
      new: { elasticity: -2.1, base: 60, regular: 2400, current: 2190, cost: 1280 },
      // Today's repair price is above the exchange price: a hierarchy inversion.
      exchange: { elasticity: -2.4, base: 90, regular: 1750, current: 1690, cost: 1020 },
      repair: { elasticity: -2.6, base: 110, regular: 1680, current: 1725, cost: 980 },
      usm: { elasticity: -2.9, base: 70, regular: 1150, current: 1140, cost: 720 },
    },
  },
  {
    id: "PUMP-C3",
    segment: "standard",
    region: "NA",
    tiers: {
      new: { elasticity: -2.3, base: 140, regular: 860, current: 895, cost: 470 },
      exchange: { elasticity: -2.0, base: 120, regular: 640, current: 655, cost: 330 },
      repair: { elasticity: -2.7, base: 150, regular: 480, current: 438, cost: 315 },
      usm: { elasticity: -3.0, base: 95, regular: 390, current: 399, cost: 255 },
    },
  },
  {
    id: "VALVE-V7",
    segment: "budget",
    region: "APAC",
    tiers: {
      new: { elasticity: -2.8, base: 300, regular: 128, current: 115, cost: 80 },
      exchange: { elasticity: -2.5, base: 220, regular: 96, current: 95, cost: 57 },
      // Today 1.1% below exchange, less than the segment's minimum gap of 2%.
      repair: { elasticity: -2.2, base: 260, regular: 92, current: 94, cost: 49 },
      usm: { elasticity: -3.2, base: 180, regular: 68, current: 70, cost: 45 },
    },
  },
  {
    id: "MOTOR-M2",
    segment: "standard",
    region: "EMEA",
    tiers: {
      // Today 2% above exchange, less than the region's minimum gap of 4%.
      new: { elasticity: -2.6, base: 130, regular: 1130, current: 1150, cost: 640 },
      exchange: { elasticity: -1.9, base: 100, regular: 1090, current: 1127, cost: 520 },
      repair: { elasticity: -2.4, base: 120, regular: 760, current: 690, cost: 440 },
    },
  },
  {
    id: "BEARING-B5",
    segment: "standard",
    region: "NA",
    tiers: {
      new: { elasticity: -2.4, base: 420, regular: 58, current: 61, cost: 33 },
      repair: { elasticity: -2.9, base: 350, regular: 37, current: 38.2, cost: 24 },
    },
  },
  {
    id: "CONTROLLER-K8",
    segment: "premium",
    region: "NA",
    tiers: {
      new: { elasticity: -1.8, base: 45, regular: 3150, current: 3090, cost: 1420 },
      exchange: { elasticity: -2.2, base: 60, regular: 2280, current: 2330, cost: 1240 },
      usm: { elasticity: -2.5, base: 40, regular: 1480, current: 1480, cost: 900, hidden: true },
    },
  },
];

/**
 * Parts without sales data: one with stated elasticities and standard errors,
 * one with a logit model over its tiers.
 */
const STATED: readonly Item[] = [
  {
    item_id: "DRIVE-D4",
    segment: "premium",
    region: "APAC",
    tiers: {
      new: stated(1760, 980, { reference_quantity: 52, elasticity: -2.05, elasticity_se: 0.18 }),
      exchange: stated(1490, 760, { reference_quantity: 74, elasticity: -2.3, elasticity_se: 0.22 }),
      repair: stated(1050, 640, { reference_quantity: 88, elasticity: -2.7, elasticity_se: 0.3 }),
    },
  },
  {
    item_id: "SENSOR-S9",
    segment: "budget",
    region: "NA",
    tiers: {
      new: choice(212, 118, 5.1),
      exchange: choice(149, 86, 3.6),
      repair: choice(131, 74, 3.0),
      usm: choice(104, 61, 1.8),
    },
  },
];

/**
 * Generates the scanner dataset as CSV and the catalogue as a request's `inputs`.
 * The same seed gives the same bytes.
 */
export function generateSample(seed = SEED): { scanner: string; catalogue: string } {
  const lines = ["week,part,tier,region,price,quantity,promo"];
  for (const part of PARTS) {
    for (const [tier, product] of Object.entries(part.tiers)) {
      const rng = makeRng(seed, `${part.id}/${tier}`);
      for (let week = 1; week <= (product.hidden ? 24 : WEEKS); week++) {
        const { price, quantity, promo } = sale(product, week, rng);
        lines.push([week, part.id, tier, part.region, price.toFixed(2), quantity, promo].join(","));
      }
    }
  }
  return { scanner: `${lines.join("\n")}\n`, catalogue: formatted(catalogue()) };
}

/** Formats JSON as the linter does: lists of one string on one line. */
function formatted(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(/\[\s+("[^"]*")\s+\]/g, "[$1]")}\n`;
}

function sale(
  product: Product,
  week: number,
  rng: () => number,
): { price: number; quantity: number; promo: 0 | 1 } {
  const [spread, chance, noise] = [normalQuantile(rng()), rng(), normalQuantile(rng())];
  const promo = chance < PROMOTION_RATE ? 1 : 0;
  const wander = product.hidden ? 0.01 : PRICE_SPREAD;
  const price =
    Math.round(100 * product.regular * Math.exp(wander * spread) * (1 - PROMOTION_DISCOUNT * promo)) / 100;
  const season = SEASON * Math.sin((2 * Math.PI * week) / 52);
  const level =
    product.elasticity * Math.log(price / product.regular) + PROMOTION * promo + season + NOISE * noise;
  return { price, quantity: Math.round(product.base * Math.exp(level)), promo };
}

/** Names in Korean: the ids have the English ones. */
const NAMES: Readonly<Record<string, string>> = {
  "GEARBOX-A1": "기어박스",
  "PUMP-C3": "펌프",
  "VALVE-V7": "밸브",
  "MOTOR-M2": "모터",
  "BEARING-B5": "베어링",
  "CONTROLLER-K8": "컨트롤러",
  "DRIVE-D4": "드라이브",
  "SENSOR-S9": "센서",
};

function catalogue(): PricingInputs {
  const fitted = PARTS.map((part): Item => {
    const tiers = Object.entries(part.tiers).map(([tier, { current, cost }]): [string, Tier] => [
      tier,
      { current_price: current, unit_cost: cost, demand: fitSpec(part.id, tier) },
    ]);
    return { item_id: part.id, segment: part.segment, region: part.region, tiers: Object.fromEntries(tiers) };
  });
  const items = [...fitted, ...STATED].map(({ item_id, ...rest }): Item => {
    const name = NAMES[item_id];
    return name === undefined ? { item_id, ...rest } : { item_id, name, ...rest };
  });
  return { items, max_change_pct: 0.15 };
}

function fitSpec(part: string, tier: string): DemandSpec {
  return {
    model: "fit",
    dataset: DATASET,
    where: { part, tier },
    price: "price",
    quantity: "quantity",
    controls: ["promo"],
    prices_follow: [],
  };
}

function stated(
  price: number,
  cost: number,
  demand: { reference_quantity: number; elasticity: number; elasticity_se: number },
): Tier {
  return {
    current_price: price,
    unit_cost: cost,
    demand: { model: "constant_elasticity", reference_price: price, ...demand },
  };
}

function choice(price: number, cost: number, intercept: number): Tier {
  return {
    current_price: price,
    unit_cost: cost,
    demand: { model: "logit", market_size: 900, intercept, price_coefficient: 0.03 },
  };
}
