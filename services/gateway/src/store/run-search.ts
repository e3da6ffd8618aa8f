import type { Keys } from "./keys.ts";
import { isBehind, type PageCursor, readPage } from "./page.ts";
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

export type RunsFound = { runs: RunRecord[]; next?: PageCursor };

/** Ends that few runs come to have an index. So have the states that a run leaves; those that finished are most of all runs. */
const INDEXED_ENDS: ReadonlySet<string> = new Set(["failed", "cancelled"]);

/** Members of the smallest index that one page looks through, and how many at once. */
const MOST_LOOKED = 2_000;
const WINDOW = 200;

/**
 * The runs of a tenant that match, latest first. Walks the smallest of the indexes concerned, and looks its members up in the others; of a
 * session, the latest 200 or so are known.
 * @returns a page; one that has not found `limit` runs in what it looked through has a `next` all the same
 */
export async function searchRuns(redis: RedisClient, keys: Keys, page: RunPage): Promise<RunsFound> {
  if (page.sessionId !== undefined) return await searchSession(redis, keys, page, page.sessionId);
  const { limit, before, from, to } = page;
  const [driver, ...others] = await bySize(redis, indexesOf(keys, page));
  const runs: RunRecord[] = [];
  let behind = before;
  for (let looked = 0; looked < MOST_LOOKED; looked += WINDOW) {
    const window = { key: driver ?? keys.runs, limit: WINDOW, behind, from, to };
    const { ids, next } = await readPage(redis, window);
    runs.push(...(await matching(redis, keys, { ids, indexes: others, state: page.state })));
    // One more than is shown: there is another page.
    if (runs.length > limit || !next) return pageOf(runs, limit);
    behind = next;
  }
  return behind ? { runs, next: behind } : { runs };
}

async function searchSession(
  redis: RedisClient,
  keys: Keys,
  page: RunPage,
  sessionId: string,
): Promise<RunsFound> {
  const { limit, before, from = 0, to = Number.POSITIVE_INFINITY, state } = page;
  const known = await redis.hget(keys.session(sessionId), "runs");
  const ids = known?.split(" ").reverse() ?? [];
  const all = await matching(redis, keys, { ids, indexes: indexesOf(keys, page), state });
  const inTime = all.filter(({ id, createdAt: score }) => {
    const follows = before === undefined || isBehind({ id, score }, before, "descending");
    return score >= from && score <= to && follows;
  });
  inTime.sort((one, other) => other.createdAt - one.createdAt || (other.id < one.id ? -1 : 1));
  return pageOf(inTime, limit);
}

function pageOf(runs: readonly RunRecord[], limit: number): RunsFound {
  const shown = runs.slice(0, limit);
  const last = shown.at(-1);
  if (!last || runs.length <= limit) return { runs: shown };
  return { runs: shown, next: { score: last.createdAt, id: last.id } };
}

/** The records of those ids that are in all of the indexes and in the state, where one is asked for. */
async function matching(
  redis: RedisClient,
  keys: Keys,
  {
    ids,
    indexes,
    state,
  }: { ids: readonly string[]; indexes: readonly string[]; state?: RunState | undefined },
): Promise<RunRecord[]> {
  if (ids.length === 0) return [];
  const scores = await Promise.all(indexes.map((key) => redis.zmscore(key, ...ids)));
  const indexed = ids.filter((_, at) => scores.every((of) => of[at] !== null));
  const found = await Promise.all(indexed.map((id) => redis.hmget(keys.run(id), ...RECORD)));
  return found.flatMap((fields, at) => {
    const record = toRecord(indexed[at] ?? "", fields);
    return record && (state === undefined || record.state === state) ? [record] : [];
  });
}

function indexesOf(keys: Keys, { state, flow, service, agent, code, owner }: RunFilters): string[] {
  const indexes = Object.entries({ flow, service, agent, code }).flatMap(([name, value]) =>
    value === undefined ? [] : [keys.runsBy(`${name}:${value}`)],
  );
  if (owner !== undefined) indexes.push(keys.runsOf(owner));
  if (state !== undefined && INDEXED_ENDS.has(state)) indexes.push(keys.runsBy(`state:${state}`));
  else if (state !== undefined && state !== "finished")
    indexes.push(owner === undefined ? keys.openRuns : keys.openRunsOf(owner));
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
