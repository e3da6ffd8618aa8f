import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { Redis } from "ioredis";

export type TestRedis = { readonly url: string; stop(): Promise<void> };

/** An empty database of the Redis at TEST_REDIS_URL, or a new server if that is not set. */
export async function testRedis(): Promise<TestRedis> {
  const given = process.env.TEST_REDIS_URL;
  if (!given) return await ownRedis();
  const url = new URL(given);
  // Gateways that share a database share its queues, so each jest worker uses a database of its own.
  url.pathname = `/${(Number(process.env.JEST_WORKER_ID ?? 1) % 15) + 1}`;
  const redis = new Redis(url.href);
  await redis.flushdb();
  redis.disconnect();
  return { url: url.href, stop: async () => undefined };
}

async function ownRedis(): Promise<TestRedis> {
  const port = await freePort();
  const args = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", args, { stdio: "ignore" });
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  await redis.ping();
  redis.disconnect();
  return {
    url,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
