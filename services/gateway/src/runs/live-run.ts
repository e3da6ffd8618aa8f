import type { TraceContext } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import {
  encodeEvent,
  isoNow,
  packEvents,
  type RunEnd,
  type RunEventBody,
  relayEvent,
  type StoredEvent,
} from "../events/index.ts";
import { JsonText } from "../json-text.ts";
import {
  addUsage,
  type Effect,
  type EventLog,
  type Keys,
  type LogSource,
  type LogWrite,
  type NewApproval,
  NO_USAGE,
  REMOTE_RUN,
  type SessionFields,
  type UsageAmounts,
  WARNED,
  type WriteOutcome,
  writeUsed,
} from "../store/index.ts";

/** An event whose data is large, and written already: JSON on one line. */
export type WrittenEvent = { type: "step_finished"; node: string; data: JsonText };

function isWritten(body: RunEventBody | WrittenEvent): body is WrittenEvent {
  return body.data instanceof JsonText;
}

/** Receives events in order, after the store has acknowledged them. */
export type Subscriber = {
  events(batch: readonly StoredEvent[]): void;
  /** Called when this replica no longer holds the run: later events are in the store. */
  lost(): void;
};

/**
 * How a run came to rest here. `lost`: this replica does not hold it any more. `over_limit`: the log refused the write with the run's
 * end, since the run has written more than it may; it has to be ended again, with an error.
 */
export type Rested = "ended" | "lost" | "over_limit";

const END_STATES = { run_finished: "finished", run_failed: "failed", run_cancelled: "cancelled" } as const;

/** Above this many unacknowledged bytes a run's producers wait for the store. */
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * A run that this replica holds. It numbers events, writes them through the group commit, and passes them on to its subscribers once
 * the store has acknowledged them. There is one holder per fence, so the next seq is known without asking the store.
 */
export class LiveRun implements LogSource {
  readonly id: string;
  readonly sessionId: string;
  readonly owner: string;
  readonly keys: Keys;
  readonly fence: number;
  /** The step whose `step_started` was written with the acceptance of the run. */
  readonly announced: string | undefined;
  /** Whether the results of its steps are journaled, for a holder that carries it on. To be set before it is executed. */
  journaled: boolean;
  /** Where its execution belongs. To be set before it is executed. */
  trace: TraceContext = {};
  readonly abort = new AbortController();
  readonly #log: EventLog;
  readonly #unwatched: boolean;
  readonly #subscribers = new Set<Subscriber>();
  #seq: number;
  #acknowledgedSeq: number;
  #pending: StoredEvent[] = [];
  #steps: [string, string | Buffer][] = [];
  #effects: Effect[] = [];
  #turnTo: LogWrite["turnTo"];
  #unacknowledged = 0;
  /** Producers that wait for the store; resolved whenever a write was settled. */
  #waiters: (() => void)[] = [];
  #inFlight: readonly StoredEvent[] = [];
  #closed = false;
  #rawTurns = 0;
  #used = NO_USAGE;
  /** Whether some usage is not journaled yet. */
  #isUsedNew = false;
  #done = Promise.withResolvers<Rested>();

  constructor(options: {
    id: string;
    sessionId: string;
    /** The principal whose run it is. */
    owner: string;
    keys: Keys;
    fence: number;
    log: EventLog;
    /** The last seq that the store holds. */
    seq: number;
    announced?: string | undefined;
    journaled?: boolean;
    /** Nobody reads its events live, so they may reach the store together with its end. */
    unwatched?: boolean;
  }) {
    this.id = options.id;
    this.sessionId = options.sessionId;
    this.owner = options.owner;
    this.keys = options.keys;
    this.fence = options.fence;
    this.announced = options.announced;
    this.#log = options.log;
    this.journaled = options.journaled ?? false;
    this.#unwatched = options.unwatched ?? false;
    this.#seq = options.seq;
    this.#acknowledgedSeq = options.seq;
  }

  /** The last seq that the store holds: subscribers get what comes after it. */
  get acknowledged(): number {
    return this.#acknowledgedSeq;
  }

  /** Whether it still tells its subscribers: false once it has come to rest here. */
  get isOpen(): boolean {
    return !this.#closed;
  }

  /** The number of the last event that was appended. */
  get seq(): number {
    return this.#seq;
  }

  /** Settles when the run's end or pause is in the store, or will not be. */
  get done(): Promise<Rested> {
    return this.#done.promise;
  }

  /** How many entries of its session are not summarised, once it has come to rest; 0 where that is not known. */
  get rawTurns(): number {
    return this.#rawTurns;
  }

  /** What models used for it, by all holders, as far as its journal knows. */
  get used(): UsageAmounts {
    return this.#used;
  }

