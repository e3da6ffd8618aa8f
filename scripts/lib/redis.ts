import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Guard } from "./guard.ts";
import { ManagedProcess } from "./managed-process.ts";

export interface RedisOptions {
  readonly server: string;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logDir: string;
  /** Fsync on every write (the default: nothing acknowledged is ever lost), or never (throw-away data). */
  readonly durable?: boolean;
}

/** A Redis of our own, set up as the mesh needs it: append-only file, no eviction. Not started yet. */
export function ownRedis(options: RedisOptions, guard: Guard): ManagedProcess {
  const { server, host, port, dataDir, logDir, durable = true } = options;
  mkdirSync(dataDir, { recursive: true });
  const settings = {
    bind: host,
    port: String(port),
    dir: dataDir,
    appendonly: "yes",
    appendfsync: durable ? "always" : "no",
    "maxmemory-policy": "noeviction",
    // The append-only file is the only copy: snapshots on top would only cost forks.
    save: "",
    // What a run leaves behind is mostly short texts: kept closely packed they take less than half the memory, and less time.
    "stream-node-max-bytes": "1024",
    "hash-max-listpack-value": "1024",
    // Small files are not worth a fork each time that they have doubled.
    "auto-aof-rewrite-min-size": "256mb",
  };
  return new ManagedProcess(
    {
      name: "redis",
      command: server,
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      env: process.env,
      cwd: dataDir,
      url: `redis://${host}:${port}`,
      logFile: join(logDir, "redis.log"),
      isReady: () => answersPing(host, port),
      last: true,
    },
    guard,
  );
}

/** Whether a Redis without a password answers there: false also while it loads its data. */
export function answersPing(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 }, () => socket.write("PING\r\n"));
    const answer = (yes: boolean) => {
      resolve(yes);
      socket.destroy();
    };
    socket.once("data", (data) => answer(data.toString("latin1").startsWith("+PONG")));
    socket.once("timeout", () => answer(false));
    socket.once("error", () => answer(false));
    socket.once("close", () => answer(false));
  });
}

/** Throws, without the URL's password, when the Redis somebody named does not answer. */
export async function checkRedisUrl(url: string): Promise<void> {
  // Loaded only here: it would slow every start down.
  const { Redis } = await import("ioredis");
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.ping();
  } catch {
    throw new Error(`No Redis answers at REDIS_URL (${client.options.host}:${client.options.port}).`);
  } finally {
    client.disconnect();
  }
}
