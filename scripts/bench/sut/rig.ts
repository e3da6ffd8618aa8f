import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { writeLocalKeys } from "../../lib/local-issuer.ts";
import { type Mesh, startMesh } from "../../lib/mesh.ts";
import { GATEWAY, SERVICES, type ServiceDefinition } from "../../lib/services.ts";
import { type Cores, pin, startUnpinned } from "../os/cores.ts";
import { type Usage, usageOf } from "../os/proc.ts";

/** One or more gateways with a Redis and the reference agent: the system under test of most measures. */
export type Rig = {
  readonly gateways: readonly string[];
  readonly worker: string;
  /** Usage of the gateways and their Redis. */
  sut(): Usage;
  /** Usage of that Redis alone. */
  store(): Usage;
  /** Usage of the agent. */
  agent(): Usage;
  /** Moves the agent to the gateway's core, to measure "direct" there, or back to the load's core. */
  measureAgent(alone: boolean): void;
  readonly mesh: Mesh;
  stop(): Promise<void>;
};

export type RigOptions = {
  readonly cores: Cores | undefined;
  readonly gateways?: number;
  /** A running Redis to use. */
  readonly store?: Mesh;
  /** Overrides the rig's environment of the gateway. */
  readonly gatewayEnv?: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
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
  const keys = writeLocalKeys();
  const mesh = await startUnpinned(cores, () =>
    startMesh({
      services: [WORKER, ...SERVICES.filter(({ name }) => name === GATEWAY)],
      replicas: { [GATEWAY]: gateways },
      env: { NODE_ENV: "production" },
      serviceEnv: {
        [GATEWAY]: {
          MESH_FILE: fileURLToPath(new URL("./mesh.yaml", import.meta.url)),
          // More than any measure holds open.
          MAX_RUNS: "40000",
          // One user opens all streams of a measure, and gets at most half of the places.
          MAX_STREAMS: "40000",
          JWKS_FILE: keys.file,
          MAX_SUBJECT_RUNS: "1000000",
          MAX_SUBJECT_SESSIONS: "1000000000",
          ...gatewayEnv,
        },
      },
      ...(store ? { redisUrl: store.redisUrl } : {}),
      signal,
    }),
  );
  const worker = pidsOf(mesh, (name) => name === "worker");
  const gatewayPids = pidsOf(mesh, (name) => name.startsWith(GATEWAY));
  const redis = pidsOf(store ?? mesh, (name) => name === "redis");
  // Several gateways get a core each if one is left for Redis.
  const own = cores && gateways > 1 && cores.more.length >= gateways ? [cores.sut, ...cores.more] : [];
  const place = (pids: readonly number[], core: number | undefined) => {
    for (const pid of pids) if (core !== undefined) pin(pid, [core]);
  };
  for (const [index, pid] of gatewayPids.entries()) place([pid], own[index] ?? cores?.sut);
  place(redis, own[gateways] ?? cores?.sut);
  place(worker, cores?.harness);
  // A rewrite of the append-only file would hit a random measure.
  await setRedis(mesh, "auto-aof-rewrite-percentage", "0");
  return {
    mesh,
    gateways: mesh.processes.filter(({ name }) => name.startsWith(GATEWAY)).map(({ url }) => url),
    worker: mesh.urls.worker ?? "",
    sut: () => usageOf([...gatewayPids, ...redis]),
    store: () => usageOf(redis),
    agent: () => usageOf(worker),
    measureAgent: (alone) => place(worker, alone ? cores?.sut : cores?.harness),
    async stop() {
      await mesh.stop();
      keys.remove();
    },
  };
}

export function pidsOf(mesh: Mesh, wanted: (name: string) => boolean): number[] {
  return mesh.processes.flatMap(({ name, pid }) => (wanted(name) && pid !== undefined ? [pid] : []));
}

export async function setRedis({ redisUrl }: Mesh, name: string, value: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.config("SET", name, value);
  redis.disconnect();
}
