import { setTimeout as sleep } from "node:timers/promises";
import { type AgentCard, agentContract } from "@interlock/contracts";
import { Agent } from "undici";
import type { BreakerState } from "../breaker.ts";
import type { Egress } from "../egress/index.ts";
import { getJson, type JsonAnswer } from "../get-json.ts";
import { isAskable } from "./a2a/card.ts";
import { type TaskSchemas, taskSchemas } from "./task-schemas.ts";
import type { AgentObserver, AgentSpec, AgentStatus } from "./types.ts";

export type AgentRegistryOptions = {
  agents: readonly AgentSpec[];
  /** Opens the connections. */
  egress: Egress;
  /** State of an agent's circuit breaker, which the AgentClient keeps. */
  breakerState?: (agent: string) => BreakerState;
  /** Called after each check that found the agent ready. */
  onReady?: (agent: string) => void;
  observer?: AgentObserver;
  /** Mean interval between two health checks of an agent. */
  intervalMs?: number;
  /** Interval between two checks of an agent whose breaker is not closed. */
  probeMs?: number;
  /** Timeout of one request. */
  checkMs?: number;
  /** Maximum age of a card. It is also read again when its agent becomes ready. */
  cardMs?: number;
  /** In [0, 1). */
  random?: () => number;
};

/** Below an A2A agent's address, or at its root. */
const A2A_CARD = "/.well-known/agent-card.json";
const HEALTH_BYTES = 16 * 1024;
/** Cards contain the schemas of all tasks. */
const CARD_BYTES = 4 * 1024 * 1024;
/** Fraction of the interval by which a check may be early or late, so that replicas do not all check at once. */
const JITTER = 0.2;

type Watched = {
  readonly spec: AgentSpec;
  readonly base: string;
  status: AgentStatus["status"];
  /** Why it is not ready. */
  reason?: NonNullable<AgentStatus["reason"]>;
  checkedAt?: string;
  /** When the present status began. */
  since?: string;
  card?: AgentCard;
  /** When the agent last answered a request for its card, even with 404. As of performance.now(). */
  cardReadAt?: number;
};

/** The agents of the mesh: their tasks, their health and their cards. */
export class AgentRegistry {
  readonly #watched: ReadonlyMap<string, Watched>;
  readonly #options: AgentRegistryOptions;
  readonly #intervalMs: number;
  readonly #probeMs: number;
  readonly #checkMs: number;
  readonly #cardMs: number;
  readonly #random: () => number;
  readonly #stopping = new AbortController();
  readonly #dispatcher: Agent;
  #loops: Promise<void>[] = [];

