import { serve } from "@interlock/agent-kit";
import { minimalAgent } from "./agent.ts";

await serve(minimalAgent(), process.env, { port: 8099 });
