import { runAsks } from "../load/asks.ts";
import { median } from "../load/figures.ts";
import { askOf } from "../load/requests.ts";
import { type Rig, startRig } from "../sut/rig.ts";
import type { Measure } from "./measure.ts";

export const replicas: Measure = {
  name: "replicas",
  title: "Two gateways against one, same Redis",
  async run({ cores, signal }) {
    const rig = await startRig({ cores, signal, gateways: 2 });
    try {
      await ask(rig, rig.gateways, 2, signal);
      const alone = [];
      for (const url of rig.gateways) alone.push(await ask(rig, [url], 1.5, signal));
      const two = await ask(rig, rig.gateways, 2, signal);
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

async function ask(rig: Rig, urls: readonly string[], seconds: number, signal: AbortSignal) {
  // 32 callers per gateway: with fewer, group writes are smaller and each ask costs more.
  const { perS, answered, cpuS } = await runAsks(
    { urls, question: askOf.gateway, concurrency: 32 * urls.length },
    { warmS: 0.7, seconds, usages: [rig.sut], signal },
  );
  return { perS, cpuUs: ((cpuS[0] ?? 0) * 1e6) / answered };
}
