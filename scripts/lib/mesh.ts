import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Guard, startGuard } from "./guard.ts";
import { type Layout, layOut, type MeshOptions } from "./layout.ts";
import type { ManagedProcess, ProcessError } from "./managed-process.ts";
import { GATEWAY } from "./services.ts";

export interface Mesh {
  /** The gateway. */
  readonly url: string;
  /** By service name, the address that callers use. */
  readonly urls: Readonly<Record<string, string>>;
  readonly redisUrl: string;
  /** `redis` if it is our own, then `<service>` or, of several replicas, `<service>-1`, `<service>-2`, … */
  readonly processes: readonly ManagedProcess[];
  find(name: string): ManagedProcess;
  /** Called when a process ends that nobody stopped through its handle. */
  onDeath(listener: (error: ProcessError) => void): void;
  /** Gateways first, then agents, then Redis; each is given time to finish what it does. */
  stop(): Promise<void>;
}

/**
 * Starts Redis, the agents and the gateways as child processes, and resolves once all are ready. However this
 * process ends, they end with it.
 */
export async function startMesh(options: MeshOptions = {}): Promise<Mesh> {
  const guard = startGuard();
  const scratch = mkdtempSync(join(tmpdir(), "interlock-mesh-"));
  guard.scratch(scratch);
  const layout = await layOut(options, guard, scratch).catch(async (error: unknown) => {
    await guard.close();
    throw error;
  });
  const stop = once(() => stopAll(layout, guard));
  const abort = () => void stop();
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    options.signal?.throwIfAborted();
    // Services wait for their Redis themselves: all start at once.
    for (const process of layout.processes) process.start();
    await Promise.all(layout.processes.map((process) => process.ready(options.readyTimeoutMs)));
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", abort);
  }
  return {
    url: layout.urls[GATEWAY] ?? "",
    urls: layout.urls,
    redisUrl: layout.redisUrl,
    processes: layout.processes,
    find(name) {
      const found = layout.processes.find((process) => process.name === name);
      if (!found) throw new Error(`the mesh has no process "${name}"`);
      return found;
    },
    onDeath(listener) {
      for (const process of layout.processes) process.onDeath(listener);
    },
    stop,
  };
}

async function stopAll({ processes, balancers }: Layout, guard: Guard): Promise<void> {
  const rank = ({ name }: ManagedProcess) => (name === "redis" ? 2 : name.startsWith(GATEWAY) ? 0 : 1);
  for (const turn of [0, 1, 2]) {
    await Promise.all(processes.filter((process) => rank(process) === turn).map((process) => process.stop()));
  }
  await Promise.all(balancers.map((balancer) => balancer.close()));
  await guard.close();
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
