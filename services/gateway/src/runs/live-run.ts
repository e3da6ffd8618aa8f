import { GatewayError } from "../errors.ts";
import type { EventLog, LogSource, LogWrite, NewApproval, WriteOutcome } from "../store/event-log.ts";
import type { Keys } from "../store/keys.ts";
import {
  encodeEvent,
  packEvents,
  type RunEnd,
  type RunEventBody,
  relayEvent,
  type StoredEvent,
} from "./events.ts";
import { isoNow } from "./iso-now.ts";

/** Receives events in order, after the store has acknowledged them. */
export type Subscriber = {
  events(batch: readonly StoredEvent[]): void;
  /** This replica no longer holds the run: what follows is in the store. */
  lost(): void;
};

/**
 * How a run came to rest here. `lost`: another holder, or the store itself, took it away. `over_limit`: the log refused what the end
 * stands on; the run has to be ended anew.
 */
export type Rested = "ended" | "lost" | "over_limit";

const END_STATES = { run_finished: "finished", run_failed: "failed", run_cancelled: "cancelled" } as const;

/** Above this many unacknowledged bytes the run's producers have to wait for the store. */
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * A run that this replica holds. It numbers the events, hands them to the group commit, and passes them on to its subscribers once
 * they are acknowledged. There is one holder per fence, so the next seq is known without asking the store.
 */
export class LiveRun implements LogSource {
  readonly id: string;
  readonly sessionId: string;
  readonly keys: Keys;
  readonly fence: number;
  /** The step whose start was written when the run was accepted. */
  readonly announced: string | undefined;
  /** Whether the results of its steps are kept, for a holder that carries it on. */
  readonly journaled: boolean;
  readonly abort = new AbortController();
  readonly #log: EventLog;
  readonly #unwatched: boolean;
  readonly #subscribers = new Set<Subscriber>();
  #seq: number;
  #pending: StoredEvent[] = [];
  #steps: [string, string][] = [];
  #effects: [string, string][] = [];
  #turnTo: LogWrite["turnTo"];
  #unacknowledged = 0;
  /** Producers that wait for the store: told whenever something was settled. */
  #waiters: (() => void)[] = [];
  #inFlight: readonly StoredEvent[] = [];
  #closed = false;
  #done = Promise.withResolvers<Rested>();

  constructor(options: {
    id: string;
    sessionId: string;
    keys: Keys;
    fence: number;
    log: EventLog;
    /** The last seq that the store holds. */
    seq: number;
    announced?: string | undefined;
    journaled: boolean;
    /** Nobody waits for its events: they may go to the store with its end. */
    unwatched?: boolean;
  }) {
    this.id = options.id;
    this.sessionId = options.sessionId;
    this.keys = options.keys;
    this.fence = options.fence;
    this.announced = options.announced;
    this.#log = options.log;
    this.journaled = options.journaled;
    this.#unwatched = options.unwatched ?? false;
    this.#seq = options.seq;
  }

