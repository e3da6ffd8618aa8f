import { serve } from "@interlock/agent-kit";
import { readRulePack, sampleInputs } from "@interlock/pricing/datasets";
import { policyAgent } from "./agent.ts";

const agent = () => policyAgent({ rulePack: readRulePack(process.env.RULE_PACK), sample: sampleInputs });

await serve(agent, process.env, { port: 8082 });
