import { BarChart, ScatterChart } from "echarts/charts";
import { GridComponent, TitleComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { GOALS, judge } from "../goals.ts";
import { figure, withUnit } from "./format.ts";
import { figureOf, type Results } from "./results.ts";

/** Readable on a light page and on a dark one. */
const GREY = "#7d8590";
const BLUE = "#2f81c4";
const COLOURS = { superb: "#2da44e", reached: BLUE, missed: "#cf222e", "–": GREY };

type Bar = { readonly value: number; readonly colour: string };

type Row = {
  readonly title: string;
  /** Stands at the end of the bars. */
  readonly label: string;
  /** On top of each other. */
  readonly bars: readonly Bar[];
  readonly tick?: number | undefined;
};

/** File name → drawing. */
export function charts(results: Results): Record<string, string> {
  return {
    "goals.svg": goalsChart(results),
    "cpu.svg": cpuChart(results),
    "latency.svg": latencyChart(results),
  };
}

function goalsChart({ measures }: Results): string {
  const rows = GOALS.flatMap((goal): Row[] => {
    const value = figureOf(measures[goal.measure], goal.value)?.median;
    const limit = goal.must ?? goal.superb;
    if (value === undefined || limit === undefined) return [];
    const times = (amount: number) => (goal.better === "more" ? amount / limit : limit / amount);
    const bar = { value: Math.min(16, times(value)), colour: COLOURS[judge(goal, value)] };
    const tick = goal.superb === undefined ? undefined : times(goal.superb);
    return [{ title: goal.title, label: withUnit(value, goal.unit), bars: [bar], tick }];
  });
  return chart("Times better than it must be (tick: superb)", rows, {
    type: "log",
    logBase: 2,
    min: 0.25,
    max: 16,
    startValue: 1,
  });
}

function cpuChart({ measures }: Results): string {
  const row = (title: string, measure: string, whole: string, store?: string): Row[] => {
    const all = figureOf(measures[measure], whole)?.median;
    const inStore = store === undefined ? 0 : figureOf(measures[measure], store)?.median;
    if (all === undefined || inStore === undefined) return [];
    const bars = [
      { value: all - inStore, colour: BLUE },
      { value: inStore, colour: GREY },
    ];
    return [{ title, label: withUnit(all, "µs"), bars }];
  };
  const rows = [
    ...row("Simple ask, 32 at once", "ask32", "cpuUs", "storeCpuUs"),
    ...row("The agent's own answer, 32 at once", "ask32", "directCpuUs"),
    ...row("Event in a burst", "burst", "cpuUs", "storeCpuUs"),
    ...row("Paced event", "paced", "cpuUs", "storeCpuUs"),
  ];
  return chart("CPU of one core in µs (blue: gateway or agent, grey: Redis)", rows, { type: "value" });
}

function latencyChart({ measures }: Results): string {
  const row = (title: string, measure: string, low: string, high: string): Row[] => {
    const from = figureOf(measures[measure], low)?.median;
    const to = figureOf(measures[measure], high)?.median;
    if (from === undefined || to === undefined) return [];
    const bars = [
      { value: from, colour: "transparent" },
      { value: to - from, colour: BLUE },
    ];
    return [{ title, label: `${figure(from)} – ${figure(to)} ms`, bars }];
  };
  const rows = [
    ...row("Simple ask, one at a time: p50 to p99", "ask1", "p50Ms", "p99Ms"),
    ...row("Simple ask, 32 at once: p50 to p99", "ask32", "p50Ms", "p99Ms"),
    ...row("Transit of a paced event: p50 to p99", "paced", "transitP50Ms", "transitP99Ms"),
    ...row("Transit in a burst: p50 to p99", "burst", "transitP50Ms", "transitP99Ms"),
    ...row(
      "Approve → resumed, one at a time: p50 to p95",
      "approvals",
      "singleResumeP50Ms",
      "singleResumeP95Ms",
    ),
    ...row("Approve → resumed, 32 at once: p50 to p95", "approvals", "resumeP50Ms", "resumeP95Ms"),
    ...row("First event of 100 at once: p50 to p95", "conversations", "firstP50Ms", "firstP95Ms"),
    ...row("Plan of five real steps, 16 at once: p50 to p95", "plans", "p50Ms", "p95Ms"),
  ];
  return chart("Latency in ms", rows, { type: "log", min: 0.1, max: 10_000 });
}

type Scale = {
  readonly type: "log" | "value";
  readonly logBase?: number;
  readonly min?: number;
  readonly max?: number;
  /** Where the bars begin, to the left or to the right. */
  readonly startValue?: number;
};

/** Horizontal bars, one row each. */
function chart(title: string, rows: readonly Row[], scale: Scale): string {
  use([BarChart, ScatterChart, GridComponent, TitleComponent, SVGRenderer]);
  const drawing = init(null, null, { renderer: "svg", ssr: true, width: 920, height: 70 + rows.length * 22 });
  const axis = {
    axisTick: { show: false },
    axisLine: { show: false },
    axisLabel: { color: GREY },
    splitLine: { lineStyle: { color: GREY, opacity: 0.3 } },
  };
  const words = { ...axis, type: "category", inverse: true };
  drawing.setOption({
    animation: false,
    title: { text: title, textStyle: { color: GREY, fontSize: 14 } },
    grid: { left: 400, right: 130, top: 60, bottom: 10 },
    xAxis: { ...axis, position: "top", ...scale },
    yAxis: [
      { ...words, data: rows.map((row) => row.title) },
      { ...words, data: rows.map(({ label }) => label) },
    ],
    series: [
      ...[0, 1].map((layer) => ({
        type: "bar",
        stack: "row",
        silent: true,
        data: rows.map(({ bars }) => ({
          value: bars[layer]?.value,
          itemStyle: { color: bars[layer]?.colour },
        })),
      })),
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
