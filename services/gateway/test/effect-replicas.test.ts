import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { keysOf } from "../src/store/keys.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, startRun, toRest } from "./support/people.ts";
import { freePort } from "./support/redis.ts";
import { callsOf, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

/** A Redis with one replica, which a test may stop. */
const keep = closingAtEnd();
const use = closing();
const { handler, next } = holding();
let agent: StandIn;
let url: string;
let replica: { process: ChildProcess; redis: Redis };

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-replicas-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  const [port, other] = [await freePort(), await freePort()];
  const server = ["--bind", "127.0.0.1", "--dir", dir, "--save", "", "--port"];
  started([...server, String(port)]);
  const process = started([
    ...[...server, String(other), "--replicaof", "127.0.0.1", String(port)],
    ...["--dbfilename", "replica.rdb"],
  ]);
  url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(other, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  keep({ stop: () => redis.disconnect() });
  replica = { process, redis };
  await until(async () => (await redis.info("replication")).includes("master_link_status:up"));
  agent = keep(await standIn({ POLICY_CHECK: handler }));
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

/** A gateway whose one flow has an effect that must not happen twice. */
async function gateway(env: Record<string, string>) {
  const mesh = pricingMesh(agent.url);
  const once = {
    steps: {
      notify: { agent: "policy", task_type: "POLICY_CHECK", inputs: {}, effect: "once" },
      report: { needs: ["notify"], render: { text: "Told." } },
    },
    goals: { policy: ["notify"] },
    answer: "report",
  };
  return use(
    await testGateway({ manifest: { ...mesh, flows: { ...mesh.flows, once } }, redisUrl: url, env }),
  );
}

const knownToReplica = (run: string) => replica.redis.hexists(keysOf("default").steps(run), "begun.notify");

test("an effect is sent when the replica knows that it begins, and not at all where there is none", async () => {
  const where = await gateway({ EFFECT_REPLICAS: "1" });
  for (let round = 0; round < 20; round++) {
    const run = await startRun(where, { flow: "once" });
    const call = await next();
    expect(await knownToReplica(run)).toBe(1);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
    expect((await toRest(where, run)).at(-1)).toMatchObject({ type: "run_finished" });
  }

  // It does not acknowledge any more; a failover would forget what is written from now on.
  replica.process.kill("SIGSTOP");
  const asked = callsOf(agent, "POLICY_CHECK").length;
  const run = await startRun(where, { flow: "once" });
  expect((await toRest(where, run, ANN)).at(-1)).toMatchObject({
    type: "run_failed",
    data: { code: "store_unavailable", retryable: true },
  });
  expect(callsOf(agent, "POLICY_CHECK")).toHaveLength(asked);
  replica.process.kill("SIGCONT");
});

test("without the setting, an effect is sent that a failover would forget", async () => {
  const where = await gateway({});
  replica.process.kill("SIGSTOP");
  const run = await startRun(where, { flow: "once" });
  const call = await next();
  finish(call, GOOD_OUTPUTS.POLICY_CHECK);
  expect((await toRest(where, run)).at(-1)).toMatchObject({ type: "run_finished" });
  replica.process.kill("SIGCONT");
});
