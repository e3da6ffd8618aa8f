import { type Mesh, startMesh } from "../../lib/mesh.ts";
import { runAsks } from "../load/asks.ts";
import { askOf } from "../load/requests.ts";
import { type Cores, startUnpinned } from "../os/cores.ts";
import { type Rig, startRig } from "../sut/rig.ts";
import type { Measure } from "./measure.ts";

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
      for (const rig of [empty, full]) await ask32(rig, signal, WARM_S);
      // Alternating, so that a drift of the machine affects both sides alike.
      const costs = [];
      for (const rig of [empty, full, full, empty]) costs.push((await ask32(rig, signal)).cpuUs);
      const [empty1 = 0, full1 = 0, full2 = 0, empty2 = 0] = costs;
      const [few, many] = [(empty1 + empty2) / 2, (full1 + full2) / 2];
      return { fewCpuUs: few, manyCpuUs: many, cpuRatio: many / few };
    } finally {
      await full.stop();
      await empty.stop();
    }
  },
};

async function ask32({ gateways, sut }: Rig, signal: AbortSignal, seconds = 1.5) {
  const { cpuS, answered } = await runAsks(
    { urls: gateways, question: askOf.gateway, concurrency: 32 },
    { warmS: 0.3, seconds, usages: [sut], signal },
  );
  return { answered, cpuUs: ((cpuS[0] ?? 0) * 1e6) / answered };
}

/** Fills a Redis by running asks. */
export async function startFullStore(cores: Cores | undefined, signal: AbortSignal): Promise<Mesh> {
  const store = await startUnpinned(cores, () => startMesh({ services: [], signal }));
  try {
    const rig = await startRig({ cores, store, signal });
    try {
      for (let runs = 0; runs < RUNS; ) runs += (await ask32(rig, signal, 5)).answered;
    } finally {
      await rig.stop();
    }
    return store;
  } catch (error) {
    await store.stop();
    throw error;
  }
}
