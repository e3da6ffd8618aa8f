import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { until } from "./until.ts";

export type RedisServer = {
  url: string;
  /** Ends the process at once; what it acknowledged is on disk. */
  kill(): Promise<void>;
  /** Starts it again, on the same port with the same data. */
  restart(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
};

/** The store for a file of tests, empty: a database of TEST_REDIS_URL, or else a server of its own. */
export async function testRedis(): Promise<Pick<RedisServer, "url" | "stop">> {
  const given = process.env.TEST_REDIS_URL;
  if (!given) return await startRedis();
  const url = new URL(given);
  // Gateways over one store work off one queue: files that run at the same time must not share it.
  url.pathname = `/${(Number(process.env.JEST_WORKER_ID ?? 1) % 15) + 1}`;
  const redis = new Redis(url.href);
  await redis.flushdb();
  redis.disconnect();
  return { url: url.href, stop: async () => undefined };
}

/** A server that a test may kill: it writes through to disk, as the mesh's own does. */
export async function startRedis(more: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), "interlock-redis-"));
  const url = `redis://127.0.0.1:${port}`;
  const args = ["--bind", "127.0.0.1", "--port", String(port), "--dir", dir, "--save", ""];
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn("redis-server", [...args, "--appendonly", "yes", "--appendfsync", "always", ...more], {
      stdio: "ignore",
    });
    await answering(url);
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  await start();
  return {
    url,
    kill,
    restart: start,
    async stop() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function answering(url: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  await redis.ping();
  redis.disconnect();
}

/**
 * Reads all commands that a server gets, of all its clients. The client library has a monitor too, but takes a command that comes with the
 * reply to its own for a broken protocol.
 */
export async function monitor(url: string): Promise<{ commands(): readonly string[]; stop(): void }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (part) => {
    text += part;
  });
  socket.write("MONITOR\r\n");
  await until(() => text.startsWith("+OK"));
  return { commands: () => text.split("\r\n"), stop: () => socket.destroy() };
}

/** A port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
