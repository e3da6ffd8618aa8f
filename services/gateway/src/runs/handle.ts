import type { Caller } from "../caller.ts";
import { decodeEvent, type RunEvent, type StoredEvent } from "../events/index.ts";
import { keysOf, type LogReader, type RunRecord, type RunState } from "../store/index.ts";
import { EventFeed, type RunBatch } from "./event-feed.ts";
import type { LiveRun } from "./live-run.ts";

export type RunHandleOptions = {
  id: string;
  sessionId: string;
  caller: Caller;
  reader: LogReader;
  cancel: () => Promise<RunState>;
  /** Where this replica has just begun the run: the run, and those of its events that the store has. */
  live?: { run: LiveRun; first: readonly StoredEvent[] };
  /** Where the run was there before. */
  record?: RunRecord;
  replayed?: boolean;
};

/** A run for whoever started or opened it, wherever it is: executed here, elsewhere, waiting in the queue, or over. */
export class RunHandle {
  readonly id: string;
  readonly sessionId: string;
  /** Whether an Idempotency-Key led to a run that an earlier request had started. */
  readonly replayed: boolean;
  /** The run as it was when it was opened; undefined for one that was just started. */
  readonly record: RunRecord | undefined;
  readonly #reader: LogReader;
  readonly #cancel: () => Promise<RunState>;
  readonly #key: string;
  #live: RunHandleOptions["live"];

  constructor(options: RunHandleOptions) {
    this.id = options.id;
    this.sessionId = options.sessionId;
    this.replayed = options.replayed ?? false;
    this.record = options.record;
    this.#reader = options.reader;
    this.#cancel = options.cancel;
    this.#live = options.live;
    this.#key = keysOf(options.caller.tenant).events(options.id);
  }

  /**
   * The run's events after `after`, up to where it rests. A reader whose events the log no longer holds gets the run's record and its
   * last event instead.
   * @throws GatewayError store_unavailable
   */
  async events(after = 0): Promise<EventFeed | AsyncIterableIterator<RunBatch>> {
    const { record } = this;
    const reader = this.#reader;
    // The first reader follows the run live; it also takes the run's first events with it, which nobody else needs to keep.
    const live = this.#live;
    this.#live = undefined;
    if (record?.terminal !== undefined) {
      const firstHeld = await reader.firstHeld(this.#key);
      if (firstHeld === undefined || after + 1 < firstHeld) return resetTo(record, record.terminal);
    }
    const feed = new EventFeed({
      after,
      known: record?.seq ?? 0,
      follow: (from, follower) => reader.follow(this.#key, from, follower),
    });
    return live ? feed.fromLive(live.run, live.first) : feed.fromStore();
  }

  /** The event with which the run comes to rest; undefined where it could not be followed that far. */
  async rest(signal?: AbortSignal): Promise<RunEvent | undefined> {
    const feed = await this.events();
    signal?.addEventListener("abort", () => void feed.return?.(), { once: true });
    if (signal?.aborted) return undefined;
    for await (const { events, over } of feed) {
      const last = events.at(-1);
      if (over && last) return decodeEvent(last.json);
    }
    return undefined;
  }

  /** The event with which a run that was opened had come to rest by then; undefined where it was under way. */
  async rested(): Promise<RunEvent | undefined> {
    const { record } = this;
    if (record?.terminal !== undefined) return decodeEvent(record.terminal);
    if (record?.state !== "paused") return undefined;
    const log = await this.#reader.read(this.#key, 0);
    const pause = log.findLast((event) => event.type === "run_paused");
    return pause && decodeEvent(pause.json);
  }

  /** Cancels the run, whoever holds it. @returns the state it is in afterwards */
  cancel(): Promise<RunState> {
    return this.#cancel();
  }
}

async function* resetTo(record: RunRecord, terminal: string): AsyncGenerator<RunBatch, undefined> {
  const { type } = decodeEvent(terminal);
  yield { reset: record, events: [{ seq: record.seq, type, json: terminal }], over: true };
  return undefined;
}
