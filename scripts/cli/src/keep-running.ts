import { setTimeout as delay } from "node:timers/promises";
import { Backoff } from "./backoff.ts";
import type { ManagedProcess, ProcessError } from "./managed-process.ts";
import type { Mesh } from "./mesh.ts";

/**
 * Starts each process of the mesh again that ends without having been asked to, at the same address, and says so.
 * @param signal ends this; abort it before the mesh is stopped
 */
export function keepRunning(mesh: Mesh, signal: AbortSignal, say: (text: string) => void): void {
  for (const process of mesh.processes) keepOne(process, signal, say);
}

function keepOne(process: ManagedProcess, signal: AbortSignal, say: (text: string) => void): void {
  const backoff = new Backoff();
  let startedAt = performance.now();
  process.onDeath((error) => void again(error).catch(() => undefined));

  async function again({ message }: ProcessError): Promise<void> {
    if (signal.aborted) return;
    const restMs = backoff.rest(performance.now() - startedAt);
    say(`${message}\nStarting ${process.name} again in ${restMs / 1000} s.`);
    await delay(restMs, undefined, { signal });
    startedAt = performance.now();
    process.start();
    // Should it end before it is ready, its next death says so.
    await process.ready();
    say(`${process.name} is back.`);
  }
}
