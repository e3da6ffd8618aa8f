import { runAsks } from "../load/asks.ts";
import { askOf } from "../load/requests.ts";
import { setRedis } from "../sut/rig.ts";
import type { Bench, Measure, Values } from "./measure.ts";

/** One step, one agent, and a new session for each ask: what the gateway adds to a direct call of the agent. */
export const ask1: Measure = {
  name: "ask1",
  title: "Simple ask, one at a time",
  run: (bench) => compare(bench, 1, 1.5),
};

export const ask32: Measure = {
  name: "ask32",
  title: "Simple ask, 32 at once",
  run: (bench) => compare(bench, 32, 2.5),
};

async function compare(bench: Bench, concurrency: number, seconds: number): Promise<Values> {
  const { signal } = bench;
  const rig = await bench.rig();
  rig.measureAgent(true);
  const direct = await runAsks(
    { urls: [rig.worker], question: askOf.agent, concurrency },
    { warmS: 0.7, seconds: seconds * 0.6, usages: [rig.agent], signal },
  );
  rig.measureAgent(false);
  const result = await runAsks(
    { urls: rig.gateways, question: askOf.gateway, concurrency },
    { warmS: 0.7, seconds, usages: [rig.sut, rig.store], signal },
  );
  const { cpuS, answered, ms } = result;
  return {
    perS: result.perS,
    directPerS: direct.perS,
    share: result.perS / direct.perS,
    cpuUs: ((cpuS[0] ?? 0) * 1e6) / answered,
    storeCpuUs: ((cpuS[1] ?? 0) * 1e6) / answered,
    directCpuUs: ((direct.cpuS[0] ?? 0) * 1e6) / direct.answered,
    p50Ms: ms.p50,
    p95Ms: ms.p95,
    p99Ms: ms.p99,
  };
}

/**
 * The same measure with a Redis that syncs once a second. The mesh does not run like this, but most products on Redis publish figures
 * measured like this, and these compare with them.
 */
export function everysec(measure: Measure): Measure {
  return {
    ...measure,
    name: `${measure.name}-everysec`,
    title: `${measure.title}; Redis syncs once a second`,
    async run(bench) {
      const { mesh } = await bench.rig();
      await setRedis(mesh, "appendfsync", "everysec");
      try {
        return await measure.run(bench);
      } finally {
        await setRedis(mesh, "appendfsync", "always");
      }
    },
  };
}
