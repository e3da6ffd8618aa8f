/** A timer is due this often; how late it fires is how long the loop was held. */
const TICK_MS = 10;
const TICKS_PER_SAMPLE = 10;

/** Samples that are kept: a minute of them. Stalls are counted in samples, so that a stall does not age by its own length. */
const KEPT_SAMPLES = 600;

/** For so many samples after a stall, new work of those is shed who began some in as many samples before. */
const SHED_SAMPLES = 30;

/** Stalls from this length on are reported, whatever the loop did meanwhile. */
const REPORT_MS = 250;

/** What is remembered of the work since the last sample. */
const MAX_NOTES = 16;

export type Stall = {
  ms: number;
  /** How much of it this thread itself was at work. The rest it waited, for a core or while the process was stopped. */
  ownMs: number;
  /** What began shortly before or during the stall, the latest last: the first suspects. */
  suspects: readonly string[];
};

/**
 * Watches how long the event loop, which all requests and runs share, is held at once. It does not use monitorEventLoopDelay: that misses
 * a stall which begins right after a reset of its histogram.
 */
export class LoopWatch {
  readonly #shedMs: number;
  readonly #reportMs: number;
  readonly #onStall: (stall: Stall) => void;
  readonly #samples: number[] = [];
  #notes: string[] = [];
  #notesBefore: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sheds = false;
  /** The sample in which a caller last began work, the latest last; none older than what sheds. */
  readonly #begun = new Map<string, number>();
  #taken = 0;
  #lastTick = 0;
  #ticks = 0;
  #lastUsage = process.threadCpuUsage();
  /** The longest delay since the last sample, and the longest that the thread was at work for. */
  #longest = 0;
  #longestOwn = 0;

  /**
   * @param options.shedMs the stall from which on new work is shed for a while
   * @param options.reportMs the stall from which on one is reported that the thread itself made
   */
  constructor(options: { shedMs: number; reportMs: number; onStall: (stall: Stall) => void }) {
    this.#shedMs = options.shedMs;
    this.#reportMs = options.reportMs;
    this.#onStall = options.onStall;
  }

  start(): void {
    this.#lastTick = performance.now();
    this.#lastUsage = process.threadCpuUsage();
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Milliseconds of the longest stall in the last minute. */
  get longestMs(): number {
    return Math.max(0, ...this.#samples);
  }

  /**
   * Whether new work of a caller is to be refused, since the loop was held for so long that more of it would do harm. Who began none lately is
   * served: whatever held the loop, it was not theirs.
   */
  sheds(caller: string): boolean {
    return this.#sheds && this.#begun.has(caller);
  }

  /** Records that a caller's work begins. */
  begins(caller: string): void {
    this.#begun.delete(caller);
    this.#begun.set(caller, this.#taken);
  }

  /** Records that a piece of work begins: only names and ids, since it may be logged. */
  note(work: string): void {
    if (this.#notes.length === MAX_NOTES) this.#notes.shift();
    this.#notes.push(work);
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#lastTick - TICK_MS;
    const { user, system } = process.threadCpuUsage(this.#lastUsage);
    this.#longest = Math.max(this.#longest, late);
    this.#longestOwn = Math.max(this.#longestOwn, Math.min(late, (user + system) / 1000));
    this.#lastTick = now;
    this.#lastUsage = process.threadCpuUsage();
    // A stall is reported at once, before later work takes the place of the suspects.
    if (++this.#ticks % TICKS_PER_SAMPLE === 0 || this.#isReported) this.#sample();
  }

  get #isReported(): boolean {
    return this.#longest >= REPORT_MS || this.#longestOwn >= this.#reportMs;
  }

  #sample(): void {
    const ms = Math.round(this.#longest);
    if (this.#isReported) {
      const suspects = [...this.#notesBefore, ...this.#notes];
      this.#onStall({ ms, ownMs: Math.round(this.#longestOwn), suspects });
    }
    this.#longest = 0;
    this.#longestOwn = 0;
    this.#samples.push(ms);
    this.#taken++;
    for (const [caller, sample] of this.#begun) {
      if (sample > this.#taken - SHED_SAMPLES) break;
      this.#begun.delete(caller);
    }
    if (this.#samples.length > KEPT_SAMPLES) this.#samples.shift();
    this.#sheds = Math.max(...this.#samples.slice(-SHED_SAMPLES)) >= this.#shedMs;
    this.#notesBefore = this.#notes;
    this.#notes = [];
  }
}