  constructor(options: AgentRegistryOptions) {
    const { agents, intervalMs = 5_000, probeMs = 500, checkMs = 2_000 } = options;
    const { cardMs = 300_000, random = Math.random } = options;
    this.#options = options;
    this.#intervalMs = intervalMs;
    this.#probeMs = probeMs;
    this.#checkMs = checkMs;
    this.#cardMs = cardMs;
    this.#random = random;
    this.#dispatcher = new Agent({ connect: options.egress.connector(checkMs) });
    this.#watched = new Map(
      agents.map((spec) => [spec.name, { spec, base: spec.url.replace(/\/+$/, ""), status: "unknown" }]),
    );
  }

  /** Resolves once every agent was checked, which takes at most two request timeouts. */
  async start(): Promise<void> {
    const all = [...this.#watched.values()];
    await Promise.all(all.map((watched) => this.#check(watched)));
    this.#loops = all.map((watched) => this.#watch(watched));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#dispatcher.destroy();
    await Promise.all(this.#loops);
  }

  list(): AgentStatus[] {
    return [...this.#watched.values()].map((watched) => this.#statusOf(watched));
  }

  /** The agent for a task. Prefers the healthiest, then the one that comes first in the manifest. */
  agentFor(task: string, isAllowed: (agent: string) => boolean = () => true): AgentSpec | undefined {
    const able = [...this.#watched.values()].filter(
      ({ spec }) => spec.tasks.includes(task) && isAllowed(spec.name),
    );
    return (
      able.find(({ status }) => status === "ready") ??
      able.find(({ status }) => status === "unknown") ??
      able[0]
    )?.spec;
  }

  /** The schemas of a task, by the last valid card that its agent served. */
  schemas(agent: string, task: string): TaskSchemas {
    return taskSchemas(this.#watched.get(agent)?.card, task);
  }

  async #watch(watched: Watched): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let left = this.#intervalMs * (1 + JITTER * (2 * this.#random() - 1));
      do {
        const pause = Math.min(left, this.#probeMs);
        await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
        left -= pause;
      } while (left > 0 && !signal.aborted && this.#breakerOf(watched) === "closed");
      if (!signal.aborted) await this.#check(watched);
    }
  }

  #breakerOf({ spec }: Watched): BreakerState {
    return this.#options.breakerState?.(spec.name) ?? "closed";
  }

  async #check(watched: Watched): Promise<void> {
    if (watched.spec.protocol === "a2a") return await this.#checkCard(watched);
    const answer = await this.#get(watched, "/health/ready", HEALTH_BYTES);
    if (this.#stopping.signal.aborted) return;
    const reason = whyNotReady(answer);
    const ready = reason === undefined;
    const cameBack = ready && watched.status !== "ready";
    this.#note(watched, reason);
    // The endpoint is optional: an agent that answers 404 is alive.
    if (ready || answer?.status === 404) this.#options.onReady?.(watched.spec.name);
    const { cardReadAt } = watched;
    const stale = cardReadAt === undefined || performance.now() - cardReadAt > this.#cardMs;
    if (answer !== undefined && (cameBack || stale)) await this.#readCard(watched);
  }

  /** An agent of somebody else has no check of its health: it is ready where it says how it is asked. */
  async #checkCard(watched: Watched): Promise<void> {
    const own = await this.#get(watched, A2A_CARD, CARD_BYTES);
    const answer = own?.status === 404 ? await this.#getAt(new URL(A2A_CARD, watched.base), CARD_BYTES) : own;
    if (this.#stopping.signal.aborted) return;
    const { name, tasks } = watched.spec;
    const reason = answer?.status === 200 ? undefined : answer ? "refused" : "no_answer";
    this.#note(watched, reason ?? (isAskable(answer?.body, tasks) ? undefined : "invalid"));
    if (watched.status === "ready") this.#options.onReady?.(name);
  }

  #note(watched: Watched, reason: AgentStatus["reason"]): void {
    const status = reason === undefined ? "ready" : "not_ready";
    const changed = watched.status !== status;
    watched.status = status;
    if (reason === undefined) delete watched.reason;
    else watched.reason = reason;
    watched.checkedAt = new Date().toISOString();
    if (!changed) return;
    watched.since = watched.checkedAt;
    this.#options.observer?.onHealth?.(watched.spec.name, status);
  }

  /** Keeps the previous card if the new one is missing or invalid. */
  async #readCard(watched: Watched): Promise<void> {
    const answer = await this.#get(watched, "/agents/card", CARD_BYTES);
    if (answer === undefined) return;
    watched.cardReadAt = performance.now();
    if (answer.status !== 200) return;
    const card = agentContract.card(answer.body);
    if (card.ok) watched.card = card.value;
  }

  #get({ base }: Watched, path: string, maxBytes: number): Promise<JsonAnswer | undefined> {
    return this.#getAt(`${base}${path}`, maxBytes);
  }

  #getAt(url: string | URL, maxBytes: number): Promise<JsonAnswer | undefined> {
    return getJson(String(url), {
      dispatcher: this.#dispatcher,
      signal: this.#stopping.signal,
      timeoutMs: this.#checkMs,
      maxBytes,
    });
  }

  /** Leaves out the address, which callers of the gateway must not see. */
  #statusOf(watched: Watched): AgentStatus {
    const { spec, status, reason, checkedAt, since, card } = watched;
    const { name, tasks, description } = spec;
    return {
      name,
      tasks: [...tasks],
      ...(description === undefined ? {} : { description }),
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(since === undefined ? {} : { since }),
      ...(card === undefined ? {} : { version: card.version, card: summary(card) }),
      ...(checkedAt === undefined ? {} : { checked_at: checkedAt }),
      breaker: this.#breakerOf(watched),
    };
  }
}

/** Undefined for an agent that is ready. */
function whyNotReady(answer: JsonAnswer | undefined): AgentStatus["reason"] {
  if (answer === undefined) return "no_answer";
  if (answer.status !== 200) return "refused";
  return agentContract.health(answer.body).ok ? undefined : "invalid";
}

function summary({ name, contract, description, task_types }: AgentCard): NonNullable<AgentStatus["card"]> {
  return {
    name,
    contract,
    ...(description === undefined ? {} : { description }),
    task_types: task_types.map((task) => task.task_type),
  };
}
