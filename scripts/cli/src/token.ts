import { join } from "node:path";
import { tokenCommand } from "@interlock/issuer";
import { readRecord } from "./run-record.ts";
import { ISSUER } from "./services.ts";
import { portsFrom } from "./settings.ts";

/** A token for the mesh that runs over these data, or will run. @throws Error that says what is wrong with the arguments */
export function token(args: readonly string[], dataDir: string): Promise<string> {
  const usual = `http://127.0.0.1:${portsFrom(process.env, [ISSUER])[ISSUER.name]}`;
  const { issuer = usual } = process.env[ISSUER.portVariable] ? {} : readRecord(join(dataDir, "start.json"));
  const env = { DEVELOPMENT_ISSUER: issuer, ISSUER_DATA_DIR: join(dataDir, "issuer"), ...process.env };
  return tokenCommand(args, env);
}
