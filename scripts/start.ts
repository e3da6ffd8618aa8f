/** `npm start`: runs the mesh on its usual ports until Ctrl-C. */
import { readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { secretOf } from "@interlock/contracts/settings";
import { COMPOSITE_ASK, SIMPLE_ASK } from "./lib/asks.ts";
import { fail, say } from "./lib/console.ts";
import { isRunning } from "./lib/is-running.ts";
import type { ProcessError } from "./lib/managed-process.ts";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { dataDir } from "./lib/paths.ts";
import { freePort, isFree } from "./lib/ports.ts";
import { answersPing, checkRedisUrl } from "./lib/redis.ts";
import { type RunRecord, readRecord, writeRecord } from "./lib/run-record.ts";
import { SERVICES } from "./lib/services.ts";
import { portsFrom, refuseTakenPorts } from "./lib/settings.ts";
import { aborted, stopSignal } from "./lib/stop-signal.ts";

const HOST = "127.0.0.1";
const recordFile = join(dataDir, "start.json");
const logDir = join(dataDir, "logs");

async function main(): Promise<void> {
  const started = performance.now();
  const stopping = stopSignal();
  const before = readRecord(recordFile);
  await refuseSecondStart(before);
  const ports = portsFrom(process.env, SERVICES);
  await refuseTakenPorts(ports, SERVICES, HOST);
  const redisUrl = secretOf(process.env, "REDIS_URL");
  if (redisUrl !== undefined) await checkRedisUrl(redisUrl);
  const redisPort = await redisPortLike(before);
  clearLogs();

  const url = `http://${HOST}:${ports.gateway}`;
  const issuer = `http://${HOST}:${ports.issuer}`;
  writeRecord(recordFile, { pid: process.pid, url, issuer, redisPort });
  try {
    const mesh = await startMesh({
      host: HOST,
      ports: { ...ports, redis: redisPort },
      redisUrl,
      redis: { dataDir: join(dataDir, "redis") },
      issuerDataDir: join(dataDir, "issuer"),
      logDir,
      signal: stopping,
      say,
    });
    announce(mesh, performance.now() - started);
    const death = await Promise.race([firstDeath(mesh), aborted(stopping)]);
    say(death ? `${death.message}\nStopping the rest.` : "Stopping…");
    await mesh.stop();
    if (death) process.exitCode = 1;
    else say("Stopped.");
  } catch (error) {
    if (!stopping.aborted) throw error;
    say("Stopped.");
  } finally {
    writeRecord(recordFile, { issuer, redisPort });
  }
}

async function refuseSecondStart({ pid, url, redisPort }: RunRecord): Promise<void> {
  if (pid && url && isRunning(pid) && !(await isFree(Number(new URL(url).port), HOST))) {
    throw new Error(`Interlock runs here already: ${url} (process ${pid}). Stop that one first: kill ${pid}`);
  }
  // After `npm start` was killed, its Redis runs for a moment longer. A second one would corrupt the same files.
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

function firstDeath(mesh: Mesh): Promise<ProcessError> {
  return new Promise((resolve) => mesh.onDeath(resolve));
}

function announce(mesh: Mesh, tookMs: number): void {
  const curl = (message: string) =>
    `  curl -N -X POST '${mesh.url}/api/v1/chat?stream=true' -H 'Content-Type: application/json' \\\n` +
    `    -d '${JSON.stringify({ message, session_id: "demo-1" })}'`;
  say(`
Interlock is ready (${(tookMs / 1000).toFixed(1)} s): ${mesh.url}

One agent, at once:
${curl(SIMPLE_ASK)}

A plan of several, step by step:
${curl(COMPOSITE_ASK)}

In a browser: ${mesh.url}/

Without a token you are an analyst, local. A token of somebody else's: npm run -s token -- --user bo --role pricing_approver
Redis: ${mesh.redisUrl.replace(/\/\/[^@/]*@/, "//…@")}   logs: ${relative(process.cwd(), logDir)}/   stop: Ctrl-C
`);
}

await main().catch(fail);
