/** A target for one figure of one measure. */
export type Goal = GoalRow & { readonly measure: string; readonly value: string };

type GoalRow = {
  readonly title: string;
  readonly unit: string;
  readonly better: "more" | "less";
  /** Without `must` and `superb` the figure is only reported. */
  readonly must?: number | undefined;
  readonly superb?: number | undefined;
  /** Not measured everywhere: it needs something that the project does not bring. */
  readonly optional?: boolean;
};

export type Verdict = "superb" | "reached" | "missed" | "–";

/** By measure and figure name, in the order of the table. */
const ROWS: Readonly<Record<string, Readonly<Record<string, GoalRow>>>> = {
  ask32: {
    share: more("Simple ask, 32 at once: share of calling the agent directly", "", 0.09, 0.16),
    cpuUs: less("CPU per simple ask", "µs", 200, 110),
  },
  "ask32-everysec": {
    share: more("Simple ask, Redis synced once a second: share of direct", "", 0.09, 0.16),
    cpuUs: less("CPU per simple ask, Redis synced once a second", "µs", 200, 110),
  },
  secured: {
    addedCpuUs: less("CPU that tokens, limits and audit add to a simple ask", "µs", 15),
  },
  traced: {
    tracedCpuRatio: less("CPU per ask with every tenth traced, against none", "×", 1.05),
  },
  "tracing-off": {
    offShareHigh: less("Tracing that is off: most of what it adds to an ask's CPU (95 %)", "", 0.03),
    offShareLow: less("Tracing that is off: least of what it adds (95 %), none where it is below 0", "", 0),
  },
  burst: { share: more("Burst of events: share of the agent's own stream", "", 0.35, 0.55) },
  paced: {
    cpuUs: less("CPU per paced event", "µs", 80, 60),
    transitP50Ms: less("Transit of an event, p50", "ms", 1.5, 0.8),
    transitP99Ms: less("Transit of an event, p99", "ms", 30, 10),
  },
  "paced-everysec": {
    cpuUs: less("CPU per paced event, Redis synced once a second", "µs", 80, 60),
    transitP50Ms: less("Transit of an event, p50, Redis synced once a second", "ms", 1.5, 0.8),
    transitP99Ms: less("Transit of an event, p99, Redis synced once a second", "ms", 30, 10),
  },
  idle: { kibPerStream: less("Memory per idle stream, at 5,000", "KiB", 50, 35) },
  approvals: {
    pausesPerS: more("Durable pauses", "per s", 1_500, 3_500),
    resumesPerS: more("Durable resumes, 1,000 runs, 32 at once", "per s", 1_000, 1_900),
    singleResumeP50Ms: less("Approve → resumed, one at a time, p50", "ms", 8, 5),
    resumeP95Ms: less("Approve → resumed, 32 at once, p95", "ms", 120, 80),
  },
  plans: {
    perS: more("Plan of five real steps, 16 at once", "runs per s"),
    p95Ms: less("Plan of five real steps, 16 at once, p95", "ms"),
    agentsTimeShare: more("Agents' own share of a plan's time", "", undefined, 0.8),
  },
  "large-plan": {
    checkedS: less("Plan over 10,000 items: optimised, checked, reported", "s", 10),
    addedShare: less("Plan over 10,000 items, full: what the mesh adds to its agents' time", "", 0.1),
    healthzMs: less("Plan over 10,000 items: longest answer of `/healthz` meanwhile", "ms", 250),
    loopStallMs: less("Plan over 10,000 items: longest stall of the event loop", "ms", 50),
  },
  conversations: { firstP95Ms: less("100 conversations at once: first event, p95", "ms", 100, 50) },
  spoken: {
    firstP95Ms: less("100 conversations in words at once: first event, p95", "ms", 50),
    nextP95Ms: less("100 conversations in words at once, second turn: first event, p95", "ms", 50),
  },
  open10k: {
    open: more("Open streams on one gateway, without an error", "", 10_000),
    idleCpuPercent: less("Idle CPU of 10,000 open streams", "% of a core", undefined, 5),
  },
  optimizer: {
    agentCpuPerS: more("Optimizer through the agent, a second of one core", "tier prices", 40_000, 200_000),
    libraryCpuPerS: more("Optimizer as a library, a second of one core", "tier prices", 40_000, 200_000),
  },
  understand: {
    allUs: less("CPU for guard, intent and slots of a message of 60 characters", "µs", 40),
    intentP95Ms: less("Intent of a message of 60 characters, p95", "ms", 5),
  },
  models: {
    syncCpuUs: less("A model's answer through the gateway: CPU", "µs"),
    syncAddedP50Ms: less("A model's answer: time that the gateway adds, p50", "ms"),
    streamCpuUs: less("A model's streamed answer of 64 tokens: CPU", "µs"),
    streamAddedP50Ms: less("A model's streamed answer: time that the gateway adds, p50", "ms"),
    syncOfPeerCpu: ofPeer("A model's answer: CPU, against Portkey's gateway"),
    syncOfPeerP50: ofPeer("A model's answer: p50, against Portkey's gateway"),
    streamOfPeerCpu: ofPeer("A model's streamed answer: CPU, against Portkey's gateway"),
    streamOfPeerP50: ofPeer("A model's streamed answer: p50, against Portkey's gateway"),
  },
  tools: {
    share: more(
      "A call of an MCP tool that is not kept: share of calling its server directly (CPU)",
      "",
      0.5,
    ),
    uncachedCpuUs: less("A call of an MCP tool that is not kept: CPU of the gateway", "µs"),
    cachedCpuUs: less("A call whose result is kept: CPU of the gateway", "µs"),
  },
  mcp: {
    callCpuUs: less("A simple ask as a call of an MCP tool: CPU", "µs"),
    callP50Ms: less("A simple ask as a call of an MCP tool: p50", "ms"),
    olderCpuUs: less("The same by the protocol of 2025-11-25: CPU", "µs"),
    chatCpuUs: less("The same on the chat API: CPU", "µs"),
  },
  peers: {
    a2aRatio: less("A simple ask by A2A: CPU, against the chat API", "×", 1.25),
    a2aStreamRatio: less("The same, streamed: CPU, against the chat API", "×", 1.25),
    agUiStreamRatio: less(
      "A simple ask by AG-UI, which is always streamed: CPU, against the chat API",
      "×",
      1.25,
    ),
    a2aCpuUs: less("A simple ask by A2A: CPU", "µs"),
    agUiStreamCpuUs: less("A simple ask by AG-UI: CPU", "µs"),
  },
  start: { seconds: less("`npm start` to ready", "s", 5, 2) },
  replicas: {
    cpuRatio: less("CPU per ask of two gateways, against one", "×", 1.1),
    speedup: more("Asks per second of two gateways, against one", "×"),
  },
  "full-store": { cpuRatio: less("CPU per ask with 100,000 finished runs, against none", "×", 1.1) },
  search: {
    pageP95Ms: less(
      "First page of runs with 1,000,000 index entries, slowest of five filters: p95",
      "ms",
      50,
    ),
    pageCpuMs: less("The same: CPU", "ms"),
  },
};

export const GOALS: readonly Goal[] = Object.entries(ROWS).flatMap(([measure, rows]) =>
  Object.entries(rows).map(([value, row]) => ({ measure, value, ...row })),
);

export function judge(
  { better, must, superb }: Pick<Goal, "better" | "must" | "superb">,
  value: number,
): Verdict {
  const meets = (limit: number) => (better === "more" ? value >= limit : value <= limit);
  if (superb !== undefined && meets(superb)) return "superb";
  if (must === undefined) return superb === undefined ? "–" : "missed";
  return meets(must) ? "reached" : "missed";
}

function more(title: string, unit: string, must?: number, superb?: number): GoalRow {
  return { title, unit, better: "more", must, superb };
}

function less(title: string, unit: string, must?: number, superb?: number): GoalRow {
  return { title, unit, better: "less", must, superb };
}

/** Ahead of it is below one. */
function ofPeer(title: string): GoalRow {
  return { title, unit: "×", better: "less", must: 1, optional: true };
}
