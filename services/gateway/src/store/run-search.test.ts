import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "../../test/support/closing.ts";
import { testRedis } from "../../test/support/redis.ts";
import { keysOf } from "./keys.ts";
import { type Connections, connect } from "./redis.ts";
import { searchRuns } from "./run-search.ts";

const keep = closingAtEnd();
const keys = keysOf(`search-${randomUUID()}`);
let redis: Connections;

const FLOWS = ["pricing", "cost"];
const STATES = ["finished", "failed", "finished", "paused"];
const ORDER = JSON.stringify({ target: { kind: "general" }, subject: "ann", issuer: "test", model: {} });

/** Run 0 was created at 1000 ms, run 1 at 1010 ms, and so on; every third of the latest is in the session `s`. */
const idOf = (n: number): string => `run-${String(n).padStart(4, "0")}`;
const ALL = 1_200;
/** As many as a session remembers, about. */
const OF_SESSION = 150;
const inSession = (n: number): boolean => n % 3 === 0 && n >= ALL - 3 * OF_SESSION;

beforeAll(async () => {
  const { url } = keep(await testRedis());
  redis = connect(url, () => undefined);
  keep({ stop: () => redis.close() });
  const pipeline = redis.log.pipeline();
  for (let n = 0; n < ALL; n += 1) {
    const [id, at] = [idOf(n), 1_000 + 10 * n];
    const [flow = "", state = ""] = [FLOWS[n % 2], STATES[n % 4]];
    pipeline.hset(keys.run(id), { session: "s", kind: "plan", state, order: ORDER, created: at, seq: 1 });
    pipeline.zadd(keys.runs, at, id).zadd(keys.runsBy(`flow:${flow}`), at, id);
    if (state !== "finished")
      pipeline.zadd(state === "paused" ? keys.openRuns : keys.runsBy(`state:${state}`), at, id);
  }
  const ofSession = Array.from({ length: ALL }, (_, n) => n).filter(inSession);
  pipeline.hset(keys.session("s"), "runs", ofSession.map(idOf).join(" "));
  await pipeline.exec();
});

/** Numbers of all runs that match, page by page. */
async function found(filters: Partial<Parameters<typeof searchRuns>[2]>, limit = 100): Promise<number[]> {
  const all: number[] = [];
  let before: Parameters<typeof searchRuns>[2]["before"];
  do {
    const page = await searchRuns(redis.commands, keys, { ...filters, limit, before });
    all.push(...page.runs.map(({ id }) => Number(id.slice(4))));
    before = page.next;
  } while (before);
  return all;
}

const those = (matches: (n: number) => boolean): number[] =>
  Array.from({ length: ALL }, (_, n) => ALL - 1 - n).filter(matches);

test("what is not asked for may be anything", async () => {
  expect(await found({})).toEqual(those(() => true));
  expect(await found({ flow: "cost" }, 7)).toEqual(those((n) => n % 2 === 1));
});

test("several filters hold at once, whichever index is walked", async () => {
  expect(await found({ flow: "pricing", state: "finished", sessionId: "s" })).toEqual(
    those((n) => n % 2 === 0 && inSession(n)),
  );
  expect(await found({ flow: "cost", sessionId: "s" }, 9)).toEqual(those((n) => n % 2 === 1 && inSession(n)));
  const within = { sessionId: "s", from: 1_000 + 10 * 900, to: 1_000 + 10 * 906 };
  expect(await found(within)).toEqual([906, 903, 900]);
  expect(await found({ flow: "pricing", state: "failed" })).toEqual([]);
});

test("a state that runs leave is looked up in the runs that are not over", async () => {
  expect(await found({ state: "paused" })).toEqual(those((n) => n % 4 === 3));
  expect(await found({ state: "running" })).toEqual([]);
});

test("from and to are inclusive", async () => {
  expect(await found({ from: 1_100, to: 1_200, flow: "pricing" })).toEqual([20, 18, 16, 14, 12, 10]);
});

test("a record that is gone is passed over, and a name without an index has no runs", async () => {
  await redis.commands.del(keys.run(idOf(1_199)));
  expect((await found({ flow: "cost" }))[0]).toBe(1_197);
  expect(await found({ agent: "nobody" })).toEqual([]);
});

test("the last page has no next, however it ends", async () => {
  const page = await searchRuns(redis.commands, keys, { limit: 6, from: 1_100, to: 1_200, flow: "pricing" });
  expect([page.runs.length, page.next]).toEqual([6, undefined]);
});
