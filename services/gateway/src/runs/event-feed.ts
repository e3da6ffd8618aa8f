import { isRest, type StoredEvent, slices } from "../events/index.ts";
import type { Follower, RunRecord } from "../store/index.ts";
import type { LiveRun } from "./live-run.ts";

/** Events that go to a reader together. */
export type RunBatch = {
  readonly events: readonly StoredEvent[];
  /** Whether the run rests with the last of them: nothing follows in this feed. */
  readonly over: boolean;
  /** The log no longer holds what the reader asked for: the run as it stands takes its place. */
  readonly reset?: RunRecord;
};

export type FeedStart = {
  /** The last seq that the reader has. */
  after: number;
  /** The run's last seq when the reader came: the feed goes on past a pause up to there, since the run has gone on from it. */
  known?: number;
  /** Follows the run's log in the store; returns what stops it. */
  follow: (after: number, follower: Follower) => () => void;
};

/**
 * A feed that has this much for a reader takes no more from a live run, and goes on from the store at the reader's pace. With the batch
 * that is being written and what the stream buffers, a reader costs about 1 MiB at most.
 */
const HIGH_WATER_CHARACTERS = 192 * 1024;

const NOTHING = { done: true, value: undefined } as const;

/**
 * A run's events for one reader, in order and without a gap: live while this replica holds the run, from the store otherwise. An
 * iteration that ends before a batch is `over` was cut off: the store cannot be read, or the replica stops.
 */
export class EventFeed implements AsyncIterableIterator<RunBatch> {
  readonly #known: number;
  readonly #follow: FeedStart["follow"];
  #seq: number;
  #ready: StoredEvent[] = [];
  #characters = 0;
  #over = false;
  #closed = false;
  #stopSource: (() => void) | undefined;
  #deliver: ((result: IteratorResult<RunBatch, undefined>) => void) | undefined;
  /** Tells the source that the reader has taken what was there. */
  #taken: (() => void) | undefined;

  constructor({ after, known = 0, follow }: FeedStart) {
    this.#seq = after;
    this.#known = known;
    this.#follow = follow;
  }

  /** Reads on from a run that this replica holds. @param first events that are in the store, but not told live any more */
  fromLive(run: LiveRun, first: readonly StoredEvent[]): this {
    void this.#push(first);
    if (this.#over) return this;
    if (!run.isOpen || run.acknowledged > this.#seq) return this.fromStore();
    const leave = run.subscribe({
      events: (batch) => {
        for (const slice of slices(batch)) {
          const taken = this.#push(slice);
          if (this.#over) return;
          if (!taken) continue;
          leave();
          void taken.then(() => this.#goOnFromStore());
          return;
        }
      },
      lost: () => this.#goOnFromStore(),
    });
    this.#stopSource = leave;
    return this;
  }

  /** Reads on from the store. */
  fromStore(): this {
    this.#goOnFromStore();
    return this;
  }

  next(): Promise<IteratorResult<RunBatch, undefined>> {
    const events = this.#ready;
    if (events.length > 0) {
      this.#ready = [];
      this.#characters = 0;
      this.#taken?.();
      this.#taken = undefined;
      return Promise.resolve({ done: false, value: { events, over: this.#over } });
    }
    if (this.#over || this.#closed) return Promise.resolve(NOTHING);
    return new Promise((resolve) => {
      this.#deliver = resolve;
    });
  }

  /** Ends the feed: the reader is gone. */
  return(): Promise<IteratorResult<RunBatch, undefined>> {
    this.close();
    return Promise.resolve(NOTHING);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ready = [];
    this.#stop();
    this.#deliver?.(NOTHING);
    this.#deliver = undefined;
    this.#taken?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #goOnFromStore(): void {
    if (this.#closed || this.#over) return;
    this.#stopSource = this.#follow(this.#seq, {
      events: (batch) => this.#push(batch),
      failed: () => this.#cutOff(),
    });
  }

  /** Lets the reader take what is there; nothing follows. */
  #cutOff(): void {
    if (this.#ready.length === 0) this.close();
    else this.#closed = true;
  }

  /** @returns a promise where the reader is behind; it resolves when the reader has taken everything */
  #push(batch: readonly StoredEvent[]): Promise<void> | undefined {
    const last = batch.at(-1);
    if (this.#closed || this.#over || !last || last.seq <= this.#seq) return undefined;
    const events = batch[0] && batch[0].seq > this.#seq ? batch : batch.filter(({ seq }) => seq > this.#seq);
    this.#seq = last.seq;
    this.#over = isRest(last) && last.seq >= this.#known;
    if (this.#over) this.#stop();
    if (this.#deliver) {
      const deliver = this.#deliver;
      this.#deliver = undefined;
      deliver({ done: false, value: { events, over: this.#over } });
      return undefined;
    }
    this.#ready.push(...events);
    for (const { json } of events) this.#characters += json.length;
    if (this.#characters < HIGH_WATER_CHARACTERS) return undefined;
    return new Promise((resolve) => {
      this.#taken = resolve;
    });
  }

  #stop(): void {
    this.#stopSource?.();
    this.#stopSource = undefined;
  }
}
