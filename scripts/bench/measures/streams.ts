import { runStreams, type StreamsResult } from "../load/streams.ts";
import type { Measure } from "./measure.ts";

/** Throughput: as many events as the gateway can take. */
export const burst: Measure = {
  name: "burst",
  title: "Burst: 50 streams of 100 events, without a pause",
  async run(bench) {
    const { signal } = bench;
    const rig = await bench.rig();
    const shape = { streams: 50, events: 100, everyMs: 0 };
    rig.measureAgent(true);
    const direct = await runStreams({ url: rig.worker, side: "agent", ...shape }, { seconds: 1.5, signal });
    rig.measureAgent(false);
    const result = await runStreams(
      { url: rig.gateways[0] ?? "", side: "gateway", ...shape },
      { seconds: 2.5, usages: [rig.sut, rig.store], signal },
    );
    return {
      perS: result.perS,
      directPerS: direct.perS,
      share: result.perS / direct.perS,
      ...figuresOf(result),
    };
  },
};

/** CPU and latency of events at the pace of a conversation. */
export const paced: Measure = {
  name: "paced",
  title: "Paced: 200 streams of 50 events a second each",
  async run(bench) {
    const rig = await bench.rig();
    const result = await runStreams(
      { url: rig.gateways[0] ?? "", side: "gateway", streams: 200, events: 50, everyMs: 20 },
      { seconds: 3, usages: [rig.sut, rig.store], signal: bench.signal },
    );
    return { perS: result.perS, ...figuresOf(result) };
  },
};

function figuresOf({ cpuS, events, transitMs, firstMs, complete }: StreamsResult) {
  return {
    cpuUs: ((cpuS[0] ?? 0) * 1e6) / events,
    storeCpuUs: ((cpuS[1] ?? 0) * 1e6) / events,
    transitP50Ms: transitMs.p50,
    transitP99Ms: transitMs.p99,
    firstP50Ms: firstMs.p50,
    firstP99Ms: firstMs.p99,
    streams: complete,
  };
}
