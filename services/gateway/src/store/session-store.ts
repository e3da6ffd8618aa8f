import type { CompletedEntry, SessionHead, SessionView } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import {
  type Dialogue,
  type DialogueHead,
  dialogueNames,
  EFFECTS,
  HEADS,
  pushFields,
  readDialogue,
  readHead,
  type SessionFields,
  serviceOf,
} from "./dialogue-fields.ts";
import type { Keys } from "./keys.ts";
import { type PageCursor, readPage } from "./page.ts";
import type { TurnEntry } from "./records.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script, type ScriptArgument, words } from "./script.ts";

/** What is remembered of a conversation: its raw turns, and a summary of those before. */
export type SessionMemory = {
  /** The number of the first raw entry. */
  from: number;
  /** The oldest raw entries, in order. */
  entries: TurnEntry[];
  /** Whether there are later ones than those. */
  more: boolean;
  /** As JSON. */
  summary?: string;
  /** The run under way. */
  active?: string;
};

/** The principal whose session it is; nobody's, where it was written before sessions had owners. */
type Owned = { owner: string };

/** Fields that one command looks through. */
const SCANNED_AT_ONCE = 1_000;

/** Reads conversations, and keeps them short; their turns are written together with the runs that make them (RunStore, EventLog). */
export class SessionStore {
  readonly #redis: RedisClient;
  readonly #checkpoint = new Script("checkpoint");
  readonly #summarise = new Script("summarise");
  readonly #reset = new Script("reset");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Latest first; a session that has expired meanwhile is left out. */
  async list(
    keys: Keys,
    {
      limit,
      before,
      owner,
    }: {
      limit: number;
      before?: PageCursor | undefined;
      /** Only the sessions of this principal; absent: all of the tenant. */
      owner?: string | undefined;
    },
  ): Promise<{ sessions: SessionHead[]; next?: PageCursor }> {
    const key = owner === undefined ? keys.sessions : keys.sessionsOf(owner);
    return await guarded(async () => {
      const { ids, ...next } = await readPage(this.#redis, { key, limit, behind: before });
      const heads = await Promise.all(ids.map((id) => this.#redis.hmget(keys.session(id), ...HEAD)));
      return { sessions: heads.flatMap((fields, index) => toHead(ids[index] ?? "", fields) ?? []), ...next };
    });
  }

  /** What the session works with, as JSON, and whose it is; undefined where there is no such session. */
  async working(keys: Keys, sessionId: string): Promise<(Owned & { working?: string }) | undefined> {
    const [created, owner, working] = await guarded(() =>
      this.#redis.hmget(keys.session(sessionId), "created", "owner", "working"),
    );
    if (!created) return undefined;
    return { owner: owner ?? "", ...(working ? { working } : {}) };
  }

  /** What dialogues of a session wait for, in the order of the services; and whether a run is under way. */
  async nextActions(
    keys: Keys,
    sessionId: string,
    services: readonly string[],
  ): Promise<{ busy: boolean; actions: (string | undefined)[] }> {
    const [active, ...records] = await guarded(() =>
      this.#redis.hmget(keys.session(sessionId), "active", ...services.map((name) => dialogueNames(name)[0])),
    );
    return {
      busy: Boolean(active),
      actions: records.map((head) => (head ? readHead(head).next_action : undefined)),
    };
  }

  /** Whose session it is; undefined where there is no such session. */
  async owner(keys: Keys, sessionId: string): Promise<string | undefined> {
    return (await this.working(keys, sessionId))?.owner;
  }

  async find(
    keys: Keys,
    sessionId: string,
    turns: number,
  ): Promise<(Owned & { session: SessionView }) | undefined> {
    return await guarded(async () => {
      const key = keys.session(sessionId);
      const [count, first, summary, owner, ...fields] = await this.#redis.hmget(
        key,
        "turns",
        "raw_from",
        "summary",
        "owner",
        ...HEAD,
      );
      const head = toHead(sessionId, fields);
      if (!head) return undefined;
      const last = Number(count);
      const entries = await this.#entries(key, Math.max(Number(first), last - turns), last);
      const session = { ...head, ...(summary ? { summary: viewOf(summary) } : {}), turns: entries };
      return { owner: owner ?? "", session };
    });
  }

  /** Every field of the session, by name; none where there is no such session. */
  async all(keys: Keys, sessionId: string): Promise<Record<string, string>> {
    return await guarded(() => this.#redis.hgetall(keys.session(sessionId)));
  }

  /** @param most of the oldest raw entries that are read; undefined where there is no such session */
  async memory(keys: Keys, sessionId: string, most: number): Promise<SessionMemory | undefined> {
    return await guarded(async () => {
      const key = keys.session(sessionId);
      const [count, first, summary, active] = await this.#redis.hmget(
        key,
        "turns",
        "raw_from",
        "summary",
        "active",
      );
      if (!count) return undefined;
      const [from, last] = [Number(first), Number(count)];
      const to = Math.min(last, from + most);
      const memory: SessionMemory = { from, entries: await this.#entries(key, from, to), more: to < last };
      if (summary) memory.summary = summary;
      if (active) memory.active = active;
      return memory;
    });
  }

  /** The latest raw entries, oldest first; none where there is no such session. */
  async latest(keys: Keys, sessionId: string, most: number): Promise<TurnEntry[]> {
    return await guarded(async () => {
      const key = keys.session(sessionId);
      const [count, first] = await this.#redis.hmget(key, "turns", "raw_from");
      const last = Number(count);
      return await this.#entries(key, Math.max(Number(first), last - most), last);
    });
  }

  /** The session's dialogue with a service; undefined where there is none. */
  async dialogue(keys: Keys, sessionId: string, service: string): Promise<Dialogue | undefined> {
    const fields = await guarded(() => this.#redis.hmget(keys.session(sessionId), ...dialogueNames(service)));
    return readDialogue(service, fields);
  }

  /** Where each dialogue of the session stands, by the names of their services. */
  async dialogues(keys: Keys, sessionId: string): Promise<(DialogueHead & { service: string })[]> {
    const heads = await this.#scan(keys, sessionId, HEADS);
    return [...heads].map(([field, head]) => ({ service: serviceOf(field), ...readHead(head) })).sort(byName);
  }

  /** What the session's dialogues changed in the world, each effect once, oldest first. */
  async completed(keys: Keys, sessionId: string): Promise<CompletedEntry[]> {
    const effects = await this.#scan(keys, sessionId, EFFECTS);
    return [...effects.values()].map((text) => JSON.parse(text) as CompletedEntry).sort(byTime);
  }

  /**
   * Keeps what a run has come to so far.
   * @throws GatewayError interrupted (the run has another holder, or is over), store_unavailable
   */
  async checkpoint(
    keys: Keys,
    run: { id: string; sessionId: string; owner: string; fence: number },
    fields: SessionFields,
  ): Promise<void> {
    const args: ScriptArgument[] = [run.fence];
    pushFields(args, fields);
    const changed = [keys.run(run.id), keys.session(run.sessionId), keys.storedOf(run.owner)];
    const word = await guarded(() => this.#checkpoint.run(this.#redis, changed, args));
    if (word !== "OK") throw new GatewayError("interrupted");
  }

  /**
   * Puts a summary in the place of the raw entries from `from` to before `to`, all at once.
   * @param summary JSON with at least `turns` and `text`; see SessionView
   * @returns false where the raw turns do not begin at `from` any more: somebody else has summarised them, or the session was reset
   */
  async summarise(
    keys: Keys,
    sessionId: string,
    { from, to, summary }: { from: number; to: number; summary: string },
  ): Promise<boolean> {
    const key = keys.session(sessionId);
    return (await guarded(() => this.#summarise.run(this.#redis, [key], [from, to, summary]))) === 1;
  }

  /** Clears raw turns, working set and dialogues. What dialogues changed in the world stays listed. @throws GatewayError not_found, session_busy, store_unavailable */
  async reset(keys: Keys, sessionId: string): Promise<void> {
    const answer = await guarded(() => this.#reset.run(this.#redis, [keys.session(sessionId)], []));
    const [word, active] = words(answer);
    if (word === "BUSY")
      throw new GatewayError("session_busy", undefined, { extra: { run_id: String(active) } });
    if (word !== "OK") throw new GatewayError("not_found");
  }

  /** The fields of a session whose names match, with their values. */
  async #scan(keys: Keys, sessionId: string, pattern: string): Promise<Map<string, string>> {
    return await guarded(async () => {
      const found = new Map<string, string>();
      let cursor = "0";
      do {
        const [next, fields] = await this.#redis.hscan(
          keys.session(sessionId),
          cursor,
          "MATCH",
          pattern,
          "COUNT",
          SCANNED_AT_ONCE,
        );
        for (let at = 0; at + 1 < fields.length; at += 2) found.set(fields[at] ?? "", fields[at + 1] ?? "");
        cursor = next;
      } while (cursor !== "0");
      return found;
    });
  }

  async #entries(key: string, from: number, to: number): Promise<TurnEntry[]> {
    if (to <= from) return [];
    const wanted = Array.from({ length: to - from }, (_, index) => `turn:${from + index}`);
    const entries = await this.#redis.hmget(key, ...wanted);
    return entries.flatMap((entry) => (entry ? (JSON.parse(entry) as TurnEntry) : []));
  }
}

function byName(one: { service: string }, other: { service: string }): number {
  return one.service < other.service ? -1 : 1;
}

function byTime(one: CompletedEntry, other: CompletedEntry): number {
  return one.at < other.at ? -1 : one.at > other.at ? 1 : 0;
}

/** What callers see of a summary. @param text what the session keeps, written by us alone */
function viewOf(text: string): NonNullable<SessionView["summary"]> {
  const { turns, text: said } = JSON.parse(text) as NonNullable<SessionView["summary"]>;
  return { turns, text: said };
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
