import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { closing, closingAtEnd } from "./support/closing.ts";
import { dialoguesOf, tellingOrder, withDialogues } from "./support/dialogue.ts";
import { type GatewayOptions, gatewayProcess, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, get, LEE, pausedRun, post, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE } from "./support/publishing.ts";
import { freePort } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { callsOf, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const START = fileURLToPath(new URL("../redis/start.sh", import.meta.url));
const VERIFY = fileURLToPath(new URL("../../../scripts/audit-verify.ts", import.meta.url));
const AGENT = fileURLToPath(new URL("../../agent-kit/test/main.ts", import.meta.url));

const keep = closingAtEnd();
const use = closing();
let secrets: string;
let agent: StandIn;
/** A user of the test alone, who may do everything. */
let admin: Redis;

/** Redis as Compose starts it. */
beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-users-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  secrets = join(dir, "secrets");
  const acl = join(dir, "users.acl");
  const port = await freePort();
  const password = randomUUID();
  const env = {
    PATH: process.env.PATH,
    SECRETS_DIR: secrets,
    ACL_FILE: acl,
    REDIS_ADDRESS: `127.0.0.1:${port}`,
  };
  // Makes the file and runs what it is told to, here: nothing.
  execFileSync("sh", [START, "true"], { env });
  const own = join(dir, "with-admin.acl");
  writeFileSync(own, `${readFileSync(acl, "utf8")}user admin on >${password} ~* &* +@all\n`);
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--aclfile", own];
  const child = spawn("redis-server", [...args, "--appendonly", "yes"], { stdio: "ignore" });
  const exited = once(child, "exit");
  keep({
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  });
  admin = new Redis(`redis://admin:${password}@127.0.0.1:${port}`, { retryStrategy: () => 20 });
  admin.on("error", () => undefined);
  keep({ stop: () => admin.disconnect() });
  await until(() => admin.status === "ready");
  agent = keep(await standIn({ ...PUBLISHING, ORDER_TURN: tellingOrder }));
});

const urlFile = (user: string): string => join(secrets, user, "redis-url");
const urlOf = (user: string): string => readFileSync(urlFile(user), "utf8").trim();

/** With a flow whose approvals expire soon. Replicas of one manifest may reach its agents at different addresses. */
function manifest() {
  const url = `\${${"AGENTS"}}`;
  const mesh = withDialogues(publishingMesh(url), url);
  const { publishing: hasty } = publishingMesh(url, { ...RULE, warn_before_s: 1, expires_in_s: 2 }).flows;
  return { ...mesh, flows: { ...mesh.flows, hasty } };
}

function options(env: Record<string, string> = {}, url = agent.url): GatewayOptions {
  const own = { REDIS_URL_FILE: urlFile("gateway"), LEASE_MS: "1000", AGENTS: url };
  return { manifest: manifest(), redisUrl: "", env: { ...own, ...env } };
}

/** What Redis refused, as `user: command or key`. */
async function refused(): Promise<string[]> {
  const entries = (await admin.call("ACL", "LOG", "128")) as string[][];
  return entries.map((pairs) => {
    const field = (name: string) => pairs[pairs.indexOf(name) + 1];
    return `${field("username")}: ${field("reason")} ${field("object")} (${field("context")})`;
  });
}

test("the passwords are made once, and differ", () => {
  const [gateway, agents] = [urlOf("gateway"), urlOf("agents")];
  expect(gateway).toMatch(/^redis:\/\/gateway:[0-9a-f]{64}@127\.0\.0\.1:\d+$/);
  expect(agents.split(":")[2]).not.toBe(gateway.split(":")[2]);
  const again = { PATH: process.env.PATH, SECRETS_DIR: secrets, ACL_FILE: join(secrets, "again.acl") };
  execFileSync("sh", [START, "true"], { env: again });
  expect([urlOf("gateway"), urlOf("agents")]).toEqual([gateway, agents]);
});

