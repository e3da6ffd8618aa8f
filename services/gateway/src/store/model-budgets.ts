import { randomUUID } from "node:crypto";
import type { Keys } from "./keys.ts";
import { modelBudgetKey } from "./keys.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

/** A day's counter outlives the day everywhere. */
const KEPT_S = 2 * 86_400;

/** Whole numbers: a billionth of a dollar is the unit of money. */
export type Spending = { nanoUsd: number; tokens: number };

/** Whose budget of which model on which day (`2026-11-22`); without keys it is everybody's. */
export type BudgetOf = { model: string; day: string; keys?: Keys | undefined };

/** Limits of a budget; what is absent is not limited. */
export type BudgetLimits = { nanoUsd?: number | undefined; tokens?: number | undefined };

export type Reservation = { key: string; id: string };

/** What is spent on models by day, counted for all replicas. */
export class ModelBudgets {
  readonly #redis: RedisClient;
  readonly #reserve = new Script("reserve-budget");
  readonly #settle = new Script("settle-budget");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** @returns undefined where the budget is used up @throws GatewayError store_unavailable */
  async reserve(of: BudgetOf, most: Spending, limits: BudgetLimits): Promise<Reservation | undefined> {
    const reservation = { key: keyOf(of), id: randomUUID() };
    const limitArguments = [limits.nanoUsd ?? "", limits.tokens ?? ""];
    try {
      const answer = await guarded(() =>
        this.#reserve.run(
          this.#redis,
          [reservation.key],
          [reservation.id, most.nanoUsd, most.tokens, ...limitArguments, KEPT_S],
        ),
      );
      return answer === 1 ? reservation : undefined;
    } catch (error) {
      // It may have been made all the same, and this command comes after it.
      this.settle(reservation, { nanoUsd: 0, tokens: 0 }).catch(() => undefined);
      throw error;
    }
  }

  /** @throws GatewayError store_unavailable */
  async settle({ key, id }: Reservation, spent: Spending): Promise<void> {
    await guarded(() => this.#settle.run(this.#redis, [key], [id, spent.nanoUsd, spent.tokens]));
  }

  /** What is used, with what is reserved. @throws GatewayError store_unavailable */
  async used(of: BudgetOf): Promise<Spending> {
    const [nanoUsd, tokens] = await guarded(() => this.#redis.hmget(keyOf(of), "nano", "tokens"));
    return { nanoUsd: Number(nanoUsd ?? 0), tokens: Number(tokens ?? 0) };
  }
}

function keyOf({ model, day, keys }: BudgetOf): string {
  return keys ? keys.modelBudget(model, day) : modelBudgetKey(model, day);
}
