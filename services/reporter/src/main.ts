import { serve } from "@interlock/agent-kit";
import { readRulePack } from "@interlock/pricing/datasets";
import { reporterAgent } from "./agent.ts";

const agent = () => reporterAgent({ rulePack: readRulePack(process.env.RULE_PACK) });

await serve(agent, process.env, { port: 8087 });
