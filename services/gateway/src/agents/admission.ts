import type { AwakeClock } from "./awake-clock.ts";
import { ConcurrencyLimit, type Sent } from "./concurrency-limit.ts";
import { FairQueue } from "./fair-queue.ts";
import type { AgentLoad } from "./types.ts";

/** Upper bound of the learnt limit: a replica executes no more runs than this at once, unless `MAX_RUNS` is raised. */
const DEFAULT_MAX = 1_000;

/** How long a caller who waits for the answer waits in the queue. A plan's step waits as long as its plan. */
export const LONGEST_WAIT_MS = 10_000;

/** As many requests as the runs of a replica, which are in memory anyway. */
const MOST_QUEUED = 1_000;

const LONGEST_RETRY_AFTER_MS = 60_000;

/** An agent that completes nothing for this long while requests wait may only be slow: raise its limit one request at a time. */
const SILENCE_MS = 1_000;
const EXPLORE_EVERY_MS = 250;

/** One request under way. */
export type Slot = Sent & { readonly startedAt: number };

/** How a request ended, as evidence of the agent's load. */
export type LoadSign = "answered" | "overloaded" | "none";

export type Refused =
  | { refused: "queue_full" | "queue_timeout"; retryAfterMs: number }
  | { refused: "aborted" };

type Waiter = { since: number; settle: (result: Slot | Refused) => void };

export type AdmissionOptions = {
  clock: AwakeClock;
  /** The manifest's maximum. Where it is set, it is also the initial limit, until the agent's latency or refusals lower it. */
  max?: number | undefined;
  /** Requests that may wait. */
  mostQueued?: number | undefined;
  longestWaitMs?: number | undefined;
};

export type WaitOptions = {
  /** Callers with the same key share a turn. */
  key: string;
  signal: AbortSignal;
  /** Waits until `signal` fires. */
  patient: boolean;
};

/** Decides when a request goes to one agent: at once below the limit, else when it is its turn. */
export class Admission {
  readonly #clock: AwakeClock;
  readonly #limit: ConcurrencyLimit;
  readonly #mostQueued: number;
  readonly #longestWaitMs: number;
  readonly #queue = new FairQueue<Waiter>();
  #inFlight = 0;
  #lastEnd = performance.now();
  #explorer: NodeJS.Timeout | undefined;

  constructor({ clock, max, mostQueued, longestWaitMs }: AdmissionOptions) {
    this.#clock = clock;
    this.#limit = max === undefined ? new ConcurrencyLimit(DEFAULT_MAX) : new ConcurrencyLimit(max, max);
    this.#mostQueued = mostQueued ?? MOST_QUEUED;
    this.#longestWaitMs = longestWaitMs ?? LONGEST_WAIT_MS;
  }

  /** @returns undefined where the request has to wait */
  enter(): Slot | undefined {
    if (this.#inFlight < this.#limit.value && this.#queue.size === 0) return this.#open();
    this.#limit.need();
    return undefined;
  }

  wait({ key, signal, patient }: WaitOptions): Promise<Slot | Refused> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        since: performance.now(),
        settle: (result) => {
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
          resolve(result);
        },
      };
      const leave = (refused: Refused): void => {
        this.#queue.delete(key, waiter);
        waiter.settle(refused);
      };
      const onAbort = (): void => leave({ refused: "aborted" });
      const timer = patient
        ? undefined
        : setTimeout(() => leave(this.#refuse("queue_timeout")), this.#longestWaitMs);
      signal.addEventListener("abort", onAbort, { once: true });
      if (this.#queue.size >= this.#mostQueued) {
        const displaced = this.#queue.displace(key);
        if (displaced === undefined) return waiter.settle(this.#refuse("queue_full"));
        displaced.settle(this.#refuse("queue_full"));
      }
      this.#queue.push(key, waiter);
      this.#explorer ??= setInterval(() => this.#explore(), EXPLORE_EVERY_MS).unref();
    });
  }

  leave(slot: Slot, sign: LoadSign): void {
    if (sign === "overloaded") this.#limit.overloaded(slot.round);
    else if (sign === "answered") this.#limit.answered(slot, this.#clock.now() - slot.startedAt);
    this.#inFlight--;
    this.#lastEnd = performance.now();
    this.#release();
  }

  #release(): void {
    while (this.#inFlight < this.#limit.value) {
      const waiter = this.#queue.shift();
      if (waiter === undefined) return;
      waiter.settle(this.#open());
    }
  }

  #explore(): void {
    if (this.#queue.size === 0) {
      clearInterval(this.#explorer);
      this.#explorer = undefined;
    } else if (performance.now() - this.#lastEnd > SILENCE_MS) {
      this.#limit.explore();
      this.#release();
    }
  }

  get load(): AgentLoad {
    const now = performance.now();
    let oldest = now;
    for (const { since } of this.#queue.heads()) oldest = Math.min(oldest, since);
    return {
      inFlight: this.#inFlight,
      limit: this.#limit.value,
      queued: this.#queue.size,
      oldestMs: now - oldest,
      ...(this.#limit.hasMeasured ? { latencyMs: this.#limit.latencyMs } : {}),
    };
  }

  #open(): Slot {
    this.#inFlight++;
    return { limit: this.#limit.value, round: this.#limit.round, startedAt: this.#clock.now() };
  }

  /** Tells the caller to retry when the queue, at its present speed, will be empty. */
  #refuse(refused: "queue_full" | "queue_timeout"): Refused {
    const ms = (this.#queue.size * this.#limit.latencyMs) / this.#limit.value;
    return { refused, retryAfterMs: Math.min(LONGEST_RETRY_AFTER_MS, Math.max(1_000, ms)) };
  }
}
