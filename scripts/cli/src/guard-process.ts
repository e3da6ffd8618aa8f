/** The process that guard.ts starts: waits until its parent has gone, then cleans up. */
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { GuardMessage } from "./guard.ts";
import { isRunning } from "./is-running.ts";

const GRACE_MS = 8_000;
const watched = new Map<number, { last: boolean }>();
const scratch = new Set<string>();

process.on("message", (message: GuardMessage) => {
  if (message.type === "watch") watched.set(message.pid, { last: message.last });
  else if (message.type === "forget") watched.delete(message.pid);
  else scratch.add(message.dir);
});
process.once("disconnect", cleanUp);
// A signal to the mesh is handled by the parent; the guard acts only once the parent has gone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

async function cleanUp(): Promise<void> {
  const pids = (last: boolean) => [...watched].filter(([, entry]) => entry.last === last).map(([pid]) => pid);
  await stopAll(pids(false));
  await stopAll(pids(true));
  for (const dir of scratch) rmSync(dir, { recursive: true, force: true });
}

async function stopAll(pids: number[]): Promise<void> {
  for (const pid of pids) {
    signal(pid, "SIGTERM");
    signal(pid, "SIGCONT");
  }
  const deadline = Date.now() + GRACE_MS;
  while (pids.some(isRunning) && Date.now() < deadline) await delay(50);
  for (const pid of pids) signal(pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}
