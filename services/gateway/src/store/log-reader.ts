import type { Redis } from "ioredis";
import { END_TYPES, type StoredEvent, unpackEvents } from "../runs/events.ts";
import { BLOCK_MS } from "./redis.ts";

export type Follower = {
  /** Events in order, without a gap, from the one after `after`. */
  events(batch: readonly StoredEvent[]): void;
};

type Entry = Follower & { after: number };
type Watch = { key: string; cursor: number; followers: Set<Entry> };

const PAGE = 64;

/**
 * Follows run logs for any number of readers over one blocking connection: a reader first catches up by range reads, then joins the
 * shared tail where it is neither behind nor ahead.
 */
export class LogReader {
  readonly #commands: Redis;
  readonly #blocking: Redis;
  readonly #watches = new Map<string, Watch>();
  #loop: Promise<void> | undefined;
  #blockedAs: number | undefined;
  /** Counts changes of the watches that the read under way, which began at `#reading`, may not know. */
  #changes = 0;
  #reading = 0;
  #closed = false;

  constructor(commands: Redis, blocking: Redis) {
    this.#commands = commands;
    this.#blocking = blocking;
  }

  /**
   * Reads what the log holds after `after`.
   * @returns all of it, oldest first; at most `limit` log entries
   */
  async read(key: string, after: number, limit = PAGE): Promise<StoredEvent[]> {
    const entries = await this.#commands.xrange(key, `${after + 1}-0`, "+", "COUNT", limit);
    return entries.flatMap(([id, fields]) => unpack(id, fields)).filter((event) => event.seq > after);
  }

  /** The seq before the first event that the log still holds, or undefined where there is no log. */
  async firstHeld(key: string): Promise<number | undefined> {
    const [entry] = await this.#commands.xrange(key, "-", "+", "COUNT", 1);
    const first = entry && unpack(entry[0], entry[1])[0];
    return first?.seq;
  }

  /** Delivers everything after `after`, then whatever comes, until `signal` fires or the run's end was delivered. */
  async follow(key: string, after: number, follower: Follower, signal: AbortSignal): Promise<void> {
    const entry: Entry = { after, events: follower.events };
    const leave = () => this.#leave(key, entry);
    signal.addEventListener("abort", leave, { once: true });
    while (!signal.aborted && !this.#closed) {
      const watch = this.#watches.get(key);
      if (watch ? entry.after >= watch.cursor : false) break;
      const batch = await this.read(key, entry.after);
      if (signal.aborted) return;
      if (deliver(entry, batch)) return;
      if (batch.length === 0) break;
    }
    if (signal.aborted || this.#closed) return;
    this.#join(key, entry);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watches.clear();
    this.#blocking.disconnect();
    await this.#loop;
  }

  #join(key: string, entry: Entry): void {
    const watch = this.#watches.get(key);
    if (watch) {
      // Events that the shared tail has passed meanwhile are read again: `deliver` drops what this reader has.
      watch.cursor = Math.min(watch.cursor, entry.after);
      watch.followers.add(entry);
    } else this.#watches.set(key, { key, cursor: entry.after, followers: new Set([entry]) });
    this.#changes++;
    this.#loop ??= this.#tail().finally(() => {
      this.#loop = undefined;
    });
    void this.#wake();
  }

  #leave(key: string, entry: Entry): void {
    const watch = this.#watches.get(key);
    if (!watch) return;
    watch.followers.delete(entry);
    if (watch.followers.size === 0) this.#watches.delete(key);
  }

  /** A blocked read does not see streams that came after it: end it, so that the next one does. */
  async #wake(): Promise<void> {
    // Asked for again until it is seen: the read may be on its way still, on a connection that this one has overtaken.
    while (this.#blockedAs !== undefined && this.#reading !== this.#changes && !this.#closed) {
      const ended = await this.#commands.client("UNBLOCK", this.#blockedAs).catch(() => 0);
      if (ended === 1) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #tail(): Promise<void> {
    while (this.#watches.size > 0 && !this.#closed) {
      try {
        const id = await this.#blocking.client("ID");
        while (this.#watches.size > 0 && !this.#closed) {
          this.#reading = this.#changes;
          const watches = [...this.#watches.values()];
          const keys = watches.map((watch) => watch.key);
          const cursors = watches.map((watch) => `${watch.cursor}-0`);
          this.#blockedAs = id;
          const answer: unknown = await this.#blocking.call(
            "XREAD",
            "COUNT",
            PAGE,
            "BLOCK",
            BLOCK_MS,
            "STREAMS",
            ...keys,
            ...cursors,
          );
          this.#blockedAs = undefined;
          for (const [key, entries] of streamsOf(answer)) this.#distribute(key, entries);
        }
      } catch {
        // The connection is down; the library reconnects, and cursors say where to go on.
        this.#blockedAs = undefined;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  #distribute(key: string, entries: readonly [string, string[]][]): void {
    const watch = this.#watches.get(key);
    if (!watch) return;
    for (const [id, fields] of entries) {
      const batch = unpack(id, fields);
      const last = batch.at(-1);
      if (!last) continue;
      for (const entry of watch.followers) {
        if (deliver(entry, batch)) this.#leave(key, entry);
      }
      if (watch.followers.size === 0) return;
      // From the one who is behind: somebody may have joined below where the read under way began, and not have this batch.
      watch.cursor = Math.min(...[...watch.followers].map((entry) => entry.after));
    }
  }
}

/**
 * Passes on what the reader does not have yet. A batch that does not follow on what it has is left for a read that begins there.
 * @returns whether the run's end was delivered
 */
function deliver(entry: Entry, batch: readonly StoredEvent[]): boolean {
  const fresh = batch.filter((event) => event.seq > entry.after);
  const last = fresh.at(-1);
  if (!last || fresh[0]?.seq !== entry.after + 1) return false;
  entry.after = last.seq;
  entry.events(fresh);
  return END_TYPES.has(last.type);
}

function unpack(id: string, fields: readonly string[]): StoredEvent[] {
  const packed = fields[1];
  return packed === undefined ? [] : unpackEvents(Number.parseInt(id, 10), packed);
}

/** XREAD answers a map under RESP3 (which the library gives as a flat or nested list) and pairs under RESP2. */
function streamsOf(answer: unknown): [string, [string, string[]][]][] {
  if (answer === null || typeof answer !== "object") return [];
  if (!Array.isArray(answer)) return Object.entries(answer);
  if (answer.length > 0 && typeof answer[0] === "string") {
    const pairs: [string, [string, string[]][]][] = [];
    for (let at = 0; at + 1 < answer.length; at += 2) pairs.push([answer[at], answer[at + 1]]);
    return pairs;
  }
  return answer;
}
