import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePorts } from "../../cli/src/ports.ts";
import { root } from "../../lib/paths.ts";
import { SERVICES } from "../../lib/services.ts";
import { startUnpinned } from "../os/cores.ts";
import { usageOf } from "../os/proc.ts";
import type { Measure } from "./measure.ts";

const PATIENCE_MS = 60_000;

/** What `npm start` prints once the gateway and every agent answer. */
const READY = "Interlock is ready";

export const start: Measure = {
  name: "start",
  title: "`npm start` until everything is ready, on a machine that is set up",
  run: ({ cores, signal }) => startUnpinned(cores, () => timeStart(signal)),
};

async function timeStart(signal: AbortSignal) {
  const ports = await freePorts(SERVICES.length, "127.0.0.1");
  const dataDir = mkdtempSync(join(tmpdir(), "interlock-bench-start-"));
  const env: NodeJS.ProcessEnv = { ...process.env, INTERLOCK_DATA_DIR: dataDir, REDIS_URL: "" };
  for (const [index, { portVariable }] of SERVICES.entries()) env[portVariable] = String(ports[index]);
  const since = performance.now();
  const child = spawn("npm", ["start"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    const ready = Promise.withResolvers<void>();
    createInterface(child.stdout).on("line", (line) => {
      if (line.includes(READY)) ready.resolve();
    });
    const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    await Promise.race([ready.promise, once(late, "abort"), exited]);
    const seconds = (performance.now() - since) / 1000;
    if (child.exitCode !== null || late.aborted) throw new Error("npm start did not become ready");
    return { seconds, cpuS: usageOf([child.pid ?? 0]).cpuS };
  } finally {
    child.kill("SIGTERM");
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}
