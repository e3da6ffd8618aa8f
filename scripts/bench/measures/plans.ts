import { startMesh } from "../../lib/mesh.ts";
import { GATEWAY } from "../../lib/services.ts";
import { median } from "../load/figures.ts";
import type { PlanTiming } from "../load/plans.ts";
import { usageOf } from "../os/proc.ts";
import { countAsks } from "./asks.ts";
import type { Measure } from "./measure.ts";

/** All five steps of the pricing flow over its own catalogue. */
const MESSAGE = "pricing review";

/** What has to be over before the next begins; explanation and robustness go side by side. */
const STAGES = [["optimize"], ["check"], ["explain", "robustness"]];

/** The whole mesh as `npm start` runs it, on all cores: nothing is pinned here. */
export const plans: Measure = {
  name: "plans",
  title: "Plan of five steps, all agents real",
  async run(bench) {
    const { load, signal } = bench;
    const mesh = await startMesh({ env: { NODE_ENV: "production" }, signal });
    const pidsOf = (wanted: (name: string) => boolean) =>
      mesh.processes.flatMap(({ name, pid }) => (wanted(name) && pid !== undefined ? [pid] : []));
    const ours = pidsOf((name) => name === GATEWAY || name === "redis");
    const agents = pidsOf((name) => name !== GATEWAY && name !== "redis");
    try {
      await load.call("timePlans", mesh.url, MESSAGE, 3);
      const single = await load.call("timePlans", mesh.url, MESSAGE, 8);
      const asks = { urls: [mesh.url], concurrency: 16, message: MESSAGE };
      const { result, cpuS } = await countAsks(bench, asks, 3, [() => usageOf(ours), () => usageOf(agents)]);
      const [oursS = 0, agentsS = 0] = cpuS;
      return {
        perS: result.perS,
        p50Ms: result.ms.p50,
        p95Ms: result.ms.p95,
        agentsCpuShare: agentsS / (agentsS + oursS),
        cpuUs: (oursS * 1e6) / result.answered,
        agentsCpuUs: (agentsS * 1e6) / result.answered,
        singleMs: median(single.map(({ wholeMs }) => wholeMs)),
        agentsTimeShare: median(single.map(agentsShareOf)),
      };
    } finally {
      await mesh.stop();
    }
  },
};

/** Which part of a run's time its steps' agents took, counting those side by side once. */
function agentsShareOf({ wholeMs, stepsMs }: PlanTiming): number {
  const inAgents = STAGES.map((steps) => Math.max(...steps.map((step) => stepsMs[step] ?? 0)));
  return inAgents.reduce((sum, ms) => sum + ms, 0) / wholeMs;
}
