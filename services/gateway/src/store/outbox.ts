import type { Keys } from "./keys.ts";
import type { RedisClient } from "./redis-url.ts";

/** What has to be put on a queue. */
export type OutboxEntry =
  | { kind: "run"; id: string; epoch: number; member: string }
  | { kind: "approval"; id: string; member: string };

/** Reads what scripts put into the outbox together with the state that asks for it. */
export class Outbox {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  async due(keys: Keys, limit: number): Promise<OutboxEntry[]> {
    const members = await this.#redis.zrange(keys.outbox, 0, `${limit - 1}`);
    return members.flatMap((member): OutboxEntry[] => {
      const [kind, id, epoch] = member.split("|");
      if (id === undefined) return [];
      if (kind === "run") return [{ kind, id, epoch: Number(epoch), member }];
      return kind === "approval" ? [{ kind, id, member }] : [];
    });
  }

  /** Only after the queue has the entries: a crash in between puts them on the queue twice, where their job ids tell. */
  async remove(keys: Keys, entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length > 0) await this.#redis.zrem(keys.outbox, ...entries.map((entry) => entry.member));
  }
}