  /** Settles when the run's end or pause is in the store, or is not going to be. */
  get done(): Promise<Rested> {
    return this.#done.promise;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** The write that lets go of the run is under way: its answer says whose the run was. */
  get resting(): boolean {
    return this.#turnTo !== undefined;
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Appends an event. Returns a promise only where the producer should wait for the store. */
  append(body: RunEventBody): Promise<void> | undefined {
    return this.#push((seq, at) => encodeEvent(this.id, seq, at, body));
  }

  /** Appends an agent's own event, with its data as the agent wrote it. */
  relay(
    type: "progress",
    node: string,
    event: { data: Record<string, unknown>; json: string },
  ): Promise<void> | undefined {
    // A log entry is a line a event: text that holds line feeds is written anew.
    if (event.json.includes("\n")) return this.append({ type, node, data: event.data });
    return this.#push((seq, at) => relayEvent(this.id, seq, at, type, node, event.json));
  }

  /** Appends an event together with the step's result: both are in the store, or neither is. */
  journal(step: string, result: string, body: RunEventBody): Promise<void> | undefined {
    if (this.#closed || this.#turnTo) return undefined;
    this.#steps.push([step, result]);
    return this.append(body);
  }

  /** Like {@link journal}, with an effect on the price book that is taken with it, once. */
  record(step: string, result: string, payload: string, body: RunEventBody): Promise<void> | undefined {
    if (this.#closed || this.#turnTo) return undefined;
    this.#effects.push([`${this.id}:${step}`, payload]);
    return this.journal(step, result, body);
  }

  /** Lets the run rest until its approval is decided. */
  pause(body: Extract<RunEventBody, { type: "run_paused" }>, approval: NewApproval, turn: string): void {
    if (this.#closed || this.#turnTo) return;
    void this.append(body);
    this.#rest({ state: "paused", turn, approval });
  }

  /** Leaves the run for a person. */
  park(body: Extract<RunEventBody, { type: "run_parked" }>, turn: string): void {
    if (this.#closed || this.#turnTo) return;
    void this.append(body);
    this.#rest({ state: "needs_review", turn });
  }

  /** Resolves when everything appended so far is in the store, or the run is lost. */
  async flushed(): Promise<void> {
    if (this.#pending.length > 0) this.#log.wake(this);
    while (!this.#closed && this.#unacknowledged > 0) await this.#nextSettled();
  }

  /** Ends the run. Of several calls the first one counts. */
  finish(end: RunEnd, turn: string): void {
    if (this.#closed || this.#turnTo) return;
    void this.append(end);
    const event = this.#pending.at(-1);
    this.#rest({ state: END_STATES[end.type], terminal: event?.json ?? "", turn });
  }

  /** Lets go of the run without ending it: its lease is lost, or the store cannot be written. */
  lose(reason: GatewayError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pending = [];
    this.abort.abort(reason);
    for (const subscriber of this.#subscribers) subscriber.lost();
    this.#subscribers.clear();
    this.#tellWaiters();
    this.#done.resolve("lost");
  }

  #rest(turnTo: NonNullable<LogWrite["turnTo"]>): void {
    this.#turnTo = turnTo;
    this.#log.wake(this);
  }

  #push(encode: (seq: number, at: string) => StoredEvent): Promise<void> | undefined {
    if (this.#closed || this.#turnTo) return undefined;
    const event = encode(++this.#seq, isoNow());
    this.#pending.push(event);
    this.#unacknowledged += event.json.length;
    const full = this.#unacknowledged > HIGH_WATER_BYTES;
    if (this.#unwatched && !full) this.#log.wakeLater(this);
    else this.#log.wake(this);
    return full ? this.#drained() : undefined;
  }

  take(): LogWrite | undefined {
    if (this.#closed || this.#pending.length === 0) return undefined;
    const events = this.#pending;
    this.#pending = [];
    const steps = this.#steps;
    this.#steps = [];
    const effects = this.#effects;
    this.#effects = [];
    this.#inFlight = events;
    const write: LogWrite = {
      runId: this.id,
      keys: this.keys,
      sessionId: this.sessionId,
      journaled: this.journaled,
      fence: this.fence,
      fromSeq: events[0]?.seq ?? 0,
      toSeq: events.at(-1)?.seq ?? 0,
      packed: packEvents(events),
      steps,
      effects,
    };
    if (this.#turnTo) write.turnTo = this.#turnTo;
    return write;
  }

  settled(write: LogWrite, outcome: WriteOutcome): void {
    if (outcome === "fenced") this.lose(new GatewayError("interrupted", "Another holder took the run over."));
    else if (outcome === "limit") this.#overLimit(write);
    else this.#acknowledged(write);
  }

  #acknowledged(write: LogWrite): void {
    const events = this.#inFlight;
    this.#inFlight = [];
    this.#unacknowledged -= write.packed.length - (events.length - 1);
    this.#tellWaiters();
    for (const subscriber of this.#subscribers) subscriber.events(events);
    if (write.turnTo) {
      this.#closed = true;
      this.#subscribers.clear();
      this.#done.resolve("ended");
    }
  }

  lost(_write: LogWrite, cause: unknown): void {
    this.lose(new GatewayError("store_unavailable", undefined, { cause }));
  }

  /** The refused events are not in the log: their numbers are given anew, to the event that says why the run ends. */
  #overLimit(write: LogWrite): void {
    this.#inFlight = [];
    this.#pending = [];
    this.#steps = [];
    this.#effects = [];
    this.#unacknowledged = 0;
    this.#seq = write.fromSeq - 1;
    if (this.#turnTo) {
      this.#turnTo = undefined;
      const refused = this.#done;
      this.#done = Promise.withResolvers();
      refused.resolve("over_limit");
    }
    this.abort.abort(new GatewayError("output_limit"));
    this.#tellWaiters();
  }

  async #drained(): Promise<void> {
    while (!this.#closed && this.#unacknowledged > HIGH_WATER_BYTES) await this.#nextSettled();
  }

  #nextSettled(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #tellWaiters(): void {
    const waiters = this.#waiters;
    if (waiters.length === 0) return;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}