  /** Adds models' usage; it is journaled with the next result. */
  charge(used: UsageAmounts): void {
    this.#used = addUsage(this.#used, used);
    this.#isUsedNew = true;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Whether the write with the run's end or pause is under way: its answer says whether this replica still held the run. */
  get resting(): boolean {
    return this.#turnTo !== undefined;
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Appends an event. @returns back-pressure: a promise where the producer should wait for the store */
  append(body: RunEventBody | WrittenEvent): Promise<void> | undefined {
    return this.#push((seq, at) =>
      isWritten(body)
        ? relayEvent({ ...body, runId: this.id, seq, at, data: body.data.text })
        : encodeEvent(this.id, seq, at, body),
    );
  }

  /** Appends an agent's progress event, with its data as the agent wrote it. */
  relay(node: string, event: { data: unknown; json: string }): Promise<void> | undefined {
    // A log entry has one event a line, so that data over several lines has to be written anew.
    if (event.json.includes("\n")) return this.append({ type: "progress", node, data: event.data });
    return this.#push((seq, at) => relayEvent({ runId: this.id, seq, at, node, data: event.json }));
  }

  /** Appends an event of the run that this one mirrors; its seq has to be the next one. */
  mirror(event: StoredEvent): Promise<void> | undefined {
    return this.#push(() => event);
  }

  /** Comes to rest with an event of the run that this one mirrors. */
  mirrorRest(event: StoredEvent, turnTo: NonNullable<LogWrite["turnTo"]>): void {
    if (this.#closed || this.#turnTo) return;
    void this.mirror(event);
    this.#rest(turnTo);
  }

  /** Appends an event together with the step's result: both are in the store, or neither is. */
  journal(
    step: string,
    result: string | Buffer,
    body: RunEventBody | WrittenEvent,
  ): Promise<void> | undefined {
    if (this.#closed || this.#turnTo) return undefined;
    this.#steps.push([step, result]);
    if (this.#isUsedNew) this.#steps.push(writeUsed(this.#used));
    this.#isUsedNew = false;
    return this.append(body);
  }

  /** Like {@link journal}, with an effect that is written to its book in the same write, exactly once. */
  publish(
    effect: Effect,
    step: string,
    result: string,
    body: RunEventBody | WrittenEvent,
  ): Promise<void> | undefined {
    if (this.#closed || this.#turnTo) return undefined;
    this.#effects.push(effect);
    return this.journal(step, result, body);
  }

  /** Notes which run at another gateway this one mirrors; written with the next event. */
  noteRemote(id: string): void {
    this.note(REMOTE_RUN, id);
  }

  /** Adds an entry to the journal that is written with the next event. */
  note(field: string, value: string): void {
    if (!this.#closed && !this.#turnTo) this.#steps.push([field, value]);
  }

  /** Appends a warning; a holder that carries the run on learns of it. */
  warn(data: Extract<RunEventBody, { type: "warning" }>["data"]): Promise<void> | undefined {
    const body = { type: "warning", data } as const;
    return this.journaled ? this.journal(WARNED.field, WARNED.value, body) : this.append(body);
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

  /** Resolves when the store has everything that was appended before this call, or the run is lost. */
  async flushed(): Promise<void> {
    const seq = this.#seq;
    if (this.#pending.length > 0) this.#log.wake(this);
    // Events that the log refuses free their sequence numbers, and are not waited for.
    while (!this.#closed && this.#acknowledgedSeq < Math.min(seq, this.#seq)) await this.#nextSettled();
  }

  /** Ends the run. Of several calls the first one counts. @param kept what its session keeps besides the turn */
  finish(end: RunEnd, turn: string, kept?: SessionFields): void {
    if (this.#closed || this.#turnTo) return;
    void this.append(end);
    const event = this.#pending.at(-1);
    const code = end.type === "run_failed" ? end.data.code : undefined;
    this.#rest({ state: END_STATES[end.type], terminal: event?.json ?? "", turn, code, kept });
  }

  /** Gives the run up without ending it: this replica does not hold it any more, or cannot write to the store. */
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
      owner: this.owner,
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

  settled(write: LogWrite, outcome: WriteOutcome, rawTurns = 0): void {
    this.#rawTurns = rawTurns;
    if (outcome === "fenced") this.lose(new GatewayError("interrupted", "Another holder took the run over."));
    else if (outcome === "limit") this.#overLimit(write);
    else this.#acknowledged(write);
  }

  #acknowledged(write: LogWrite): void {
    const events = this.#inFlight;
    this.#inFlight = [];
    this.#acknowledgedSeq = write.toSeq;
    this.#unacknowledged -= write.packed.length - (events.length - 1);
    this.#tellWaiters();
    for (const subscriber of this.#subscribers) subscriber.events(events);
    if (write.turnTo) {
      this.#closed = true;
      this.#subscribers.clear();
      this.#done.resolve("ended");
    }
  }

  failed(cause: unknown): void {
    this.lose(new GatewayError("store_unavailable", undefined, { cause }));
  }

  /** The refused events are not in the log, so their numbers are free for the event that says why the run ends. */
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
