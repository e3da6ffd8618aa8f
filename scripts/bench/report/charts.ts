import { BarChart, ScatterChart } from "echarts/charts";
import { GridComponent, TitleComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
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
export function charts({ measures }: Results): Record<string, string> {
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
    "goals.svg": draw("Times better than it must be (tick: superb)", goals, {
      logBase: 2,
      min: 0.25,
      max: 16,
    }),
    "latency.svg": draw("Latency in ms", latencies, { logBase: 10, min: 0.1, max: 10_000 }),
  };
}

type Scale = { readonly logBase: number; readonly min: number; readonly max: number };

function draw(title: string, rows: readonly Row[], scale: Scale): string {
  use([BarChart, ScatterChart, GridComponent, TitleComponent, SVGRenderer]);
  const drawing = init(null, null, { renderer: "svg", ssr: true, width: 920, height: 70 + rows.length * 22 });
  const axis = {
    axisTick: { show: false },
    axisLine: { show: false },
    axisLabel: { color: GREY },
    splitLine: { lineStyle: { color: GREY, opacity: 0.3 } },
  };
  const words = { ...axis, type: "category", inverse: true };
  const bars = { type: "bar", stack: "row", silent: true };
  drawing.setOption({
    animation: false,
    title: { text: title, textStyle: { color: GREY, fontSize: 14 } },
    grid: { left: 400, right: 130, top: 60, bottom: 10 },
    xAxis: { ...axis, type: "log", position: "top", ...scale },
    yAxis: [
      { ...words, data: rows.map((row) => row.title) },
      { ...words, data: rows.map(({ label }) => label) },
    ],
    series: [
      // ECharts has no floating bars: each one is stacked on an invisible bar.
      { ...bars, itemStyle: { color: "transparent" }, data: rows.map(({ from }) => from) },
      {
        ...bars,
        data: rows.map(({ from, to, colour }) => ({ value: to - from, itemStyle: { color: colour } })),
      },
      {
        type: "scatter",
        symbol: "rect",
        symbolSize: [2, 16],
        silent: true,
        itemStyle: { color: GREY },
        data: rows.flatMap(({ tick }, index) => (tick === undefined ? [] : [[tick, index]])),
      },
    ],
  });
  const svg = drawing.renderToSVGString();
  drawing.dispose();
  return svg;
}
