import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { AgentLoad, AgentObserver } from "./agents/index.ts";

/** The metrics of this replica. Labels are routes, names of the manifest and codes, never ids. */
export class Metrics {
  readonly registry = new Registry();
  readonly runs = new Counter({
    name: "interlock_runs_total",
    help: "Runs ended on this replica",
    labelNames: ["intent", "outcome"],
    registers: [this.registry],
  });
  readonly connectionsRefused = new Counter({
    name: "interlock_connections_refused_total",
    help: "Connections beyond MAX_CONNECTIONS",
    registers: [this.registry],
  });
  readonly rateLimited = new Counter({
    name: "interlock_rate_limited_total",
    help: "Requests refused by a limit of the manifest",
    labelNames: ["limit"],
    registers: [this.registry],
  });
  readonly injections = new Counter({
    name: "interlock_injections_refused_total",
    help: "Messages refused with AGT_004",
    labelNames: ["detector"],
    registers: [this.registry],
  });
  readonly tokensRefused = new Counter({
    name: "interlock_tokens_refused_total",
    help: "Requests that were not identified",
    labelNames: ["issuer", "code"],
    registers: [this.registry],
  });
  readonly audited = new Counter({
    name: "interlock_audit_entries_total",
    help: "Entries about security for the decision log",
    labelNames: ["outcome"],
    registers: [this.registry],
  });
  readonly #requests = new Histogram({
    name: "interlock_http_request_seconds",
    help: "Requests to the gateway; a stream counts when it opens",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  });
  /** By method, route and status: the library looks its labels up anew each time. */
  readonly #observed = new Map<string, { observe(value: number): void }>();
  readonly #attempts = new Histogram({
    name: "interlock_agent_attempt_seconds",
    help: "Requests to agents",
    labelNames: ["agent", "task", "outcome"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  });
  readonly #breakers = new Gauge({
    name: "interlock_agent_breaker_open",
    help: "1 while the breaker of an agent is not closed",
    labelNames: ["agent"],
    registers: [this.registry],
  });

  constructor(read: {
    streams: () => number;
    runs: () => number;
    loopStallMs: () => number;
    agents: () => ReadonlyMap<string, AgentLoad>;
    edition: () => string;
    editions: () => number;
  }) {
    collectDefaultMetrics({ register: this.registry });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(value());
        },
      });
    gauge("interlock_open_streams", "Open event streams", read.streams);
    gauge(
      "interlock_open_editions",
      "Versions of the manifest that requests and runs of this replica use",
      read.editions,
    );
    new Gauge({
      name: "interlock_edition_info",
      help: "1 for the version of the manifest that counts for new requests",
      labelNames: ["edition"],
      registers: [this.registry],
      collect() {
        this.reset();
        this.set({ edition: read.edition() }, 1);
      },
    });
    gauge("interlock_running_runs", "Runs that this replica executes", read.runs);
    const stall = "Longest time in the last minute for which the event loop was held";
    gauge("interlock_loop_stall_seconds", stall, () => read.loopStallMs() / 1000);
    const loadGauge = (name: string, help: string, value: (load: AgentLoad) => number) =>
      new Gauge({
        name,
        help,
        labelNames: ["agent"],
        registers: [this.registry],
        collect() {
          // Agents leave with an edition of the manifest.
          this.reset();
          for (const [agent, load] of read.agents()) this.set({ agent }, value(load));
        },
      });
    loadGauge("interlock_agent_inflight", "Requests under way at an agent", (load) => load.inFlight);
    loadGauge("interlock_agent_limit", "Requests that an agent may have under way", (load) => load.limit);
    loadGauge("interlock_agent_queue", "Requests that wait for an agent", (load) => load.queued);
    loadGauge(
      "interlock_agent_queue_age_seconds",
      "How long the request that waits longest for an agent has waited",
      (load) => load.oldestMs / 1000,
    );
  }

  /** Counts a request that was answered. */
  readonly observeRequest = (request: {
    route: string;
    method: string;
    status: number;
    ms: number;
  }): void => {
    const { route, method, status, ms } = request;
    const name = `${method} ${route} ${status}`;
    let observed = this.#observed.get(name);
    if (!observed) {
      observed = this.#requests.labels({ route, method, status });
      this.#observed.set(name, observed);
    }
    observed.observe(ms / 1000);
  };

  readonly agents: AgentObserver = {
    onAttempt: ({ agent, task, outcome, durationMs }) =>
      this.#attempts.observe({ agent, task, outcome }, durationMs / 1000),
    onBreaker: (agent, state) => this.#breakers.set({ agent }, state === "closed" ? 0 : 1),
  };
}
