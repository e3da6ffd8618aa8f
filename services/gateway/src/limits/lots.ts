/** What became of one request under one limit. */
export type Standing = {
  allowed: boolean;
  /** Requests left in this window. */
  remaining: number;
  /** Milliseconds until the next window. */
  resetMs: number;
};

type Lot = {
  left: number;
  /** Points that were left in the shared window when the lot was taken. */
  readonly shared: number;
  /** By performance.now(). */
  readonly until: number;
};

/** Ends of one window, as two replies tell of it, lie no further apart than this; the next window ends a second later at least. */
const JITTER_MS = 100;
/** Expired lots are removed once there are this many. */
const MOST_STALE = 1_000;

/** Points of windows that this replica has taken and not given out yet, by key. They end with their window. */
export class Lots {
  readonly #lots = new Map<string, Lot>();

  /** Takes the place of an earlier lot, whose points are added where its window is the same: they are no points of another one. */
  add(key: string, { left, shared, ms }: { left: number; shared: number; ms: number }): void {
    const now = performance.now();
    if (this.#lots.size >= MOST_STALE)
      for (const [old, { until }] of this.#lots) if (until <= now) this.#lots.delete(old);
    const before = this.#lots.get(key);
    const until = now + ms;
    const rest = before && Math.abs(until - before.until) < JITTER_MS ? before.left : 0;
    this.#lots.set(key, { left: left + rest, shared, until });
  }

  has(key: string): boolean {
    const lot = this.#lots.get(key);
    return lot !== undefined && performance.now() < lot.until;
  }

  /** Takes one point; undefined where there is none. */
  take(key: string): Standing | undefined {
    const lot = this.#lots.get(key);
    const ms = lot === undefined ? 0 : lot.until - performance.now();
    if (lot === undefined || ms <= 0) return undefined;
    lot.left -= 1;
    if (lot.left === 0) this.#lots.delete(key);
    return { allowed: true, remaining: lot.shared + lot.left, resetMs: ms };
  }
}
