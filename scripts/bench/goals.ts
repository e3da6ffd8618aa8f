/** What is to be reached, and by which figure of which measure it is judged. */
export type Goal = {
  readonly measure: string;
  readonly value: string;
  readonly title: string;
  readonly unit: string;
  readonly better: "more" | "less";
  /** Absent: the figure is only reported. */
  readonly must?: number;
  readonly superb?: number;
};

export type Verdict = "superb" | "reached" | "missed" | "–";

const more = (measure: string, value: string, title: string, unit: string, must?: number, superb?: number) =>
  goal("more", measure, value, title, unit, must, superb);
const less = (measure: string, value: string, title: string, unit: string, must?: number, superb?: number) =>
  goal("less", measure, value, title, unit, must, superb);

export const GOALS: readonly Goal[] = [
  more("ask32", "share", "Simple ask, 32 at once: share of calling the agent directly", "", 0.09, 0.16),
  less("ask32", "cpuUs", "CPU per simple ask", "µs", 200, 110),
  more("ask32-everysec", "share", "Simple ask, Redis synced once a second: share of direct", "", 0.09, 0.16),
  less("ask32-everysec", "cpuUs", "CPU per simple ask, Redis synced once a second", "µs", 200, 110),
  more("burst", "share", "Burst of events: share of the agent's own stream", "", 0.35, 0.55),
  less("paced", "cpuUs", "CPU per paced event", "µs", 80, 60),
  less("paced", "transitP50Ms", "Transit of an event, p50", "ms", 1.5, 0.8),
  less("paced", "transitP99Ms", "Transit of an event, p99", "ms", 30, 10),
  less("paced-everysec", "cpuUs", "CPU per paced event, Redis synced once a second", "µs", 80, 60),
  less(
    "paced-everysec",
    "transitP50Ms",
    "Transit of an event, p50, Redis synced once a second",
    "ms",
    1.5,
    0.8,
  ),
  less(
    "paced-everysec",
    "transitP99Ms",
    "Transit of an event, p99, Redis synced once a second",
    "ms",
    30,
    10,
  ),
  less("idle", "kibPerStream", "Memory per idle stream, at 5,000", "KiB", 50, 35),
  more("approvals", "pausesPerS", "Durable pauses", "per s", 1_500, 3_500),
  more("approvals", "resumesPerS", "Durable resumes, 1,000 runs, 32 at once", "per s", 1_000, 1_900),
  less("approvals", "singleResumeP50Ms", "Approve → resumed, one at a time, p50", "ms", 8, 5),
  less("approvals", "resumeP95Ms", "Approve → resumed, 32 at once, p95", "ms", 120, 80),
  more("plans", "perS", "Plan of five real steps, 16 at once", "runs per s"),
  less("plans", "p95Ms", "Plan of five real steps, 16 at once, p95", "ms"),
  more("plans", "agentsTimeShare", "Agents' own share of a plan's time", "", undefined, 0.8),
  less("conversations", "firstP95Ms", "100 conversations at once: first event, p95", "ms", 100, 50),
  more("open10k", "open", "Open streams on one gateway, without an error", "", 10_000),
  less("open10k", "idleCpuPercent", "Idle CPU of 10,000 open streams", "% of a core", undefined, 5),
  more(
    "optimizer",
    "agentCpuPerS",
    "Optimizer through the agent, a second of one core",
    "tier prices",
    40_000,
    200_000,
  ),
  more(
    "optimizer",
    "libraryCpuPerS",
    "Optimizer as a library, a second of one core",
    "tier prices",
    40_000,
    200_000,
  ),
  less("start", "seconds", "`npm start` to ready", "s", 5, 2),
  less("replicas", "cpuRatio", "CPU per ask of two gateways, against one", "×", 1.1),
  more("replicas", "speedup", "Asks per second of two gateways, against one", "×"),
  less("full-store", "cpuRatio", "CPU per ask with 100,000 finished runs, against none", "×", 1.1),
];

export function judge({ better, must, superb }: Goal, value: number): Verdict {
  const meets = (limit: number) => (better === "more" ? value >= limit : value <= limit);
  if (superb !== undefined && meets(superb)) return "superb";
  if (must === undefined) return superb === undefined ? "–" : "missed";
  return meets(must) ? "reached" : "missed";
}

function goal(
  better: Goal["better"],
  measure: string,
  value: string,
  title: string,
  unit: string,
  must: number | undefined,
  superb: number | undefined,
): Goal {
  return {
    measure,
    value,
    title,
    unit,
    better,
    ...(must === undefined ? {} : { must }),
    ...(superb === undefined ? {} : { superb }),
  };
}
