import { setTimeout as sleep } from "node:timers/promises";
import { Breaker, type Pass } from "./breaker.ts";
import { Connections } from "./connections.ts";
import { exchange } from "./exchange.ts";
import { failure, type Outcome } from "./outcome.ts";
import { createPayload, type Payload } from "./payload.ts";
import { retryPause } from "./retry.ts";
import type { AgentObserver, AgentResult, AgentSpec, BreakerState, DispatchRequest } from "./types.ts";

export type AgentClientOptions = {
  agents: readonly AgentSpec[];
  observer?: AgentObserver;
  connectMs?: number;
  /** Until the headers of a stream, which an agent sends before it works. */
  headersMs?: number;
  /** Longest silence of a stream: agents send a comment after 15 s. */
  silenceMs?: number;
  /** How long a stream may stay open after its terminal event. */
  closeMs?: number;
  breaker?: { failures: number; coolDownMs: number };
  random?: () => number;
};

/** What the contract allows a sync answer. */
const SYNC_BYTES = 16 * 1024 * 1024;

type Mode = "stream" | "sync";

type Lane = { spec: AgentSpec; base: string; connections: Connections; breaker: Breaker };

/** One dispatch as all its attempts share it. */
type Dispatch = {
  lane: Lane;
  mode: Mode;
  request: DispatchRequest;
  payload: Payload;
  /** On the clock of performance.now(). */
  deadline: number;
  /** The caller's time is shorter than the agent's: running out of it says nothing about the agent. */
  hurried: boolean;
  /** Requests sent so far. */
  sent: number;
};

/** Sends runs to the agents of the mesh and brings back what they say, or an UpstreamError. */
export class AgentClient {
  readonly #lanes = new Map<string, Lane>();
  readonly #observer: AgentObserver;
  readonly #options: Required<Pick<AgentClientOptions, "headersMs" | "silenceMs" | "closeMs" | "random">>;

