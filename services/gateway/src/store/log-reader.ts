import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { END_TYPES, type StoredEvent, slices } from "../events/index.ts";
import { LARGE_TEXT } from "../json-text.ts";
import { LogTail, RETRY_MS, unpack, type Watch } from "./log-tail.ts";
import { guarded, toStoreError } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script, words } from "./script.ts";
import type { Tails } from "./tails.ts";

export type Follower = {
  /**
   * Takes events in order and without a gap.
   * @returns back-pressure: where it is a promise, nothing is delivered until it resolves
   */
  events(batch: readonly StoredEvent[]): Promise<void> | undefined;
  /** The log cannot be read, or the replica stops: nothing more is delivered. A store that is away is waited for. */
  failed(): void;
};

type Entry = {
  readonly key: string;
  after: number;
  readonly follower: Follower;
  left: boolean;
};
type Page = { events: StoredEvent[]; more: boolean };

/** Bytes per read of one reader. A single entry, which holds the events of one write, may be larger. */
const PAGE_BYTES = 256 * 1024;
/** Entries per read of one reader, so that the read itself stays short. */
const PAGE_ENTRIES = 128;

/**
 * Follows run logs for any number of readers over one blocking connection, or, in a cluster, one a tenant. A reader first catches up by
 * range reads at its own pace, then joins the shared tail. A reader that cannot keep up with the tail leaves it and catches up again.
 */
export class LogReader {
  readonly #commands: RedisClient;
  readonly #connections: Tails;
  readonly #read = new Script("page");
  /** By group. */
  readonly #tails = new Map<string, LogTail<Entry>>();
  #closed = false;

  constructor(commands: RedisClient, connections: Tails) {
    this.#commands = commands;
    this.#connections = connections;
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
    const closing = [...this.#tails.values()].map((tail) => tail.close());
    for (const { followers } of closing) for (const { follower } of followers) follower.failed();
    await Promise.all(closing.map(({ closed }) => closed));
  }

  async #page(key: string, after: number): Promise<Page> {
    const answer = words(
      await this.#read.run(this.#commands, [key], [`${after + 1}-0`, PAGE_BYTES, PAGE_ENTRIES]),
    );
    const entries = words(answer[0]).map(words);
    const packed = entries.map(([id, fields]) => ({ id: String(id), fields: words(fields).map(String) }));
    // What was read has just been decoded, is unpacked here, and its reader encodes it: a large entry has a turn of the event loop for each.
    const isLarge = packed.some(({ fields }) => fields.some((field) => field.length > LARGE_TEXT));
    if (isLarge) await nextTurn();
    const events = packed.flatMap(({ id, fields }) => unpack(id, fields));
    if (isLarge) await nextTurn();
    return { events: events.filter((event) => event.seq > after), more: answer[1] === 1 };
  }

  #catchUpOrFail(entry: Entry): void {
    this.#catchUp(entry).catch(() => {
      if (!entry.left) entry.follower.failed();
    });
  }

  async #catchUp(entry: Entry): Promise<void> {
    while (!entry.left && !this.#join(entry)) {
      const page = await this.#pageOnceThere(entry);
      if (!page || entry.left) return;
      const { events } = page;
      if (events.length === 0 && this.#join(entry, true)) return;
      const { taken, over, busy } = deliver(entry, events);
      if (!taken && events.length > 0) throw new Error("the log no longer holds the reader's next event");
      if (over) return;
      await busy;
    }
  }

  /** Like the tail, a reader that catches up waits for a store that is away. @returns undefined where the reader has left meanwhile */
  async #pageOnceThere(entry: Entry): Promise<Page | undefined> {
    while (!entry.left) {
      try {
        return await this.#page(entry.key, entry.after);
      } catch (error) {
        if (this.#closed || toStoreError(error).code !== "store_unavailable") throw error;
        await sleep(RETRY_MS);
      }
    }
    return undefined;
  }

  /**
   * Joins the shared tail of the log, where the reader is not behind it.
   * @param caughtUp whether the reader has just read the log to its end, so that it may begin a tail
   */
  #join(entry: Entry, caughtUp = false): boolean {
    if (this.#closed) throw new Error("the reader is closed");
    const { key, after } = entry;
    const watch = this.#tails.get(this.#connections.groupOf(key))?.get(key);
    if (watch) {
      if (after < watch.cursor) return false;
      watch.followers.add(entry);
      return true;
    }
    if (!caughtUp) return false;
    this.#tailOf(key).begin(key, after, entry);
    return true;
  }

  #tailOf(key: string): LogTail<Entry> {
    const group = this.#connections.groupOf(key);
    const known = this.#tails.get(group);
    if (known) return known;
    const tail = new LogTail<Entry>(
      this.#connections,
      (watch, batch) => this.#distribute(watch, batch),
      () => this.#tails.delete(group),
    );
    this.#tails.set(group, tail);
    return tail;
  }

  #leaveTail(entry: Entry): void {
    this.#tails.get(this.#connections.groupOf(entry.key))?.leave(entry.key, entry);
  }

  #distribute({ followers }: Watch<Entry>, batch: readonly StoredEvent[]): void {
    const lastSeq = batch.at(-1)?.seq ?? 0;
    for (const entry of followers) {
      const { taken, over, busy } = deliver(entry, batch);
      if (over) this.#leaveTail(entry);
      else if (busy || (!taken && entry.after < lastSeq)) this.#fallBack(entry, busy);
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
