import { serve } from "@interlock/agent-kit";
import { dataSets } from "@interlock/finops/data";
import { costAgent } from "./agent.ts";

await serve(() => costAgent({ dataSets: dataSets(process.env.FOCUS_DATA) }), process.env, { port: 8088 });
