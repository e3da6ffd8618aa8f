import { constantElasticityDemand } from "../demand.ts";
import { changeUnder } from "../demand-form.ts";
import { normalQuantile } from "../normal.ts";
import type { ConstantElasticity, DemandForm, ResolvedTier } from "../types.ts";
import { COLOURS, type Json, type Picture, picture, unit } from "./picture.ts";

/** What a curve is drawn of: a tier with constant elasticity, its prices and the sales that were observed. */
export type CurveParts = {
  /** Item and tier. */
  readonly name: string;
  readonly tier: ResolvedTier;
  readonly proposed: number;
  /** The best price by the estimates, and the periods of the test that would settle it, where the proposed one stops short. */
  readonly full?: { readonly price: number; readonly periods?: number | null } | undefined;
  /** The prices that the rules allow; 0 and Infinity where they set no limit. */
  readonly range: { readonly low: number; readonly high: number };
  readonly points: readonly { readonly price: number; readonly quantity: number }[];
  readonly currency: string | undefined;
};

const UNITS = "Units per period";
const STEPS = 60;
const MOST_POINTS = 200;

/** Units per period against the price, with the 95% interval of the elasticity and the observed sales. */
export function demandCurve(parts: CurveParts): Picture | undefined {
  const model = elastic(parts.tier);
  if (model === undefined) return undefined;
  const interval = intervalOf(parts.tier, model);
  const values = pricesFor(parts).map((price) => ({
    price,
    units: constantElasticityDemand(model, price),
    ...bandAt(interval, (elasticity) => constantElasticityDemand({ ...model, elasticity }, price)),
  }));
  const shown = thinned(parts.points);
  const layers: Json[] = [
    ...(interval === undefined ? [] : [bandLayer(values, UNITS)]),
    {
      data: { values },
      mark: { type: "line", color: COLOURS.proposed, strokeWidth: 2 },
      encoding: { x: priceAxis(parts), y: quantitative("units", UNITS) },
    },
    ...(shown.length === 0
      ? []
      : [
          {
            data: { values: shown },
            mark: { type: "point", color: COLOURS.today, opacity: 0.7, size: 28 },
            encoding: { x: priceAxis(parts), y: quantitative("units", UNITS) },
          },
        ]),
    ...priceRules(parts, false),
  ];
  const data =
    parts.points.length === 0
      ? "no observed sales: the demand is as given"
      : `points: ${shown.length < parts.points.length ? `${shown.length} of ${parts.points.length}` : shown.length} observed sales`;
  return picture(`Demand for ${parts.name}`, `${intervalText(interval)}; ${data}`, { layer: layers });
}

/** Profit per period against the price, with today's and the proposed price and the prices that the rules allow. */
export function profitCurve(parts: CurveParts): Picture | undefined {
  const model = elastic(parts.tier);
  if (model === undefined) return undefined;
  const interval = intervalOf(parts.tier, model);
  const profit = (price: number, elasticity = model.elasticity) =>
    constantElasticityDemand({ ...model, elasticity }, price) * (price - parts.tier.unit_cost);
  const values = pricesFor(parts).map((price) => ({
    price,
    profit: profit(price),
    ...bandAt(interval, (elasticity) => profit(price, elasticity)),
  }));
  const title = `Profit per period${unit(parts.currency)}`;
  const y = quantitative("profit", title);
  const text = [intervalText(interval), rangeText(parts), ...testText(parts)].join("; ");
  return picture(`Profit of ${parts.name}`, text, {
    layer: [
      ...rangeLayers(parts),
      ...(interval === undefined ? [] : [bandLayer(values, title)]),
      {
        data: { values },
        mark: { type: "line", color: COLOURS.proposed, strokeWidth: 2 },
        encoding: { x: priceAxis(parts), y },
      },
      ...formLayers(parts, model, y),
      ...priceRules(parts, true),
    ],
  });
}

/** Profit under the forms of demand that the rows do not reject, from today's demand on; the line is the constant elasticity's. */
function formLayers(parts: CurveParts, model: ConstantElasticity, y: Json): Json[] {
  const { current_price, unit_cost, forms = [] } = parts.tier;
  const others = forms.filter(({ form, plausible }) => plausible && form !== "constant_elasticity");
  if (others.length === 0) return [];
  const sold = constantElasticityDemand(model, current_price);
  const values = others.flatMap((form) =>
    pricesFor(parts).map((price) => ({
      price,
      profit: sold * Math.exp(changeUnder(form, current_price, price).expected) * (price - unit_cost),
      form: `if demand is ${FORM_NAMES[form.form]}`,
    })),
  );
  return [
    {
      data: { values },
      mark: { type: "line", strokeWidth: 1.2, color: COLOURS.bad },
      encoding: {
        x: priceAxis(parts),
        y,
        strokeDash: { field: "form", type: "nominal" },
      },
    },
  ];
}

