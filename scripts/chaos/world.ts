import { join } from "node:path";
import { Redis } from "ioredis";
import type { ManagedProcess } from "../cli/src/managed-process.ts";
import { freePorts } from "../cli/src/ports.ts";
import { writeLocalKeys } from "../lib/local-issuer.ts";
import { type Mesh, startMesh } from "../lib/mesh.ts";
import { root } from "../lib/paths.ts";
import type { ServiceDefinition } from "../lib/services.ts";
import { FaultProxy } from "./proxy/fault-proxy.ts";

const HOST = "127.0.0.1";
const NAMES = ["gateway-a", "gateway-b"] as const;

/** One gateway process and the proxies between it and the rest of the mesh. */
export type Gateway = {
  readonly name: string;
  readonly url: string;
  readonly process: ManagedProcess;
  /** The proxies to Redis and to the workers. */
  readonly toRedis: FaultProxy;
  readonly toAgents: FaultProxy;
  /** The proxy to the agent `frail`, whose answers are cut. */
  readonly toFrail: FaultProxy;
};

/** The mesh under test, with a handle for everything that faults can break. */
export type World = {
  readonly gateways: readonly Gateway[];
  readonly workers: readonly ManagedProcess[];
  readonly redis: ManagedProcess;
  /** A connection to Redis that bypasses all faults. */
  readonly observer: Redis;
  /** Calls the listener when a process ends that no fault has ended. */
  onDeath: Mesh["onDeath"];
  stop(): Promise<void>;
};

export type WorldOptions = {
  /** For the negative control: gateways without fencing. */
  unsafeNoFencing?: boolean;
  logDir?: string | undefined;
  signal?: AbortSignal;
  say?: (text: string) => void;
};

/** Starts two gateways, two workers and a Redis that syncs every write, with a proxy on each path so that each can fail alone. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const [redisPort = 0, workerPort = 0] = await freePorts(2, HOST);
  const proxies: FaultProxy[] = [];
  const proxy = async (port: number): Promise<FaultProxy> => {
    const started = await FaultProxy.start(port);
    proxies.push(started);
    return started;
  };
  const keys = writeLocalKeys();
  const closeAll = () => {
    keys.remove();
    return Promise.all(proxies.map((started) => started.close()));
  };
  try {
    const ways = await Promise.all(
      NAMES.map(async (name) => ({
        name,
        toRedis: await proxy(redisPort),
        toAgents: await proxy(workerPort),
        toFrail: await proxy(workerPort),
      })),
    );
    const serviceEnv = Object.fromEntries(
      ways.map(({ name, toRedis, toAgents, toFrail }) => [
        name,
        {
          REDIS_URL: `redis://${HOST}:${toRedis.port}`,
          WORKER_URL: `http://${HOST}:${toAgents.port}`,
          FRAIL_URL: `http://${HOST}:${toFrail.port}`,
        },
      ]),
    );
    const mesh = await startMesh({
      services: SERVICES,
      replicas: { worker: 2 },
      ports: { redis: redisPort, worker: workerPort },
      env: {
        MESH_FILE: join(root, "scripts/chaos/mesh.yaml"),
        JWKS_FILE: keys.file,
        LOG_LEVEL: "warn",
        LOOP_REPORT_MS: "5",
        UNSAFE_NO_FENCING: options.unsafeNoFencing ? "1" : "",
        // SIGUSR1 opens the inspector, which collects garbage before memory is measured.
        NODE_OPTIONS: `--inspect-port=${HOST}:0`,
      },
      serviceEnv,
      logDir: options.logDir,
      signal: options.signal,
      say: options.say,
    });
    return worldOf(mesh, ways, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function worldOf(
  mesh: Mesh,
  ways: readonly Omit<Gateway, "url" | "process">[],
  closeProxies: () => Promise<unknown>,
): World {
  const observer = new Redis(mesh.redisUrl, { maxRetriesPerRequest: null });
  observer.on("error", () => undefined);
  return {
    gateways: ways.map((way) => {
      const process = mesh.find(way.name);
      return { ...way, process, url: process.url };
    }),
    workers: [mesh.find("worker-1"), mesh.find("worker-2")],
    redis: mesh.find("redis"),
    observer,
    onDeath: mesh.onDeath,
    async stop() {
      observer.disconnect();
      await mesh.stop();
      await closeProxies();
    },
  };
}

const SERVICES: readonly ServiceDefinition[] = [
  {
    name: "worker",
    main: "scripts/chaos/worker/main.ts",
    readyPath: "/health/ready",
    defaultPort: 0,
    portVariable: "",
    urlVariable: "WORKER_URL",
  },
  ...NAMES.map((name) => ({
    name,
    main: "services/gateway/src/main.ts",
    readyPath: "/readyz",
    defaultPort: 0,
    portVariable: "",
  })),
];
