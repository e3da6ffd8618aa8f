import type { Caller } from "../caller.ts";
import { decodeEvent, type RunEvent } from "../events/index.ts";
import { keysOf, type LogReader, type RunRecord, type RunState } from "../store/index.ts";
import { EventFeed, type FeedOptions, type RunBatch } from "./event-feed.ts";

export type RunHandleOptions = {
  id: string;
  sessionId: string;
  caller: Caller;
  reader: LogReader;
  cancel: () => Promise<RunState>;
  /** Set if this replica has just started the run. */
  live?: FeedOptions["live"];
  /** Set if the run existed before. */
  record?: RunRecord;
  replayed?: boolean;
  /** The caller's own name for the conversation. */
  conversationId?: string | undefined;
};

/** A run as its caller sees it, whether it is executed here or elsewhere, queued, or over. */
export class RunHandle {
  readonly id: string;
  readonly sessionId: string;
  /** Whether an Idempotency-Key led to a run that an earlier request had started. */
  readonly replayed: boolean;
  /** The run as it was when it was opened; undefined for one that was just started. */
  readonly record: RunRecord | undefined;
  /** The caller's own name for the conversation. */
  readonly conversationId: string | undefined;
  readonly #reader: LogReader;
  readonly #cancel: () => Promise<RunState>;
  readonly #key: string;
  #live: FeedOptions["live"];

  constructor(options: RunHandleOptions) {
    this.id = options.id;
    this.sessionId = options.sessionId;
    this.replayed = options.replayed ?? false;
    this.record = options.record;
    this.conversationId = options.conversationId ?? options.record?.order.conversationId;
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
  async events(after = 0): Promise<EventFeed> {
    const live = this.#live;
    this.#live = undefined;
    return new EventFeed({
      after,
      known: this.record?.seq ?? 0,
      follow: (from, follower) => this.#reader.follow(this.#key, from, follower),
      live,
      reset: this.record?.terminal === undefined ? undefined : await this.#resetFor(after),
    });
  }

  /** The event with which the run comes to rest; undefined where it could not be followed that far. */
  async rest(): Promise<RunEvent | undefined> {
    const feed = await this.events();
    return await new Promise((resolve) => {
      feed.to({
        batch: ({ events, over }) => {
          const last = events.at(-1);
          if (over && last) resolve(decodeEvent(last.json));
          return undefined;
        },
        cutOff: () => resolve(undefined),
      });
    });
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

  /** Cancels the run on any replica. @returns its state afterwards */
  cancel(): Promise<RunState> {
    return this.#cancel();
  }

  async #resetFor(after: number): Promise<RunBatch | undefined> {
    const { record } = this;
    if (record?.terminal === undefined) return undefined;
    const firstHeld = await this.#reader.firstHeld(this.#key);
    if (firstHeld !== undefined && after + 1 >= firstHeld) return undefined;
    const { type } = decodeEvent(record.terminal);
    return { reset: record, events: [{ seq: record.seq, type, json: record.terminal }], over: true };
  }
}
