import type { SessionHead, SessionView } from "@interlock/contracts";

import type { Keys } from "./keys.ts";
import { type PageCursor, readPage } from "./page.ts";
import type { TurnEntry } from "./records.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";

/** Reads conversations; they are written together with the runs that make them (RunStore, EventLog). */
export class SessionStore {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Latest first; a session that has expired meanwhile is left out. */
  async list(
    keys: Keys,
    limit: number,
    before?: PageCursor,
  ): Promise<{ sessions: SessionHead[]; next?: PageCursor }> {
    return await guarded(async () => {
      const { ids, ...next } = await readPage(this.#redis, { key: keys.sessions, limit, behind: before });
      const heads = await Promise.all(ids.map((id) => this.#redis.hmget(keys.session(id), ...HEAD)));
      return { sessions: heads.flatMap((fields, index) => toHead(ids[index] ?? "", fields) ?? []), ...next };
    });
  }

  async find(keys: Keys, sessionId: string, turns: number): Promise<SessionView | undefined> {
    return await guarded(async () => {
      const key = keys.session(sessionId);
      const [count, ...fields] = await this.#redis.hmget(key, "turns", ...HEAD);
      const head = toHead(sessionId, fields);
      if (!head) return undefined;
      const last = Number(count);
      const from = Math.max(0, last - turns);
      const wanted = Array.from({ length: last - from }, (_, index) => `turn:${from + index}`);
      const entries = wanted.length > 0 ? await this.#redis.hmget(key, ...wanted) : [];
      return { ...head, turns: entries.flatMap((entry) => (entry ? (JSON.parse(entry) as TurnEntry) : [])) };
    });
  }
}

const HEAD = ["created", "updated", "title", "active"] as const;

/** @param fields as {@link HEAD} names them */
function toHead(id: string, fields: readonly (string | null)[]): SessionHead | undefined {
  const [created, updated, title, active] = fields;
  if (!created) return undefined;
  const head: SessionHead = {
    session_id: id,
    title: title ?? "",
    created_at: new Date(Number(created)).toISOString(),
    updated_at: new Date(Number(updated)).toISOString(),
  };
  return active ? { ...head, active_run: active } : head;
}
