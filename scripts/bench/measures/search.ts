import { Redis } from "ioredis";
import { keysOf } from "../../../services/gateway/src/store/keys.ts";
import { spreadOf } from "../load/figures.ts";
import { Connection } from "../load/http.ts";
import { askOf } from "../load/requests.ts";
import { startRig } from "../sut/rig.ts";
import type { Measure } from "./measure.ts";

const ENTRIES = 1_000_000;
const AT_ONCE = 500;
const ROUNDS = 40;

/** The last has most to look through: each of its two indexes is large, and no run is in both. */
const QUERIES = [
  "",
  "service=work",
  "state=finished&agent=worker",
  "state=failed",
  "state=failed&service=work",
];

export const search: Measure = {
  name: "search",
  title: `The first page of runs, with ${ENTRIES.toLocaleString("en")} entries in their indexes`,
  once: true,
  async run({ cores, signal }) {
    const rig = await startRig({ cores, signal });
    const connection = new Connection(rig.gateways[0] ?? "");
    const redis = new Redis(rig.mesh.redisUrl);
    try {
      const answer = await connection.exchange(askOf.gateway.ask());
      const { thread_id } = JSON.parse(answer.text) as { thread_id: string };
      const entries = await copy(redis, thread_id);
      const found = [];
      for (const query of QUERIES) {
        const page = () => firstPage(connection, query);
        for (let round = 0; round < ROUNDS; round += 1) await page();
        const before = rig.sut().cpuS;
        const ms: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) ms.push(await page());
        found.push({ ...spreadOf(ms), cpuMs: ((rig.sut().cpuS - before) * 1_000) / ROUNDS });
      }
      return {
        entries,
        pageCpuMs: Math.max(...found.map(({ cpuMs }) => cpuMs)),
        pageP50Ms: Math.max(...found.map(({ p50 }) => p50)),
        pageP95Ms: Math.max(...found.map(({ p95 }) => p95)),
      };
    } finally {
      connection.close();
      redis.disconnect();
      await rig.stop();
    }
  },
};

/** @returns how long it took, in milliseconds */
async function firstPage(connection: Connection, query: string): Promise<number> {
  const begun = performance.now();
  const { status, text } = await connection.exchange({ path: `/api/v1/runs?${query}`, method: "GET" });
  const took = performance.now() - begun;
  const { runs = [] } = JSON.parse(text) as { runs?: unknown[] };
  const isWhole = query === QUERIES.at(-1) ? runs.length === 0 : runs.length >= 20;
  if (status !== 200 || !isWhole) throw new Error(`"${query}": ${status} with ${runs.length} runs`);
  return took;
}

/** Copies a hash, and enters the copies into indexes: ids and times count downwards from those of the last one. */
const COPY = `
  local fields = redis.call("HGETALL", KEYS[1])
  for at = ARGV[1], ARGV[1] + ARGV[2] - 1 do
    local id = string.format("%032x", at)
    redis.call("HSET", ARGV[3] .. id, unpack(fields))
    redis.call("HSET", ARGV[3] .. id, "state", ARGV[4])
    for index = 2, #KEYS do redis.call("ZADD", KEYS[index], ARGV[5] - at, id) end
  end`;

/**
 * Copies a run that finished, with its entries in all indexes; every other batch failed, and is of another service.
 * @returns how many entries there are
 */
async function copy(redis: Redis, run: string): Promise<number> {
  const keys = keysOf("default");
  const [state, created] = await redis.hmget(keys.run(run), "state", "created");
  const indexes: string[] = [];
  for (const key of await redis.keys("*:runs*"))
    if ((await redis.type(key)) === "zset" && (await redis.zscore(key, run)) !== null) indexes.push(key);
  const work = keys.runsBy("service:work");
  if (!indexes.includes(keys.runs) || !indexes.includes(work)) throw new Error("a run is not in its indexes");
  const others = indexes.filter((key) => key !== work);
  const failed = [...others, keys.runsBy("service:other"), keys.runsBy("state:failed")];
  let entries = indexes.length;
  for (let at = 1; entries < ENTRIES; at += AT_ONCE) {
    const isOdd = ((at - 1) / AT_ONCE) % 2 === 1;
    const into = [keys.run(run), ...(isOdd ? failed : indexes)];
    const given = [at, AT_ONCE, keys.run(""), isOdd ? "failed" : (state ?? ""), created ?? ""];
    await redis.eval(COPY, into.length, ...into, ...given);
    entries += AT_ONCE * (into.length - 1);
  }
  return entries;
}
