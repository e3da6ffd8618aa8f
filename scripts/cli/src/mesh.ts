import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { issueToken } from "@interlock/issuer";
import { type Guard, startGuard } from "./guard.ts";
import { type Layout, layOut, type MeshOptions } from "./layout.ts";
import type { ManagedProcess, ProcessError } from "./managed-process.ts";
import { GATEWAY, ISSUER } from "./services.ts";

/** Whose token: an analyst's of tenant `default`, unless it says otherwise. */
export type Bearer = { readonly user: string; readonly roles?: readonly string[]; readonly tenant?: string };

export interface Mesh {
  /** The gateway's address. */
  readonly url: string;
  /** The address that callers use, by service name. */
  readonly urls: Readonly<Record<string, string>>;
  readonly redisUrl: string;
  /** `redis` if the mesh started it, then `<service>`, or `<service>-1`, `<service>-2`, … if it has several replicas. */
  readonly processes: readonly ManagedProcess[];
  find(name: string): ManagedProcess;
  /** A token of the mesh's issuer that lasts longer than any run of a script. */
  token(bearer: Bearer): Promise<string>;
  /** Calls the listener when a process ends without having been stopped or killed through its handle. */
  onDeath(listener: (error: ProcessError) => void): void;
  /** Stops the gateways, then the agents, then Redis; each gets time to finish its work. */
  stop(): Promise<void>;
}

const TOKEN_S = 86_400;

/**
 * Starts Redis, the agents and the gateways as child processes, and resolves once all are ready. However this
 * process ends, its guard ends them too.
 */
export async function startMesh(options: MeshOptions): Promise<Mesh> {
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
    // All start at once: services wait for Redis themselves.
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
    token({ user, roles = ["analyst"], tenant = "default" }) {
      const issuer = layout.urls[ISSUER.name];
      if (issuer === undefined) throw new Error("the mesh has no issuer");
      return issueToken(issuer, layout.issuerDataDir, { user, roles, tenant, ttlS: TOKEN_S });
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
