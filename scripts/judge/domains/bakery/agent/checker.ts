import { serve } from "@interlock/agent-kit";
import { checkingAgent } from "../../../agent/recording-agent.ts";

await serve(checkingAgent("checker", "PLAN_CHECK"), process.env, { port: 8098 });
