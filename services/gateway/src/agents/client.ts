import { setTimeout as sleep } from "node:timers/promises";
import type { TraceContext } from "@interlock/contracts";
import type { BreakerState, Permit } from "../breaker.ts";
import type { Egress } from "../egress/index.ts";
import { type EndedAs, GEN_AI, INTERLOCK, traceHeaders, tracing } from "../telemetry/index.ts";
import { a2aExchange } from "./a2a/exchange.ts";
import { type A2aPayload, a2aPayload } from "./a2a/payload.ts";
import type { LoadSign, Slot } from "./admission.ts";
import type { AwakeClock } from "./awake-clock.ts";
import { exchange } from "./exchange.ts";
import type { LargeReader } from "./json.ts";
import { type Failure, failure, type Outcome } from "./outcome.ts";
import { brokenContract, problemOf } from "./outputs.ts";
import { createPayload, type Payload } from "./payload.ts";
import { retryPause } from "./retry.ts";
import { healthSign, loadSign } from "./signs.ts";
import type {
  AgentLoad,
  AgentObserver,
  AgentResult,
  AgentSpec,
  Allowance,
  DispatchRequest,
  SignDispatch,
} from "./types.ts";
import { UpstreamError } from "./upstream-error.ts";
import { type Upstream, Upstreams, type UpstreamsOptions } from "./upstreams.ts";

export type AgentClientOptions = UpstreamsOptions & {
  agents: readonly AgentSpec[];
  /** Opens the connections. */
  egress: Egress;
  /** Shared with other clients, and created with their options; absent: created for this client. */
  upstreams?: Upstreams;
  /** Whether shared agents connect by this client's `egress` rules from now on. */
  decidesEgress?: boolean;
  /** For the agents with `signed`. */
  sign?: SignDispatch;
  allowance?: Allowance;
  /** Reads large answers; without it they are read in the event loop. */
  large?: LargeReader;
  /** How long an agent may take to send the headers of a stream, which it does before it starts to work. */
  headersMs?: number;
  /** Longest silence of a stream. Agents send a comment after 15 s. */
  silenceMs?: number;
  /** How long a stream may stay open after its terminal event. */
  closeMs?: number;
  random?: () => number;
};

/** The contract's limit for a sync answer. */
const SYNC_BYTES = 16 * 1024 * 1024;

const ACCEPT = { stream: "text/event-stream", sync: "application/json" } as const;

type Endpoint = keyof typeof ACCEPT;

/** An agent as this client's edition of the mesh knows it. */
type Known = { spec: AgentSpec; upstream: Upstream };

/** What all attempts of one dispatch share. */
type Dispatch = Known & {
  endpoint: Endpoint;
  request: DispatchRequest;
  payload: Payload | A2aPayload;
  /** By the client's clock, which stands still while this process does. */
  deadline: number;
  /** The caller's timeout is shorter than the agent's own, so reaching it is no sign of a slow agent. */
  shortened: boolean;
  /** Number of requests sent so far. */
  sent: number;
  /** The outputs were wrong, and the task is done again. */
  again: boolean;
};

/** Sends runs to the agents of the mesh and returns their results. */
export class AgentClient {
  readonly #agents: ReadonlyMap<string, Known>;
  readonly #upstreams: Upstreams;
  readonly #ownsUpstreams: boolean;
  readonly #observer: AgentObserver;
  readonly #allowance: Allowance | undefined;
  readonly #clock: AwakeClock;
  readonly #large: LargeReader | undefined;
  readonly #sign: SignDispatch | undefined;
  readonly #options: Required<Pick<AgentClientOptions, "headersMs" | "silenceMs" | "closeMs" | "random">>;

  constructor(options: AgentClientOptions) {
    const { agents, egress, observer = {}, headersMs = 15_000, silenceMs = 45_000 } = options;
    const { closeMs = 5_000, random = Math.random, upstreams, decidesEgress = false } = options;
    this.#observer = observer;
    this.#allowance = options.allowance;
    this.#large = options.large;
    this.#sign = options.sign;
    this.#options = { headersMs, silenceMs, closeMs, random };
    if (options.sign === undefined && agents.some(({ signed }) => signed === true))
      throw new TypeError("agents with `signed` need somebody who signs");
    this.#upstreams = upstreams ?? new Upstreams(options);
    this.#ownsUpstreams = upstreams === undefined;
    this.#clock = this.#upstreams.clock;
    this.#agents = new Map(
      agents.map((spec) => [
        spec.name,
        { spec, upstream: this.#upstreams.take(spec, egress, decidesEgress) },
      ]),
    );
  }

  /** Runs a task and passes its events to `onEvent` as they arrive. Rejects with an UpstreamError. */
  stream(request: DispatchRequest): Promise<AgentResult> {
    return this.#dispatch(request, "stream");
  }

