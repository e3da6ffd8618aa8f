import { type StoredEvent, unpackEvents } from "../events/index.ts";
import { BLOCK_MS } from "./redis.ts";
import type { TailConnection, Tails } from "./tails.ts";

/** Entries of each log per read. The holder writes the next one only once an entry is acknowledged. */
const ENTRIES = 1;
/** How long a reader waits before it reads again from a store that was away (ms). */
export const RETRY_MS = 200;

/** A log that somebody follows, and the last seq that was read of it. */
export type Watch<F> = { readonly key: string; cursor: number; readonly followers: Set<F> };

/** The shared tail of the logs of one group: reads what is appended to any of them over one blocking connection. */
export class LogTail<F> {
  readonly #tails: Tails;
  readonly #onEvents: (watch: Watch<F>, batch: readonly StoredEvent[]) => void;
  readonly #onIdle: () => void;
  readonly #watches = new Map<string, Watch<F>>();
  #loop: Promise<void> | undefined;
  #connection: TailConnection | undefined;
  /** The blocking connection's id while it blocks. */
  #blockedAs: number | undefined;
  /** Blocking reads so far. */
  #reads = 0;
  #closed = false;

  /** @param onIdle called when nobody follows any log any more; the tail begins again with the next watch */
  constructor(
    tails: Tails,
    onEvents: (watch: Watch<F>, batch: readonly StoredEvent[]) => void,
    onIdle: () => void,
  ) {
    this.#tails = tails;
    this.#onEvents = onEvents;
    this.#onIdle = onIdle;
  }

  get(key: string): Watch<F> | undefined {
    return this.#watches.get(key);
  }

  /** Begins to watch a log after `cursor`. */
  begin(key: string, cursor: number, follower: F): void {
    this.#watches.set(key, { key, cursor, followers: new Set([follower]) });
    this.#loop ??= this.#tail(key);
    void this.#wake();
  }

  leave(key: string, follower: F): void {
    const watch = this.#watches.get(key);
    if (!watch?.followers.delete(follower)) return;
    if (watch.followers.size === 0) this.#watches.delete(key);
  }

  /** @returns those who followed */
  close(): { followers: F[]; closed: Promise<void> } {
    this.#closed = true;
    const followers = [...this.#watches.values()].flatMap((watch) => [...watch.followers]);
    this.#watches.clear();
    this.#connection?.blocking.disconnect();
    return { followers, closed: this.#loop ?? Promise.resolve() };
  }

  /** Ends the blocked read, so that the next one includes the log that was just added. */
  async #wake(): Promise<void> {
    const read = this.#reads;
    while (this.#blockedAs !== undefined && this.#reads === read) {
      // 0: the read was sent but does not block yet, or its connection is dead without anybody having noticed.
      const woken = await this.#connection?.beside.client("UNBLOCK", this.#blockedAs).catch(() => 1);
      if (woken !== 0) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #tail(key: string): Promise<void> {
    while (this.#watches.size > 0 && !this.#closed) {
      try {
        this.#connection = await this.#tails.open(key);
        const id = await this.#connection.blocking.client("ID");
        while (this.#watches.size > 0 && !this.#closed) await this.#read(this.#connection, id);
      } catch {
        // The connection is down, or the logs lie on another node. The cursors say where to continue.
        this.#blockedAs = undefined;
        this.#connection?.close(true);
        this.#connection = undefined;
        if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.#connection?.close(false);
    this.#connection = undefined;
    // No await between the loop's condition and this line: whoever joins next starts a new loop.
    this.#loop = undefined;
    this.#onIdle();
  }

  async #read({ blocking }: TailConnection, id: number): Promise<void> {
    const watches = [...this.#watches.values()];
    const keys = watches.map((watch) => watch.key);
    const cursors = watches.map((watch) => `${watch.cursor}-0`);
    this.#blockedAs = id;
    this.#reads++;
    const block = ["COUNT", ENTRIES, "BLOCK", BLOCK_MS, "STREAMS"] as const;
    const answer: unknown = await blocking.call("XREAD", ...block, ...keys, ...cursors);
    this.#blockedAs = undefined;
    for (const [key, entries] of streamsOf(answer)) {
      const batch = entries.flatMap(([entryId, fields]) => unpack(entryId, fields));
      const watch = this.#watches.get(key);
      const last = batch.at(-1);
      if (!watch || !last) continue;
      // A reader that joined while the read was under way may already be ahead of it.
      watch.cursor = Math.max(watch.cursor, last.seq);
      this.#onEvents(watch, batch);
    }
  }
}

/** Unpacks a log entry. */
export function unpack(id: string, fields: readonly string[]): StoredEvent[] {
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
