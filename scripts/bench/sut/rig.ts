import { fileURLToPath } from "node:url";
import { type Mesh, startMesh } from "../../lib/mesh.ts";
import { GATEWAY, SERVICES, type ServiceDefinition } from "../../lib/services.ts";
import { type Cores, pin } from "../os/cores.ts";
import { type Usage, usageOf } from "../os/proc.ts";

/** A gateway, or several, with a Redis and the reference agent: what most measures measure. */
export type Rig = {
  readonly gateways: readonly string[];
  readonly worker: string;
  /** Of the gateways and their Redis. */
  sut(): Usage;
  /** Of that Redis alone. */
  store(): Usage;
  /** Of the agent. */
  agent(): Usage;
  /** The agent in the gateway's place, on its core: what "direct" is measured against. And back. */
  measureAgent(alone: boolean): void;
  readonly mesh: Mesh;
  stop(): Promise<void>;
};

export type RigOptions = {
  readonly cores: Cores | undefined;
  readonly gateways?: number;
  /** A Redis that runs already. */
  readonly store?: Mesh;
  /** For the gateway's process, over what the rig sets. */
  readonly gatewayEnv?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
};

const WORKER: ServiceDefinition = {
  name: "worker",
  main: fileURLToPath(new URL("./worker.ts", import.meta.url)),
  readyPath: "/health/ready",
  defaultPort: 0,
  portVariable: "",
  urlVariable: "WORKER_URL",
};

export async function startRig(options: RigOptions): Promise<Rig> {
  const { cores, gateways = 1, store, gatewayEnv, signal } = options;
  const mesh = await startMesh({
    services: [WORKER, ...SERVICES.filter(({ name }) => name === GATEWAY)],
    replicas: { [GATEWAY]: gateways },
    env: { NODE_ENV: "production" },
    serviceEnv: {
      [GATEWAY]: {
        MESH_FILE: fileURLToPath(new URL("./mesh.yaml", import.meta.url)),
        // As many as the measures hold open at once.
        MAX_RUNS: "20000",
        ...gatewayEnv,
      },
    },
    ...(store ? { redisUrl: store.redisUrl } : {}),
    ...(signal ? { signal } : {}),
  });
  const pidsOf = (of: Mesh, wanted: (name: string) => boolean) =>
    of.processes.flatMap(({ name, pid }) => (wanted(name) && pid !== undefined ? [pid] : []));
  const worker = pidsOf(mesh, (name) => name === "worker");
  const gatewayPids = pidsOf(mesh, (name) => name.startsWith(GATEWAY));
  const redis = pidsOf(store ?? mesh, (name) => name === "redis");
  if (cores) place(cores, gatewayPids, redis, worker);
  return {
    mesh,
    gateways: mesh.processes.filter(({ name }) => name.startsWith(GATEWAY)).map(({ url }) => url),
    worker: mesh.urls.worker ?? "",
    sut: () => usageOf([...gatewayPids, ...redis]),
    store: () => usageOf(redis),
    agent: () => usageOf(worker),
    measureAgent: (alone) => {
      if (cores) pin(worker, [alone ? cores.sut : cores.harness]);
    },
    stop: () => mesh.stop(),
  };
}

/** Gateway and Redis share one core. Of several gateways each has one of its own where there are enough for Redis too. */
function place(
  cores: Cores,
  gateways: readonly number[],
  redis: readonly number[],
  worker: readonly number[],
) {
  const spread = haveOwnCores(cores, gateways.length);
  for (const [index, pid] of gateways.entries()) {
    pin([pid], [(spread ? [cores.sut, ...cores.more][index] : undefined) ?? cores.sut]);
  }
  pin(redis, [(spread ? cores.more[gateways.length - 1] : undefined) ?? cores.sut]);
  pin(worker, [cores.harness]);
}

/** Whether this many gateways, more than one, and Redis can have a core each. */
export function haveOwnCores(cores: Cores | undefined, gateways: number): boolean {
  return cores !== undefined && gateways > 1 && cores.more.length >= gateways;
}
