import { setTimeout as delay } from "node:timers/promises";
import { isFree } from "../../cli/src/ports.ts";

/** How long anything here may take before it counts as stuck: CI runs on slow machines, beside other work. */
export const PATIENCE_MS = 300_000;

/** Options of the check that judges agents, on such machines. */
export const PATIENT = ["--timeout", "120"] as const;

/** Whether nothing listens on a port any more, once whoever did has been told to stop. */
export async function becomesFree(port: number): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  while (!(await isFree(port, "127.0.0.1"))) {
    if (performance.now() > until) return false;
    await delay(100);
  }
  return true;
}
