/**
 * `npm start [-- --only PART,…]`: runs the mesh on its usual ports until Ctrl-C; what ends before is started again. `--only` names the parts of the manifest to take, as
 * `pricing` for `services/pricing/domain.yaml`; agents of the others are not started.
 */
import { parseArgs } from "node:util";
import { fail } from "./cli/src/console.ts";
import { start } from "./cli/src/start.ts";
import { dataDir, root } from "./lib/paths.ts";
import { servicesFor } from "./lib/services.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const only = (values.only ?? process.env.MESH_ONLY)?.split(",").map((part) => part.trim());
  await start({ folder: root, dataDir, only, servicesFor, token: "npm run -s token --" });
}

await main().catch(fail);
