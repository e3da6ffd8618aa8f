/** `npm test [jest's arguments]`: all tests, over a Redis of their own that is gone afterwards. */
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
  const guard = startGuard();
  const scratch = mkdtempSync(join(tmpdir(), "interlock-test-"));
  guard.scratch(scratch);
  try {
    const server = ensureRedisServer(say);
    const place = { dataDir: scratch, logDir: scratch, durable: false };
    const redis = ownRedis({ server, host: HOST, port: await freePort(HOST), ...place }, guard);
    redis.start();
    await redis.ready();
    const jest = [
      "--experimental-vm-modules",
      "--disable-warning=ExperimentalWarning",
      program("jest/bin/jest.js"),
    ];
    // Tests clear what they find in their Redis: never somebody's own.
    const env = { TEST_REDIS_URL: redis.url, REDIS_URL: "" };
    const { ok } = await runTask("tests", [...jest, ...args], { env, signal });
    if (!ok) process.exitCode = 1;
    await redis.stop();
  } finally {
    await guard.close();
  }
}

await main(process.argv.slice(2)).catch(fail);
