/**
 * `npm run -s pack:check`: packs the packages, installs the tarballs in empty folders outside of this repository, and uses them there as
 * others would: from plain JavaScript and strict TypeScript, in agents that the packed check judges, in a page in Chromium.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, say } from "../../cli/src/console.ts";
import { startGuard } from "../../cli/src/guard.ts";
import { freePorts } from "../../cli/src/ports.ts";
import { stopSignal } from "../../cli/src/stop-signal.ts";
import { ensureChromium } from "../../lib/chromium-binary.ts";
import { startMesh } from "../../lib/mesh.ts";
import { conclude, runChecks } from "../../lib/run-checks.ts";
import { servePage } from "./browser.ts";
import { checksOf } from "./checks.ts";
import { makeOwnAgent } from "./own-agent.ts";
import { strangerIn } from "./stranger.ts";

async function main(): Promise<void> {
  const signal = stopSignal();
  ensureChromium(say);
  const guard = startGuard();
  const scratch = mkdtempSync(join(tmpdir(), "interlock-packages-"));
  guard.scratch(scratch);
  const [agentPort = 0, ownPort = 0, pythonPort = 0] = await freePorts(3, "127.0.0.1");
  const own = strangerIn(join(scratch, "own"));
  const ownAgent = makeOwnAgent(own, join(scratch, "mesh"), ownPort);
  const page = strangerIn(join(scratch, "page"));
  const served = await servePage(page.folder);
  const gateway = { MESH_FILE: ownAgent.manifest, CORS_ORIGINS: served.origin };
  // Starts while the packages are packed and installed.
  const mesh = startMesh({ signal, say, serviceEnv: { gateway } });
  mesh.catch(() => undefined);
  const world = {
    guard,
    node: strangerIn(join(scratch, "node")),
    page,
    own,
    ownAgent,
    old: strangerIn(join(scratch, "old")),
    python: strangerIn(join(scratch, "python")),
    origin: served.origin,
    tarballs: join(scratch, "tarballs"),
    agentPort,
    pythonPort,
    mesh: () => mesh,
  };
  const count = await runChecks(checksOf(world), signal);
  await mesh.then((running) => running.stop()).catch(() => undefined);
  served.close();
  // Ends the agents that the checks have started.
  await guard.close();
  conclude(count);
}

await main().catch(fail);
