import { type Rig, startRig } from "../sut/rig.ts";
import { countAsks } from "./asks.ts";
import type { Bench, Measure } from "./measure.ts";

export const replicas: Measure = {
  name: "replicas",
  title: "Two gateways against one, same Redis",
  async run(bench) {
    const { cores, signal } = bench;
    const rig = await startRig({ cores, signal, gateways: 2 });
    try {
      // Both run, and both are warm, in either half: only who is asked differs.
      await ask(bench, rig, rig.gateways, 2);
      const one = await ask(bench, rig, rig.gateways.slice(0, 1), 2);
      const two = await ask(bench, rig, rig.gateways, 2);
      return {
        onePerS: one.perS,
        twoPerS: two.perS,
        speedup: two.perS / one.perS,
        oneCpuUs: one.cpuUs,
        twoCpuUs: two.cpuUs,
        cpuRatio: two.cpuUs / one.cpuUs,
      };
    } finally {
      await rig.stop();
    }
  },
};

async function ask(bench: Bench, rig: Rig, urls: readonly string[], seconds: number) {
  const options = { urls, side: "gateway", concurrency: 32 } as const;
  const { result, cpuS } = await countAsks(bench, options, seconds, [rig.sut]);
  return { perS: result.perS, cpuUs: ((cpuS[0] ?? 0) * 1e6) / result.answered };
}
