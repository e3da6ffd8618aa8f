import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
  type RegistryContentType,
} from "prom-client";
import type { AgentLoad, AgentObserver } from "./agents/index.ts";
import type { ModelObserver } from "./models/index.ts";
import { tracing } from "./telemetry/index.ts";
import type { ToolObserver } from "./tools/index.ts";

/** Only OpenMetrics has exemplars, which are of use where traces are kept. The names of what is scraped are the same. */
function registryOf(): Registry<RegistryContentType> {
  const registry = new Registry<RegistryContentType>();
  if (tracing) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** The metrics of this replica. Labels are routes, names of the manifest and codes, never ids. */
export class Metrics {
  readonly registry = registryOf();
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
  readonly webhooks = new Counter({
    name: "interlock_webhook_deliveries_total",
    help: "Tries to deliver webhooks; failed ones are tried again, dead ones are not",
    labelNames: ["webhook", "outcome"],
    registers: [this.registry],
  });
  readonly audited = new Counter({
    name: "interlock_audit_entries_total",
    help: "Entries about security for the decision log",
    labelNames: ["outcome"],
    registers: [this.registry],
  });
  /** The last of its labels is the exemplars' alone. */
  readonly #requests = new Histogram<"route" | "method" | "status" | "trace_id">({
    name: "interlock_http_request_seconds",
    help: "Requests to the gateway; a stream counts when it opens",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    enableExemplars: tracing !== undefined,
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

  readonly #modelAttempts = new Histogram({
    name: "interlock_model_attempt_seconds",
    help: "Requests to models, and those that were not sent",
    labelNames: ["model", "task", "outcome"],
    buckets: [0.05, 0.2, 0.5, 1, 2, 5, 10, 30],
    registers: [this.registry],
  });
  readonly #modelFirstTokens = new Histogram({
    name: "interlock_model_first_token_seconds",
    help: "Until the first token of a streamed answer",
    labelNames: ["model"],
    buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers: [this.registry],
  });
  readonly #modelTokens = new Counter({
    name: "interlock_model_tokens_total",
    help: "Tokens of models; cached is a part of input, and reasoning of output",
    labelNames: ["model", "kind", "source"],
    registers: [this.registry],
  });
  readonly #modelCost = new Counter({
    name: "interlock_model_cost_usd_total",
    help: "What models cost by the prices of the manifest",
    labelNames: ["model"],
    registers: [this.registry],
  });
  readonly #modelFallbacks = new Counter({
    name: "interlock_model_fallbacks_total",
    help: "Answers of another model than the chosen one",
    labelNames: ["chosen", "model"],
    registers: [this.registry],
  });
  readonly #modelBreakers = new Gauge({
    name: "interlock_model_breaker_open",
    help: "1 while the breaker of a model is not closed",
    labelNames: ["model"],
    registers: [this.registry],
  });

  readonly #toolCalls = new Histogram({
    name: "interlock_tool_call_seconds",
    help: "Calls of tools of MCP servers",
    labelNames: ["server", "outcome"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  });
  readonly #toolCache = new Counter({
    name: "interlock_tool_cache_total",
    help: "Calls of tools by how the cache answered",
    labelNames: ["server", "tool", "outcome"],
    registers: [this.registry],
  });

  constructor(read: {
    streams: () => number;
    runs: () => number;
    loopStallMs: () => number;
    storeAnswers: () => Promise<boolean>;
    agents: () => ReadonlyMap<string, AgentLoad>;
    /** Whether each MCP server is ready, by name. */
    toolServers: () => ReadonlyMap<string, boolean>;
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
    new Gauge({
      name: "interlock_store_up",
      help: "1 while Redis answers this replica",
      registers: [this.registry],
      async collect() {
        this.set((await read.storeAnswers()) ? 1 : 0);
      },
    });
    gauge("interlock_running_runs", "Runs that this replica executes", read.runs);
    const stall = "Longest time in the last minute for which the event loop was held";
    gauge("interlock_loop_stall_seconds", stall, () => read.loopStallMs() / 1000);
    new Gauge({
      name: "interlock_tool_server_up",
      help: "1 while an MCP server is ready",
      labelNames: ["server"],
      registers: [this.registry],
      collect() {
        // Servers leave with an edition of the manifest.
        this.reset();
        for (const [server, isReady] of read.toolServers()) this.set({ server }, isReady ? 1 : 0);
      },
    });
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
    /** Of a trace that is kept. */
    traceId?: string | undefined;
  }): void => {
    const { route, method, status, ms, traceId } = request;
    if (traceId !== undefined) {
      const labels = { route, method, status };
      this.#requests.observe({ labels, value: ms / 1000, exemplarLabels: { trace_id: traceId } });
      return;
    }
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

  readonly tools: Required<ToolObserver> = {
    onCall: ({ server, outcome, ms }) => this.#toolCalls.observe({ server, outcome }, ms / 1000),
    onCache: ({ server, tool, outcome }) => this.#toolCache.inc({ server, tool, outcome }),
  };

  readonly models: Required<ModelObserver> = {
    onAttempt: ({ task }, { model, outcome, durationMs, firstTokenMs, used }) => {
      this.#modelAttempts.observe({ model, task, outcome }, durationMs / 1000);
      if (firstTokenMs !== undefined) this.#modelFirstTokens.observe({ model }, firstTokenMs / 1000);
      const source = used.estimated > 0 ? "estimated" : "reported";
      const tokens = { input: used.inputTokens, cached: used.cachedInputTokens, output: used.outputTokens };
      for (const [kind, count] of Object.entries({ ...tokens, reasoning: used.reasoningTokens }))
        if (count > 0) this.#modelTokens.inc({ model, kind, source }, count);
      if (used.nanoUsd > 0) this.#modelCost.inc({ model }, used.nanoUsd / 1e9);
    },
    onCall: ({ choice, model }) => {
      if (model !== undefined && model !== choice.chosen)
        this.#modelFallbacks.inc({ chosen: choice.chosen, model });
    },
    onBreaker: (model, state) => this.#modelBreakers.set({ model }, state === "closed" ? 0 : 1),
  };
}
