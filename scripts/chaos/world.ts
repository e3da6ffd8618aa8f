import { join } from "node:path";
import { Redis } from "ioredis";
import type { ManagedProcess } from "../lib/managed-process.ts";
import { type Mesh, startMesh } from "../lib/mesh.ts";
import { root } from "../lib/paths.ts";
import { freePorts } from "../lib/ports.ts";
import type { ServiceDefinition } from "../lib/services.ts";
import { FaultProxy } from "./proxy/fault-proxy.ts";

const HOST = "127.0.0.1";
const NAMES = ["gateway-a", "gateway-b"] as const;

/** One gateway process with everything between it and the rest. */
export type Gateway = {
  readonly name: string;
  readonly url: string;
  readonly process: ManagedProcess;
  /** Its way to Redis, and to the agents. */
  readonly toRedis: FaultProxy;
  readonly toAgents: FaultProxy;
  /** Its way to the agent whose answers are cut. */
  readonly toFrail: FaultProxy;
};

/** The mesh under test, with handles for everything that can be broken. */
export type World = {
  readonly gateways: readonly Gateway[];
  readonly workers: readonly ManagedProcess[];
  readonly redis: ManagedProcess;
  /** Straight to Redis, past all faults. */
  readonly observer: Redis;
  /** Called when a process ends that nobody ended. */
  onDeath: Mesh["onDeath"];
  stop(): Promise<void>;
};

export type WorldOptions = {
  /** The negative control: gateways that fence nobody. */
  unsafeNoFencing?: boolean;
  logDir?: string | undefined;
  signal?: AbortSignal;
  say?: (text: string) => void;
};

/** Two gateways, two workers, and a Redis that syncs every write; between them proxies, so that every way can be broken by itself. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const [redisPort = 0, workerPort = 0] = await freePorts(2, HOST);
  const proxies: FaultProxy[] = [];
  const proxy = async (port: number): Promise<FaultProxy> => {
    const started = await FaultProxy.start(port);
    proxies.push(started);
    return started;
  };
  const closeAll = () => Promise.all(proxies.map((started) => started.close()));
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
        LOG_LEVEL: "warn",
        UNSAFE_NO_FENCING: options.unsafeNoFencing ? "1" : "",
        // On SIGUSR1 a process lets itself be looked into, so that its memory is measured after a collection.
        NODE_OPTIONS: `--inspect-port=${HOST}:0`,
      },
      serviceEnv,
      ...(options.logDir === undefined ? {} : { logDir: options.logDir }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.say === undefined ? {} : { say: options.say }),
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
