/**
 * `npm test [-- jest's arguments]`: runs all tests with a temporary Redis, or with the one that TEST_REDIS_URL names.
 * Tests delete what they find in it, so REDIS_URL, which may hold real data, is ignored. The last line is the total.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, say } from "./cli/src/console.ts";
import { startGuard } from "./cli/src/guard.ts";
import { freePort } from "./cli/src/ports.ts";
import { ownRedis } from "./cli/src/redis.ts";
import { ensureRedisServer } from "./cli/src/redis-binary.ts";
import { stopSignal } from "./cli/src/stop-signal.ts";
import { ensureChromium, opensBrowser } from "./lib/chromium-binary.ts";
import { FAILING_STALL_MS, gatewayLogs, LONGEST_STALL_MS, longestStall } from "./lib/loop-stalls.ts";
import { slowness } from "./lib/machine-speed.ts";
import { program, runTask } from "./lib/tasks.ts";
import type { Total } from "./lib/testing/total.ts";

const HOST = "127.0.0.1";
/** How often the speed of the machine is measured while tests run, and by how many tries. */
const MEASURED_MS = 20_000;
const TRIES_BESIDE = 3;

async function main(args: readonly string[]): Promise<void> {
  const signal = stopSignal();
  if (opensBrowser(args)) ensureChromium(say);
  const given = process.env.TEST_REDIS_URL;
  if (given) return await jest(args, given, signal);
  const guard = startGuard();
  const scratch = mkdtempSync(join(tmpdir(), "interlock-test-"));
  guard.scratch(scratch);
  try {
    const server = await ensureRedisServer(say, { variable: "TEST_REDIS_URL", signal });
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

/**
 * Prints the longest stall of the event loop of all gateways that the tests start as processes, and the total. A stall that is too long
 * is a failure.
 */
async function jest(args: readonly string[], redisUrl: string, signal: AbortSignal): Promise<void> {
  const logs = mkdtempSync(join(tmpdir(), "interlock-test-gateways-"));
  const total = join(logs, "total.json");
  // A test loads the client as a page does, into a context of its own.
  const node = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const env = { TEST_REDIS_URL: redisUrl, REDIS_URL: "", TEST_GATEWAY_LOGS: logs, TEST_TOTAL: total };
  // How slow the machine is beside what the tests themselves do.
  let slowest = slowness();
  const measuring = setInterval(() => {
    slowest = Math.max(slowest, slowness(TRIES_BESIDE));
  }, MEASURED_MS);
  const { ok } = await runTask("tests", [...node, program("jest/bin/jest.js"), ...args], { env, signal });
  clearInterval(measuring);
  const most = FAILING_STALL_MS * slowest;
  const gateways = gatewayLogs(logs);
  const counted = totalOf(total);
  rmSync(logs, { recursive: true });
  const { ms, line } = longestStall(gateways);
  if (gateways.length > 0)
    say(`Longest stall of the event loops of ${gateways.length} gateways: ${ms} ms at work.`);
  if (ms >= LONGEST_STALL_MS)
    say(`It must be under ${LONGEST_STALL_MS} ms, and fails here from ${Math.round(most)}: ${line}`);
  const failed = Math.max(counted?.failed ?? 0, ok ? 0 : 1) + (ms >= most ? 1 : 0);
  if (failed > 0) process.exitCode = 1;
  if (counted) say(`${counted.passed} passed, ${failed} failed`);
}

/** Undefined where jest ran no tests, as with --listTests, or was stopped. */
function totalOf(file: string): Total | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

await main(process.argv.slice(2)).catch(fail);
