import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { Redis } from "ioredis";

export type TestRedis = { readonly url: string; stop(): Promise<void> };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}

const MISSING =
  "These tests need a Redis: install redis-server, or set TEST_REDIS_URL to one that may be written to.";

async function launch(port: number): Promise<ChildProcess> {
  const child = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
    stdio: "ignore",
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => reject(new Error(MISSING, { cause })));
  });
  return child;
}

async function answering(url: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => {});
  await redis.ping();
  redis.disconnect();
}

/** TEST_REDIS_URL if it is set, otherwise a new Redis on a free port. */
export async function startRedis(): Promise<TestRedis> {
  const given = process.env.TEST_REDIS_URL;
  if (given !== undefined && given !== "") return { url: given, stop: async () => {} };
  const port = await freePort();
  const child = await launch(port);
  const url = `redis://127.0.0.1:${port}`;
  await answering(url);
  return {
    url,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}
