import type { Redis } from "ioredis";
import { END_TYPES, type StoredEvent, unpackEvents } from "../runs/events.ts";
import { BLOCK_MS } from "./redis.ts";

export type Follower = {
  /**
   * Takes events in order, without a gap, from the one after `after`.
   * @returns a promise where no more can be taken now; what follows is kept back until it resolves
   */
  events(batch: readonly StoredEvent[]): Promise<void> | undefined;
  /** The store could not be read, or is not read any more: nothing will follow. Only after `follow` has resolved. */
  failed?(): void;
};

type Entry = {
  readonly key: string;
  after: number;
  readonly follower: Follower;
  readonly signal: AbortSignal;
};
type Watch = { readonly key: string; cursor: number; readonly followers: Set<Entry> };
type Page = { events: StoredEvent[]; more: boolean };

/** Log entries that are read at once; each holds what one write held. */
const PAGE = 32;

/**
 * Follows run logs for any number of readers over one blocking connection: a reader first catches up by range reads, at its own pace,
 * then joins the shared tail. One that the tail has passed, or that cannot keep up with it, catches up again.
 */
export class LogReader {
  readonly #commands: Redis;
  readonly #blocking: Redis;
  readonly #watches = new Map<string, Watch>();
  #loop: Promise<void> | undefined;
  /** The blocking connection's id while it blocks. */
  #blockedAs: number | undefined;
  /** Blocking reads so far. */
  #reads = 0;
  #closed = false;

  constructor(commands: Redis, blocking: Redis) {
    this.#commands = commands;
    this.#blocking = blocking;
  }

  /** Reads all that the log holds after `after`, oldest first. */
  async read(key: string, after: number): Promise<StoredEvent[]> {
    const all: StoredEvent[] = [];
    for (let more = true; more; ) {
      const page = await this.#page(key, all.at(-1)?.seq ?? after);
      all.push(...page.events);
      more = page.more;
    }
    return all;
  }

  /** The seq of the first event that the log still holds, or undefined where there is no log. */
  async firstHeld(key: string): Promise<number | undefined> {
    const [entry] = await this.#commands.xrange(key, "-", "+", "COUNT", 1);
    const first = entry && unpack(entry[0], entry[1])[0];
    return first?.seq;
  }

  /**
   * Delivers everything after `after`, then whatever comes, until `signal` fires or the run's end was delivered. Resolves when the
   * reader has caught up.
   */
  async follow(key: string, after: number, follower: Follower, signal: AbortSignal): Promise<void> {
    const entry: Entry = { key, after, follower, signal };
    signal.addEventListener("abort", () => this.#leave(entry), { once: true });
    await this.#catchUp(entry);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const followers = [...this.#watches.values()].flatMap((watch) => [...watch.followers]);
    this.#watches.clear();
    for (const { follower } of followers) follower.failed?.();
    this.#blocking.disconnect();
    await this.#loop;
  }

  async #page(key: string, after: number): Promise<Page> {
    const entries = await this.#commands.xrange(key, `${after + 1}-0`, "+", "COUNT", PAGE + 1);
    const more = entries.length > PAGE;
    const events = entries.slice(0, PAGE).flatMap(([id, fields]) => unpack(id, fields));
    return { events: events.filter((event) => event.seq > after), more };
  }

  async #catchUp(entry: Entry): Promise<void> {
    const { signal } = entry;
    while (!signal.aborted && !this.#join(entry)) {
      const { events } = await this.#page(entry.key, entry.after);
      if (signal.aborted) return;
      if (events.length === 0 && this.#join(entry, true)) return;
      const { taken, over, busy } = deliver(entry, events);
      // Events that are no longer held must not be skipped in silence.
      if (!taken && events.length > 0) throw new Error("the log has a gap");
      if (over) return;
      await busy;
    }
  }

