import { GatewayError } from "../errors.ts";
import { keysOf, type TokenUsage } from "../store/index.ts";

export type TokenBudgetDeps = {
  usage: TokenUsage;
  /** Absent: nothing is counted or refused. */
  perDay: number | undefined;
  onTrouble: (where: string, error: unknown) => void;
};

const DAY_MS = 86_400_000;

/** What a model run says that it used. */
export type UsedTokens = {
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
};

/**
 * The tokens of models that a tenant may use up in a day (UTC). They are charged when an agent reports them, which is after they were
 * used: what is under way when the budget ends goes on, and nothing new begins.
 */
export class TokenBudget {
  readonly #usage: TokenUsage;
  readonly #perDay: number | undefined;
  readonly #onTrouble: (where: string, error: unknown) => void;
  /** Tenants that have used up a day, with that day. */
  readonly #spent = new Map<string, string>();

  constructor({ usage, perDay, onTrouble }: TokenBudgetDeps) {
    this.#usage = usage;
    this.#perDay = perDay;
    this.#onTrouble = onTrouble;
  }

  /**
   * Whether the tenant may use more tokens today.
   * @throws GatewayError quota_exceeded, at once where that is known; store_unavailable
   */
  admit(tenant: string, now = Date.now()): Promise<void> | undefined {
    if (this.#perDay === undefined) return undefined;
    const day = dayOf(now);
    const spent = this.#spent.get(tenant);
    if (spent === day) throw exceeded(now);
    if (spent !== undefined) this.#spent.delete(tenant);
    return this.#check(tenant, day, now, this.#perDay);
  }

  /** Charges what an agent reports. Never rejects: the tokens are used, whatever the store does. */
  async charge(tenant: string, used: UsedTokens, now = Date.now()): Promise<void> {
    const tokens = used.total_tokens ?? (used.input_tokens ?? 0) + (used.output_tokens ?? 0);
    if (this.#perDay === undefined || tokens === 0) return;
    try {
      await this.#usage.add(keysOf(tenant), dayOf(now), tokens);
    } catch (error) {
      this.#onTrouble("token budget", error);
    }
  }

  async #check(tenant: string, day: string, now: number, perDay: number): Promise<void> {
    if ((await this.#usage.of(keysOf(tenant), day)) < perDay) return;
    this.#spent.set(tenant, day);
    throw exceeded(now);
  }
}

/** The day in UTC, such as `2026-11-22`. */
function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function exceeded(now: number): GatewayError {
  const seconds = Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
  return new GatewayError("quota_exceeded", "The tenant has used up today's tokens.", {
    headers: { "retry-after": String(seconds) },
  });
}
