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
  /** Whether to fsync every write (the default), so that no acknowledged write is lost, or never, for temporary data. */
  readonly durable?: boolean;
}

/** A Redis server with the settings that the mesh needs: append-only file, no eviction. Not started yet. */
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
    // The append-only file is enough: snapshots would add forks and nothing else.
    save: "",
    // Runs store mostly short strings. Packed more closely, they take less than half the memory, and less time.
    "stream-node-max-bytes": "1024",
    "hash-max-listpack-value": "1024",
    // Rewriting a small file each time it doubles is not worth a fork.
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

/** Whether a Redis without a password answers PING there. False while it still loads its data. */
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

/** @throws where no Redis answers at the URL; the message leaves out the URL's password */
export async function checkRedisUrl(url: string, options: { tls?: object } = {}): Promise<void> {
  // Imported here, because most commands do not need it and would start more slowly.
  const { Redis } = await import("ioredis");
  const client = new Redis(url, {
    ...options,
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 5_000,
    disableClientInfo: true,
  });
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
