import { Redis } from "ioredis";
import { type Mesh, startMesh } from "../../lib/mesh.ts";
import { Connection, exchange } from "../load/http.ts";
import { ask } from "../load/requests.ts";
import type { Cores } from "../os/cores.ts";
import { type Rig, startRig } from "../sut/rig.ts";
import { neverRewrite } from "../sut/store-settings.ts";
import { countAsks } from "./asks.ts";
import type { Bench, Measure } from "./measure.ts";

const RUNS = 100_000;

const WARM_S = 1.5;

export const fullStore: Measure = {
  name: "full-store",
  title: `Simple ask, 32 at once, with ${RUNS.toLocaleString("en")} finished runs in Redis`,
  async run(bench) {
    const { cores, signal } = bench;
    const store = await bench.fullStore();
    const full = await startRig({ cores, signal, store });
    const empty = await startRig({ cores, signal });
    try {
      await neverRewrite(empty.mesh);
      // Each in turn, so that both are as warm, and what disturbs one may disturb the other.
      for (const rig of [empty, full]) await ask32(bench, rig, WARM_S);
      const first = [await ask32(bench, empty), await ask32(bench, full)];
      const second = [await ask32(bench, full), await ask32(bench, empty)].reverse();
      const [few = 0, many = 0] = [0, 1].map((side) => ((first[side] ?? 0) + (second[side] ?? 0)) / 2);
      return { fewCpuUs: few, manyCpuUs: many, cpuRatio: many / few };
    } finally {
      await full.stop();
      await empty.stop();
    }
  },
};

/** @returns microseconds of CPU an ask */
async function ask32(bench: Bench, rig: Rig, seconds = 1.5): Promise<number> {
  const options = { urls: rig.gateways, side: "gateway", concurrency: 32 } as const;
  const { result, cpuS } = await countAsks(bench, options, seconds, [rig.sut], 0.3);
  return ((cpuS[0] ?? 0) * 1e6) / result.answered;
}

/** A Redis with one finished run that a gateway made, and copies of everything it left behind, under names of their own. */
export async function startFullStore(cores: Cores | undefined, signal: AbortSignal): Promise<Mesh> {
  const mesh = await startMesh({ services: [], signal });
  try {
    await neverRewrite(mesh);
    const rig = await startRig({ cores, store: mesh, signal });
    const connection = new Connection(rig.gateways[0] ?? "");
    const { text } = await exchange(connection, ask("gateway"));
    connection.close();
    await rig.stop();
    await copyRun(mesh.redisUrl, JSON.parse(text) as Answer);
    return mesh;
  } catch (error) {
    await mesh.stop();
    throw error;
  }
}

type Answer = { readonly thread_id: string; readonly session_id: string };

/**
 * Copies what carries the run's or the session's id in its key, and adds the copy's id wherever the id is a member of a sorted set: so
 * that this needs to know nothing of how the gateway lays its keys out.
 */
const COPY = `
local from, to = tonumber(ARGV[1]), tonumber(ARGV[2])
local ids = { ARGV[3], ARGV[4] }
local function renamed(text, n)
  for i, id in ipairs(ids) do
    local at, last = string.find(text, id, 1, true)
    if at then
      return string.sub(text, 1, at - 1) .. 'copy' .. i .. '-' .. n .. string.sub(text, last + 1)
    end
  end
end
for _, key in ipairs(KEYS) do
  local members = {}
  if redis.call('TYPE', key).ok == 'zset' then
    members = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  end
  for n = from, to do
    local copy = renamed(key, n)
    if copy then
      redis.call('COPY', key, copy)
    end
    for m = 1, #members, 2 do
      local member = renamed(members[m], n)
      if member then
        redis.call('ZADD', key, members[m + 1], member)
      end
    end
  end
end`;

const BATCH = 1_000;

async function copyRun(url: string, { thread_id, session_id }: Answer): Promise<void> {
  const redis = new Redis(url);
  try {
    const keys = (await redis.keys("*")).filter((key) => !key.startsWith("bull"));
    // One key a call: sorted sets grow by the copies, and must not be copied from their copies.
    const originals = keys.filter((key) => key.includes(thread_id) || key.includes(session_id));
    const indexes = keys.filter((key) => !originals.includes(key));
    for (let from = 1; from <= RUNS; from += BATCH) {
      const to = Math.min(RUNS, from + BATCH - 1);
      await redis.eval(COPY, originals.length, ...originals, from, to, thread_id, session_id);
    }
    await redis.eval(COPY, indexes.length, ...indexes, 1, RUNS, thread_id, session_id);
    const copied = (await redis.dbsize()) - keys.length;
    if (copied < RUNS * 2) throw new Error(`a finished run left too little behind: ${copied} keys of copies`);
  } finally {
    redis.disconnect();
  }
}
