import { GOALS, judge } from "../goals.ts";
import { figure, withUnit } from "./format.ts";
import { figureOf, type Results } from "./results.ts";
import { bar, curve, line, linearScale, logScale, svg, text } from "./svg.ts";

const WIDTH = 920;
const LEFT = 400;
const RIGHT = 790;
const TOP = 52;
const ROW = 22;

/** File name → drawing, of everything that there are figures for. */
export function charts(results: Results): Record<string, string> {
  const drawn = {
    "goals.svg": goalsChart(results),
    "cpu.svg": cpuChart(results),
    "latency.svg": latencyChart(results),
    "peers.svg": peersChart(results),
    "soak.svg": soakChart(results),
  };
  const present = Object.entries(drawn).flatMap(([name, drawing]) =>
    drawing === undefined ? [] : [[name, drawing] as const],
  );
  return Object.fromEntries(present);
}

/** How many times better than it must be each figure is; the tick is where it would be superb. */
function goalsChart({ measures }: Results): string | undefined {
  const rows = GOALS.flatMap((goal) => {
    const found = figureOf(measures[goal.measure], goal.value);
    const limit = goal.must ?? goal.superb;
    if (!found || limit === undefined) return [];
    const times = (value: number) => (goal.better === "more" ? value / limit : limit / value);
    const superb = goal.superb === undefined ? undefined : times(goal.superb);
    return [
      { goal, verdict: judge(goal, found.median), value: found.median, ratio: times(found.median), superb },
    ];
  });
  if (rows.length === 0) return undefined;
  const x = logScale(0.25, 16, LEFT, RIGHT);
  const bottom = TOP + rows.length * ROW;
  const shapes = [0.25, 0.5, 1, 2, 4, 8, 16].flatMap((times) => [
    line(x(times), TOP - 6, x(times), bottom, times === 1 ? "mark" : "line"),
    text(x(times), TOP - 12, `${times}×`, "faint middle"),
  ]);
  for (const [index, { goal, verdict, value, ratio, superb }] of rows.entries()) {
    const y = TOP + index * ROW;
    const colour = verdict === "superb" ? "good" : verdict === "reached" ? "fair" : "bad";
    const [from, to] = ratio >= 1 ? [x(1), x(ratio)] : [x(ratio), x(1)];
    shapes.push(text(LEFT - 10, y + 14, goal.title, "end"), bar(from, y + 4, to - from, 13, colour));
    if (superb !== undefined && superb !== 1) shapes.push(line(x(superb), y + 2, x(superb), y + 19, "mark"));
    shapes.push(text(RIGHT + 10, y + 14, withUnit(value, goal.unit), "faint"));
  }
  return svg(WIDTH, bottom + 10, "Times better than it must be (tick: superb)", shapes);
}

/** What one of each costs, gateway and Redis apart. */
function cpuChart({ measures }: Results): string | undefined {
  const of = (measure: string, value: string) => figureOf(measures[measure], value)?.median;
  const rows = [
    ["Simple ask, 32 at once", of("ask32", "cpuUs"), of("ask32", "storeCpuUs")],
    ["The agent's own answer, 32 at once", of("ask32", "directCpuUs"), 0],
    ["Event in a burst", of("burst", "cpuUs"), of("burst", "storeCpuUs")],
    ["Paced event", of("paced", "cpuUs"), of("paced", "storeCpuUs")],
  ].flatMap(([title, whole, store]) =>
    typeof title === "string" && typeof whole === "number" && typeof store === "number"
      ? [{ title, whole, store }]
      : [],
  );
  if (rows.length === 0) return undefined;
  const x = linearScale(0, Math.max(...rows.map(({ whole }) => whole)), LEFT, RIGHT);
  const shapes = [
    ...[bar(LEFT, TOP - 24, 10, 10, "fair"), text(LEFT + 15, TOP - 15, "gateway", "faint")],
    ...[bar(LEFT + 80, TOP - 24, 10, 10, "other"), text(LEFT + 95, TOP - 15, "Redis", "faint")],
  ];
  for (const [index, { title, whole, store }] of rows.entries()) {
    const y = TOP + index * ROW;
    shapes.push(
      text(LEFT - 10, y + 14, title, "end"),
      bar(LEFT, y + 4, x(whole - store) - LEFT, 13, "fair"),
      ...(store > 0 ? [bar(x(whole - store), y + 4, x(whole) - x(whole - store), 13, "other")] : []),
      text(x(whole) + 8, y + 14, `${figure(whole)} µs`, "faint"),
    );
  }
  return svg(WIDTH, TOP + rows.length * ROW + 10, "CPU of the measured core, microseconds", shapes);
}

