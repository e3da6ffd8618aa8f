import { randomUUID } from "node:crypto";
import { type Keys, modelBudgetKey } from "./keys.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

/** In the order in which the script keeps them. */
const AMOUNTS = [
  /** Attempts, failed ones included. */
  "calls",
  "failed",
  /** Attempts whose tokens are estimated. */
  "estimated",
  "inputTokens",
  /** Of the input tokens. */
  "cachedInputTokens",
  "outputTokens",
  /** Of the output tokens. */
  "reasoningTokens",
  "nanoUsd",
] as const;

/** What attempts at models used. Whole numbers; the unit of money is a billionth of a dollar. */
export type UsageAmounts = Record<(typeof AMOUNTS)[number], number>;

export const NO_USAGE: Readonly<UsageAmounts> = {
  calls: 0,
  failed: 0,
  estimated: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  nanoUsd: 0,
};

export function addUsage(one: UsageAmounts, other: UsageAmounts): UsageAmounts {
  const sum = { ...one };
  for (const name of AMOUNTS) sum[name] += other[name];
  return sum;
}

/** The day in UTC, such as `2026-11-22`. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** Who used it, and for what. */
export type UsageOf = {
  keys: Keys;
  /** The principal. */
  owner: string;
  model: string;
  sessionId?: string | undefined;
  runId?: string | undefined;
};

export type UsageGroupKind = "model" | "subject" | "session" | "run";

/** What counts for a budget. */
export type Spending = Pick<UsageAmounts, "nanoUsd"> & { tokens: number };

/** Whose budget of which model on which day; without keys it is everybody's. */
export type BudgetOf = { model: string; day: string; keys?: Keys | undefined };

/** Limits of a budget; what is absent is not limited. */
export type BudgetLimits = { nanoUsd?: number | undefined; tokens?: number | undefined };

export type Reservation = { key: string; id: string };

const DAY_S = 86_400;

/** A day's counter outlives the day everywhere. */
const COUNTER_S = 2 * DAY_S;

/** Days for which groups are kept. There are many more sessions and runs than models and subjects. */
export const USAGE_DAYS: Readonly<Record<UsageGroupKind, number>> = {
  model: 92,
  subject: 92,
  session: 8,
  run: 8,
};

/** Groups that are read for one report. */
const MOST_GROUPS = 10_000;

/**
 * What models used, by day (UTC), counted for all replicas: by group of each principal and of the whole tenant, the tokens of each tenant,
 * and what of a model's budget is used or reserved.
 */
export class UsageStore {
  readonly #redis: RedisClient;
  readonly #record = new Script("record-usage");
  readonly #reserve = new Script("reserve-budget");
  readonly #settle = new Script("settle-budget");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** A command that is sent again when its reply was lost counts twice. @throws GatewayError store_unavailable */
  async record(
    { keys, owner, model, sessionId, runId }: UsageOf,
    day: string,
    used: UsageAmounts,
  ): Promise<void> {
    const names: [UsageGroupKind, string | undefined][] = [
      ["model", model],
      ["session", sessionId],
      ["run", runId],
    ];
    const groups = names.flatMap(([kind, name]) =>
      name === undefined
        ? []
        : [
            { key: keys.usage(day, kind), kind, name },
            { key: keys.usage(day, kind, owner), kind, name },
          ],
    );
    groups.push({ key: keys.usage(day, "subject"), kind: "subject", name: owner });
    const amounts = AMOUNTS.map((name) => used[name]);
    await guarded(() =>
      this.#record.run(
        this.#redis,
        groups.map(({ key }) => key),
        [amounts.length, ...amounts, ...groups.flatMap(({ kind, name }) => [name, keptS(kind)])],
      ),
    );
  }

  /**
   * @param owner whose usage; absent: everybody's
   * @returns the amounts of each group, and whether there are more groups than were read
   * @throws GatewayError store_unavailable
   */
  async read(
    { keys, owner, kind }: { keys: Keys; owner?: string | undefined; kind: UsageGroupKind },
    days: readonly string[],
  ): Promise<{ groups: Map<string, UsageAmounts>; truncated: boolean }> {
    const groups = new Map<string, UsageAmounts>();
    for (const day of days) {
      let cursor = "0";
      do {
        const [next, page] = await guarded(() =>
          this.#redis.hscan(keys.usage(day, kind, owner), cursor, "COUNT", 500),
        );
        for (let at = 0; at + 1 < page.length; at += 2) {
          const name = page[at] ?? "";
          groups.set(name, addUsage(groups.get(name) ?? NO_USAGE, fromText(page[at + 1] ?? "")));
        }
        cursor = next;
        if (groups.size > MOST_GROUPS) return { groups, truncated: true };
      } while (cursor !== "0");
    }
    return { groups, truncated: false };
  }

  /** How many tokens a tenant has used on a day. @throws GatewayError store_unavailable */
  async tokens(keys: Keys, day: string): Promise<number> {
    return Number((await guarded(() => this.#redis.get(keys.tokens(day)))) ?? 0);
  }

  /** A command that is sent again when its reply was lost counts twice. @throws GatewayError store_unavailable */
  async addTokens(keys: Keys, day: string, tokens: number): Promise<void> {
    await guarded(async () => {
      const key = keys.tokens(day);
      await Promise.all([this.#redis.incrby(key, tokens), this.#redis.expire(key, COUNTER_S)]);
    });
  }

  /** @returns undefined where the budget is used up @throws GatewayError store_unavailable */
  async reserve(of: BudgetOf, most: Spending, limits: BudgetLimits): Promise<Reservation | undefined> {
    const reservation = { key: budgetKey(of), id: randomUUID() };
    const limitArguments = [limits.nanoUsd ?? "", limits.tokens ?? ""];
    try {
      const answer = await guarded(() =>
        this.#reserve.run(
          this.#redis,
          [reservation.key],
          [reservation.id, most.nanoUsd, most.tokens, ...limitArguments, COUNTER_S],
        ),
      );
      return answer === 1 ? reservation : undefined;
    } catch (error) {
      // It may have been made all the same, and this command comes after it.
      this.settle(reservation, { nanoUsd: 0, tokens: 0 }).catch(() => undefined);
      throw error;
    }
  }

  /** @throws GatewayError store_unavailable; what was reserved then stays used */
  async settle({ key, id }: Reservation, spent: Spending): Promise<void> {
    await guarded(() => this.#settle.run(this.#redis, [key], [id, spent.nanoUsd, spent.tokens]));
  }

  /** What of a budget is used, with what is reserved. @throws GatewayError store_unavailable */
  async spent(of: BudgetOf): Promise<Spending> {
    const [nanoUsd, tokens] = await guarded(() => this.#redis.hmget(budgetKey(of), "nano", "tokens"));
    return { nanoUsd: Number(nanoUsd ?? 0), tokens: Number(tokens ?? 0) };
  }
}

function budgetKey({ model, day, keys }: BudgetOf): string {
  return keys ? keys.modelBudget(model, day) : modelBudgetKey(model, day);
}

/** One more than is told: a day begins earlier somewhere else. */
function keptS(kind: UsageGroupKind): number {
  return (USAGE_DAYS[kind] + 1) * DAY_S;
}

function fromText(text: string): UsageAmounts {
  const values = text.split(" ").map(Number);
  const used = { ...NO_USAGE };
  for (const [at, name] of AMOUNTS.entries()) used[name] = values[at] ?? 0;
  return used;
}