  /** Runs a task without streaming its events. Rejects with an UpstreamError. */
  sync(request: DispatchRequest): Promise<AgentResult> {
    return this.#dispatch(request, "sync");
  }

  breakerState(agent: string): BreakerState {
    return this.#agent(agent).upstream.breaker.state;
  }

  /** The load of each agent, by its name. */
  loads(): Map<string, AgentLoad> {
    return new Map(Array.from(this.#agents, ([name, { upstream }]) => [name, upstream.admission.load]));
  }

  /** Called when a health check has found an agent ready: its breaker need not stay open. */
  noteReady(agent: string): void {
    this.#agent(agent).upstream.breaker.ready();
  }

  /** Number of connections to an agent, in use or idle. */
  connections(agent: string): number {
    return this.#agent(agent).upstream.connections.size;
  }

  /** Closes all connections that no other client has at once. Runs in progress fail, so let them finish or abort them first. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#agents.values(), ({ spec }) => this.#upstreams.give(spec)));
    if (this.#ownsUpstreams) this.#upstreams.close();
  }

  async #dispatch(request: DispatchRequest, endpoint: Endpoint): Promise<AgentResult> {
    const { spec, upstream } = this.#agent(request.agent);
    const { timeoutMs, retries, backoffMs } = spec.limits;
    const startedAt = performance.now();
    const taken = this.#allowance?.take(request);
    const limitedMs = taken instanceof Promise ? await taken : taken;
    if (limitedMs !== undefined) throw rateLimited(request.agent, "rate_limit", limitedMs);
    const now = this.#clock.now();
    const payload = payloadOf(spec, request, endpoint);
    const dispatch: Dispatch = {
      spec,
      upstream,
      endpoint,
      request,
      // Do not yield to the event loop if there is nothing to wait for.
      payload: payload instanceof Promise ? await payload : payload,
      deadline: now + Math.min(request.timeoutMs ?? timeoutMs, timeoutMs),
      shortened: request.timeoutMs !== undefined && request.timeoutMs < timeoutMs,
      sent: 0,
      again: false,
    };
    const rules = {
      retries: request.once ? 0 : retries,
      backoffMs,
      // An agent of somebody else need not know a message that comes again.
      keyed: request.idempotencyKey !== undefined && spec.protocol === undefined,
      random: this.#options.random,
    };
    for (;;) {
      const outcome = await this.#attempt(dispatch);
      const attempts = dispatch.sent;
      const { usage } = outcome.ok ? outcome.answer : outcome.error;
      if (usage) this.#allowance?.used(request, usage);
      if (outcome.ok) {
        const checking = problemOf(outcome.answer.outputs, spec, request);
        const problem = checking instanceof Promise ? await checking : checking;
        if (problem === undefined)
          return { ...outcome.answer, attempts, durationMs: performance.now() - startedAt };
        await this.#askAgain(dispatch, brokenContract(request.agent, problem));
        continue;
      }
      outcome.error.attempts = attempts;
      const pause = retryPause(outcome, attempts, dispatch.deadline - this.#clock.now(), rules);
      if (pause === undefined || upstream.breaker.state === "open") throw outcome.error;
      // An abort ends the pause, and the next attempt reports it.
      await sleep(pause, undefined, { signal: request.signal }).catch(() => undefined);
    }
  }

  /** Prepares the second request for valid outputs, under a new key: under the same one the agent would repeat its answer. @throws the error */
  async #askAgain(dispatch: Dispatch, error: UpstreamError): Promise<void> {
    const { request, endpoint, sent } = dispatch;
    error.attempts = sent;
    if (dispatch.again || request.once || request.repair?.() === false) throw error;
    dispatch.again = true;
    const key = request.idempotencyKey;
    const asked = { ...request, ...(key === undefined ? {} : { idempotencyKey: `${key}.again` }) };
    dispatch.payload = await payloadOf(dispatch.spec, asked, endpoint);
  }

  async #attempt(dispatch: Dispatch): Promise<Outcome> {
    const { upstream, request } = dispatch;
    const { signal, agent, task } = request;
    if (signal.aborted) return failure(agent, "cancelled", "aborted");
    if (upstream.breaker.state === "open") return failure(agent, "upstream_unavailable", "breaker_open");
    const slot = upstream.admission.enter() ?? (await this.#queue(dispatch));
    if ("ok" in slot) return slot;
    let sign: LoadSign = "none";
    try {
      const leftMs = dispatch.deadline - this.#clock.now();
      if (signal.aborted) return failure(agent, "cancelled", "aborted");
      if (leftMs <= 0) return failure(agent, "upstream_timeout", "deadline");
      const permit = upstream.breaker.enter();
      if (permit === undefined) return failure(agent, "upstream_unavailable", "breaker_open");
      const startedAt = performance.now();
      const { lostMs } = this.#clock;
      const outcome = await this.#exchange(dispatch, leftMs, permit);
      const stalled = this.#clock.lostMs > lostMs;
      if (!outcome.ok) outcome.error.stalled = stalled;
      if (!stalled) sign = loadSign(outcome, dispatch.shortened);
      permit.end(healthSign(outcome, dispatch.shortened));
      const durationMs = performance.now() - startedAt;
      if (outcome.ok) this.#observer.onAttempt?.({ agent, task, outcome: "ok", durationMs });
      else {
        const { code, reason } = outcome.error;
        this.#observer.onAttempt?.({ agent, task, outcome: code, reason, durationMs });
      }
      return outcome;
    } finally {
      upstream.admission.leave(slot, sign);
    }
  }

  /** Waits for a slot. The waiting time does not count against the agent. */
  async #queue(dispatch: Dispatch): Promise<Slot | Failure> {
    const { signal, agent, caller, patient = false } = dispatch.request;
    const from = this.#clock.now();
    const key = `${caller.tenant} ${caller.subject}`;
    const result = await dispatch.upstream.admission.wait({ key, signal, patient });
    dispatch.deadline += this.#clock.now() - from;
    if (!("refused" in result)) return result;
    if (result.refused === "aborted") return failure(agent, "cancelled", "aborted");
    const { refused: reason, retryAfterMs } = result;
    return { ok: false, error: rateLimited(agent, reason, retryAfterMs), retry: "never" };
  }

