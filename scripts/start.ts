/**
 * `npm start [-- --only PART,…]`: runs the mesh on its usual ports until Ctrl-C; what ends before is started again. `--only` names the parts of the manifest to take, as
 * `pricing` for `services/pricing/domain.yaml`; agents of the others are not started.
 */
import { readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { secretOf } from "@interlock/contracts/settings";
import { misspeltVariables } from "../services/gateway/src/misspelt.ts";
import { asksOf, type ExampleAsks } from "./lib/asks-of.ts";
import { fail, say } from "./lib/console.ts";
import { keepRunning } from "./lib/keep-running.ts";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is for TypeScript alone
import { releaseLock, takeLock } from "./lib/lock.mjs";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { agentNames, manifestFile, type OwnAgent, ownAgents } from "./lib/own-agents.ts";
import { dataDir } from "./lib/paths.ts";
import { freePort, isFree } from "./lib/ports.ts";
import { answersPing, checkRedisUrl } from "./lib/redis.ts";
import { type RunRecord, readRecord, writeRecord } from "./lib/run-record.ts";
import { type ServiceDefinition, servicesFor } from "./lib/services.ts";
import { portsFrom, refuseTakenPorts } from "./lib/settings.ts";
import { startOwnAgents } from "./lib/start-own-agents.ts";
import { aborted, stopSignal } from "./lib/stop-signal.ts";

const HOST = "127.0.0.1";
const recordFile = join(dataDir, "start.json");
const lockFile = join(dataDir, "start.lock");
const logDir = join(dataDir, "logs");

async function main(): Promise<void> {
  const started = performance.now();
  const stopping = stopSignal();
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const only = (values.only ?? process.env.MESH_ONLY)?.split(",").map((part) => part.trim());
  const services = servicesFor(agentNames(manifestFile(), only));
  const ports = portsFrom(process.env, services);
  const url = `http://${HOST}:${ports.gateway}`;
  for (const { variable, did_you_mean } of misspeltVariables(process.env, manifestFile()))
    say(`${variable} is no setting: did you mean ${did_you_mean}?`);
  refuseSecondStart(url);
  try {
    await run({ services, ports, only, stopping, started });
  } finally {
    releaseLock(lockFile);
  }
}

async function run({
  services,
  ports,
  only,
  stopping,
  started,
}: {
  services: readonly ServiceDefinition[];
  ports: Readonly<Record<string, number>>;
  only: readonly string[] | undefined;
  stopping: AbortSignal;
  started: number;
}): Promise<void> {
  const before = readRecord(recordFile);
  await waitForRedis(before);
  await refuseTakenPorts(ports, services, HOST);
  const redisUrl = secretOf(process.env, "REDIS_URL");
  if (redisUrl !== undefined) await checkRedisUrl(redisUrl);
  const redisPort = await redisPortLike(before);
  clearLogs();

  const issuer = `http://${HOST}:${ports.issuer}`;
  writeRecord(recordFile, { issuer, redisPort });
  const agents = startOwnAgents(ownAgents(manifestFile(), process.env, only), {
    logDir,
    signal: stopping,
    say,
  });
  try {
    const mesh = await startMesh({
      services,
      ...(only ? { env: { MESH_ONLY: only.join(",") } } : {}),
      host: HOST,
      ports: { ...ports, redis: redisPort },
      redisUrl,
      redis: { dataDir: join(dataDir, "redis") },
      issuerDataDir: join(dataDir, "issuer"),
      logDir,
      signal: stopping,
      say,
    });
    announce(mesh, asksOf(manifestFile(), only), await agents.settled(), performance.now() - started);
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
function refuseSecondStart(url: string): void {
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

function clearLogs(): void {
  try {
    for (const name of readdirSync(logDir)) rmSync(join(logDir, name));
  } catch {
    // There are no logs before the first start.
  }
}

function announce(mesh: Mesh, asks: ExampleAsks, own: readonly OwnAgent[], tookMs: number): void {
  const curl = (message: string) =>
    `  curl -N -X POST '${mesh.url}/api/v1/chat?stream=true' -H 'Content-Type: application/json' \\\n` +
    `    -d '${JSON.stringify({ message, session_id: "demo-1" }).replaceAll("'", "'\\''")}'`;
  say(`
Interlock is ready (${(tookMs / 1000).toFixed(1)} s): ${mesh.url}

${asks.agent ? `One agent, at once:\n${curl(asks.agent)}\n\n` : ""}${asks.flow ? `A flow, step by step:\n${curl(asks.flow)}\n\n` : ""}In a browser: ${mesh.url}/

${own.map(({ name, url }) => `Your agent ${name}: ${url}\n`).join("")}Without a token you are an analyst, local. A token of somebody else's: npm run -s token -- --user bo --role pricing_approver
Redis: ${mesh.redisUrl.replace(/\/\/[^@/]*@/, "//…@")}   logs: ${relative(process.cwd(), logDir)}/   stop: Ctrl-C
`);
}

await main().catch(fail);