  /**
   * Joins the shared tail where the reader is not behind it.
   * @param caughtUp whether the log was just read to its end: then the reader may begin a tail
   */
  #join(entry: Entry, caughtUp = false): boolean {
    if (this.#closed) throw new Error("the log is not read any more");
    const { key, after } = entry;
    const watch = this.#watches.get(key);
    if (watch) {
      if (after < watch.cursor) return false;
      watch.followers.add(entry);
      return true;
    }
    if (!caughtUp) return false;
    this.#watches.set(key, { key, cursor: after, followers: new Set([entry]) });
    this.#loop ??= this.#tail();
    void this.#wake();
    return true;
  }

  #leave(entry: Entry): void {
    const watch = this.#watches.get(entry.key);
    if (!watch?.followers.delete(entry)) return;
    if (watch.followers.size === 0) this.#watches.delete(entry.key);
  }

  /** A blocked read does not see streams that came after it: end it, so that the next one does. */
  async #wake(): Promise<void> {
    const read = this.#reads;
    while (this.#blockedAs !== undefined && this.#reads === read) {
      // 0: the read was sent, but does not block yet; or its connection is dead, and nobody knows so far.
      const woken = await this.#commands.client("UNBLOCK", this.#blockedAs).catch(() => 1);
      if (woken === 1) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #tail(): Promise<void> {
    while (this.#watches.size > 0 && !this.#closed) {
      try {
        const id = await this.#blocking.client("ID");
        while (this.#watches.size > 0 && !this.#closed) await this.#readTail(id);
      } catch {
        // The connection is down; the library reconnects, and cursors say where to go on.
        this.#blockedAs = undefined;
        if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    // In the same turn as the look at the watches: whoever joins next begins a new loop.
    this.#loop = undefined;
  }

  async #readTail(id: number): Promise<void> {
    const watches = [...this.#watches.values()];
    const keys = watches.map((watch) => watch.key);
    const cursors = watches.map((watch) => `${watch.cursor}-0`);
    this.#blockedAs = id;
    this.#reads++;
    const block = ["COUNT", PAGE, "BLOCK", BLOCK_MS, "STREAMS"] as const;
    const answer: unknown = await this.#blocking.call("XREAD", ...block, ...keys, ...cursors);
    this.#blockedAs = undefined;
    for (const [key, entries] of streamsOf(answer)) {
      this.#distribute(
        key,
        entries.flatMap(([entryId, fields]) => unpack(entryId, fields)),
      );
    }
  }

  #distribute(key: string, batch: readonly StoredEvent[]): void {
    const watch = this.#watches.get(key);
    const last = batch.at(-1);
    if (!watch || !last) return;
    // Whoever joined while the read was under way may be ahead of it, or stand where another tail began.
    watch.cursor = Math.max(watch.cursor, last.seq);
    for (const entry of watch.followers) {
      const { taken, over, busy } = deliver(entry, batch);
      if (over) this.#leave(entry);
      else if (busy || (!taken && entry.after < last.seq)) this.#fallBack(entry, busy);
    }
  }

  /** Takes a reader off the tail until it can take more, and lets it catch up from where it stands. */
  #fallBack(entry: Entry, busy: Promise<void> | undefined): void {
    this.#leave(entry);
    Promise.resolve(busy)
      .then(() => this.#catchUp(entry))
      .catch(() => entry.follower.failed?.());
  }
}

/** Hands over what the reader does not have yet, where it follows on without a gap. */
function deliver(
  entry: Entry,
  batch: readonly StoredEvent[],
): { taken: boolean; over: boolean; busy?: Promise<void> | undefined } {
  const fresh = batch.filter((event) => event.seq > entry.after);
  const last = fresh.at(-1);
  if (!last || fresh[0]?.seq !== entry.after + 1) return { taken: false, over: false };
  entry.after = last.seq;
  const busy = entry.follower.events(fresh);
  return { taken: true, over: END_TYPES.has(last.type), busy };
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
