import type { StreamsOptions, StreamsResult } from "../load/streams.ts";
import type { Usage } from "../os/proc.ts";
import { type Bench, type Counted, count, type Measure, refuseTroubles } from "./measure.ts";

/** As many events as it can take. */
export const burst: Measure = {
  name: "burst",
  title: "Burst: 50 streams of 100 events, without a pause",
  async run(bench) {
    const rig = await bench.rig();
    const load = { streams: 50, events: 100, everyMs: 0 };
    rig.measureAgent(true);
    const direct = await countStreams(bench, { url: rig.worker, side: "agent", ...load }, 1.5, [rig.agent]);
    rig.measureAgent(false);
    const url = rig.gateways[0] ?? "";
    const usages = [rig.sut, rig.store];
    const { result, cpuS } = await countStreams(bench, { url, side: "gateway", ...load }, 2.5, usages);
    return {
      perS: result.perS,
      directPerS: direct.result.perS,
      share: result.perS / direct.result.perS,
      ...figuresOf(result, cpuS),
    };
  },
};

/** As events come in a conversation: how long one is on its way, and what one costs. */
export const paced: Measure = {
  name: "paced",
  title: "Paced: 200 streams of 50 events a second each",
  async run(bench) {
    const rig = await bench.rig();
    const url = rig.gateways[0] ?? "";
    const options = { url, side: "gateway", streams: 200, events: 50, everyMs: 20 } as const;
    const { result, cpuS } = await countStreams(bench, options, 3, [rig.sut, rig.store]);
    return { perS: result.perS, ...figuresOf(result, cpuS) };
  },
};

export async function countStreams(
  bench: Pick<Bench, "load" | "signal">,
  options: StreamsOptions,
  seconds: number,
  usages: readonly (() => Usage)[],
): Promise<Counted<StreamsResult>> {
  const { load } = bench;
  const rampS = (options.everyMs * options.events) / 1000;
  const counted = await count(
    bench,
    {
      begin: () => load.call("beginStreams", options),
      finish: () => load.call("finishStreams"),
      warmS: 0.5 + rampS,
    },
    seconds,
    usages,
  );
  refuseTroubles(counted.result);
  return counted;
}

function figuresOf(result: StreamsResult, [sutS = 0, storeS = 0]: readonly number[]) {
  return {
    cpuUs: (sutS * 1e6) / result.events,
    storeCpuUs: (storeS * 1e6) / result.events,
    transitP50Ms: result.transitMs.p50,
    transitP99Ms: result.transitMs.p99,
    firstP50Ms: result.firstMs.p50,
    firstP99Ms: result.firstMs.p99,
    streams: result.complete,
  };
}
