import { Redis } from "ioredis";

/** Where the worker notes what it did; read by the checks. */
export const LEDGER = {
  /** Hash: `run:step` → how often its effect took place. */
  applied: "chaos:applied",
  /** Hash: Idempotency-Key → how often the task came to the point of its effect. */
  executed: "chaos:executed",
  /** Hash: Idempotency-Key → 1. What makes the effect happen once. */
  guard: "chaos:guard",
  /** Hash: run → when a task of it was begun last (ms). */
  begun: "chaos:begun",
  /** Hash: run → when the signal of one of its tasks fired (ms). */
  aborted: "chaos:aborted",
} as const;

/** KEYS: guard, applied, executed. ARGV: key, `run:step`. */
const APPLY = `
redis.call('HINCRBY', KEYS[3], ARGV[1], 1)
if redis.call('HSETNX', KEYS[1], ARGV[1], 1) == 1 then redis.call('HINCRBY', KEYS[2], ARGV[2], 1) end
return redis.call('HGET', KEYS[2], ARGV[2])`;

/**
 * The world that the worker changes. Its effect is repeatable, as a worker of that kind has to make it: one key, one effect. A gateway
 * that asked for one step under two keys would so be found out.
 */
export class EffectLedger {
  readonly #redis: Redis;

  constructor(url: string) {
    this.#redis = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: 5_000 });
    // It reconnects by itself; a task that waits for it is seen by its signal.
    this.#redis.on("error", () => undefined);
  }

  async apply(key: string, runStep: string): Promise<number> {
    const { guard, applied, executed } = LEDGER;
    return Number(await this.#redis.eval(APPLY, 3, guard, applied, executed, key, runStep));
  }

  note(what: "begun" | "aborted", runId: string): void {
    this.#redis.hset(LEDGER[what], runId, Date.now()).catch(() => undefined);
  }
}
