import { median } from "../load/figures.ts";
import { type Rig, startRig } from "../sut/rig.ts";
import { neverRewrite } from "../sut/store-settings.ts";
import { countAsks } from "./asks.ts";
import type { Bench, Measure } from "./measure.ts";

export const replicas: Measure = {
  name: "replicas",
  title: "Two gateways against one, same Redis",
  async run(bench) {
    const { cores, signal } = bench;
    const rig = await startRig({ cores, signal, gateways: 2 });
    try {
      await neverRewrite(rig.mesh);
      await ask(bench, rig, rig.gateways, 2);
      const alone = [];
      for (const url of rig.gateways) alone.push(await ask(bench, rig, [url], 1.5));
      const two = await ask(bench, rig, rig.gateways, 2);
      const onePerS = median(alone.map(({ perS }) => perS));
      const oneCpuUs = median(alone.map(({ cpuUs }) => cpuUs));
      return {
        onePerS,
        twoPerS: two.perS,
        speedup: two.perS / onePerS,
        oneCpuUs,
        twoCpuUs: two.cpuUs,
        cpuRatio: two.cpuUs / oneCpuUs,
      };
    } finally {
      await rig.stop();
    }
  },
};

async function ask(bench: Bench, rig: Rig, urls: readonly string[], seconds: number) {
  // As many callers a gateway: what fewer at once cost more is no matter of how many gateways there are.
  const options = { urls, side: "gateway", concurrency: 32 * urls.length } as const;
  const { result, cpuS } = await countAsks(bench, options, seconds, [rig.sut]);
  return { perS: result.perS, cpuUs: ((cpuS[0] ?? 0) * 1e6) / result.answered };
}
