import { serve } from "@interlock/agent-kit";
import { recordingAgent } from "../../../agent/recording-agent.ts";

const TASKS = {
  COST_QUERY: "Tell what was spent",
  COST_FORECAST: "Say what will be spent",
  OPTIMIZATION: "Find savings",
  RESOURCE_INFO: "List resources and their use",
  ALERT_CONFIG: "Set an alert on costs",
  REPORT_GEN: "Make a report",
};

await serve(recordingAgent("cloud", TASKS), process.env, { port: 8099 });
