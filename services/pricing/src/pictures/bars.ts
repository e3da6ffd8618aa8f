import type { Factor, Move } from "../explanation-types.ts";
import type { Format } from "../format.ts";
import type { TornadoBar } from "../tornado.ts";
import type { Objective } from "../types.ts";
import { COLOURS, type Json, type Picture, picture, unit } from "./picture.ts";

/** What each factor's uncertainty does to the gain over today's prices. */
export function tornadoPicture(
  name: string,
  bars: readonly TornadoBar[],
  objective: Objective,
  currency: string | undefined,
  format: Format,
): Picture {
  const values = bars
    .filter(({ swing }) => swing > 0)
    .flatMap(({ factor, low, high }) =>
      ([low, high] as const).map((end, i) => ({
        factor: labelOf(factor),
        end: i === 0 ? "factor at its 5% quantile" : "factor at its 95% quantile",
        from: centreOf(bars, factor),
        to: end.difference,
        value: format.number(end.value),
      })),
    );
  const order = bars.map(({ factor }) => labelOf(factor));
  const y = { field: "factor", type: "nominal", sort: order, title: null, axis: { labelLimit: 200 } };
  return picture(
    `What the gain of ${name} depends on`,
    "one factor moves, the others stay at their centres; the line is no gain",
    {
      height: { step: 34 },
      layer: [
        {
          data: { values },
          mark: { type: "bar", height: 18 },
          encoding: {
            y,
            x: {
              field: "from",
              type: "quantitative",
              title: `Gain in ${objective} per period over today's prices${unit(currency)}`,
              scale: { zero: true },
            },
            x2: { field: "to" },
            color: {
              field: "end",
              type: "nominal",
              scale: { range: [COLOURS.band, COLOURS.proposed] },
            },
          },
        },
        {
          data: { values: [{ at: 0 }] },
          mark: { type: "rule", color: COLOURS.today },
          encoding: { x: { field: "at", type: "quantitative" } },
        },
      ],
    },
  );
}

function labelOf(factor: string): string {
  return factor.replace("elasticity:", "elasticity of ").replace("price_coefficient", "price coefficient");
}

/** Bars meet halfway between a factor's ends, which for a linear factor is the gain at its centre. */
function centreOf(bars: readonly TornadoBar[], factor: string): number {
  const bar = bars.find((one) => one.factor === factor);
  return bar === undefined ? 0 : 0.5 * (bar.low.difference + bar.high.difference);
}

const FACTOR_LABELS: Readonly<Record<Factor, string>> = {
  unit_cost: "unit cost",
  objective: "revenue as aim",
  elasticity: "price sensitivity",
  demand_level: "demand split",
  bounds: "price bounds",
  max_change: "maximum change",
  ordering: "tier order",
  gaps: "minimum gaps",
  observed_range: "observed range",
  substitution: "substitution",
  caution: "caution",
  rounding: "rounding",
  policy_repair: "policy repair",
  proposal: "proposal",
};

/** Steps below this share of the largest one would be lines without height, with labels that run into each other. */
const LEAST_STEP = 0.002;

/** From the outcome at today's prices to that at the proposed ones, factor by factor. */
export function waterfallPicture(
  name: string,
  { from, to, attributions }: Move,
  objective: Objective,
  currency: string | undefined,
  format: Format,
): Picture {
  let level = from;
  const largest = Math.max(...attributions.map(({ value }) => Math.abs(value)));
  const steps = attributions
    .map(({ factor, value }) => {
      const start = level;
      level += value;
      return {
        label: FACTOR_LABELS[factor],
        start,
        end: level,
        text: format.signedMoney(value),
        kind: value > 0 ? "adds" : "takes off",
        shown: Math.abs(value) > LEAST_STEP * largest,
      };
    })
    .filter(({ shown }) => shown);
  const values = [
    { label: "today's prices", start: 0, end: from, text: format.money(from), kind: "total" },
    ...steps,
    { label: "proposed prices", start: 0, end: to, text: format.money(to), kind: "total" },
  ].map((row) => ({ ...row, top: Math.max(row.start, row.end) }));
  const ends = values.slice(1, -1).flatMap(({ start, end }) => [start, end]);
  const [low, high] = [Math.min(from, to, ...ends), Math.max(from, to, ...ends)];
  const gap = Math.max(high - low, 1e-9 * Math.max(1, Math.abs(high)));
  // Bars of a total start at 0 unless the steps would be too small to see; the axis and the subtitle say so.
  const cut = low > 0 && gap < 0.5 * high;
  const floor = cut ? Math.max(0, low - 0.3 * gap) : Math.min(0, low);
  const drawn = values.map((row) => (row.kind === "total" ? { ...row, start: Math.max(floor, 0) } : row));
  const x: Json = {
    field: "label",
    type: "nominal",
    sort: drawn.map(({ label }) => label),
    title: null,
    axis: { labelAngle: -30, labelLimit: 0 },
  };
  const scale = { domain: [floor, high + 0.12 * gap], zero: false, nice: false };
  const title = `${objective === "profit" ? "Profit" : "Revenue"} per period${unit(currency)}`;
  return picture(
    `Where the change of ${name} comes from`,
    `each step against what today's prices imply${cut ? `; the axis starts at ${format.money(floor)}, not at 0` : ""}`,
    {
      layer: [
        {
          data: { values: drawn },
          mark: { type: "bar" },
          encoding: {
            x,
            y: { field: "start", type: "quantitative", title, scale },
            y2: { field: "end" },
            color: {
              field: "kind",
              type: "nominal",
              scale: {
                domain: ["total", "adds", "takes off"],
                range: [COLOURS.today, COLOURS.good, COLOURS.bad],
              },
            },
          },
        },
        {
          data: { values: drawn },
          mark: { type: "text", dy: -7, fontSize: 10 },
          encoding: {
            x,
            y: { field: "top", type: "quantitative", scale },
            text: { field: "text", type: "nominal" },
          },
        },
      ],
    },
  );
}
