import { startMesh } from "../../lib/mesh.ts";
import { GATEWAY } from "../../lib/services.ts";
import { runAsks } from "../load/asks.ts";
import { median } from "../load/figures.ts";
import { Connection } from "../load/http.ts";
import { readStream } from "../load/read-stream.ts";
import { pricingReview } from "../load/requests.ts";
import { startUnpinned } from "../os/cores.ts";
import { usageOf } from "../os/proc.ts";
import { pidsOf } from "../sut/rig.ts";
import type { Measure } from "./measure.ts";

/** The stages of the plan; the steps of one stage run in parallel. */
const STAGES = [["optimize"], ["check"], ["explain", "robustness"]];

/** The whole mesh as `npm start` runs it, on all cores: only the load generator is pinned. */
export const plans: Measure = {
  name: "plans",
  title: "Plan of five steps, all agents real",
  async run({ cores, signal }) {
    const mesh = await startUnpinned(cores, () => startMesh({ env: { NODE_ENV: "production" }, signal }));
    const isOurs = (name: string) => name === GATEWAY || name === "redis";
    const ours = pidsOf(mesh, isOurs);
    const agents = pidsOf(mesh, (name) => !isOurs(name));
    try {
      await timePlans(mesh.url, 3);
      const single = await timePlans(mesh.url, 8);
      const question = {
        ask: () => pricingReview(""),
        isAnswer: (text: string) => text.includes('"done":true'),
      };
      const { perS, ms, answered, cpuS } = await runAsks(
        { urls: [mesh.url], concurrency: 16, question },
        { warmS: 0.7, seconds: 3, usages: [() => usageOf(ours), () => usageOf(agents)], signal },
      );
      const [oursS = 0, agentsS = 0] = cpuS;
      return {
        perS,
        p50Ms: ms.p50,
        p95Ms: ms.p95,
        agentsCpuShare: agentsS / (agentsS + oursS),
        cpuUs: (oursS * 1e6) / answered,
        agentsCpuUs: (agentsS * 1e6) / answered,
        singleMs: median(single.map(({ wholeMs }) => wholeMs)),
        agentsTimeShare: median(single.map(({ agentsMs, wholeMs }) => agentsMs / wholeMs)),
      };
    } finally {
      await mesh.stop();
    }
  },
};

type PlanTiming = { readonly wholeMs: number; readonly agentsMs: number };

/** Runs plans one after another. */
async function timePlans(url: string, runs: number): Promise<PlanTiming[]> {
  const connection = new Connection(url);
  const timings: PlanTiming[] = [];
  while (timings.length < runs) {
    const stepMs = new Map<string | undefined, number>();
    const since = performance.now();
    let last = "";
    await readStream(connection, pricingReview("?stream=true"), "gateway", {
      any: (frame) => {
        const took = /"duration_ms":([\d.]+)/.exec(frame)?.[1];
        if (took !== undefined) stepMs.set(/"node":"([^"]+)"/.exec(frame)?.[1], Number(took));
        last = frame;
      },
    });
    if (last.includes('"error"')) throw new Error(`a plan run failed: ${last.slice(0, 300)}`);
    const wholeMs = performance.now() - since;
    const stagesMs = STAGES.map((steps) => Math.max(...steps.map((step) => stepMs.get(step) ?? 0)));
    timings.push({ wholeMs, agentsMs: stagesMs.reduce((sum, ms) => sum + ms, 0) });
  }
  connection.close();
  return timings;
}
