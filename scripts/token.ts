/** `npm run -s token -- --user bo --role pricing_approver`: prints a token for the mesh that `npm start` runs, or will run. */
import { join } from "node:path";
import { tokenCommand } from "@interlock/issuer";
import { fail, say } from "./lib/console.ts";
import { dataDir } from "./lib/paths.ts";
import { readRecord } from "./lib/run-record.ts";
import { ISSUER } from "./lib/services.ts";
import { portsFrom } from "./lib/settings.ts";

async function main(): Promise<void> {
  const usual = `http://127.0.0.1:${portsFrom(process.env, [ISSUER])[ISSUER.name]}`;
  const { issuer = usual } = process.env[ISSUER.portVariable] ? {} : readRecord(join(dataDir, "start.json"));
  const env = { DEVELOPMENT_ISSUER: issuer, ISSUER_DATA_DIR: join(dataDir, "issuer"), ...process.env };
  say(await tokenCommand(process.argv.slice(2), env));
}

await main().catch(fail);
