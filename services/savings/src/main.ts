import { SettingError, serve } from "@interlock/agent-kit";
import { savingsAgent } from "./agent.ts";

const agent = () => {
  const flag = process.env.SAVINGS_AGENT?.trim() || "on";
  if (flag !== "on" && flag !== "off") throw new SettingError("SAVINGS_AGENT must be on or off.");
  return savingsAgent({ enabled: flag === "on" });
};

await serve(agent, process.env, { port: 8089 });
