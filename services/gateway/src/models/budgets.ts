import type { ModelSpec } from "../mesh/index.ts";
import {
  type BudgetLimits,
  keysOf,
  type ModelBudgets,
  type Reservation,
  type Spending,
} from "../store/index.ts";
import { mostCost } from "./pricing.ts";
import { mostTokens } from "./usage.ts";

type Store = Pick<ModelBudgets, "reserve" | "settle" | "used">;

const NANO_PER_USD = 1e9;

/** The day in UTC, such as `2026-11-22`. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** What a call has reserved; undefined where its model has no budget. */
export type Reserved = Reservation | undefined;

/** The budgets of models. What a call may cost at most is reserved before it is sent, so that parallel calls see each other. */
export class Budgets {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns false where the budget is used up @throws GatewayError store_unavailable */
  async reserve(
    spec: ModelSpec,
    tenant: string,
    texts: readonly string[],
    maxTokens: number,
  ): Promise<Reserved | false> {
    const limits = limitsOf(spec);
    if (!limits) return undefined;
    const input = mostTokens(texts);
    const most = { nanoUsd: mostCost(input, maxTokens, spec.prices), tokens: input + maxTokens };
    return (await this.#store.reserve(budgetOf(spec, tenant), most, limits)) ?? false;
  }

  /** @throws GatewayError store_unavailable; what was reserved then stays used */
  async settle(reserved: Reserved, spent: Spending): Promise<void> {
    if (reserved) await this.#store.settle(reserved, spent);
  }

  /** @throws GatewayError store_unavailable */
  async isSpent(spec: ModelSpec, tenant: string): Promise<boolean> {
    const limits = limitsOf(spec);
    if (!limits) return false;
    const used = await this.#store.used(budgetOf(spec, tenant));
    return (
      (limits.nanoUsd !== undefined && used.nanoUsd >= limits.nanoUsd) ||
      (limits.tokens !== undefined && used.tokens >= limits.tokens)
    );
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

function budgetOf({ name, budget }: ModelSpec, tenant: string) {
  const keys = budget?.scope === "tenant" ? keysOf(tenant) : undefined;
  return { model: name, day: dayOf(Date.now()), keys };
}
