/** Where learning starts. */
const START = 4;
const LEAST = 1;
/**
 * A slope above it means that additional requests mostly wait. At 1, twice as many take twice as long; of several gateways that share
 * an agent, each sees only its part of that.
 */
const CROWDED = 0.25;
/** Part of the limit that a slope of 1 takes away. */
const CUT = 0.4;
/** Factors by which the limit grows: as long as it has never fallen and surely may, and in small steps after that. */
const GROWTH = { start: 2, step: 1.25 };
/** How far the limit may grow while no answer arrives. */
const EXPLORED = 32;
/** From this limit on, a round without evidence is followed by one with fewer requests instead of more. */
const PROBED = 16;
const PROBE = 0.6;
/** Below this latency in milliseconds a queue in the agent is not noticeable, and the gateway's own work is a large part of the latency. */
const UNNOTICED_MS = 20;
/** Answers in a round, which otherwise has as many as the limit. */
const ROUND = { least: 4, most: 64 };
/** Minimum number of answers behind an estimate, which uses those of two rounds. */
const SHORTEST_MEMORY = 32;
/** Weight, in answers, that earlier measurements keep after the limit has fallen: behaviour below it is learnt anew. */
const KEPT = 3;
/** Variance that is added to the limit's, so that a limit that hardly varies has no slope. */
const CONSTANT = 1e-4;

/** What held when a request was sent: a request belongs to the round in which it is sent. */
export type Sent = { readonly limit: number; readonly round: number };

/**
 * How many requests one agent should have under way, learnt from how its latency depends on the limit. While the agent works on all of
 * them at once, the limit does not matter; once they wait for each other, the latency grows in proportion. The slope of the regression
 * line through the logarithms of both tells these apart, for short and long tasks alike, and needs no target latency.
 *
 * The limit, and not the number under way: that is large when tasks are long, so that a burst of long tasks among short ones looks like
 * a crowd. The limit is set here alone, and what follows a change of it is its effect.
 *
 * The limit changes once a round: after as many answers to requests that were sent under it. It falls where the slope is surely too
 * steep and grows where it is surely flat. Otherwise the next round runs with another limit, since only what varies has a slope. A limit
 * that nothing was waiting for stays.
 */
export class ConcurrencyLimit {
  readonly #max: number;
  #limit: number;
  /** Means, variances and covariance of x, the logarithm of the limit, and y, that of the latency. */
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;
  #yy = 0;
  #samples = 0;
  #round = 0;
  #answersInRound = 0;
  #needed = false;
  #hasFallen = false;
  /** The limit to return to after a round with fewer requests. */
  #resumed: number | undefined;

  constructor(max: number, start = Math.min(max, START)) {
    this.#max = max;
    this.#limit = start;
  }

  get value(): number {
    return Math.floor(this.#limit);
  }

  get round(): number {
    return this.#round;
  }

  /** Geometric mean of the latest latencies. */
  get latencyMs(): number {
    return Math.exp(this.#y);
  }

  /** Whether there was an answer yet. */
  get hasMeasured(): boolean {
    return this.#samples > 0;
  }

  /** Called when a request has to wait because of the limit. */
  need(): void {
    this.#needed = true;
  }

  answered({ limit, round }: Sent, latencyMs: number): void {
    const weight = 1 / Math.min(++this.#samples, this.#memory);
    const x = Math.log(limit) - this.#x;
    const y = Math.log(Math.max(1, latencyMs)) - this.#y;
    this.#x += weight * x;
    this.#y += weight * y;
    this.#xx = (1 - weight) * (this.#xx + weight * x * x);
    this.#xy = (1 - weight) * (this.#xy + weight * x * y);
    this.#yy = (1 - weight) * (this.#yy + weight * y * y);
    if (round !== this.#round) return;
    this.#answersInRound++;
    if (this.#answersInRound >= this.#roundSize) this.#set(this.#next());
  }

  /** The agent has completed nothing for a while, for example since it streams long texts: the next measurement is far away. */
  explore(): void {
    if (this.#limit < Math.min(EXPLORED, this.#max)) this.#limit += 1;
  }

  /** The agent refused a request because of its load, or did not answer in time. Counted once per round. */
  overloaded(round: number): void {
    if (round === this.#round) this.#set(this.#limit / 2);
  }

  get #memory(): number {
    return Math.max(SHORTEST_MEMORY, 2 * this.#roundSize);
  }

  get #roundSize(): number {
    return Math.min(ROUND.most, Math.max(ROUND.least, this.#limit));
  }

  #next(): number {
    const limit = this.#limit;
    const variance = this.#xx + CONSTANT;
    const slope = this.#xy / variance;
    const scatter = Math.max(0, this.#yy - slope * this.#xy);
    const doubt = Math.sqrt(scatter / variance / Math.min(this.#samples, this.#memory));
    const fast = this.latencyMs < UNNOTICED_MS;
    if (!fast && slope - doubt > CROWDED) return limit * (1 - CUT * Math.min(1, slope));
    if (this.#resumed !== undefined) return this.#resumed;
    if (!this.#needed) return limit;
    const step = Math.max(limit + 1, limit * GROWTH.step);
    if (fast || slope + doubt < CROWDED) return this.#hasFallen ? step : limit * GROWTH.start;
    if (limit < PROBED) return step;
    return limit * PROBE;
  }

  #set(limit: number): void {
    this.#resumed = limit === this.#limit * PROBE ? this.#limit : undefined;
    if (limit < this.#limit && this.#resumed === undefined) {
      this.#hasFallen = true;
      this.#samples = Math.min(this.#samples, KEPT);
    }
    this.#limit = Math.min(this.#max, Math.max(LEAST, limit));
    this.#round++;
    this.#answersInRound = 0;
    this.#needed = false;
  }
}
