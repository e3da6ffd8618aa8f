import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../lib/paths.ts";
import { freePorts } from "../../lib/ports.ts";
import { SERVICES } from "../../lib/services.ts";
import { usageOf } from "../os/proc.ts";
import type { Bench, Measure } from "./measure.ts";

const PATIENCE_MS = 60_000;

/** What it prints once the gateway and every agent answer. */
const READY = "Interlock is ready";

export const start: Measure = {
  name: "start",
  title: "`npm start` until everything is ready, on a machine that is set up",
  async run({ signal }: Bench) {
    const ports = await freePorts(SERVICES.length, "127.0.0.1");
    const dataDir = mkdtempSync(join(tmpdir(), "interlock-bench-start-"));
    const env: NodeJS.ProcessEnv = { ...process.env, INTERLOCK_DATA_DIR: dataDir, REDIS_URL: "" };
    for (const [index, { portVariable }] of SERVICES.entries()) env[portVariable] = String(ports[index]);
    const since = performance.now();
    const child = spawn("npm", ["start"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(child, "exit");
    try {
      const ready = printed(child.stdout, READY);
      const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      await Promise.race([ready, once(late, "abort"), exited]);
      const seconds = (performance.now() - since) / 1000;
      const { cpuS } = usageOf([child.pid ?? 0]);
      if (child.exitCode !== null || late.aborted) throw new Error("npm start did not become ready");
      return { seconds, cpuS };
    } finally {
      child.kill("SIGTERM");
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

/** Goes on reading after that: a program whose output nobody takes would fail. */
function printed(output: NodeJS.ReadableStream, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    let text = "";
    output.on("data", (part) => {
      text += String(part);
      if (text.includes(wanted)) resolve();
    });
  });
}
