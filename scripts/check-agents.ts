/** Runs the conformance check against every agent of the repository, in a mesh on free ports. */
import { fail, say } from "./lib/console.ts";
import { startMesh } from "./lib/mesh.ts";
import { SERVICES } from "./lib/services.ts";
import { stopSignal } from "./lib/stop-signal.ts";
import { runTask } from "./lib/tasks.ts";

async function main(): Promise<void> {
  const signal = stopSignal();
  const mesh = await startMesh({ signal, say });
  try {
    const targets = SERVICES.filter(({ taskType }) => taskType).map(
      ({ name, taskType }) => `${mesh.urls[name]}=${taskType}`,
    );
    const env = { AGENT_CONTRACT_TARGETS: targets.join(",") };
    const { ok } = await runTask("conformance", ["scripts/conformance/src/main.ts"], { env, signal });
    say(ok ? "1 passed, 0 failed" : "0 passed, 1 failed");
    if (!ok) process.exitCode = 1;
  } finally {
    await mesh.stop();
  }
}

await main().catch(fail);
