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

/** A reader that gets events by callback. */
export type FeedSink = {
  /** @returns back-pressure: where it is a promise, nothing more is delivered until it resolves */
  batch(batch: RunBatch): Promise<void> | undefined;
  /** Called when delivery ends before the run rests: the store cannot be read, or the replica stops. */
  cutOff(): void;
};

export type FeedOptions = {
  /** The last seq that the reader has. */
  after: number;
  /** The run's last seq when the reader came: the feed goes on past a pause up to there, since the run has gone on from it. */
  known: number;
  /** Follows the run's log in the store; returns what stops it. */
  follow: (after: number, follower: Follower) => () => void;
  /** If this replica holds the run: the run, and those of its events that are already stored. */
  live?: { run: LiveRun; first: readonly StoredEvent[] } | undefined;
  /** Where the log no longer holds what the reader asked for. */
  reset?: RunBatch | undefined;
};

/** An iterator keeps this much for a reader that is behind; then it applies back-pressure. */
const HIGH_WATER_CHARACTERS = 192 * 1024;

/**
 * A run's events for one reader, in order and without a gap: live while this replica holds the run, from the store otherwise, at the
 * reader's pace. A reader either passes a sink, or iterates.
 */
export class EventFeed implements AsyncIterable<RunBatch> {
  readonly #options: FeedOptions;
  #seq: number;
  #sink: FeedSink | undefined;
  #stopSource: (() => void) | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#seq = options.after;
  }

  /** Starts to deliver. Once a batch is `over`, or after `cutOff`, nothing follows. */
  to(sink: FeedSink): void {
    const { live, reset } = this.#options;
    this.#sink = sink;
    if (reset) {
      this.close();
      void sink.batch(reset);
    } else if (live) {
      // The run is followed live by the first reader alone; its first events need not be kept any longer.
      this.#options.live = undefined;
      void this.#push(live.first);
      this.#fromLive(live.run);
    } else this.#fromStore();
  }

  /** Stops delivering: the reader is gone. */
  close(): void {
    this.#sink = undefined;
    this.#stopSource?.();
    this.#stopSource = undefined;
  }

  /** An iteration that ends before a batch is `over` was cut off. */
  async *[Symbol.asyncIterator](): AsyncGenerator<RunBatch, undefined> {
    const ready: RunBatch[] = [];
    let characters = 0;
    let ended = false;
    let changed = Promise.withResolvers<void>();
    let taken: PromiseWithResolvers<void> | undefined;
    this.to({
      batch: (batch) => {
        ready.push(batch);
        ended = batch.over;
        for (const { json } of batch.events) characters += json.length;
        changed.resolve();
        if (characters < HIGH_WATER_CHARACTERS) return undefined;
        taken ??= Promise.withResolvers();
        return taken.promise;
      },
      cutOff: () => {
        ended = true;
        changed.resolve();
      },
    });
    try {
      for (;;) {
        changed = Promise.withResolvers();
        yield* ready.splice(0);
        characters = 0;
        taken?.resolve();
        taken = undefined;
        if (ready.length > 0) continue;
        if (ended) return undefined;
        await changed.promise;
      }
    } finally {
      this.close();
    }
  }

  #fromLive(run: LiveRun): void {
    if (!this.#sink) return;
    if (!run.isOpen || run.acknowledged > this.#seq) {
      this.#fromStore();
      return;
    }
    const leave = run.subscribe({
      events: (batch) => {
        // In slices, so that a reader that is behind costs little whatever the run writes at once.
        for (const slice of batch.length === 1 ? [batch] : slices(batch)) {
          const taken = this.#push(slice);
          if (!taken) continue;
          leave();
          void taken.then(() => this.#fromStore());
          return;
        }
      },
      lost: () => this.#fromStore(),
    });
    this.#stopSource = leave;
  }

  #fromStore(): void {
    if (!this.#sink) return;
    this.#stopSource = this.#options.follow(this.#seq, {
      events: (batch) => this.#push(batch),
      failed: () => {
        const sink = this.#sink;
        this.close();
        sink?.cutOff();
      },
    });
  }

  #push(batch: readonly StoredEvent[]): Promise<void> | undefined {
    const sink = this.#sink;
    const last = batch.at(-1);
    if (!sink || !last || last.seq <= this.#seq) return undefined;
    const events = batch[0] && batch[0].seq > this.#seq ? batch : batch.filter(({ seq }) => seq > this.#seq);
    this.#seq = last.seq;
    const over = isRest(last) && last.seq >= this.#options.known;
    if (over) this.close();
    const taken = sink.batch({ events, over });
    return over ? undefined : taken;
  }
}
