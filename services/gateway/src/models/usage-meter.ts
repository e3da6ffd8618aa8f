import { setTimeout as sleep } from "node:timers/promises";
import type { Usage } from "@interlock/contracts";
import { type ActingCaller, principalOf } from "../caller.ts";
import {
  addUsage,
  keysOf,
  NO_USAGE,
  type UsageAmounts,
  type UsageOf,
  type UsageStore,
} from "../store/index.ts";
import { dayOf } from "./budgets.ts";
import type { Attempt, ModelCall } from "./types.ts";

/** A gateway that dies loses what it has not written. */
const TOGETHER_MS = 20;

export type UsageMeterDeps = {
  store: UsageStore;
  /** Adds to what a run has used. @returns the run's session, where this replica holds the run */
  chargeRun: (runId: string, used: UsageAmounts) => string | undefined;
  onTrouble: (where: string, error: unknown) => void;
};

/** Who is charged. */
type Charged = {
  caller: Pick<ActingCaller, "tenant" | "issuer" | "subject">;
  model: string;
  sessionId?: string | undefined;
  runId?: string | undefined;
};

/** Charges what models used to runs, sessions, subjects, tenants and models, whoever asked them: the gateway itself or an agent. */
export class UsageMeter {
  readonly #deps: UsageMeterDeps;
  /** By whom and what for: what is written, and what waits for that, together. */
  readonly #writes = new Map<string, { done: Promise<void>; waiting: UsageAmounts | undefined }>();

  constructor(deps: UsageMeterDeps) {
    this.#deps = deps;
  }

  /** An attempt of the gateway's own. What was not sent is not charged. */
  ofAttempt({ caller, sessionId, runId }: ModelCall, { model, used }: Attempt): void {
    if (used.calls > 0) this.#charge({ caller, model, sessionId, runId }, used);
  }

  /** What an agent reports. It has no price: the agent has paid for it. */
  ofAgent(
    { caller, agent, runId }: { caller: ActingCaller; agent: string; runId?: string },
    usage: Usage,
  ): void {
    const used = reportedBy(usage);
    if (used) this.#charge({ caller, model: `agent/${agent}`, runId }, used);
  }

  /** Resolves when what was charged so far is in the store. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.#writes.values(), ({ done }) => done));
  }

  #charge({ caller, model, sessionId, runId }: Charged, used: UsageAmounts): void {
    const ofRun = runId === undefined ? undefined : this.#deps.chargeRun(runId, used);
    const of = {
      keys: keysOf(caller.tenant),
      owner: principalOf(caller),
      model,
      runId,
      sessionId: sessionId ?? ofRun,
    };
    const key = JSON.stringify([caller.tenant, of.owner, model, of.sessionId, runId]);
    const under = this.#writes.get(key);
    if (under) {
      under.waiting = under.waiting ? addUsage(under.waiting, used) : used;
      return;
    }
    const write: { done: Promise<void>; waiting: UsageAmounts | undefined } = {
      waiting: used,
      done: Promise.resolve(),
    };
    this.#writes.set(key, write);
    write.done = this.#writeAll(of, key, write);
  }

  /** What comes within a moment, or while one write is under way, is written together: a script for each call would slow down the calls. */
  async #writeAll(of: UsageOf, key: string, write: { waiting: UsageAmounts | undefined }): Promise<void> {
    while (write.waiting) {
      await sleep(TOGETHER_MS);
      const used = write.waiting;
      write.waiting = undefined;
      await this.#deps.store
        .record(of, dayOf(Date.now()), used)
        .catch((error: unknown) => this.#deps.onTrouble("usage", error));
    }
    // In the same turn of the event loop as the last look: nothing can come between.
    this.#writes.delete(key);
  }
}

function reportedBy(usage: Usage): UsageAmounts | undefined {
  const { input_tokens: input = 0, total_tokens: total, output_tokens } = usage;
  const output = output_tokens ?? Math.max(0, (total ?? 0) - input);
  if (input + output === 0) return undefined;
  return {
    ...NO_USAGE,
    calls: 1,
    inputTokens: input,
    cachedInputTokens: Math.min(input, countIn(usage, "cached_input_tokens")),
    outputTokens: output,
    reasoningTokens: Math.min(output, countIn(usage, "reasoning_tokens")),
  };
}

/** A member that the contract does not name. */
function countIn(usage: Usage, name: string): number {
  const value: unknown = usage[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