/** From the middle to the end of each distribution. */
function latencyChart({ measures }: Results): string | undefined {
  const rows = [
    ["Simple ask, one at a time: p50 to p99", "ask1", "p50Ms", "p99Ms"],
    ["Simple ask, 32 at once: p50 to p99", "ask32", "p50Ms", "p99Ms"],
    ["Transit of a paced event: p50 to p99", "paced", "transitP50Ms", "transitP99Ms"],
    ["Transit in a burst: p50 to p99", "burst", "transitP50Ms", "transitP99Ms"],
    ["Approve → resumed, one at a time: p50 to p95", "approvals", "singleResumeP50Ms", "singleResumeP95Ms"],
    ["Approve → resumed, 32 at once: p50 to p95", "approvals", "resumeP50Ms", "resumeP95Ms"],
    ["First event of 100 at once: p50 to p95", "conversations", "firstP50Ms", "firstP95Ms"],
    ["Plan of five real steps, 16 at once: p50 to p95", "plans", "p50Ms", "p95Ms"],
  ].flatMap(([title = "", measure = "", from = "", to = ""]) => {
    const low = figureOf(measures[measure], from)?.median;
    const high = figureOf(measures[measure], to)?.median;
    return low === undefined || high === undefined ? [] : [{ title, low, high }];
  });
  if (rows.length === 0) return undefined;
  const x = logScale(0.1, 10_000, LEFT, RIGHT);
  const bottom = TOP + rows.length * ROW;
  const shapes = [0.1, 1, 10, 100, 1_000, 10_000].flatMap((ms) => [
    line(x(ms), TOP - 6, x(ms), bottom, "line"),
    text(x(ms), TOP - 12, `${figure(ms)} ms`, "faint middle"),
  ]);
  for (const [index, { title, low, high }] of rows.entries()) {
    const y = TOP + index * ROW;
    shapes.push(
      text(LEFT - 10, y + 14, title, "end"),
      bar(x(low), y + 5, x(high) - x(low), 11, "fair"),
      text(RIGHT + 10, y + 14, `${figure(low)} – ${figure(high)} ms`, "faint"),
    );
  }
  return svg(WIDTH, bottom + 10, "Latency", shapes);
}

/** Two shares of what the worker gives without anything in front of it. */
function peersChart({ peers }: Results): string | undefined {
  const direct = peers?.targets.find(({ target }) => target === "direct");
  if (!peers || !direct) return undefined;
  const panels = [
    { title: "Sync, 32 at once: share of direct", measure: "sync", value: "rps" },
    { title: "Burst of events: share of direct", measure: "burst", value: "evps" },
  ];
  const x = logScale(0.001, 1, LEFT, RIGHT);
  const shapes: string[] = [];
  let y = TOP;
  for (const { title, measure, value } of panels) {
    shapes.push(text(0, y + 8, title));
    y += 16;
    for (const { target, measures } of peers.targets) {
      const own = measures[measure]?.[value];
      const whole = direct.measures[measure]?.[value];
      if (own === undefined || !whole) continue;
      const share = own / whole;
      shapes.push(
        text(LEFT - 10, y + 14, target, "end"),
        bar(LEFT, y + 4, x(share) - LEFT, 13, target === "interlock" ? "good" : "other"),
        text(RIGHT + 10, y + 14, share.toPrecision(2), "faint"),
      );
      y += ROW;
    }
    y += 14;
  }
  return svg(WIDTH, y, "Beside others, one core each (logarithmic)", shapes);
}

/** Resident memory over time. */
function soakChart({ soak }: Results): string | undefined {
  if (!soak || soak.samples.length < 2) return undefined;
  const { samples } = soak;
  const height = 300;
  const most = Math.max(...samples.flatMap(({ gatewayMib, storeMib }) => [gatewayMib, storeMib]));
  const x = linearScale(0, samples.at(-1)?.minute ?? 1, 60, WIDTH - 110);
  const y = linearScale(0, most * 1.1, height - 30, 40);
  const last = samples.at(-1);
  const shapes = [
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      line(60, y(most * share), WIDTH - 110, y(most * share), "line"),
      text(52, y(most * share) + 4, `${figure(most * share)} MiB`, "faint end"),
    ]),
    curve(
      samples.map(({ minute, gatewayMib }) => [x(minute), y(gatewayMib)] as const),
      "",
    ),
    curve(
      samples.map(({ minute, storeMib }) => [x(minute), y(storeMib)] as const),
      "second",
    ),
    text(WIDTH - 104, y(last?.gatewayMib ?? 0) + 4, "gateway", "faint"),
    text(WIDTH - 104, y(last?.storeMib ?? 0) + 4, "Redis", "faint"),
    text(WIDTH - 110, height - 8, `${figure(soak.minutes)} minutes`, "faint end"),
  ];
  return svg(WIDTH, height, "Resident memory under a long mixed load", shapes);
}
