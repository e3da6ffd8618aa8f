/**
 * `npm test [-- jest's arguments]`: runs all tests with a temporary Redis, or with the one that TEST_REDIS_URL names.
 * Tests delete what they find in it, so REDIS_URL, which may hold real data, is ignored.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, say } from "./lib/console.ts";
import { startGuard } from "./lib/guard.ts";
import { freePort } from "./lib/ports.ts";
import { ownRedis } from "./lib/redis.ts";
import { ensureRedisServer } from "./lib/redis-binary.ts";
import { stopSignal } from "./lib/stop-signal.ts";
import { program, runTask } from "./lib/tasks.ts";

const HOST = "127.0.0.1";

async function main(args: readonly string[]): Promise<void> {
  const signal = stopSignal();
  const given = process.env.TEST_REDIS_URL;
  if (given) return await jest(args, given, signal);
  const guard = startGuard();
  const scratch = mkdtempSync(join(tmpdir(), "interlock-test-"));
  guard.scratch(scratch);
  try {
    const server = ensureRedisServer(say, "TEST_REDIS_URL");
    const place = { dataDir: scratch, logDir: scratch, durable: false };
    const redis = ownRedis({ server, host: HOST, port: await freePort(HOST), ...place }, guard);
    redis.start();
    await redis.ready();
    await jest(args, redis.url, signal);
    await redis.stop();
  } finally {
    await guard.close();
  }
}

async function jest(args: readonly string[], redisUrl: string, signal: AbortSignal): Promise<void> {
  const node = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const env = { TEST_REDIS_URL: redisUrl, REDIS_URL: "" };
  const { ok } = await runTask("tests", [...node, program("jest/bin/jest.js"), ...args], { env, signal });
  if (!ok) process.exitCode = 1;
}

await main(process.argv.slice(2)).catch(fail);
