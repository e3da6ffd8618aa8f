import type { AsksOptions, AsksResult } from "../load/asks.ts";
import type { Usage } from "../os/proc.ts";
import { type Bench, type Counted, count, type Measure, refuseTroubles, type Values } from "./measure.ts";

/** One step, one agent, each ask a new session: what the gateway adds to the agent's own answer. */
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
  const rig = await bench.rig();
  rig.measureAgent(true);
  const direct = await countAsks(bench, { urls: [rig.worker], side: "agent", concurrency }, seconds * 0.6, [
    rig.agent,
  ]);
  rig.measureAgent(false);
  const { result, cpuS } = await countAsks(
    bench,
    { urls: rig.gateways, side: "gateway", concurrency },
    seconds,
    [rig.sut, rig.store],
  );
  const [sutS = 0, storeS = 0] = cpuS;
  return {
    perS: result.perS,
    directPerS: direct.result.perS,
    share: result.perS / direct.result.perS,
    cpuUs: (sutS * 1e6) / result.answered,
    storeCpuUs: (storeS * 1e6) / result.answered,
    directCpuUs: ((direct.cpuS[0] ?? 0) * 1e6) / direct.result.answered,
    p50Ms: result.ms.p50,
    p95Ms: result.ms.p95,
    p99Ms: result.ms.p99,
  };
}

/** Asks in a closed loop. */
export async function countAsks(
  bench: Pick<Bench, "load" | "signal">,
  options: AsksOptions,
  seconds: number,
  usages: readonly (() => Usage)[],
  warmS = 0.7,
): Promise<Counted<AsksResult>> {
  const { load } = bench;
  const counted = await count(
    bench,
    { begin: () => load.call("beginAsks", options), finish: () => load.call("finishAsks"), warmS },
    seconds,
    usages,
  );
  refuseTroubles(counted.result);
  return counted;
}
