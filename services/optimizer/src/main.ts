import { serve } from "@interlock/agent-kit";
import { datasetsUnder, readRulePack, sampleInputs } from "@interlock/pricing/datasets";
import { optimizerAgent } from "./agent.ts";

const agent = () =>
  optimizerAgent({
    datasets: datasetsUnder(process.env.DATASETS_DIR),
    rulePack: readRulePack(process.env.RULE_PACK),
    sample: sampleInputs,
  });

await serve(agent, process.env, { port: 8081 });
