import { type Measure, refuseTroubles } from "./measure.ts";

export const conversations: Measure = {
  name: "conversations",
  title: "100 conversations that begin in the same moment",
  async run(bench) {
    const rig = await bench.rig();
    const url = rig.gateways[0] ?? "";
    await bench.load.call("converse", { url, conversations: 100, rounds: 1 });
    const result = await bench.load.call("converse", { url, conversations: 100, rounds: 3 });
    refuseTroubles(result);
    return {
      firstP50Ms: result.firstMs.p50,
      firstP95Ms: result.firstMs.p95,
      agentP50Ms: result.agentMs.p50,
      agentP95Ms: result.agentMs.p95,
    };
  },
};
