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
  /** It tells that the approval is asked for, unless a gateway before webhooks wrote it. */
  | { kind: "approval"; id: string; notice?: Notice; member: string }
  | { kind: "webhook"; notice: Notice; member: string };

/** What the subscribers of a webhook are told of; the last one is for the receivers of a task alone. */
export const NOTICES = [
  "approval.requested",
  "approval.expiring",
  "approval.decided",
  "run.failed",
  "run.needs_review",
  "task.updated",
] as const;

export type NoticeType = (typeof NOTICES)[number];

/** A change that webhooks tell of. `seq` is of the run's event that says it, `at` in ms by the store's clock. */
export type Notice = {
  type: NoticeType;
  run: string;
  seq: number;
  at: number;
  approval?: string;
  /** How the approval was decided. */
  state?: string;
};

/** Whether a webhook wants to hear of such changes of this tenant. */
export type Wants = (tenant: string, type: NoticeType) => boolean;

/** Reads the outbox. Scripts add to it in the same step in which they change the state that asks for it. */
export class Outbox {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  async due(keys: Keys, limit: number): Promise<OutboxEntry[]> {
    const found = await this.#redis.zrange(keys.outbox, 0, `${limit - 1}`, "WITHSCORES");
    return found.flatMap((member, index): OutboxEntry[] => {
      if (index % 2 === 1) return [];
      const at = Number(found[index + 1]);
      const [kind, id, epoch, run] = member.split("|");
      if (id === undefined) return [];
      if (kind === "run" || kind === "again")
        return [{ kind: "run", id, epoch: Number(epoch), again: kind === "again", member }];
      if (kind === "webhook") return readNotice(member, at);
      if (kind !== "approval") return [];
      if (run === undefined) return [{ kind, id, member }];
      const notice: Notice = { type: "approval.requested", run, seq: Number(epoch), at, approval: id };
      return [{ kind, id, notice, member }];
    });
  }

  /** To be called after the queue has the entries: a crash in between queues them twice, and their job ids dedupe them. */
  async remove(keys: Keys, entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length > 0) await this.#redis.zrem(keys.outbox, ...entries.map((entry) => entry.member));
  }
}

function readNotice(member: string, at: number): OutboxEntry[] {
  const [kind, name, run, seq, approval, state] = member.split("|");
  const type = NOTICES.find((one) => one === name);
  if (kind !== "webhook" || type === undefined || run === undefined) return [];
  const about = { ...(approval ? { approval } : {}), ...(state ? { state } : {}) };
  return [{ kind, notice: { type, run, seq: Number(seq), at, ...about }, member }];
}
