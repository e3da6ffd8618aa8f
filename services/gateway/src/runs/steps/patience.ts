import { setTimeout as sleep } from "node:timers/promises";
import { UpstreamError } from "../../agents/index.ts";
import type { AgentStep } from "../../mesh/index.ts";

/** Upper bounds of the pauses: a short first one, and a longest one that lets a plan go on soon after its agent is back. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** Limit for requests that crash their agent, which would otherwise be repeated until the flow's deadline. */
const MOST_LOSSES = 5;

/** A plan does without an optional step, so that it waits for that step's agent about as long as a restart takes. */
const OPTIONAL_MS = 10_000;

/** Reasons for which a request was never sent. */
const UNSENT = new Set([
  "connection_refused",
  "unknown_host",
  "connect_timeout",
  "connect_failed",
  "breaker_open",
]);

/** Reasons for which a request may have reached an agent that is gone now. */
const LOST = new Set(["connection_lost", "http_502", "http_504"]);

type PatientStep = { effect?: AgentStep["effect"] | undefined; optional: boolean };

/**
 * How long one step of a plan waits for its agent. An outage that heals must not fail a plan: the flow's deadline alone ends the
 * waiting. What the agent says of its own accord, about the inputs or its own failure, is not waited out.
 */
export class Patience {
  readonly #step: PatientStep;
  readonly #until: number;
  #failures = 0;
  #losses = 0;

  /** @param mostMs absent: as long as the step allows */
  constructor(step: PatientStep, mostMs?: number) {
    this.#step = step;
    const waitsMs = mostMs ?? (step.optional ? OPTIONAL_MS : Number.POSITIVE_INFINITY);
    this.#until = performance.now() + waitsMs;
  }

  /**
   * @returns the pause before the next dispatch, and whether the agent may have begun this one; undefined to give up
   */
  after(error: UpstreamError): { ms: number; begun: boolean } | undefined {
    const begun = !isTurnedAway(error);
    if (begun && (!isLost(error) || this.#step.effect === "once" || ++this.#losses > MOST_LOSSES))
      return undefined;
    const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++);
    const ms = (error.retryAfterMs ?? 0) + Math.random() * bound;
    return performance.now() + ms < this.#until ? { ms, begun } : undefined;
  }
}

/** Calls until whoever is called can be reached, as long as the patience lasts. @throws what the last call did; an AbortError */
export async function patiently<T>(
  call: () => Promise<T>,
  { patience, signal }: { patience: Patience; signal: AbortSignal },
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const wait = error instanceof UpstreamError && !signal.aborted ? patience.after(error) : undefined;
      if (!wait) throw error;
      await sleep(wait.ms, undefined, { signal });
    }
  }
}

/** The agent did not begin, and will take the request later. */
function isTurnedAway({ code, reason, retryAfterMs }: UpstreamError): boolean {
  if (code === "rate_limited") return true;
  return UNSENT.has(reason) || reason === "http_503" || (reason === "http_429" && retryAfterMs !== undefined);
}

/**
 * The connection is lost, the agent is stopped and gives up what it is at, or the gateway stood still and could not hear the agent. What
 * the gateway itself cancels is not asked again: its step has ended.
 */
function isLost({ code, reason, agentCode, stalled }: UpstreamError): boolean {
  return LOST.has(reason) || agentCode === "CANCELLED" || (stalled && code === "upstream_timeout");
}

/** Whether a failed dispatch proves that nothing happened, or that the agent itself gave up. */
export function isOutcomeKnown(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return true;
  const { code, reason, attempts, agentCode } = error;
  // A cancelled task may already have had its effect.
  if (agentCode === "CANCELLED") return false;
  const told = code === "upstream_failed" || code === "upstream_refused" || code === "upstream_overloaded";
  return told || attempts === 0 || UNSENT.has(reason);
}
