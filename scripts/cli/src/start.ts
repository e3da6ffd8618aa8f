import { readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { secretOf } from "@interlock/contracts/settings";
import { checkManifest, misspeltVariables } from "@interlock/gateway/manifest";
import { approverIn, asksOf } from "./asks-of.ts";
import { say } from "./console.ts";
import { keepRunning } from "./keep-running.ts";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is for TypeScript alone
import { releaseLock, takeLock } from "./lock.mjs";
import { type Mesh, startMesh } from "./mesh.ts";
import { agentNames, manifestIn, type OwnAgent, ownAgents } from "./own-agents.ts";
import { freePort, isFree } from "./ports.ts";
import { answersPing, checkRedisUrl } from "./redis.ts";
import { type RunRecord, readRecord, writeRecord } from "./run-record.ts";
import type { ServiceDefinition } from "./services.ts";
import { portsFrom, refuseTakenPorts } from "./settings.ts";
import { startOwnAgents } from "./start-own-agents.ts";
import { aborted, stopSignal } from "./stop-signal.ts";

const HOST = "127.0.0.1";

/** A mesh on its usual ports, in one folder. */
export interface StartOptions {
  /** Where the mesh runs; the manifest is there, unless MESH_FILE names another one. */
  readonly folder: string;
  /** Where Redis, the issuer and the logs are kept. */
  readonly dataDir: string;
  /** Names of the manifest's parts to take; undefined: all. */
  readonly only?: readonly string[] | undefined;
  /** What runs beside the manifest's own agents, for the agents that it has no command for. */
  readonly servicesFor: (agents: ReadonlySet<string>) => readonly ServiceDefinition[];
  /** How to get a token here, in words of a shell. */
  readonly token: string;
}

interface Places {
  readonly manifest: string;
  readonly record: string;
  readonly lock: string;
  readonly logs: string;
}

export function placesOf({ folder, dataDir }: Pick<StartOptions, "folder" | "dataDir">): Places {
  const within = (name: string) => join(dataDir, name);
  return {
    manifest: manifestIn(folder),
    record: within("start.json"),
    lock: within("start.lock"),
    logs: within("logs"),
  };
}

/** Runs the mesh until Ctrl-C; what ends before is started again. @throws Error that says what keeps it from starting */
export async function start(options: StartOptions): Promise<void> {
  const started = performance.now();
  const stopping = stopSignal();
  const { only, servicesFor } = options;
  const { manifest, lock } = placesOf(options);
  const services = servicesFor(agentNames(manifest, only));
  const ports = portsFrom(process.env, services);
  for (const { variable, did_you_mean } of misspeltVariables(process.env, manifest))
    say(`${variable} is no setting: did you mean ${did_you_mean}?`);
  refuseSecondStart(lock, `http://${HOST}:${ports.gateway}`);
  try {
    await run(options, { services, ports, stopping, started });
  } finally {
    releaseLock(lock);
  }
}

interface Plan {
  readonly services: readonly ServiceDefinition[];
  readonly ports: Readonly<Record<string, number>>;
  readonly stopping: AbortSignal;
  readonly started: number;
}

async function run(options: StartOptions, { services, ports, stopping, started }: Plan): Promise<void> {
  const { folder, dataDir, only } = options;
  const { manifest, record, logs } = placesOf(options);
  const before = readRecord(record);
  await waitForRedis(before);
  await refuseTakenPorts(ports, services, HOST);
  const redisUrl = secretOf(process.env, "REDIS_URL");
  if (redisUrl !== undefined) await checkRedisUrl(redisUrl);
  const redisPort = await redisPortLike(before);
  clear(logs);

  const issuer = `http://${HOST}:${ports.issuer}`;
  writeRecord(record, { issuer, redisPort });
  const agents = startOwnAgents(ownAgents(manifest, process.env, only), {
    logDir: logs,
    signal: stopping,
    say,
  });
  try {
    const mesh = await startMesh({
      cwd: folder,
      services,
      // Errors name files as whoever called sees them.
      env: { MESH_FILE: nearby(folder, manifest), ...(only ? { MESH_ONLY: only.join(",") } : {}) },
      host: HOST,
      ports: { ...ports, redis: redisPort },
      redisUrl,
      redis: { dataDir: join(dataDir, "redis") },
      issuerDataDir: join(dataDir, "issuer"),
      logDir: logs,
      signal: stopping,
      say,
    });
    announce(mesh, { options, own: await agents.settled(), tookMs: performance.now() - started });
    keepRunning(mesh, stopping, say);
    await aborted(stopping);
    say("Stopping…");
    await mesh.stop();
    await agents.stop();
    say("Stopped.");
  } catch (error) {
    await agents.stop();
    if (!stopping.aborted) throw error;
    say("Stopped.");
  }
}

/** Of two starts at once in one folder, the second ends here, before it has touched anything. */
function refuseSecondStart(lockFile: string, url: string): void {
  const other = takeLock(lockFile, { url });
  if (other === undefined) return;
  throw new Error(
    `Interlock runs here already: ${other.url} (process ${other.pid}). Use that one, or stop it first: kill ${other.pid}`,
  );
}

/** After `npm start` was killed, its Redis runs for a moment longer. A second one would corrupt the same files. */
async function waitForRedis({ redisPort }: RunRecord): Promise<void> {
  for (let tries = 0; redisPort && (await answersPing(HOST, redisPort)); tries += 1) {
    if (tries === 100)
      throw new Error(`A Redis still runs on port ${redisPort}, over the same data: stop it first.`);
    await delay(100);
  }
}

async function redisPortLike({ redisPort }: RunRecord): Promise<number> {
  return redisPort && (await isFree(redisPort, HOST)) ? redisPort : freePort(HOST);
}

/** A path as it is seen from a folder that it lies in. */
function nearby(folder: string, path: string): string {
  const seen = relative(folder, path);
  return seen.startsWith("..") ? path : seen;
}

function clear(logDir: string): void {
  try {
    for (const name of readdirSync(logDir)) rmSync(join(logDir, name));
  } catch {
    // There are no logs before the first start.
  }
}

interface Announced {
  readonly options: StartOptions;
  readonly own: readonly OwnAgent[];
  readonly tookMs: number;
}

function announce(mesh: Mesh, { options, own, tookMs }: Announced): void {
  const { manifest, logs } = placesOf(options);
  const asks = asksOf(manifest, options.only);
  const { notes } = checkManifest(manifest, process.env, options.only);
  const curl = (message: string) =>
    `  curl -N -X POST '${mesh.url}/api/v1/chat?stream=true' -H 'Content-Type: application/json' \\\n` +
    `    -d '${JSON.stringify({ message, session_id: "demo-1" }).replaceAll("'", "'\\''")}'`;
  say(`
Interlock is ready (${(tookMs / 1000).toFixed(1)} s): ${mesh.url}

${notes.map((note) => `${note}\n\n`).join("")}${asks.agent ? `One agent, at once:\n${curl(asks.agent)}\n\n` : ""}${asks.flow ? `A flow, step by step:\n${curl(asks.flow)}\n\n` : ""}In a browser: ${mesh.url}/ – the console; sign in there as bo to decide what waits

${own.map(({ name, url }) => `Your agent ${name}: ${url}\n`).join("")}Without a token you are an analyst, local. A token of somebody else's: ${options.token} --user bo --role ${approverIn(manifest, options.only)}
Redis: ${mesh.redisUrl.replace(/\/\/[^@/]*@/, "//…@")}   logs: ${relative(process.cwd(), logs)}/   stop: Ctrl-C
`);
}
