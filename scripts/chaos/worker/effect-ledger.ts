import { Redis } from "ioredis";

/** Redis keys in which the worker records what it did, for the checks. */
export const LEDGER = {
  /** Hash: `run:step` → how often its effect happened. */
  applied: "chaos:applied",
  /** Hash: Idempotency-Key → how often the task reached its effect. */
  executed: "chaos:executed",
  /** Hash: Idempotency-Key → 1. Makes the effect happen once. */
  guard: "chaos:guard",
  /** Hash: `run:step` → when its task last began (ms). */
  begun: "chaos:begun",
  /** Hash: `run:step` → when its task was last aborted (ms). */
  aborted: "chaos:aborted",
  /** Hash: `run:step` → when its task last ended without being aborted (ms). */
  ended: "chaos:ended",
} as const;

/** KEYS: guard, applied, executed. ARGV: key, `run:step`. */
const APPLY = `
redis.call('HINCRBY', KEYS[3], ARGV[1], 1)
if redis.call('HSETNX', KEYS[1], ARGV[1], 1) == 1 then redis.call('HINCRBY', KEYS[2], ARGV[2], 1) end
return redis.call('HGET', KEYS[2], ARGV[2])`;

/**
 * The worker's effects. They are repeatable: one Idempotency-Key, one effect. A gateway that sent two keys for one step would cause two
 * effects, and be found out.
 */
export class EffectLedger {
  readonly #redis: Redis;

  constructor(url: string) {
    this.#redis = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: 5_000 });
    // The client reconnects by itself; a task that waits for it can be aborted.
    this.#redis.on("error", () => undefined);
  }

  async apply(key: string, runStep: string): Promise<number> {
    const { guard, applied, executed } = LEDGER;
    return Number(await this.#redis.eval(APPLY, 3, guard, applied, executed, key, runStep));
  }

  note(what: "begun" | "aborted" | "ended", runStep: string): void {
    this.#redis.hset(LEDGER[what], runStep, Date.now()).catch(() => undefined);
  }
}
