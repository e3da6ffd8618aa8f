import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Balancer, startBalancer } from "./balancer.ts";
import type { Guard } from "./guard.ts";
import { ManagedProcess } from "./managed-process.ts";
import { freePorts } from "./ports.ts";
import { ownRedis } from "./redis.ts";
import { ensureRedisServer } from "./redis-binary.ts";
import type { ServiceDefinition } from "./services.ts";

export interface MeshOptions {
  /** The folder that all of it runs in. */
  readonly cwd: string;
  readonly host?: string;
  /** Port by service name, or `redis`: the one that callers use. Others get a free port. */
  readonly ports?: Readonly<Record<string, number>>;
  /** Number of processes by service name, 1 by default. Several share one round-robin address. */
  readonly replicas?: Readonly<Record<string, number>>;
  /** Environment of every process; overrides what the mesh sets. */
  readonly env?: NodeJS.ProcessEnv;
  /** Environment by service name; overrides `env`. */
  readonly serviceEnv?: Readonly<Record<string, NodeJS.ProcessEnv>>;
  /** A Redis that runs already. By default the mesh starts its own. */
  readonly redisUrl?: string | undefined;
  /** Where the mesh's own Redis keeps its data (default: a scratch directory), and whether it syncs each write (default: yes). */
  readonly redis?: { readonly dataDir?: string; readonly durable?: boolean };
  /** Where the issuer keeps its keys (default: a scratch directory). */
  readonly issuerDataDir?: string;
  readonly logDir?: string | undefined;
  readonly readyTimeoutMs?: number;
  /** Aborts the start. Has no effect once all are ready: use `stop` then. */
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((text: string) => void) | undefined;
  /** The gateway, the issuer, and agents. */
  readonly services: readonly ServiceDefinition[];
}

/** Exports spans, where the environment names a collector. */
const EXPORT = import.meta.resolve("@interlock/telemetry/register");

/** All processes of a mesh, not started yet, and their addresses. */
export interface Layout {
  readonly urls: Readonly<Record<string, string>>;
  readonly redisUrl: string;
  readonly issuerDataDir: string;
  readonly processes: readonly ManagedProcess[];
  readonly balancers: readonly Balancer[];
}

/** Chooses all addresses before any process starts, because each process is told the others' addresses. */
export async function layOut(options: MeshOptions, guard: Guard, scratch: string): Promise<Layout> {
  const { host = "127.0.0.1", logDir = scratch, services, replicas = {} } = options;
  mkdirSync(logDir, { recursive: true });
  const countOf = (name: string) => replicas[name] ?? 1;
  const needed = services.reduce((sum, { name }) => sum + countOf(name) + 1, 1);
  const port = portSource(await freePorts(needed, host), options.ports);

  const redis =
    options.redisUrl === undefined
      ? await redisOf(options, host, port("redis"), logDir, scratch, guard)
      : undefined;
  const redisUrl = redis?.url ?? options.redisUrl ?? "";

  const balancers: Balancer[] = [];
  const urls: Record<string, string> = {};
  const replicaUrls = new Map<ServiceDefinition, string[]>();
  for (const service of services) {
    const { name } = service;
    const entry = `http://${host}:${port(name)}`;
    const own =
      countOf(name) > 1 ? Array.from({ length: countOf(name) }, () => `http://${host}:${port()}`) : [entry];
    if (own.length > 1) balancers.push(await startBalancer(own, host, Number(new URL(entry).port)));
    urls[name] = entry;
    replicaUrls.set(service, own);
  }

  const { issuerDataDir = join(scratch, "issuer") } = options;
  const env = { ...sharedEnv(options, services, urls, redisUrl), ISSUER_DATA_DIR: issuerDataDir };
  const replicaOf = (service: ServiceDefinition, name: string, url: string) => {
    const own = { ...env, ...options.serviceEnv?.[service.name], HOST: host, PORT: new URL(url).port };
    const spec = {
      name,
      command: process.execPath,
      args: [...(service.nodeArgs ?? []), "--import", EXPORT, service.main],
      env: own,
      cwd: options.cwd,
      url,
    };
    const isReady = () => answersOk(`${url}${service.readyPath}`);
    return new ManagedProcess({ ...spec, logFile: join(logDir, `${name}.log`), isReady }, guard);
  };
  const processes = [...replicaUrls].flatMap(([service, own]) =>
    own.map((url, index) =>
      replicaOf(service, own.length > 1 ? `${service.name}-${index + 1}` : service.name, url),
    ),
  );
  return { urls, redisUrl, issuerDataDir, balancers, processes: redis ? [redis, ...processes] : processes };
}

async function redisOf(
  options: MeshOptions,
  host: string,
  port: number,
  logDir: string,
  scratch: string,
  guard: Guard,
): Promise<ManagedProcess> {
  const server = await ensureRedisServer(options.say ?? (() => undefined), { signal: options.signal });
  const { dataDir = join(scratch, "redis"), durable = true } = options.redis ?? {};
  return ownRedis({ server, host, port, dataDir, logDir, durable }, guard);
}

function sharedEnv(
  options: MeshOptions,
  services: readonly ServiceDefinition[],
  urls: Readonly<Record<string, string>>,
  redisUrl: string,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, SHUTDOWN_GRACE_MS: "3000", REDIS_URL: redisUrl };
  for (const { name, urlVariable } of services) {
    if (urlVariable) env[urlVariable] = urls[name];
  }
  // The URL above is what the file held, or another one.
  delete env.REDIS_URL_FILE;
  return { ...env, ...options.env };
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Returns the port requested for a name, or the next free one. */
function portSource(free: number[], asked: Readonly<Record<string, number>> = {}) {
  return (name?: string): number => {
    const port = (name === undefined ? undefined : asked[name]) ?? free.pop();
    if (port === undefined) throw new Error("not enough free ports were looked up");
    return port;
  };
}