test("the gateway's user may do what gateways do, and no more", async () => {
  const one = use(await gatewayProcess(options()));
  const other = use(await testGateway(options()));

  // Approvals: edited, approved on another replica, rejected, cancelled, listed, audited.
  const run = await pausedRun(one, { flow: "publishing" });
  const edits = [{ item_id: "A100", price: 11 }];
  const edited = await decide(one, run, "edit", as("kim", "pricing-lead"), { edits });
  const headers = { ...LEE, "idempotency-key": randomUUID() };
  const current = { ...run, hash: String(edited.json().proposal_hash) };
  expect((await decide(other, current, "approve", headers)).status).toBe(200);
  expect((await decide(other, current, "approve", headers)).status).toBe(200);
  expect((await toRest(one, run.runId, ANN, run.seq)).at(-1)).toMatchObject({ type: "run_finished" });
  expect((await decide(one, await pausedRun(other, { flow: "publishing" }), "reject", LEE)).status).toBe(200);
  const cancelled = await pausedRun(other, { flow: "publishing" });
  expect((await post(one, `/api/v1/runs/${cancelled.runId}/cancel`, {}, ANN)).status).toBe(200);
  for (const path of [
    "/api/v1/runs",
    "/api/v1/runs?state=needs_review",
    "/api/v1/sessions",
    "/api/v1/approvals?state=pending",
    "/api/v1/approvals",
    `/api/v1/approvals/${run.approvalId}/audit`,
    `/api/v1/runs/${run.runId}/events`,
    "/readyz",
  ])
    expect([path, (await get(one, path, path.includes("approvals") ? LEE : ANN)).status]).toEqual([
      path,
      200,
    ]);

  // A session that is long enough to be summarised, and reset; runs that queue in it.
  const session_id = randomUUID();
  const talk = use(await testGateway(options({ MAX_CONTEXT_TURNS: "2" })));
  for (let turn = 0; turn < 5; turn++)
    await post(talk, "/api/v1/chat", { message: "Propose new prices", session_id }, ANN);
  const queued = { flow: "pricing", goals: ["optimizer"], session_id, multitask: "enqueue" };
  for (let n = 0; n < 3; n++) await post(one, "/api/v1/runs", queued, ANN);

  // A dialogue, with a state that its agent tells of in the middle, and its reset.
  const dialogue = randomUUID();
  const order = (message: string) => post(one, "/api/v1/chat", { message, session_id: dialogue }, ANN);
  for (const message of ["order tea", "order done"]) expect((await order(message)).status).toBe(200);
  expect(await dialoguesOf(other, dialogue)).toMatchObject([{ service: "order", next_action: "DONE" }]);
  expect((await post(other, `/api/v1/sessions/${dialogue}/reset`, undefined, ANN)).status).toBe(200);

  // A replica that is killed: another one takes over, and follows the log.
  const slow = use(await standIn({ ...PUBLISHING, PRICE_OPTIMIZATION: () => new Promise(() => undefined) }));
  const lost = use(await gatewayProcess(options({}, slow.url)));
  const body = { message: "Please publish", session_id: randomUUID() };
  const stream = await EventReader.open(`${lost.url}/api/v1/chat?stream=true`, { headers: ANN, body });
  await until(() => callsOf(slow, "PRICE_OPTIMIZATION").length > 0);
  lost.child.kill("SIGKILL");
  expect(await stream.over).toBe("cut");
  const resumed = await toRest(other, String(stream.headers["x-run-id"]));
  expect(resumed.at(-1)).toMatchObject({ type: "run_paused" });

  // An approval that is warned of and expires.
  const expiring = await pausedRun(one, { flow: "hasty" });
  expect((await toRest(other, expiring.runId, ANN, expiring.seq)).at(-1)).toMatchObject({
    data: { status: "rejected" },
  });

  expect(await refused()).toEqual([]);

  const store = new Redis(urlOf("gateway"));
  use({ stop: () => store.disconnect() });
  for (const command of [
    ["FLUSHALL"],
    ["CONFIG", "GET", "*"],
    ["ACL", "WHOAMI"],
    ["KEYS", "*"],
    ["GET", "other"],
    ["GET", "interlock:agent:optimizer:idempotency:x"],
  ] as const)
    await expect(store.call(command[0], ...command.slice(1))).rejects.toThrow("NOPERM");
  await admin.call("ACL", "LOG", "RESET");
});

test("the agents' user keeps their answers by key, and cannot touch what is the gateway's", async () => {
  const env = { PATH: process.env.PATH, PORT: "0", REDIS_URL_FILE: urlFile("agents") };
  const child = spawn(process.execPath, [AGENT], { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  use({
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  await until(() => output.includes('"url"'));
  const url = /"url":"([^"]+)"/.exec(output)?.[1] ?? "";
  const body = { request_id: "r1", task_type: "COUNT", inputs: { to: 2 } };
  const key = { "idempotency-key": randomUUID() };
  const [first, second] = [
    await post({ url }, "/agents/run/sync", body, key),
    await post({ url }, "/agents/run/sync", body, key),
  ];
  expect(second.text).toBe(first.text);
  expect(await admin.keys("interlock:agent:*")).toHaveLength(1);
  expect(await refused()).toEqual([]);

  const store = new Redis(urlOf("agents"));
  use({ stop: () => store.disconnect() });
  for (const command of [
    ["HSET", "il:{default}:approval:x", "state", "approved"],
    ["EVAL", "return redis.call('HSET', 'il:{default}:approval:x', 'state', 'approved')", "0"],
    ["HMGET", "{il-queue}:runs:meta", "opts"],
    ["XADD", "il:{default}:book:price-book", "*", "effect", "x"],
    ["SCAN", "0"],
  ] as const)
    await expect(store.call(command[0], ...command.slice(1))).rejects.toThrow(
      /NOPERM|No permissions|can't access/i,
    );
  await admin.call("ACL", "LOG", "RESET");
});

test("the auditor's user verifies the decision log, and changes nothing", async () => {
  const env = { ...process.env, REDIS_URL: urlOf("auditor") };
  const text = execFileSync(process.execPath, [VERIFY], { env, encoding: "utf8" });
  expect(text).toMatch(/^default: \d+ entries, unbroken$/m);
  expect(await refused()).toEqual([]);
  const store = new Redis(urlOf("auditor"));
  use({ stop: () => store.disconnect() });
  await expect(store.call("SET", "il:{default}:audit:head", "x")).rejects.toThrow("NOPERM");
});

test("who has no password may ask whether Redis is there", async () => {
  const nobody = new Redis(urlOf("gateway").replace(/\/\/.*@/, "//"), { enableReadyCheck: false });
  use({ stop: () => nobody.disconnect() });
  expect(await nobody.ping()).toBe("PONG");
  await expect(nobody.get("il:tenants")).rejects.toThrow("NOPERM");
});
