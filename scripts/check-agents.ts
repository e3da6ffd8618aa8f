/** Runs the conformance check against every agent of the repository and of its manifest, on free ports. */
import { join } from "node:path";
import { fail, say } from "./cli/src/console.ts";
import { manifestIn, type OwnAgents, ownAgents } from "./cli/src/own-agents.ts";
import { freePorts } from "./cli/src/ports.ts";
import { startOwnAgents } from "./cli/src/start-own-agents.ts";
import { stopSignal } from "./cli/src/stop-signal.ts";
import { startMesh } from "./lib/mesh.ts";
import { dataDir, root } from "./lib/paths.ts";
import { SERVICES } from "./lib/services.ts";
import { runTask } from "./lib/tasks.ts";

const HOST = "127.0.0.1";

async function main(): Promise<void> {
  const signal = stopSignal();
  const own = await onFreePorts(ownAgents(manifestIn(root)));
  const agents = startOwnAgents(own, { logDir: join(dataDir, "logs"), signal, say });
  const mesh = await startMesh({ signal, say }).catch(async (error: unknown) => {
    await agents.stop();
    throw error;
  });
  try {
    await agents.settled();
    const targets = [
      ...SERVICES.flatMap(({ name, taskTypes = [] }) =>
        taskTypes.map((taskType) => `${mesh.urls[name]}=${taskType}`),
      ),
      ...own.agents.flatMap(({ url, tasks }) => tasks.map((task) => `${url}=${task}`)),
    ];
    const env = { AGENT_CONTRACT_TARGETS: targets.join(",") };
    // All at once, on machines with other work.
    const args = ["scripts/conformance/src/main.ts", "--timeout", "2m"];
    const { ok } = await runTask("conformance", args, { env, signal });
    say(ok ? "1 passed, 0 failed" : "0 passed, 1 failed");
    if (!ok) process.exitCode = 1;
  } finally {
    await Promise.all([mesh.stop(), agents.stop()]);
  }
}

async function onFreePorts({ agents, left }: OwnAgents): Promise<OwnAgents> {
  const ports = await freePorts(agents.length, HOST);
  return {
    agents: agents.map((agent, index) => ({ ...agent, url: `http://${HOST}:${ports[index]}` })),
    left,
  };
}

await main().catch(fail);
