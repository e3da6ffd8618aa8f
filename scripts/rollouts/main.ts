/** `npm run rollouts`: see USAGE. The last line is the total. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fail, say } from "../cli/src/console.ts";
import type { ManagedProcess } from "../cli/src/managed-process.ts";
import { freePort } from "../cli/src/ports.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { ensureProgram } from "../lib/debian-program.ts";
import { writeLocalKeys } from "../lib/local-issuer.ts";
import { type Mesh, startMesh } from "../lib/mesh.ts";
import { root } from "../lib/paths.ts";
import { conclude, runChecks } from "../lib/run-checks.ts";
import { GATEWAY, SERVICES } from "../lib/services.ts";
import { Asker } from "./asker.ts";
import { startHaproxy } from "./haproxy.ts";
import { Requests } from "./requests.ts";
import { Streams } from "./streams.ts";

const USAGE = `npm run rollouts -- [options]

Restarts the three replicas of a gateway with SIGTERM, one after another, behind HAProxy, under requests and open streams. No request may
fail, and every stream has to be read to its end without a gap.

  --restarts n       how many (3)
  --per-second n     mixed requests, each sent once (100)
  --streams n        that are open all the time (300)
  --drain-delay ms   for which a replica goes on serving when it is stopped (1000)`;

const REPLICAS = 3;
const READERS_A_RUN = 10;
/** Beyond the delay: streams end at once, steps when they are done. */
const STOP_MS = 20_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      restarts: { type: "string", default: "3" },
      "per-second": { type: "string", default: "100" },
      streams: { type: "string", default: "300" },
      "drain-delay": { type: "string", default: "1000" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return say(USAGE);
  const haproxy = ensureProgram("haproxy", "haproxy");
  if (haproxy === undefined) {
    say("skipped: there is no HAProxy");
    return conclude({ passed: 0, failed: 0 });
  }
  const signal = stopSignal();
  const keys = writeLocalKeys();
  let mesh: Mesh | undefined;
  try {
    mesh = await startReplicas(keys.file, values["drain-delay"], signal);
    const gateways = mesh.processes.filter(({ name }) => name.startsWith(GATEWAY));
    const addresses = gateways.map(({ url }) => url);
    const balancer = await startHaproxy(haproxy, await freePort("127.0.0.1"), addresses);
    const load = { perS: Number(values["per-second"]), streams: Number(values.streams) };
    const restarts = Number(values.restarts);
    try {
      const name = `${restarts} restarts under ${load.perS} requests a second and ${load.streams} open streams`;
      conclude(
        await runChecks(
          [[name, () => roll(new Asker(balancer.url), gateways, restarts, load, signal)]],
          signal,
        ),
      );
    } finally {
      await balancer.stop();
    }
  } finally {
    await mesh?.stop();
    keys.remove();
  }
}

function startReplicas(jwks: string, delayMs: string, signal: AbortSignal): Promise<Mesh> {
  const worker = {
    ...{ name: "worker", main: "scripts/chaos/worker/main.ts", readyPath: "/health/ready" },
    ...{ defaultPort: 0, portVariable: "", urlVariable: "WORKER_URL" },
  };
  return startMesh({
    services: [worker, ...SERVICES.filter(({ name }) => name === GATEWAY)],
    replicas: { [GATEWAY]: REPLICAS },
    env: {
      MESH_FILE: join(root, "scripts/chaos/mesh.yaml"),
      JWKS_FILE: jwks,
      // Nothing here asks this agent.
      FRAIL_URL: "http://127.0.0.1:9",
      DRAIN_DELAY_MS: delayMs,
      SHUTDOWN_GRACE_MS: "10000",
      LOG_LEVEL: "warn",
      // All of them share the cores of one machine with their load.
      LOOP_SHED_MS: "60000",
    },
    signal,
  });
}

/** @throws Error that names what failed */
async function roll(
  asker: Asker,
  gateways: readonly ManagedProcess[],
  restarts: number,
  load: { perS: number; streams: number },
  signal: AbortSignal,
): Promise<string> {
  const streams = new Streams(asker, { count: load.streams, each: READERS_A_RUN, signal });
  while (!streams.allOpen) await delay(50, undefined, { signal });
  const requests = new Requests(asker, load.perS);
  signal.addEventListener("abort", () => void requests.stop(), { once: true });
  const endings = new Set<string>();
  for (let restart = 0; restart < restarts; restart++) {
    const gateway = gateways[restart % gateways.length];
    if (!gateway) throw new Error("there is no gateway");
    await gateway.stop(STOP_MS);
    endings.add(gateway.ending);
    gateway.start();
    await gateway.ready();
    // The balancer polls twice a second.
    await delay(1_500, undefined, { signal });
  }
  const told = [await requests.stop(), await streams.stop()];
  const failures = [...requests.failures, ...streams.failures];
  endings.delete("ended with exit code 0");
  for (const ending of endings) failures.push(`a replica ${ending}`);
  if (streams.resumed === 0) failures.push("no stream was open at a replica that stopped");
  if (failures.length > 0) {
    const counted = Map.groupBy(failures, (one) => one.replace(/[0-9a-f]{32}|[\w-]{20,}/g, "…"));
    const kinds = [...counted].map(([kind, all]) => `${all.length} × ${kind}`);
    throw new Error(`${kinds.slice(0, 12).join("; ")}; ${told.join("; ")}`);
  }
  return told.join("; ");
}

await main().catch(fail);