const FORM_NAMES: Readonly<Record<DemandForm, string>> = {
  constant_elasticity: "of constant elasticity",
  semi_log: "semi-logarithmic",
  linear: "linear",
  logit: "logit",
  log_quadratic: "log-quadratic",
  kinked: "kinked at today's price",
};

function testText({ full }: CurveParts): string[] {
  if (full === undefined) return [];
  if (full.periods === undefined || full.periods === null)
    return ["the best price by the estimates may lose"];
  return [`to settle the best price by the estimates, test both prices in ${full.periods} periods`];
}

type Interval = { readonly low: number; readonly high: number };

function elastic({ demand }: ResolvedTier): ConstantElasticity | undefined {
  return demand.model === "constant_elasticity" ? demand : undefined;
}

function intervalOf(
  { fit }: ResolvedTier,
  { elasticity, elasticity_se }: ConstantElasticity,
): Interval | undefined {
  if (fit?.interval !== undefined) return fit.interval;
  if (elasticity_se === undefined || elasticity_se === 0) return undefined;
  const half = normalQuantile(0.975) * elasticity_se;
  return { low: elasticity - half, high: Math.min(elasticity + half, 0) };
}

function bandAt(interval: Interval | undefined, at: (elasticity: number) => number) {
  if (interval === undefined) return {};
  const ends = [at(interval.low), at(interval.high)];
  return { low: Math.min(...ends), high: Math.max(...ends) };
}

function bandLayer(values: readonly Json[], title: string): Json {
  return {
    data: { values },
    mark: { type: "area", color: COLOURS.band, opacity: 0.45 },
    encoding: {
      x: { field: "price", type: "quantitative" },
      y: { field: "low", type: "quantitative", title },
      y2: { field: "high" },
    },
  };
}

function intervalText(interval: Interval | undefined): string {
  return interval === undefined
    ? "no interval: the elasticity has no standard error"
    : "band: 95% interval of the elasticity";
}

function rangeText({ range }: CurveParts): string {
  const limited = range.low > 0 || range.high < Number.POSITIVE_INFINITY;
  return limited ? "shaded: prices outside the rules" : "no rule limits the price";
}

/** From somewhat below to somewhat above all prices that matter. */
function span({ tier, proposed, full, points }: CurveParts): [number, number] {
  const prices = [
    tier.current_price,
    proposed,
    ...(full ? [full.price] : []),
    ...points.map(({ price }) => price),
  ];
  const low = prices.reduce((least, price) => Math.min(least, price), Number.POSITIVE_INFINITY);
  const high = prices.reduce((most, price) => Math.max(most, price), 0);
  return [0.9 * low, 1.1 * high];
}

function pricesFor(parts: CurveParts): number[] {
  const [from, to] = span(parts);
  return Array.from({ length: STEPS + 1 }, (_, i) => from * (to / from) ** (i / STEPS));
}

function thinned(points: CurveParts["points"]): { price: number; units: number }[] {
  const every = Math.ceil(points.length / MOST_POINTS);
  return points
    .filter((_, i) => i % Math.max(1, every) === 0)
    .map(({ price, quantity }) => ({ price, units: quantity }));
}

function priceAxis(parts: CurveParts): Json {
  const [from, to] = span(parts);
  return {
    field: "price",
    type: "quantitative",
    title: `Price per unit${unit(parts.currency)}`,
    scale: { domain: [from, to], zero: false, nice: false },
  };
}

function quantitative(field: string, title: string): Json {
  return { field, type: "quantitative", title, scale: { zero: true } };
}

/** The ranges outside the rules, shaded. */
function rangeLayers(parts: CurveParts): Json[] {
  const [from, to] = span(parts);
  const { low, high } = parts.range;
  const outside = [
    ...(low > from ? [{ start: from, end: Math.min(low, to) }] : []),
    ...(high < to ? [{ start: Math.max(high, from), end: to }] : []),
  ];
  if (outside.length === 0) return [];
  return [
    {
      data: { values: outside },
      mark: { type: "rect", color: "#f3f4f6" },
      encoding: { x: { field: "start", type: "quantitative" }, x2: { field: "end" } },
    },
  ];
}

function priceRules({ tier, proposed, full }: CurveParts, dashed: boolean): Json[] {
  const values = [
    { at: tier.current_price, which: "today's price" },
    { at: proposed, which: "proposed price" },
    ...(full === undefined ? [] : [{ at: full.price, which: "best by the estimates" }]),
  ];
  return [
    {
      data: { values },
      mark: { type: "rule", strokeWidth: 1.5, ...(dashed ? { strokeDash: [4, 3] } : {}) },
      encoding: {
        x: { field: "at", type: "quantitative" },
        color: {
          field: "which",
          type: "nominal",
          scale: {
            domain: values.map(({ which }) => which),
            range: [COLOURS.today, COLOURS.good, COLOURS.bad].slice(0, values.length),
          },
        },
      },
    },
  ];
}
