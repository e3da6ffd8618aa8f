/**
 * Records what a version of the gateway leaves in its store, for services/gateway/test/upgrade.test.ts: starts the mesh of a checkout,
 * leaves one of each of what outlives an upgrade, kills the gateway, and writes `<name>.rdb.gz` and `<name>.json` (what was left).
 *
 *     node scripts/upgrade/record.ts CHECKOUT services/gateway/test/data/upgrade-<date> refused|carried-on
 *
 * The last argument says what the next version does with runs that are under way. CHECKOUT needs its node_modules.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Redis } from "ioredis";
import { writeLocalKeys } from "../lib/local-issuer.ts";
import { keep } from "./keep.ts";
import { leave } from "./leave.ts";

const YEAR_S = 31_536_000;
/** Its steps and asks are those that are under way when the gateway is killed. */
const FROZEN_AGENT = "explainer";

const [checkout, target, runs] = process.argv.slice(2);
if (!checkout || !target || (runs !== "refused" && runs !== "carried-on"))
  throw new Error("usage: node scripts/upgrade/record.ts CHECKOUT TARGET refused|carried-on");
const root = resolve(checkout);
const { startMesh } = (await import(
  pathToFileURL(join(root, "scripts/lib/mesh.ts")).href
)) as typeof import("../lib/mesh.ts");
const { SERVICES, GATEWAY, ISSUER } = (await import(
  pathToFileURL(join(root, "scripts/lib/services.ts")).href
)) as typeof import("../lib/services.ts");

const scratch = mkdtempSync(join(tmpdir(), "interlock-upgrade-"));
const keys = writeLocalKeys();
const redisDir = join(scratch, "redis");
const mesh = await startMesh({
  services: SERVICES.filter(({ name }) => name !== ISSUER.name),
  redis: { dataDir: redisDir, durable: false },
  env: { MESH_FILE: manifestIn(join(scratch, "mesh")) },
});
try {
  const agent = mesh.find(FROZEN_AGENT);
  const left = await leave(mesh.url, {
    freeze: () => agent.kill("SIGSTOP"),
    async killGateway() {
      const gateway = mesh.find(GATEWAY);
      gateway.kill("SIGKILL");
      await gateway.exited();
    },
  });
  const redis = new Redis(mesh.redisUrl);
  await keep(redis);
  // Gzip does that better.
  await redis.config("SET", "rdbcompression", "no");
  await redis.save();
  const [version = ""] = /redis_version:\S+/.exec(await redis.info("server")) ?? [];
  redis.disconnect();
  const commit = execFileSync("git", ["-C", root, "rev-parse", "--short", "HEAD"], {
    encoding: "utf8",
  }).trim();
  writeFileSync(`${target}.rdb.gz`, gzipSync(readFileSync(join(redisDir, "dump.rdb")), { level: 9 }));
  writeFileSync(
    `${target}.json`,
    `${JSON.stringify({ commit, redis: version.split(":")[1], runs, left }, null, 2)}\n`,
  );
} finally {
  await mesh.stop();
  keys.remove();
  rmSync(scratch, { recursive: true, force: true });
}

/**
 * The checkout's manifest in a folder of its own, with the tests' issuer, and approvals that wait as long as they may. The editions in the
 * store name its files relative to it.
 */
function manifestIn(folder: string): string {
  mkdirSync(folder);
  cpSync(join(root, "mesh.yaml"), join(folder, "mesh.yaml"));
  cpSync(join(root, "services"), join(folder, "services"), {
    recursive: true,
    filter: (source) => !/node_modules|\/(?:src|test|dist)$/.test(source),
  });
  cpSync(keys.file, join(folder, "jwks.json"));
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".yaml"),
  )) {
    const file = join(folder, name);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replaceAll(/expires_in_s: \d+/g, `expires_in_s: ${YEAR_S}`),
    );
  }
  const file = join(folder, "mesh.yaml");
  // The tests' issuer has the name "test", and owners are named by it.
  const identity = {
    test: { issuer: "http://issuer.invalid", audience: ["interlock"], keys: { file: "jwks.json" } },
  };
  writeFileSync(file, `${readFileSync(file, "utf8")}\nidentity: ${JSON.stringify({ issuers: identity })}\n`);
  return file;
}
