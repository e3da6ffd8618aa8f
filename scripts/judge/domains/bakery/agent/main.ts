import { serve } from "@interlock/agent-kit";
import { recordingAgent } from "../../../agent/recording-agent.ts";

const TASKS = {
  PRODUCTION: "Plan how much of what is made",
  CAPACITY: "Check a plan against ovens and hours",
  INGREDIENTS: "List the ingredients of a plan",
  WASTE: "Tell what was thrown away",
};

await serve(recordingAgent("bakehouse", TASKS), process.env, { port: 8099 });