  #exchange(dispatch: Dispatch, leftMs: number, permit: Permit): Promise<Outcome> {
    const { spec, upstream, endpoint, request, payload } = dispatch;
    const { headersMs, silenceMs, closeMs } = this.#options;
    const { maxEventBytes, maxResponseBytes = Math.max(SYNC_BYTES, maxEventBytes) } = spec.limits;
    const attempt = (request.firstAttempt ?? 1) + dispatch.sent++;
    const requestId = `${request.body.request_id}:${attempt}`;
    const { trace = NO_TRACE } = request;
    const span = tracing?.span(`invoke_agent ${request.agent}`, trace, {
      kind: "client",
      attributes: {
        [GEN_AI.operation]: "invoke_agent",
        [GEN_AI.agent]: request.agent,
        [INTERLOCK.task]: request.task,
        [INTERLOCK.request]: requestId,
        [INTERLOCK.attempt]: attempt,
      },
    });
    const options = {
      agent: request.agent,
      endpoint,
      requestId,
      taskType: request.body.task_type,
      signal: request.signal,
      timeoutMs: leftMs,
      clock: this.#clock,
      headersMs,
      silenceMs,
      closeMs,
      maxEventBytes,
      maxResponseBytes,
      large: this.#large,
      onEvent: request.onEvent,
      onAlive: permit.alive,
    };
    const headers = this.#headers(dispatch, leftMs, span ?? trace);
    const body = payload.body(requestId, leftMs);
    const exchanged =
      "isDialogue" in payload
        ? a2aExchange(upstream, { headers, body }, { ...options, isDialogue: payload.isDialogue })
        : exchange(
            upstream.connections,
            { path: `${upstream.base}/agents/run/${endpoint}`, headers, body },
            options,
          );
    return span ? span.around(exchanged, codeOf) : exchanged;
  }

  /** Each attempt has its own token, since one that was sent may have been read. */
  #headers({ spec, request, payload }: Dispatch, timeoutMs: number, trace: TraceContext): string[] {
    const sign = spec.signed === true ? this.#sign : undefined;
    if (sign === undefined && trace.traceparent === undefined) return payload.headers;
    const headers = [...payload.headers];
    for (const [name, value] of Object.entries(traceHeaders(trace))) headers.push(name, value);
    if (sign === undefined) return headers;
    const { agent, caller, runId, step } = request;
    headers.push("authorization", `Bearer ${sign({ agent, caller, runId, step, timeoutMs })}`);
    return headers;
  }

  #agent(name: string): Known {
    const known = this.#agents.get(name);
    if (known === undefined) throw new TypeError("no such agent in the mesh");
    return known;
  }
}

const NO_TRACE: TraceContext = {};

/** What a span says of an attempt that failed; an error that is thrown is the reader's own. */
function codeOf(ended: EndedAs<Outcome>): string | undefined {
  if ("error" in ended) return "relay_failed";
  return ended.result.ok ? undefined : ended.result.error.reason;
}

function payloadOf(
  spec: AgentSpec,
  request: DispatchRequest,
  endpoint: Endpoint,
): Payload | A2aPayload | Promise<Payload> {
  return spec.protocol === "a2a" ? a2aPayload(request) : createPayload(request, ACCEPT[endpoint]);
}

/** The request was not sent. */
function rateLimited(agent: string, reason: string, retryAfterMs: number): UpstreamError {
  return new UpstreamError({ code: "rate_limited", reason, agent, retryAfterMs });
}
