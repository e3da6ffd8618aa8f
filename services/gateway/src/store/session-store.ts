import type { Redis } from "ioredis";
import type { TurnEntry } from "../runs/record.ts";
import type { Keys } from "./keys.ts";
import { type PageCursor, readPage } from "./page.ts";
import { guarded } from "./redis.ts";

export type SessionHead = {
  session_id: string;
  title: string;
  created_at: string;
  updated_at: string;
  active_run?: string;
};
export type SessionView = SessionHead & { turns: TurnEntry[] };

/** Reads conversations; they are written together with the runs that make them (RunStore, EventLog). */
export class SessionStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Latest first; a session that has expired meanwhile is left out. */
  async list(
    keys: Keys,
    limit: number,
    before?: PageCursor,
  ): Promise<{ sessions: SessionHead[]; next?: PageCursor }> {
    return await guarded(async () => {
      const { ids, ...next } = await readPage(this.#redis, keys.sessions, limit, before);
      const heads = await Promise.all(ids.map((id) => this.#redis.hgetall(keys.session(id))));
      return { sessions: heads.flatMap((fields, index) => toHead(ids[index] ?? "", fields) ?? []), ...next };
    });
  }

  async find(keys: Keys, sessionId: string, turns: number): Promise<SessionView | undefined> {
    return await guarded(async () => {
      const [fields, entries] = await Promise.all([
        this.#redis.hgetall(keys.session(sessionId)),
        this.#redis.lrange(keys.turns(sessionId), -turns, -1),
      ]);
      const head = toHead(sessionId, fields);
      return head && { ...head, turns: entries.map((entry) => JSON.parse(entry) as TurnEntry) };
    });
  }
}

function toHead(id: string, fields: Record<string, string>): SessionHead | undefined {
  if (fields.created === undefined) return undefined;
  const head: SessionHead = {
    session_id: id,
    title: fields.title ?? "",
    created_at: new Date(Number(fields.created)).toISOString(),
    updated_at: new Date(Number(fields.updated)).toISOString(),
  };
  return fields.active ? { ...head, active_run: fields.active } : head;
}
