import { hash } from "node:crypto";
import type { Redis } from "ioredis";

/**
 * Reads what the gateway keeps in Redis. Repeats the key layout instead of importing it, so that the checks do not share a mistake of the
 * gateway.
 */
function at(tenant: string, name: string): string {
  return `il:{${tenant}}:${name}`;
}

/** A log entry: several events, one per line. Its id is the seq of the last one. */
export type LogEntry = { readonly lastSeq: number; readonly lines: readonly string[] };

export type StoredRun = {
  readonly record: Readonly<Record<string, string>>;
  readonly log: readonly LogEntry[];
  readonly turns: readonly string[];
  /** Whether the session had so many turns that the first ones are kept as a summary alone. */
  readonly summarised: boolean;
  /** The run under way in the session, and how many wait behind it. */
  readonly active: string;
  readonly waiting: number;
};

export async function readRun(redis: Redis, tenant: string, id: string): Promise<StoredRun> {
  const record = await redis.hgetall(at(tenant, `run:${id}`));
  const session = `session:${record.session ?? ""}`;
  const [entries, head, waiting] = await Promise.all([
    redis.xrange(at(tenant, `run:${id}:events`), "-", "+"),
    redis.hgetall(at(tenant, session)),
    redis.llen(at(tenant, `${session}:waiting`)),
  ]);
  const log = entries.map(([place, fields]) => ({
    lastSeq: Number.parseInt(place, 10),
    lines: (fields[1] ?? "").split("\n"),
  }));
  const from = Number(head.raw_from ?? 0);
  const turns = Array.from(
    { length: Number(head.turns ?? 0) - from },
    (_, n) => head[`turn:${from + n}`] ?? "",
  );
  return { record, log, turns, summarised: from > 0, active: head.active ?? "", waiting };
}

export function digestOf({ log, record }: StoredRun): string {
  return hash("sha256", JSON.stringify([log, record.state, record.seq, record.terminal]));
}

/** @returns undefined if there is no such run */
export async function readState(redis: Redis, tenant: string, id: string): Promise<string | undefined> {
  return (await redis.hget(at(tenant, `run:${id}`), "state")) ?? undefined;
}

export async function readApproval(
  redis: Redis,
  tenant: string,
  id: string,
): Promise<Readonly<Record<string, string>>> {
  return await redis.hgetall(at(tenant, `approval:${id}`));
}

/** Price book entries by `run:step`. */
export async function readPriceBook(redis: Redis, tenant: string): Promise<Map<string, string[]>> {
  const book = new Map<string, string[]>();
  for (const [, [, key = "", , payload = ""]] of await redis.xrange(
    at(tenant, "book:price-book"),
    "-",
    "+",
  )) {
    book.set(key, [...(book.get(key) ?? []), payload]);
  }
  return book;
}

/** All runs of a tenant, acknowledged or not. */
export async function allRuns(redis: Redis, tenant: string): Promise<string[]> {
  return await redis.zrange(at(tenant, "runs"), 0, "-1");
}

/** The indexes that are not empty, though they should be when no run is under way: leases, outbox, pending approvals. */
export async function leftovers(redis: Redis, tenant: string): Promise<string[]> {
  const indexes = ["leases", "outbox", "approvals:pending"];
  const sizes = await Promise.all(indexes.map((name) => redis.zcard(at(tenant, name))));
  return indexes.filter((_, index) => sizes[index] !== 0);
}
