import { SettingError, serve } from "@interlock/agent-kit";
import { transferAgent } from "./agent.ts";
import { settingsFrom, type TransferSettings } from "./settings.ts";

function settingsOrExit(): TransferSettings {
  try {
    return settingsFrom(process.env);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    console.error(`transfer: ${error.message}`);
    process.exit(1);
  }
}

await serve(transferAgent(settingsOrExit()), process.env, { port: 8086 });
