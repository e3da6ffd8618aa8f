import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createAgent,
  type TaskDefinition,
  type VerifiedCaller,
  type VerifyCaller,
} from "@interlock/agent-kit";
import { callerVerifier } from "@interlock/agent-kit/identity";
import { startAgent } from "@interlock/agent-kit/testing";
import { beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { keysOf } from "../src/store/keys.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { ANN, as, decide, type LogEvent, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";

const LEE = as("lee", "pricing_approver");
const KIM = as("kim", "pricing_approver");

const keep = closingAtEnd();

type Seen = { task: string; caller: VerifiedCaller | undefined };

let gateways: [TestGateway, TestGateway];
let redis: Redis;
let agentUrl: string;
/** What the agent's tasks were told, and what was sent for it. */
const seen: Seen[] = [];
const sent: string[] = [];

beforeAll(async () => {
  const { url: redisUrl } = keep(await testRedis());
  const store = new Redis(redisUrl);
  redis = store;
  keep({ stop: async () => store.disconnect() });
  const dir = mkdtempSync(join(tmpdir(), "interlock-signed-"));
  keep({ stop: async () => rmSync(dir, { recursive: true, force: true }) });

  let verify: VerifyCaller | undefined;
  const verifyCaller: VerifyCaller = async (authorization) => {
    if (authorization !== undefined) sent.push(authorization.replace(/^Bearer /, ""));
    if (!verify) throw new Error("the gateway does not run yet");
    return verify(authorization);
  };
  const object = { type: "object" };
  const task = (name: string): TaskDefinition => ({
    inputs: object,
    outputs: object,
    async *run(_, { caller }) {
      yield { type: "progress" };
      seen.push({ task: name, caller });
      return { passed: true };
    },
  });
  const agent = await startAgent(
    createAgent({
      card: { name: "worker", version: "1" },
      tasks: { PROPOSE: task("PROPOSE"), CHECK: task("CHECK"), APPLY: task("APPLY") },
    }),
    { verifyCaller },
  );
  keep({ stop: () => agent.close() });
  agentUrl = agent.url;

  const tasks = { PROPOSE: "Proposes.", CHECK: "Checks.", APPLY: "Applies." };
  const approval = {
    proposal: { literal: [{ id: "a", price: 2 }] },
    roles: ["pricing_approver"],
    four_eyes: true,
    edit: {
      keys: ["id"],
      set: "price",
      check: { agent: "worker", task_type: "CHECK", inputs: { x: 1 }, accept: "outputs.passed" },
    },
  };
  const manifest = {
    agents: {
      worker: { url: agent.url, tasks, identity: "signed" },
      // The same agent, to which the gateway says nothing of the caller.
      silent: { url: agent.url, tasks: { CHECK: "Checks." } },
    },
    flows: {
      applying: {
        steps: {
          propose: { agent: "worker", task_type: "PROPOSE", inputs: { x: 1 } },
          apply: { agent: "worker", task_type: "APPLY", inputs: { x: 1 }, needs: ["propose"], approval },
        },
        goals: { applying: ["apply"] },
      },
      silent: {
        steps: { check: { agent: "silent", task_type: "CHECK", inputs: { x: 1 } } },
        goals: { applying: ["check"] },
      },
    },
    services: { applying: { flow: "applying", keywords: ["apply"] } },
    access: { roles: { emea: { inherits: ["analyst"], rows: { region: ["EMEA"] } } } },
    endpoints: { propose: { task_type: "PROPOSE" } },
  };
  // Two replicas sign with one key.
  const env = { GATEWAY_KEY_FILE: join(dir, "gateway.pem"), GATEWAY_ISSUER: "mesh-1" };
  const gateway = async (): Promise<TestGateway> => keep(await testGateway({ manifest, redisUrl, env }));
  gateways = [await gateway(), await gateway()];
  verify = callerVerifier({ url: new URL(`${gateways[0].url}/.well-known/jwks.json`) }, "worker");
});

const who = (subject: string, more: object) => ({
  subject,
  issuer: "test",
  tenant: "default",
  ...more,
});

test("a run keeps the identity that it was started with, also after an approval and on another gateway", async () => {
  const [first, second] = gateways;
  const paused = await pausedRun(first, { flow: "applying" }, ANN);
  const edited = await decide(second, paused, "edit", KIM, { edits: [{ id: "a", price: 1 }] });
  expect(edited).toMatchObject({ status: 200 });
  const hash = String(edited.json().proposal_hash);
  expect(await decide(second, { ...paused, hash }, "approve", LEE)).toMatchObject({ status: 200 });
  const events: LogEvent[] = await toRest(second, paused.runId, ANN, paused.seq);
  expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { status: "ok" } });
  const run = { runId: paused.runId };
  expect(seen.splice(0)).toEqual([
    { task: "PROPOSE", caller: who("ann", { roles: ["analyst"], ...run, step: "propose" }) },
    { task: "CHECK", caller: who("kim", { roles: ["pricing_approver"], ...run, step: "apply" }) },
    { task: "APPLY", caller: who("ann", { roles: ["analyst"], ...run, step: "apply" }) },
  ]);

  // The order has what a token is made of, and no token.
  const { order = "" } = await redis.hgetall(keysOf("default").run(paused.runId));
  expect(JSON.parse(order)).toMatchObject({ subject: "ann", issuer: "test", roles: ["analyst"] });
  expect(sent.length).toBeGreaterThanOrEqual(3);
  for (const token of sent) {
    const [, , signature = ""] = token.split(".");
    for (const { logs } of gateways) expect(logs()).not.toContain(signature);
    expect(order).not.toContain(signature);
  }
});

test("a task that is reached directly is told of its caller, and of no run", async () => {
  expect(await post(gateways[0], "/api/v1/propose", { x: 1 }, LEE)).toMatchObject({ status: 200 });
  expect(seen.splice(0)).toEqual([{ task: "PROPOSE", caller: who("lee", { roles: ["pricing_approver"] }) }]);
});

test("row filters of the caller's roles come from the manifest", async () => {
  const max = as("max", "emea");
  expect(await post(gateways[0], "/api/v1/propose", { x: 1 }, max)).toMatchObject({ status: 200 });
  expect(seen.splice(0)).toMatchObject([{ caller: { subject: "max", rows: { region: ["EMEA"] } } }]);
});

test("an agent that verifies refuses whoever reaches it without the gateway, and the gateway where it signs nothing", async () => {
  const body = { request_id: "r", task_type: "CHECK", inputs: { x: 1 } };
  const answer = await ask(`${agentUrl}/agents/run/sync`, { body });
  expect([answer.status, answer.json().error]).toMatchObject([401, { code: "UNAUTHORIZED" }]);
  const runId = await startRun(gateways[0], { flow: "silent" }, ANN);
  const events = await toRest(gateways[0], runId, ANN);
  expect(JSON.stringify(events.at(-1))).toContain("upstream_refused");
  expect(seen).toEqual([]);
});

test("the keys are public, may be cached, and are the same on both gateways", async () => {
  const answers = await Promise.all(
    gateways.map(({ url }) => ask(`${url}/.well-known/jwks.json`, { headers: { host: "gateway:8080" } })),
  );
  for (const { status, headers } of answers)
    expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=60"]);
  const [one, other] = answers.map(({ text }) => text);
  expect(one).toBe(other);
  expect(one).not.toContain('"d"');
});
