/** How a cached result may be used. */
export type CacheUse = {
  /** Milliseconds for which the result counts once it is there. */
  ttlMs: number;
  /** Age up to which one that is there will do. */
  maxAgeMs?: number | undefined;
  signal: AbortSignal;
};

/** `shared`: somebody else's call was under way. */
export type CacheOutcome = "hit" | "miss" | "shared";
export type Cached<T> = { value: T; outcome: CacheOutcome; ageMs: number };

/** `askedAt`: what has changed since may be missing from it. */
type Entry = { text: string; askedAt: number; ttlMs: number };
type Flight<T> = {
  readonly key: string;
  readonly askedAt: number;
  readonly value: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
  isOver: boolean;
};

export type ResultCacheOptions<T> = {
  maxBytes: number;
  /** Whether a value is kept. */
  keeps: (value: T) => boolean;
  read: (text: string) => T;
  now?: () => number;
};

/** Characters are counted twice: that is what V8 takes for them at most. */
const BYTES_PER_CHARACTER = 2;

/**
 * Keeps results for a while, in the memory of this replica, and makes each once for all that ask for it meanwhile. Values are kept as JSON:
 * nobody can change what another one gets.
 */
export class ResultCache<T extends object> {
  readonly #options: ResultCacheOptions<T>;
  readonly #now: () => number;
  /** The one that was used last is last. */
  readonly #entries = new Map<string, Entry>();
  readonly #flights = new Map<string, Flight<T>>();
  #bytes = 0;

  constructor(options: ResultCacheOptions<T>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param make is aborted once nobody waits for it any more
   * @throws the reason of the signal, or what `make` throws
   */
  async get(key: string, use: CacheUse, make: (signal: AbortSignal) => Promise<T>): Promise<Cached<T>> {
    const { maxAgeMs = Number.POSITIVE_INFINITY } = use;
    const entry = this.#entry(key);
    const ageMs = entry ? this.#now() - entry.askedAt : 0;
    if (entry && ageMs <= maxAgeMs && maxAgeMs > 0) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      return { value: this.#options.read(entry.text), outcome: "hit", ageMs };
    }
    // Whoever wants nothing older wants no call that was begun before either.
    const flying = this.#flights.get(key);
    const known = flying && maxAgeMs > 0 && this.#now() - flying.askedAt <= maxAgeMs ? flying : undefined;
    const flight = known ?? this.#fly(key, use.ttlMs, make);
    const value = await this.#wait(flight, use.signal);
    return { value, outcome: known ? "shared" : "miss", ageMs: 0 };
  }

  #entry(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (!entry || this.#now() - entry.askedAt < entry.ttlMs) return entry;
    this.#remove(key, entry);
    return undefined;
  }

  #fly(key: string, ttlMs: number, make: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const askedAt = this.#now();
    const value = make(stop.signal);
    const flight: Flight<T> = { key, askedAt, value, stop, waiting: 0, isOver: false };
    this.#flights.set(key, flight);
    const over = (): void => {
      flight.isOver = true;
      this.#land(flight);
    };
    value
      .then((made) => {
        over();
        if (this.#options.keeps(made)) this.#keep(key, { text: JSON.stringify(made), askedAt, ttlMs });
      }, over)
      // What cannot be kept is none the worse for whoever waits for it.
      .catch(() => undefined);
    return flight;
  }

  #land(flight: Flight<T>): void {
    if (this.#flights.get(flight.key) === flight) this.#flights.delete(flight.key);
  }

  async #wait(flight: Flight<T>, signal: AbortSignal): Promise<T> {
    const left = Promise.withResolvers<never>();
    const leave = (): void => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    flight.waiting += 1;
    try {
      return await Promise.race([flight.value, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      flight.waiting -= 1;
      if (flight.waiting === 0 && !flight.isOver) {
        this.#land(flight);
        flight.stop.abort(signal.reason);
      }
    }
  }

  #keep(key: string, entry: Entry): void {
    const before = this.#entries.get(key);
    if (before && before.askedAt > entry.askedAt) return;
    if (before) this.#remove(key, before);
    const { maxBytes } = this.#options;
    if (sizeOf(key, entry) > maxBytes) return;
    this.#entries.set(key, entry);
    this.#bytes += sizeOf(key, entry);
    for (const [oldest, one] of this.#entries) {
      if (this.#bytes <= maxBytes) break;
      this.#remove(oldest, one);
    }
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= sizeOf(key, entry);
  }
}

function sizeOf(key: string, { text }: Entry): number {
  return BYTES_PER_CHARACTER * (key.length + text.length);
}