  constructor(options: AgentClientOptions) {
    const { agents, observer = {}, connectMs = 3_000, headersMs = 15_000, silenceMs = 45_000 } = options;
    const { closeMs = 5_000, breaker = { failures: 5, coolDownMs: 5_000 }, random = Math.random } = options;
    this.#observer = observer;
    this.#options = { headersMs, silenceMs, closeMs, random };
    for (const spec of agents) {
      const url = new URL(spec.url);
      this.#lanes.set(spec.name, {
        spec,
        base: url.pathname.replace(/\/+$/, ""),
        connections: new Connections(url.origin, { connectMs }),
        breaker: new Breaker({ ...breaker, onState: (state) => observer.onBreaker?.(spec.name, state) }),
      });
    }
  }

  /** Runs a task and hands its events to `onEvent` as they come. Rejects with an UpstreamError. */
  stream(request: DispatchRequest): Promise<AgentResult> {
    return this.#dispatch(request, "stream");
  }

  /** Runs a task for its result alone. Rejects with an UpstreamError. */
  sync(request: DispatchRequest): Promise<AgentResult> {
    return this.#dispatch(request, "sync");
  }

  breakerState(agent: string): BreakerState {
    return this.#lane(agent).breaker.state;
  }

  /** How many connections to an agent are in use or kept for reuse. */
  connections(agent: string): number {
    return this.#lane(agent).connections.size;
  }

  /** Ends what is still under way; let it finish, or abort it, before. */
  async close(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ connections }) => connections.close()));
  }

  async #dispatch(request: DispatchRequest, mode: Mode): Promise<AgentResult> {
    const lane = this.#lane(request.agent);
    const { timeoutMs, retries, backoffMs } = lane.spec.limits;
    const startedAt = performance.now();
    const dispatch: Dispatch = {
      lane,
      mode,
      request,
      payload: createPayload(request, mode === "stream" ? "text/event-stream" : "application/json"),
      deadline: startedAt + Math.min(request.timeoutMs ?? timeoutMs, timeoutMs),
      hurried: request.timeoutMs !== undefined && request.timeoutMs < timeoutMs,
      sent: 0,
    };
    const rules = {
      retries: request.once ? 0 : retries,
      backoffMs,
      keyed: request.idempotencyKey !== undefined,
      random: this.#options.random,
    };
    for (;;) {
      const outcome = await this.#attempt(dispatch);
      const attempts = dispatch.sent;
      if (outcome.ok) return { ...outcome.answer, attempts, durationMs: performance.now() - startedAt };
      outcome.error.attempts = attempts;
      const pause = retryPause(outcome, attempts, dispatch.deadline - performance.now(), rules);
      if (pause === undefined || lane.breaker.state === "open") throw outcome.error;
      // An abort ends the pause; the next attempt then says so.
      await sleep(pause, undefined, { signal: request.signal }).catch(() => undefined);
    }
  }

  async #attempt(dispatch: Dispatch): Promise<Outcome> {
    const { lane, request } = dispatch;
    const { signal, agent, task } = request;
    const leftMs = dispatch.deadline - performance.now();
    if (signal.aborted) return failure(agent, "cancelled", "aborted");
    if (leftMs <= 0) return failure(agent, "upstream_timeout", "deadline");
    const pass = lane.breaker.enter();
    if (pass === undefined) return failure(agent, "upstream_unavailable", "breaker_open");
    const startedAt = performance.now();
    let outcome: Outcome;
    try {
      outcome = await this.#exchange(dispatch, leftMs, pass);
    } catch (error) {
      pass.abandon();
      throw error;
    }
    const told = tell(pass, outcome, dispatch.hurried);
    if (told) await told;
    const durationMs = performance.now() - startedAt;
    if (outcome.ok) this.#observer.onAttempt?.({ agent, task, outcome: "ok", durationMs });
    else {
      const { code, reason } = outcome.error;
      this.#observer.onAttempt?.({ agent, task, outcome: code, reason, durationMs });
    }
    return outcome;
  }

  #exchange(dispatch: Dispatch, leftMs: number, pass: Pass): Promise<Outcome> {
    const { lane, mode, request, payload } = dispatch;
    const { headersMs, silenceMs, closeMs } = this.#options;
    const { maxEventBytes, maxResponseBytes = Math.max(SYNC_BYTES, maxEventBytes) } = lane.spec.limits;
    const requestId = `${request.body.request_id}:${(request.firstAttempt ?? 1) + dispatch.sent++}`;
    const message = {
      path: `${lane.base}/agents/run/${mode}`,
      headers: payload.headers,
      body: payload.body(requestId, leftMs),
    };
    return exchange(lane.connections, message, {
      agent: request.agent,
      mode,
      requestId,
      taskType: request.body.task_type,
      signal: request.signal,
      timeoutMs: Math.min(leftMs, MAX_TIMER_MS),
      headersMs,
      silenceMs,
      closeMs,
      maxEventBytes,
      maxResponseBytes,
      onEvent: request.onEvent,
      onAlive: pass.alive,
    });
  }

  #lane(agent: string): Lane {
    const lane = this.#lanes.get(agent);
    if (lane === undefined) throw new TypeError("no such agent in the mesh");
    return lane;
  }
}

/** Longer is not a longer timer but none. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** An honest error or a refusal shows an agent that works; only what it could not help is held against nobody. */
function tell(pass: Pass, outcome: Outcome, hurried: boolean): void | Promise<void> {
  if (outcome.ok) return pass.succeed();
  const { code, reason, agentCode } = outcome.error;
  switch (code) {
    case "upstream_failed":
    case "upstream_refused":
      return pass.succeed();
    case "cancelled":
      return pass.abandon();
    case "upstream_timeout":
      if (agentCode !== undefined) return pass.succeed();
      return hurried && reason === "deadline" ? pass.abandon() : pass.fail();
    case "upstream_overloaded":
      // One replica that drains says nothing about the others.
      return reason === "http_429" || agentCode === "UNAVAILABLE" ? pass.abandon() : pass.fail();
    case "upstream_unavailable":
      // Many streams that break in one moment are one misfortune: whether the agent is still there, the next request tells.
      if (reason === "connection_lost" && outcome.retry === "never") return pass.abandon();
      return reason === "client_closed" ? pass.abandon() : pass.fail();
    case "upstream_invalid":
      return pass.fail();
  }
}
