import type { Keys } from "./keys.ts";
import { type PageCursor, readPage } from "./page.ts";
import type { RunRecord, RunState } from "./records.ts";
import type { RedisClient } from "./redis-url.ts";
import { RECORD, toRecord } from "./run-record.ts";

/** What runs have to be to match; what is absent, any may be. */
export type RunFilters = {
  state?: RunState | undefined;
  flow?: string | undefined;
  service?: string | undefined;
  agent?: string | undefined;
  /** The code that the run failed with. */
  code?: string | undefined;
  sessionId?: string | undefined;
  /** The principal whose run it is. */
  owner?: string | undefined;
  /** Milliseconds of the creation, both inclusive. */
  from?: number | undefined;
  to?: number | undefined;
};

export type RunPage = RunFilters & { limit: number; before?: PageCursor | undefined };

/** States that nothing leaves: they have an index. The others change, and few runs are in them. */
const ENDS: ReadonlySet<string> = new Set(["finished", "failed", "cancelled"]);

/** Members of the smallest index that one page looks through, and how many at once. */
const MOST_LOOKED = 2_000;
const WINDOW = 200;

/**
 * The runs of a tenant that match, latest first. Walks the smallest of the indexes concerned, and looks its members up in the others.
 * @returns a page; one that has not found `limit` runs in what it looked through has a `next` all the same
 */
export async function searchRuns(
  redis: RedisClient,
  keys: Keys,
  { limit, before, from, to, state, ...filters }: RunPage,
): Promise<{ runs: RunRecord[]; next?: PageCursor }> {
  const [driver, ...others] = await bySize(redis, indexesOf(keys, state, filters));
  const runs: RunRecord[] = [];
  let behind = before;
  for (let looked = 0; looked < MOST_LOOKED; looked += WINDOW) {
    const window = { key: driver ?? keys.runs, limit: WINDOW, behind, from, to };
    const { ids, next } = await readPage(redis, window);
    const scores = await Promise.all(others.map((key) => (ids.length > 0 ? redis.zmscore(key, ...ids) : [])));
    const matching = ids.filter((_, at) => scores.every((of) => of[at] !== null));
    const found = await Promise.all(matching.map((id) => redis.hmget(keys.run(id), ...RECORD)));
    for (const [at, fields] of found.entries()) {
      const record = toRecord(matching[at] ?? "", fields);
      if (!record || (state !== undefined && record.state !== state)) continue;
      // Known only now: there is one more.
      const last = runs.at(-1);
      if (last && runs.length === limit) return { runs, next: { score: last.createdAt, id: last.id } };
      runs.push(record);
    }
    if (!next) return { runs };
    behind = next;
  }
  return behind ? { runs, next: behind } : { runs };
}

function indexesOf(
  keys: Keys,
  state: RunState | undefined,
  { flow, service, agent, code, sessionId, owner }: Omit<RunFilters, "state">,
): string[] {
  const indexes = Object.entries({ flow, service, agent, code }).flatMap(([name, value]) =>
    value === undefined ? [] : [keys.runsBy(`${name}:${value}`)],
  );
  if (owner !== undefined) indexes.push(keys.runsOf(owner));
  if (sessionId !== undefined) indexes.push(keys.runsOfSession(sessionId));
  if (state !== undefined && ENDS.has(state)) indexes.push(keys.runsBy(`state:${state}`));
  else if (state !== undefined) indexes.push(owner === undefined ? keys.openRuns : keys.openRunsOf(owner));
  return indexes;
}

/** The smallest first. */
async function bySize(redis: RedisClient, indexes: readonly string[]): Promise<string[]> {
  if (indexes.length < 2) return [...indexes];
  const sizes = await Promise.all(indexes.map((key) => redis.zcard(key)));
  return indexes
    .map((key, at) => ({ key, size: sizes[at] ?? 0 }))
    .sort((one, other) => one.size - other.size)
    .map(({ key }) => key);
}
