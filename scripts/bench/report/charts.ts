import { svgOf } from "../../report/render.ts";
import { GOALS, judge } from "../goals.ts";
import { figureOf, type Results } from "./results.ts";
import { figure, withUnit } from "./tables.ts";

/** Readable on light and dark pages. */
const GREY = "#7d8590";
const BLUE = "#2f81c4";
const COLOURS = { superb: "#2da44e", reached: BLUE, missed: "#cf222e", "–": GREY };

/** Title, measure, and the figures at both ends of the bar. */
const LATENCIES = [
  ["Simple ask, one at a time: p50 to p99", "ask1", "p50Ms", "p99Ms"],
  ["Simple ask, 32 at once: p50 to p99", "ask32", "p50Ms", "p99Ms"],
  ["Transit of a paced event: p50 to p99", "paced", "transitP50Ms", "transitP99Ms"],
  ["Transit in a burst: p50 to p99", "burst", "transitP50Ms", "transitP99Ms"],
  ["Approve → resumed, one at a time: p50 to p95", "approvals", "singleResumeP50Ms", "singleResumeP95Ms"],
  ["Approve → resumed, 32 at once: p50 to p95", "approvals", "resumeP50Ms", "resumeP95Ms"],
  ["First event of 100 at once: p50 to p95", "conversations", "firstP50Ms", "firstP95Ms"],
  ["Plan of five real steps, 16 at once: p50 to p95", "plans", "p50Ms", "p95Ms"],
] as const;

type Row = {
  readonly title: string;
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly colour: string;
  readonly tick?: number | undefined;
};

/** @returns SVG by file name */
export async function charts({ measures }: Results): Promise<Record<string, string>> {
  const goals = GOALS.flatMap((goal): Row[] => {
    const value = figureOf(measures[goal.measure], goal.value)?.median;
    const limit = goal.must ?? goal.superb;
    if (value === undefined || limit === undefined) return [];
    const times = (amount: number) => (goal.better === "more" ? amount / limit : limit / amount);
    const [from = 1, to = 1] = [1, Math.min(times(value), 16)].toSorted((a, b) => a - b);
    const tick = goal.superb === undefined ? undefined : times(goal.superb);
    const colour = COLOURS[judge(goal, value)];
    return [{ title: goal.title, label: withUnit(value, goal.unit), from, to, colour, tick }];
  });
  const latencies = LATENCIES.flatMap(([title, measure, low, high]): Row[] => {
    const from = figureOf(measures[measure], low)?.median;
    const to = figureOf(measures[measure], high)?.median;
    if (from === undefined || to === undefined) return [];
    return [{ title, label: `${figure(from)} – ${figure(to)} ms`, from, to, colour: BLUE }];
  });
  return {
    "goals.svg": await draw("Times better than it must be (tick: superb)", goals, {
      base: 2,
      domain: [0.25, 16],
    }),
    "latency.svg": await draw("Latency in ms", latencies, { base: 10, domain: [0.1, 10_000] }),
  };
}

type Scale = { readonly base: number; readonly domain: readonly [least: number, most: number] };

const WIDTH = 390;

async function draw(title: string, values: readonly Row[], scale: Scale): Promise<string> {
  const axis = { orient: "top", values: powersOf(scale) };
  const x = { type: "quantitative", scale: { type: "log", ...scale }, axis, title: null };
  return await svgOf({
    title: { text: title, anchor: "middle", fontSize: 14 },
    width: WIDTH,
    height: { step: 22 },
    data: { values },
    encoding: { y: { field: "title", type: "nominal", sort: null, title: null } },
    layer: [
      {
        mark: { type: "bar", height: 14 },
        encoding: {
          x: { field: "from", ...x },
          x2: { field: "to" },
          color: { field: "colour", type: "nominal", scale: null },
        },
      },
      {
        transform: [{ filter: "isValid(datum.tick)" }],
        mark: { type: "tick", thickness: 2, size: 16, color: GREY },
        encoding: { x: { field: "tick", ...x } },
      },
      {
        mark: { type: "text", align: "left", dx: 8, color: GREY },
        encoding: { x: { value: WIDTH }, text: { field: "label" } },
      },
    ],
    config: {
      background: null,
      view: { stroke: null },
      title: { color: GREY },
      axis: {
        domain: false,
        ticks: false,
        labelColor: GREY,
        labelLimit: 0,
        gridColor: GREY,
        gridOpacity: 0.3,
      },
    },
  });
}

function powersOf({ base, domain: [least, most] }: Scale): number[] {
  const count = Math.round(Math.log(most / least) / Math.log(base)) + 1;
  return Array.from({ length: count }, (_, power) => least * base ** power);
}
