import { crc32 } from "node:zlib";
import { DUE_SHARDS, dueKeys, type Keys, TENANTS } from "./keys.ts";
import type { RedisClient } from "./redis-url.ts";
import type { Retention, RetentionOf } from "./retention.ts";
import { Script, words } from "./script.ts";
import type { StoreClock } from "./store-clock.ts";

/** See Config. */
export type DueLimits = Retention & { leaseMs: number };

/** What the stores that accept and decide share. */
export type StoreParts = { redis: RedisClient; due: DueIndex; clock: StoreClock };

/** The result of checking a tenant. */
export type Due = {
  /** Runs whose lease has expired. */
  expired: string[];
  /** Whether the outbox holds something. */
  outbox: boolean;
  /** Ids of approvals whose time has come. */
  approvals: ReadonlySet<string>;
  /** Whether index entries of expired records have to be removed. */
  trim: boolean;
  /** The store's time at which to look again; undefined where nothing is left. */
  next: string | undefined;
};

/** `done` is undefined once the mark is written. */
type Mark = { at: number; done: Promise<void> | undefined };

/** A tenant that a replica is checking, and until when no other replica takes it. */
export type Taken = { tenant: string; held: string };

/** A replica marks a tenant at most this often. */
const MARK_EVERY_MS = 10_000;
/** Validity of a mark: the write that it announces happens within this time, or never. */
const MARK_COUNTS_MS = 3 * MARK_EVERY_MS;
/** Time for checking a tenant before another replica may take it. */
const HOLD_MS = 5_000;
const TAKE_AT_ONCE = 100;
/** Tenants per page of the walk over all of them. */
const WALK_PAGE = 100;
const LIST_LIMIT = 200;
/** A pending approval whose timer was lost is looked at this long after its expiry. */
const TIMER_LATE_MS = 3_000;
const REQUEUE_EVERY_MS = 15_000;
const TRIM_EVERY_MS = 600_000;
const SOON_MS = 1_000;

/**
 * An index over all tenants by the time at which a replica must check them: a lease or an approval expires, a run waits for a holder, the
 * outbox holds something. The cost of a check does not depend on the number of tenants, and an idle tenant costs nothing. A tenant's
 * records and the index lie in different slots of a cluster, so the index is only a hint: a replica marks a tenant before it writes
 * something that needs a later check. A lease needs no mark, since the tenant is due when it expires.
 */
export class DueIndex {
  readonly #redis: RedisClient;
  readonly #clock: StoreClock;
  readonly #limits: DueLimits;
  readonly #retentionOf: RetentionOf;
  readonly #mark = new Script("mark");
  readonly #take = new Script("take");
  readonly #look = new Script("look");
  readonly #schedule = new Script("schedule");
  readonly #timer = new Script("timer");
  /** Valid marks, oldest first. */
  readonly #marks = new Map<string, Mark>();
  /** Where the walk over all tenants is; undefined once it has ended. */
  #walk: string | undefined = "0";

  constructor(
    redis: RedisClient,
    clock: StoreClock,
    limits: DueLimits,
    retentionOf: RetentionOf = () => limits,
  ) {
    this.#redis = redis;
    this.#clock = clock;
    this.#limits = limits;
    this.#retentionOf = retentionOf;
  }

  /**
   * Makes the index say that the tenant has to be looked at. To be called before the write that makes it so.
   * @returns a promise where that is not so yet
   */
  mark(tenant: string): Promise<void> | undefined {
    const now = performance.now();
    const last = this.#marks.get(tenant);
    if (last && now - last.at < MARK_EVERY_MS) return last.done;
    const mark: Mark = { at: now, done: this.#writeMark(tenant) };
    this.#marks.delete(tenant);
    this.#marks.set(tenant, mark);
    mark.done?.then(
      () => {
        mark.done = undefined;
      },
      () => this.#marks.get(tenant) === mark && this.#marks.delete(tenant),
    );
    for (const [old, { at }] of this.#marks) {
      if (now - at < MARK_EVERY_MS) break;
      this.#marks.delete(old);
    }
    return mark.done;
  }

  /** Takes tenants that are due, so that no other replica looks at them meanwhile. */
  async take(): Promise<Taken[]> {
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => dueKeys(shard));
    const taken = await Promise.all(
      shards.map(({ due }) => this.#take.run(this.#redis, [due], [TAKE_AT_ONCE, HOLD_MS])),
    );
    return taken.flatMap((answer) => {
      const [held, tenants] = words(answer);
      return words(tenants).map((tenant) => ({ tenant: String(tenant), held: String(held) }));
    });
  }

  async look(keys: Keys): Promise<Due> {
    const { runTtlS, sessionTtlS } = this.#retentionOf(keys.tenant);
    const answer = await this.#look.run(
      this.#redis,
      [
        ...[keys.leases, keys.outbox, keys.queued, keys.pending, keys.timers],
        ...[keys.runs, keys.sessions, keys.trimmed, keys.owners],
      ],
      [
        LIST_LIMIT,
        TIMER_LATE_MS,
        REQUEUE_EVERY_MS,
        runTtlS * 1000,
        sessionTtlS * 1000,
        TRIM_EVERY_MS,
        SOON_MS,
      ],
    );
    const [expired, outbox, approvals, overdue, trim, next] = words(answer);
    return {
      expired: words(expired).map(String),
      outbox: outbox === 1,
      approvals: new Set([...words(approvals), ...words(overdue)].map(String)),
      trim: trim === 1,
      next: next === "" ? undefined : String(next),
    };
  }

  /** Has an approval looked at again in so many milliseconds by the store's clock; undefined: not again. */
  async lookAgain(keys: Keys, approval: string, inMs: number | undefined): Promise<void> {
    if (inMs === undefined) {
      await this.#redis.zrem(keys.timers, approval);
      return;
    }
    await this.#timer.run(this.#redis, [keys.timers], [approval, inMs]);
    // The tenant was due when the run's lease would have expired, so only a shorter time needs a look of its own.
    if (inMs < this.#limits.leaseMs) await this.#writeMark(keys.tenant, inMs);
  }

  /** Schedules the next look at a tenant, as the last one said. */
  async schedule({ tenant, held }: Taken, next: string | undefined): Promise<void> {
    const { due, marked } = shardOf(tenant);
    await this.#schedule.run(
      this.#redis,
      [due, marked],
      [tenant, held, next ?? "", MARK_COUNTS_MS, this.#lookEveryMs],
    );
  }

  /** Takes a few tenants into the index, until a walk over all of them has ended: an older gateway or a failover may have left some out. */
  async walk(): Promise<void> {
    if (this.#walk === undefined) return;
    const [cursor, tenants] = await this.#redis.sscan(TENANTS, this.#walk, "COUNT", WALK_PAGE);
    await Promise.all(tenants.map((tenant) => this.#redis.zadd(shardOf(tenant).due, "NX", 0, tenant)));
    this.#walk = cursor === "0" ? undefined : cursor;
  }

  /** A run that was accepted after a look has its lease looked at before it expires. */
  get #lookEveryMs(): number {
    return this.#limits.leaseMs / 2;
  }

  async #writeMark(tenant: string, lookInMs = this.#lookEveryMs): Promise<void> {
    const { due, marked } = shardOf(tenant);
    const [now] = await Promise.all([
      this.#mark.run(this.#redis, [due, marked], [tenant, lookInMs]),
      this.#redis.sadd(TENANTS, tenant),
    ]);
    this.#clock.observe(Number(now));
  }
}

function shardOf(tenant: string): { due: string; marked: string } {
  return dueKeys(crc32(tenant) % DUE_SHARDS);
}
