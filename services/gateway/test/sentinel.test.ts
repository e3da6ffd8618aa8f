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
import { callsOf, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
let gateway: TestGateway;
let sentinel: Redis;
let master: ChildProcess;
let replica: ChildProcess;
/** A connection to the first master. */
let observer: Redis;
let agent: StandIn;

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
  replica = started([
    ...[...server, String(ports[1]), "--replicaof", "127.0.0.1", String(ports[0])],
    ...["--dbfilename", "replica.rdb"],
  ]);
  started([config, "--sentinel"]);
  sentinel = new Redis(ports[2] ?? 0, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  observer = new Redis(ports[0] ?? 0, { retryStrategy: () => null });
  for (const client of [sentinel, observer]) {
    client.on("error", () => undefined);
    keep({ stop: () => client.disconnect() });
  }
  await until(async () => {
    const known = await sentinel.call("SENTINEL", "REPLICAS", "mesh");
    return String(known).includes("master-link-status,ok");
  });
  agent = keep(await standIn(PUBLISHING));
  const redisUrl = `redis+sentinel://127.0.0.1:${ports[2]}/mesh`;
  const mesh = publishingMesh(agent.url);
  const notify = { agent: "sensitivity", task_type: "SENSITIVITY_ANALYSIS", inputs: {}, effect: "once" };
  const notifying = { steps: { notify }, goals: { notify: ["notify"] } };
  const manifest = { ...mesh, flows: { ...mesh.flows, notifying } };
  gateway = keep(await testGateway({ manifest, redisUrl, env: { EFFECT_REPLICAS: "1" } }));
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

/** The runs whose effect an agent was asked for, once for each time. */
const asked = () => callsOf(agent, "SENSITIVITY_ANALYSIS").map(({ body }) => String(body.workflow_id));

/** Runs that the gateway has accepted, each with an effect that must not happen twice. */
const accepted = () =>
  Promise.all(Array.from({ length: 10 }, () => startRun(gateway, { flow: "notifying" }, ANN)));

test("a failover under load: no effect is sent that the next master does not know of, and none twice", async () => {
  await until(hasStore);
  expect(await answered()).toBe("run_finished");
  const before = await accepted();
  await until(() => before.every((run) => asked().includes(run)));

  // The replica falls behind: what is acknowledged from now on is lost with the master, as the guarantees say.
  replica.kill("SIGSTOP");
  // What has been sent to it would be read later.
  await observer.call("CLIENT", "KILL", "TYPE", "REPLICA");
  await accepted();
  const isWaiting = async () => /blocked_clients:[1-9]/.test(await observer.info("clients"));
  await until(async () => asked().length > before.length || (await isWaiting()));
  master.kill("SIGKILL");
  replica.kill("SIGCONT");
  await until(async () => !(await hasStore()));
  await until(hasStore);

  expect(await answered()).toBe("run_finished");
  for (const run of asked()) {
    const known = await get(gateway, `/api/v1/runs/${run}`, ANN);
    expect([run, known.status]).toEqual([run, 200]);
  }
  expect(new Set(asked()).size).toBe(asked().length);
});
