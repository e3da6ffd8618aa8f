import type { Redis } from "ioredis";
import { END_TYPES, type StoredEvent, slices, unpackEvents } from "../events/index.ts";
import { BLOCK_MS, guarded } from "./redis.ts";
import { Script, words } from "./script.ts";

export type Follower = {
  /**
   * Takes events in order and without a gap.
   * @returns back-pressure: where it is a promise, nothing is delivered until it resolves
   */
  events(batch: readonly StoredEvent[]): Promise<void> | undefined;
  /** The store cannot be read, or the replica stops: nothing more is delivered. */
  failed(): void;
};

type Entry = {
  readonly key: string;
  after: number;
  readonly follower: Follower;
  left: boolean;
};
type Watch = { readonly key: string; cursor: number; readonly followers: Set<Entry> };
type Page = { events: StoredEvent[]; more: boolean };

/** Bytes per read of one reader. A single entry, which holds the events of one write, may be larger. */
const PAGE_BYTES = 256 * 1024;
/** Entries per read of one reader, so that the read itself stays short. */
const PAGE_ENTRIES = 128;
/** Entries of each log per read of the shared tail. Its holder writes the next one only once an entry is acknowledged. */
const TAIL_ENTRIES = 1;

/**
 * Follows run logs for any number of readers over one blocking connection. A reader first catches up by range reads at its own pace,
 * then joins the shared tail. A reader that cannot keep up with the tail leaves it and catches up again.
 */
export class LogReader {
  readonly #commands: Redis;
  readonly #blocking: Redis;
  readonly #read = new Script("page");
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

  /** Reads all that the log holds after `after`, oldest first. @throws GatewayError store_unavailable */
  async read(key: string, after: number): Promise<StoredEvent[]> {
    const all: StoredEvent[] = [];
    for (let more = true; more; ) {
      const page = await guarded(() => this.#page(key, all.at(-1)?.seq ?? after));
      all.push(...page.events);
      more = page.more;
    }
    return all;
  }

  /** The seq of the first event that the log still holds, or undefined where there is no log. @throws GatewayError store_unavailable */
  async firstHeld(key: string): Promise<number | undefined> {
    const [entry] = await guarded(() => this.#commands.xrange(key, "-", "+", "COUNT", 1));
    const first = entry && unpack(entry[0], entry[1])[0];
    return first?.seq;
  }

  /**
   * Delivers everything after `after`, then whatever comes, until the run's end was delivered.
   * @returns stops the delivery
   */
  follow(key: string, after: number, follower: Follower): () => void {
    const entry: Entry = { key, after, follower, left: false };
    this.#catchUpOrFail(entry);
    return () => {
      entry.left = true;
      this.#leaveTail(entry);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const followers = [...this.#watches.values()].flatMap((watch) => [...watch.followers]);
    this.#watches.clear();
    for (const { follower } of followers) follower.failed();
    this.#blocking.disconnect();
    await this.#loop;
  }

  async #page(key: string, after: number): Promise<Page> {
    const answer = words(
      await this.#read.run(this.#commands, [key], [`${after + 1}-0`, PAGE_BYTES, PAGE_ENTRIES]),
    );
    const entries = words(answer[0]).map(words);
    const events = entries.flatMap(([id, fields]) => unpack(String(id), words(fields).map(String)));
    return { events: events.filter((event) => event.seq > after), more: answer[1] === 1 };
  }

  #catchUpOrFail(entry: Entry): void {
    this.#catchUp(entry).catch(() => {
      if (!entry.left) entry.follower.failed();
    });
  }

  async #catchUp(entry: Entry): Promise<void> {
    while (!entry.left && !this.#join(entry)) {
      const { events } = await this.#page(entry.key, entry.after);
      if (entry.left) return;
      if (events.length === 0 && this.#join(entry, true)) return;
      const { taken, over, busy } = deliver(entry, events);
      if (!taken && events.length > 0) throw new Error("the log no longer holds the reader's next event");
      if (over) return;
      await busy;
    }
  }

  /**
   * Joins the shared tail of the log, where the reader is not behind it.
   * @param caughtUp whether the reader has just read the log to its end, so that it may begin a tail
   */
  #join(entry: Entry, caughtUp = false): boolean {
    if (this.#closed) throw new Error("the reader is closed");
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

  #leaveTail(entry: Entry): void {
    const watch = this.#watches.get(entry.key);
    if (!watch?.followers.delete(entry)) return;
    if (watch.followers.size === 0) this.#watches.delete(entry.key);
  }

  /** Ends the blocked read, so that the next one includes the log that was just added. */
  async #wake(): Promise<void> {
    const read = this.#reads;
    while (this.#blockedAs !== undefined && this.#reads === read) {
      // 0: the read was sent but does not block yet, or its connection is dead without anybody having noticed.
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
        // The connection is down. The client library reconnects, and the cursors say where to continue.
        this.#blockedAs = undefined;
        if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    // No await between the loop's condition and this line: whoever joins next starts a new loop.
    this.#loop = undefined;
  }

  async #readTail(id: number): Promise<void> {
    const watches = [...this.#watches.values()];
    const keys = watches.map((watch) => watch.key);
    const cursors = watches.map((watch) => `${watch.cursor}-0`);
    this.#blockedAs = id;
    this.#reads++;
    const block = ["COUNT", TAIL_ENTRIES, "BLOCK", BLOCK_MS, "STREAMS"] as const;
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
    // A reader that joined while the read was under way may already be ahead of it.
    watch.cursor = Math.max(watch.cursor, last.seq);
    for (const entry of watch.followers) {
      const { taken, over, busy } = deliver(entry, batch);
      if (over) this.#leaveTail(entry);
      else if (busy || (!taken && entry.after < last.seq)) this.#fallBack(entry, busy);
    }
  }

  /** Takes a reader off the tail until it can take more; then it catches up from its own position. */
  #fallBack(entry: Entry, busy: Promise<void> | undefined): void {
    this.#leaveTail(entry);
    void Promise.resolve(busy).then(() => this.#catchUpOrFail(entry));
  }
}

/**
 * Delivers the events that the reader does not have yet: until it can take no more, and nothing where they leave a gap.
 */
function deliver(
  entry: Entry,
  batch: readonly StoredEvent[],
): { taken: boolean; over: boolean; busy?: Promise<void> | undefined } {
  const fresh = batch.filter((event) => event.seq > entry.after);
  if (fresh[0]?.seq !== entry.after + 1) return { taken: false, over: false };
  let over = false;
  for (const slice of slices(fresh)) {
    const last = slice.at(-1);
    if (!last) break;
    entry.after = last.seq;
    over = END_TYPES.has(last.type);
    const busy = entry.follower.events(slice);
    if (busy) return { taken: true, over, busy };
  }
  return { taken: true, over };
}

function unpack(id: string, fields: readonly string[]): StoredEvent[] {
  const packed = fields[1];
  return packed === undefined ? [] : unpackEvents(Number.parseInt(id, 10), packed);
}

/** XREAD answers a map under RESP3, which the client library gives as a flat or nested list, and pairs under RESP2. */
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
