import { setTimeout as sleep } from "node:timers/promises";
import type { Usage } from "@interlock/contracts";
import { type ActingCaller, principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { ModelSpec } from "../mesh/index.ts";
import {
  addUsage,
  type BudgetLimits,
  dayOf,
  keysOf,
  NO_USAGE,
  type Reservation,
  type UsageAmounts,
  type UsageOf,
  type UsageStore,
} from "../store/index.ts";
import type { Attempt, ModelCall } from "./types.ts";
import { mostUsed } from "./usage.ts";

/** A gateway that dies loses what it has not written. */
const TOGETHER_MS = 20;
const DAY_MS = 86_400_000;
const NANO_PER_USD = 1e9;

export type UsageLedgerDeps = {
  store: UsageStore;
  /** Adds to what a run has used. @returns the run's session, where this replica holds the run */
  chargeRun: (runId: string, used: UsageAmounts) => string | undefined;
  /** How many tokens a tenant may use up in a day (UTC); undefined: they are neither counted nor refused. */
  tokensPerDay: () => number | undefined;
  onTrouble: (where: string, error: unknown) => void;
  now?: () => number;
};

/** What a call has reserved; undefined where its model has no budget. */
export type Reserved = Reservation | undefined;

/** Who is charged. */
type Charged = {
  caller: Pick<ActingCaller, "tenant" | "issuer" | "subject">;
  model: string;
  sessionId?: string | undefined;
  runId?: string | undefined;
};

type Write = { done: Promise<void>; waiting: UsageAmounts | undefined };

/**
 * Records the usage of models by the gateway and by agents. Each use is recorded once, for its run, session, subject, tenant and model, and
 * the model's budget.
 */
export class UsageLedger {
  readonly #deps: UsageLedgerDeps;
  readonly #store: UsageStore;
  readonly #now: () => number;
  /** By whom and what for: what is written, and what waits for that, together. */
  readonly #writes = new Map<string, Write>();
  /** Tenants that have used up a day's tokens, with that day and its limit. */
  readonly #spent = new Map<string, string>();

  constructor(deps: UsageLedgerDeps) {
    this.#deps = deps;
    this.#store = deps.store;
    this.#now = deps.now ?? Date.now;
  }

  /**
   * Whether the tenant may use more tokens today. They are charged after they were used: what is under way when the day's tokens end goes
   * on, and nothing new begins.
   * @throws GatewayError quota_exceeded, at once where that is known; store_unavailable
   */
  admit(tenant: string): Promise<void> | undefined {
    const perDay = this.#deps.tokensPerDay();
    if (perDay === undefined) return undefined;
    const limit = `${this.#today} ${perDay}`;
    const spent = this.#spent.get(tenant);
    if (spent === limit) throw this.#exceeded();
    if (spent !== undefined) this.#spent.delete(tenant);
    return this.#check(tenant, perDay, limit);
  }

  /**
   * Reserves what a call may cost at most before it is sent, so that parallel calls see each other.
   * @returns false where the model's budget is used up @throws GatewayError store_unavailable
   */
  async reserve(
    spec: ModelSpec,
    tenant: string,
    texts: readonly string[],
    maxTokens: number,
  ): Promise<Reserved | false> {
    const limits = limitsOf(spec);
    if (!limits) return undefined;
    const most = mostUsed(texts, maxTokens, spec);
    return (await this.#store.reserve(this.#budgetOf(spec, tenant), most, limits)) ?? false;
  }

  /** Whether a model's budget is used up. @throws GatewayError store_unavailable */
  async isSpent(spec: ModelSpec, tenant: string): Promise<boolean> {
    const limits = limitsOf(spec);
    if (!limits) return false;
    const spent = await this.#store.spent(this.#budgetOf(spec, tenant));
    return (
      (limits.nanoUsd !== undefined && spent.nanoUsd >= limits.nanoUsd) ||
      (limits.tokens !== undefined && spent.tokens >= limits.tokens)
    );
  }

  /** An attempt of the gateway's own replaces what it had reserved. What was not sent is not charged. Never rejects. */
  async recordAttempt(
    { caller, sessionId, runId }: Pick<ModelCall, "caller" | "sessionId" | "runId">,
    { model, used }: Pick<Attempt, "model" | "used">,
    reserved: Reserved,
  ): Promise<void> {
    const tokens = used.inputTokens + used.outputTokens;
    if (used.calls > 0) this.#charge({ caller, model, sessionId, runId }, used, tokens);
    if (!reserved) return;
    // What cannot be settled stays used: a budget errs on the side of less.
    await this.#store
      .settle(reserved, { nanoUsd: used.nanoUsd, tokens })
      .catch((error: unknown) => this.#deps.onTrouble("model budget", error));
  }

  /** What an agent reports. It has no price: the agent has paid for it. */
  recordReport(
    { caller, agent, runId }: { caller: ActingCaller; agent: string; runId?: string },
    usage: Usage,
  ): void {
    const { input_tokens: input = 0, output_tokens = 0, total_tokens = input + output_tokens } = usage;
    this.#charge({ caller, model: `agent/${agent}`, runId }, reportedBy(usage), total_tokens);
  }

  /** Resolves when what was charged so far is in the store. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.#writes.values(), ({ done }) => done));
  }

  get #today(): string {
    return dayOf(this.#now());
  }

  #budgetOf({ name, budget }: ModelSpec, tenant: string) {
    const keys = budget?.scope === "tenant" ? keysOf(tenant) : undefined;
    return { model: name, day: this.#today, keys };
  }

  async #check(tenant: string, perDay: number, limit: string): Promise<void> {
    if ((await this.#store.tokens(keysOf(tenant), this.#today)) < perDay) return;
    this.#spent.set(tenant, limit);
    throw this.#exceeded();
  }

  #exceeded(): GatewayError {
    const seconds = Math.ceil((DAY_MS - (this.#now() % DAY_MS)) / 1000);
    return new GatewayError("quota_exceeded", "The tenant has used up today's tokens.", {
      headers: { "retry-after": String(seconds) },
    });
  }

  /** @param tokens that count for the tenant's day; they are written at once, for the next request to see */
  #charge({ caller, model, sessionId, runId }: Charged, used: UsageAmounts, tokens: number): void {
    const keys = keysOf(caller.tenant);
    if (tokens > 0 && this.#deps.tokensPerDay() !== undefined)
      void this.#store
        .addTokens(keys, this.#today, tokens)
        .catch((error: unknown) => this.#deps.onTrouble("token budget", error));
    if (used.calls === 0) return;
    const ofRun = runId === undefined ? undefined : this.#deps.chargeRun(runId, used);
    const of = { keys, owner: principalOf(caller), model, runId, sessionId: sessionId ?? ofRun };
    const key = JSON.stringify([caller.tenant, of.owner, model, of.sessionId, runId]);
    const under = this.#writes.get(key);
    if (under) {
      under.waiting = under.waiting ? addUsage(under.waiting, used) : used;
      return;
    }
    const write: Write = { waiting: used, done: Promise.resolve() };
    this.#writes.set(key, write);
    write.done = this.#writeAll(of, key, write);
  }

  /** What comes within a moment, or while one write is under way, is written together: a script for each call would slow down the calls. */
  async #writeAll(of: UsageOf, key: string, write: Write): Promise<void> {
    while (write.waiting) {
      await sleep(TOGETHER_MS);
      const used = write.waiting;
      write.waiting = undefined;
      await this.#store
        .record(of, this.#today, used)
        .catch((error: unknown) => this.#deps.onTrouble("usage", error));
    }
    // In the same turn of the event loop as the last look: nothing can come between.
    this.#writes.delete(key);
  }
}

function limitsOf({ budget }: ModelSpec): BudgetLimits | undefined {
  if (!budget) return undefined;
  const { usdPerDay, tokensPerDay } = budget;
  return {
    nanoUsd: usdPerDay === undefined ? undefined : Math.round(usdPerDay * NANO_PER_USD),
    tokens: tokensPerDay,
  };
}

function reportedBy(usage: Usage): UsageAmounts {
  const { input_tokens: input = 0, total_tokens: total, output_tokens } = usage;
  const output = output_tokens ?? Math.max(0, (total ?? 0) - input);
  if (input + output === 0) return NO_USAGE;
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
