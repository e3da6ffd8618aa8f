import type { Keys } from "./keys.ts";
import type { RedisClient } from "./redis-url.ts";

/** An entry that the relay puts on a queue. */
export type OutboxEntry =
  | {
      kind: "run";
      id: string;
      epoch: number;
      /** It was put on the queue before and still waits: its job may be lost. */
      again: boolean;
      member: string;
    }
  | { kind: "approval"; id: string; member: string };

/** Reads the outbox. Scripts add to it in the same step in which they change the state that asks for it. */
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
      if (kind === "run" || kind === "again")
        return [{ kind: "run", id, epoch: Number(epoch), again: kind === "again", member }];
      return kind === "approval" ? [{ kind, id, member }] : [];
    });
  }

  /** To be called after the queue has the entries: a crash in between queues them twice, and their job ids dedupe them. */
  async remove(keys: Keys, entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length > 0) await this.#redis.zrem(keys.outbox, ...entries.map((entry) => entry.member));
  }
}
