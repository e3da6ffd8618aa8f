import type { Keys } from "./keys.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

/** What attempts at models used. Whole numbers; the unit of money is a billionth of a dollar. */
export type UsageAmounts = {
  /** Attempts, failed ones included. */
  calls: number;
  failed: number;
  /** Attempts whose tokens are estimated. */
  estimated: number;
  inputTokens: number;
  /** Of the input tokens. */
  cachedInputTokens: number;
  outputTokens: number;
  /** Of the output tokens. */
  reasoningTokens: number;
  nanoUsd: number;
};

export const NO_USAGE: UsageAmounts = {
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
  return {
    calls: one.calls + other.calls,
    failed: one.failed + other.failed,
    estimated: one.estimated + other.estimated,
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    nanoUsd: one.nanoUsd + other.nanoUsd,
  };
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

const DAY_S = 86_400;

/** Days for which groups are kept. There are many more sessions and runs than models and subjects. */
export const USAGE_DAYS: Readonly<Record<UsageGroupKind, number>> = {
  model: 92,
  subject: 92,
  session: 8,
  run: 8,
};

/** Groups that are read for one report. */
const MOST_GROUPS = 10_000;

/** What models used, by day (UTC) and group: of each principal, and of the whole tenant. */
export class UsageStore {
  readonly #redis: RedisClient;
  readonly #record = new Script("record-usage");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /**
   * A command that is sent again when its reply was lost counts twice.
   * @param day such as `2026-11-22`
   * @throws GatewayError store_unavailable
   */
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
    const amounts = toAmounts(used);
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
}

/** One more than is told: a day begins earlier somewhere else. */
function keptS(kind: UsageGroupKind): number {
  return (USAGE_DAYS[kind] + 1) * DAY_S;
}

/** In the order in which the script keeps them. */
function toAmounts(used: UsageAmounts): number[] {
  const { calls, failed, estimated, inputTokens, cachedInputTokens } = used;
  return [
    calls,
    failed,
    estimated,
    inputTokens,
    cachedInputTokens,
    used.outputTokens,
    used.reasoningTokens,
    used.nanoUsd,
  ];
}

function fromText(text: string): UsageAmounts {
  const [calls = 0, failed = 0, estimated = 0, inputTokens = 0, cachedInputTokens = 0, ...rest] = text
    .split(" ")
    .map(Number);
  const [outputTokens = 0, reasoningTokens = 0, nanoUsd = 0] = rest;
  return {
    calls,
    failed,
    estimated,
    inputTokens,
    cachedInputTokens,
    outputTokens,
    reasoningTokens,
    nanoUsd,
  };
}
