import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Outcome } from "./runs/answer.ts";

export type Metrics = {
  readonly registry: Registry;
  runStarted(): void;
  runEnded(taskType: string, outcome: Outcome, seconds: number): void;
  refused(code: string): void;
  repeated(taskType: string): void;
};

/** Buckets from a single lookup to the optimisation of a large catalogue. */
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const runs = new Counter({
    name: "interlock_agent_runs_total",
    help: "Runs that ended, by task, status and code",
    labelNames: ["task_type", "status", "code"],
    registers,
  });
  const duration = new Histogram({
    name: "interlock_agent_run_duration_seconds",
    help: "How long runs took",
    labelNames: ["task_type"],
    buckets: SECONDS,
    registers,
  });
  const active = new Gauge({ name: "interlock_agent_runs_active", help: "Runs under way", registers });
  const refusals = new Counter({
    name: "interlock_agent_refusals_total",
    help: "Requests that were not run, by code",
    labelNames: ["code"],
    registers,
  });
  const repeats = new Counter({
    name: "interlock_agent_repeats_total",
    help: "Requests that were answered by another's run",
    labelNames: ["task_type"],
    registers,
  });
  return {
    registry,
    runStarted: () => active.inc(),
    runEnded(taskType, { ok, code }, seconds) {
      active.dec();
      runs.inc({ task_type: taskType, status: ok ? "ok" : "error", code });
      duration.observe({ task_type: taskType }, seconds);
    },
    refused: (code) => refusals.inc({ code }),
    repeated: (taskType) => repeats.inc({ task_type: taskType }),
  };
}

/** Adds metrics of memory, event loop and so on. Call once per process. */
export function addProcessMetrics(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics.registry });
}
