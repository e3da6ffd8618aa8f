import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, get, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { freePort } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
let gateway: TestGateway;
let sentinel: Redis;
let master: ChildProcess;

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-sentinel-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  const ports = [await freePort(), await freePort(), await freePort()];
  const config = join(dir, "sentinel.conf");
  writeFileSync(
    config,
    [
      `port ${ports[2]}`,
      `dir ${dir}`,
      `sentinel monitor mesh 127.0.0.1 ${ports[0]} 1`,
      "sentinel down-after-milliseconds mesh 500",
      "sentinel failover-timeout mesh 5000",
    ].join("\n"),
  );
  const server = ["--bind", "127.0.0.1", "--dir", dir, "--save", "", "--port"];
  master = started([...server, String(ports[0])]);
  started([...server, String(ports[1]), "--replicaof", "127.0.0.1", String(ports[0])]);
  started([config, "--sentinel"]);
  sentinel = new Redis(ports[2] ?? 0, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  sentinel.on("error", () => undefined);
  keep({ stop: () => sentinel.disconnect() });
  await until(async () => {
    const known = await sentinel.call("SENTINEL", "REPLICAS", "mesh");
    return String(known).includes("master-link-status,ok");
  });
  const agent = keep(await standIn(PUBLISHING));
  const redisUrl = `redis+sentinel://127.0.0.1:${ports[2]}/mesh`;
  gateway = keep(await testGateway({ manifest: publishingMesh(agent.url), redisUrl }));
});

function started(args: readonly string[]): ChildProcess {
  const child = spawn("redis-server", args, { stdio: "ignore" });
  const exited = once(child, "exit");
  keep({
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  });
  return child;
}

const hasStore = async () => (await get(gateway, "/readyz")).json().store === "ok";
const answered = async () =>
  (await toRest(gateway, await startRun(gateway, { flow: "pricing", goals: ["optimizer"] }, ANN))).at(-1)
    ?.type;

test("the gateway finds the master by Sentinel, and the next one when the first is gone", async () => {
  await until(hasStore);
  expect(await answered()).toBe("run_finished");
  master.kill("SIGKILL");
  await until(async () => !(await hasStore()));
  await until(hasStore);
  expect(await answered()).toBe("run_finished");
});
