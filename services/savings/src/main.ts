import { serve } from "@interlock/agent-kit";
import { dataSets } from "@interlock/finops/data";
import { savingsAgent } from "./agent.ts";
import { isEnabled } from "./settings.ts";

// The bills are loaded for the first question: the cost agent has told what is wrong with them by then.
const agent = () =>
  savingsAgent({ enabled: isEnabled(process.env), dataSets: dataSets(process.env.FOCUS_DATA) });

await serve(agent, process.env, { port: 8089 });
