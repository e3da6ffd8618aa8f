import { randomUUID } from "node:crypto";
import type { Client } from "@a2a-js/sdk/client";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { keysOf } from "../src/store/keys.ts";
import { PushStore } from "../src/store/push-store.ts";
import { a2aClient } from "./support/a2a-peers.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, get, LEE, post } from "./support/people.ts";
import { PUBLISHING, StoreView } from "./support/publishing.ts";
import { type Delivered, receiver } from "./support/receiver.ts";
import { testRedis } from "./support/redis.ts";
import { answering, failing, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import {
  CREDENTIALS,
  config,
  keyFile,
  pushingMesh,
  sendTold,
  statesIn,
  TOKEN,
  toldIn,
} from "./support/task-pushes.ts";
import { until } from "./support/until.ts";

const keep = closing();
const keepAll = closingAtEnd();
const explain = holding();
let agent: StandIn;
let gateway: TestGateway;
let store: StoreView;
let redisUrl: string;
let env: Record<string, string>;

beforeAll(async () => {
  redisUrl = keepAll(await testRedis()).url;
  store = keepAll(new StoreView(redisUrl));
  env = { WEBHOOK_RETRY_MS: "20", GATEWAY_KEY_FILE: keepAll(keyFile()).path };
  agent = keepAll(
    await standIn({
      ...PUBLISHING,
      PRICE_OPTIMIZATION: answering({ items: [], summary: "One price moves." }),
      PRICE_EXPLANATION: explain.handler,
    }),
  );
  const manifest = pushingMesh(agent.url, undefined, { retention: { brief: { run_ttl_s: 10 } } });
  gateway = keepAll(await testGateway({ manifest, redisUrl, env }));
});

const somebody = (roles = "analyst") => as(`u-${randomUUID()}`, roles);
const clientFor = (headers = somebody(), where = gateway) => a2aClient({ url: where.url, headers });
const failed = (answer: Promise<unknown>) =>
  answer.then(
    () => ({}),
    (error) => error,
  );

/** A task that waits for its agent. */
async function underWay(
  client: Client,
): Promise<{ taskId: string; call: Awaited<ReturnType<typeof explain.next>> }> {
  const { id: taskId } = await sendTold(client, "Explain", undefined, { service: "explainer", waits: false });
  return { taskId, call: await explain.next() };
}

describe.each(["JSONRPC", "HTTP+JSON"] as const)("%s", (binding) => {
  const connect = (headers = somebody()) => a2aClient({ url: gateway.url, headers }, { binding });

  test("a receiver is named, read back without its secrets, and removed", async () => {
    const client = await connect();
    const { capabilities } = await client.getAgentCard();
    expect(capabilities?.pushNotifications).toBe(true);
    const inbox = keep(await receiver());
    const { taskId, call } = await underWay(client);
    const made = await client.createTaskPushNotificationConfig(config(inbox.url, { taskId }));
    expect(made).toMatchObject({
      taskId,
      url: inbox.url,
      token: "",
      authentication: { scheme: "Bearer", credentials: "" },
    });
    const named = { tenant: "", taskId, id: made.id };
    expect(await client.getTaskPushNotificationConfig(named)).toEqual(made);
    // The same id again takes its place.
    const second = await client.createTaskPushNotificationConfig(
      config(`${inbox.url}/2`, { taskId, id: "own" }),
    );
    await client.createTaskPushNotificationConfig(config(`${inbox.url}/3`, { taskId, id: "own" }));
    const list = async () =>
      (await client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" }))
        .configs;
    expect((await list()).map(({ id, url }) => [id, url])).toEqual([
      [made.id, inbox.url],
      [second.id, `${inbox.url}/3`],
    ]);
    await client.deleteTaskPushNotificationConfig(named);
    await client.deleteTaskPushNotificationConfig(named);
    expect(await failed(client.getTaskPushNotificationConfig(named))).toMatchObject({
      name: "TaskNotFoundError",
    });
    expect(await list()).toHaveLength(1);
    finish(call, {});
  });

  test("another tenant, and another person, know neither the task nor its receivers", async () => {
    const client = await connect();
    const { taskId, call } = await underWay(client);
    const own = config("http://127.0.0.1:9/hook", { taskId, id: "own" });
    await client.createTaskPushNotificationConfig(own);
    for (const other of [somebody(), as("zoe", "admin", `t-${randomUUID()}`)]) {
      const theirs = await connect(other);
      const named = { tenant: "", taskId, id: "own" };
      for (const refused of [
        theirs.createTaskPushNotificationConfig(own),
        theirs.getTaskPushNotificationConfig(named),
        theirs.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" }),
        theirs.deleteTaskPushNotificationConfig(named),
      ])
        expect(await failed(refused)).toMatchObject({ name: "TaskNotFoundError" });
    }
    expect(await client.getTaskPushNotificationConfig({ tenant: "", taskId, id: "own" })).toMatchObject({
      id: "own",
    });
    finish(call, {});
  });

  test("a message names who is told of its end: state and ids, with the token and the credentials", async () => {
    const inbox = keep(await receiver());
    const client = await connect();
    const { id: taskId, contextId } = await sendTold(client, "Propose prices", config(inbox.url), {
      service: "optimizer",
    });
    await until(() => inbox.delivered.length === 1);
    const [told] = inbox.delivered as [Delivered];
    expect(told.headers).toMatchObject({
      "content-type": "application/a2a+json",
      authorization: `Bearer ${CREDENTIALS}`,
      "x-a2a-notification-token": TOKEN,
    });
    // Nothing of the answer: that is for those who may get the task.
    expect(JSON.parse(told.body)).toEqual({
      statusUpdate: {
        ...{ taskId, contextId },
        status: { state: "TASK_STATE_COMPLETED", timestamp: expect.any(String) },
        metadata: { "interlock/run_id": taskId, "interlock/sequence": expect.any(Number) },
      },
    });
  });
});

describe("a receiver is told", () => {
  test("of each state of a task that waits for its user and for an approver, under one task", async () => {
    const inbox = keep(await receiver());
    const client = await clientFor();
    const task = await sendTold(client, "What of the prices?", config(inbox.url), { service: "publishing" });
    await until(() => statesIn(inbox.delivered).includes("TASK_STATE_INPUT_REQUIRED"));
    const { id: taskId, contextId } = task;
    const paused = await sendTold(client, "publish", undefined, { taskId, contextId });
    await until(() => statesIn(inbox.delivered).includes("TASK_STATE_AUTH_REQUIRED"));
    const { id, proposal_hash } = paused.metadata?.["interlock/approval"] ?? {};
    await post(gateway, `/api/v1/approvals/${id}/decision`, { decision: "approve", proposal_hash }, LEE);
    await until(() => statesIn(inbox.delivered).length === 3);
    expect(statesIn(inbox.delivered)).toEqual([
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_AUTH_REQUIRED",
      "TASK_STATE_COMPLETED",
    ]);
    const told = inbox.delivered.map(toldIn);
    expect(new Set(told.map((one) => `${one.taskId} ${one.contextId}`))).toEqual(
      new Set([`${taskId} ${contextId}`]),
    );
    expect(told.map((one) => one.message)).toEqual([undefined, undefined, undefined]);
  });

  test("of an approval as of input, where whoever named it may decide", async () => {
    const inbox = keep(await receiver());
    const client = await clientFor(somebody("analyst,pricing-lead"));
    await sendTold(client, "publish", config(inbox.url), { service: "publishing" });
    await until(() => inbox.delivered.length === 1);
    expect(statesIn(inbox.delivered)).toEqual(["TASK_STATE_INPUT_REQUIRED"]);
  });

  test("of a task that is cancelled, and of one that fails", async () => {
    const inbox = keep(await receiver());
    const client = await clientFor();
    const { taskId } = await underWay(client);
    await client.createTaskPushNotificationConfig(config(inbox.url, { taskId }));
    await client.cancelTask({ tenant: "", id: taskId, metadata: undefined });
    await until(() => inbox.delivered.length === 1);
    expect(toldIn(inbox.delivered[0] as Delivered)).toMatchObject({ taskId, state: "TASK_STATE_CANCELED" });
    const broken = keep(
      await standIn({ ...PUBLISHING, PRICE_OPTIMIZATION: failing("INFEASIBLE", "There is no solution.") }),
    );
    const other = keep(await testGateway({ manifest: pushingMesh(broken.url), redisUrl, env }));
    const task = await sendTold(await clientFor(somebody(), other), "Propose prices", config(inbox.url), {
      service: "optimizer",
    });
    await until(() => inbox.delivered.length === 2);
    expect(toldIn(inbox.delivered[1] as Delivered)).toMatchObject({
      taskId: task.id,
      state: "TASK_STATE_FAILED",
    });
  });

  test("with each of a task's receivers, at most ten", async () => {
    const inboxes = [keep(await receiver()), keep(await receiver())];
    const client = await clientFor();
    const { taskId, call } = await underWay(client);
    for (const { url } of inboxes) await client.createTaskPushNotificationConfig(config(url, { taskId }));
    for (let more = 0; more < 8; more += 1)
      await client.createTaskPushNotificationConfig(
        config("http://127.0.0.1:9/hook", { taskId, id: `more-${more}` }),
      );
    const eleventh = client.createTaskPushNotificationConfig(config("http://127.0.0.1:9/hook", { taskId }));
    expect(await failed(eleventh)).toMatchObject({ message: expect.stringMatching(/as many receivers/) });
    for (let more = 0; more < 8; more += 1)
      await client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id: `more-${more}` });
    finish(call, {});
    await until(() => inboxes.every(({ delivered }) => delivered.length === 1));
  });

  test("once it is back, and what it has missed is on the list of what has not arrived", async () => {
    let down = true;
    const inbox = keep(await receiver(() => (down ? 503 : 204)));
    const client = await clientFor();
    const { id } = await sendTold(client, "Propose prices", config(inbox.url, { id: "down" }), {
      service: "optimizer",
    });
    await until(async () => (await undelivered(id))?.code === "status_503");
    expect(await undelivered(id)).toMatchObject({
      webhook: "a2a",
      type: "task.updated",
      task_id: id,
      config_id: "down",
    });
    down = false;
    await until(async () => (await undelivered(id)) === undefined);
    const last = inbox.delivered.at(-1) as Delivered;
    expect(toldIn(last)).toMatchObject({ taskId: id, state: "TASK_STATE_COMPLETED" });
    expect(new Set(inbox.delivered.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(
      1,
    );
  });

  test("no more once it was removed, not even what was queued", async () => {
    const inbox = keep(await receiver(() => 503));
    const client = await clientFor();
    const { id: taskId } = await sendTold(client, "Propose prices", config(inbox.url, { id: "gone" }), {
      service: "optimizer",
    });
    await until(() => inbox.delivered.length > 0);
    await client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id: "gone" });
    const before = inbox.delivered.length;
    await until(async () => (await undelivered(taskId)) === undefined);
    // One may have been under way.
    expect(inbox.delivered.length - before).toBeLessThanOrEqual(1);
  });
});

const OLE = as("ole", "operator");

type Listed = { run_id: string; webhook: string; code?: string };

async function undelivered(run: string): Promise<Listed | undefined> {
  const { deliveries } = (await get(gateway, "/api/v1/admin/webhooks?limit=200", OLE)).json();
  return (deliveries as Listed[]).find(({ run_id }) => run_id === run);
}

describe("a receiver is refused", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/hook",
    "http://[::1]:8080/hook",
    "http://2130706434/hook",
    "http://user:word@127.0.0.1/hook",
    "https://example.com/hook",
  ])("where the manifest allows no push: %s", async (url) => {
    const client = await clientFor();
    const { taskId, call } = await underWay(client);
    const refused = { message: expect.stringMatching(/no push notifications to this host/) };
    expect(await failed(client.createTaskPushNotificationConfig(config(url, { taskId })))).toMatchObject(
      refused,
    );
    expect(await failed(sendTold(client, "Propose prices", config(url)))).toMatchObject(refused);
    finish(call, {});
  });

  test("that is the gateway's own store, though its host is allowed", async () => {
    const client = await clientFor();
    const { taskId, call } = await underWay(client);
    const url = redisUrl.replace(/^redis:/, "http:");
    expect(await failed(client.createTaskPushNotificationConfig(config(url, { taskId })))).toMatchObject({
      message: expect.stringMatching(/no push notifications to this host/),
    });
    finish(call, {});
  });

  test("of a task that has ended, since nothing more is told of it", async () => {
    const client = await clientFor();
    const { id: taskId } = await sendTold(client, "Propose prices", undefined, { service: "optimizer" });
    const late = client.createTaskPushNotificationConfig(config("http://127.0.0.1:9/hook", { taskId }));
    expect(await failed(late)).toMatchObject({ name: "UnsupportedOperationError" });
    // Also where it ends between look and write.
    const pushes = new PushStore(store.redis);
    const seen = { id: taskId, state: "running" };
    expect(await pushes.put("default", { task: taskId, id: "late" }, "x", seen)).toBe("changed");
    expect(await pushes.list("default", taskId)).toEqual([]);
  });

  test("by a mesh that allows none, or has no key for secrets", async () => {
    const manifest = { ...pushingMesh(agent.url), peers: {} };
    const none = keep(await testGateway({ manifest, redisUrl, env }));
    const client = await clientFor(somebody(), none);
    expect((await client.getAgentCard()).capabilities?.pushNotifications).toBe(false);
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "ListTaskPushNotificationConfigs",
      params: { taskId: "x" },
    };
    const { error } = (await post(none, "/a2a", body, somebody())).json() as {
      error: { code: number; message: string };
    };
    expect(error).toMatchObject({ code: -32003, message: expect.stringContaining("peers.a2a.push_to") });
    const keyless = testGateway({ manifest: pushingMesh(agent.url), redisUrl });
    await expect(keyless).rejects.toThrow(/peers\.a2a\.push_to.*GATEWAY_KEY_FILE/s);
    const metadata = testGateway({ manifest: pushingMesh(agent.url, ["169.254.169.254"]), redisUrl, env });
    await expect(metadata).rejects.toThrow(/peers\.a2a\.push_to.*never allowed/s);
  });
});

test("secrets of a receiver are in the store sealed alone, in no log, and gone with the run", async () => {
  const inbox = keep(await receiver());
  const headers = as(`u-${randomUUID()}`, "analyst", "brief");
  const client = await clientFor(headers);
  const { taskId, call } = await underWay(client);
  await client.createTaskPushNotificationConfig(
    config(`${inbox.url}?own=t0k3n-in-the-address`, { taskId, id: "own" }),
  );
  const key = keysOf("brief").run(taskId);
  const kept = await store.redis.hgetall(key);
  expect(kept["push:own"]).toMatch(/^[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]+$/);
  const secrets = new RegExp(`${TOKEN}|${CREDENTIALS}|t0k3n-in-the-address`);
  expect(JSON.stringify(kept)).not.toMatch(secrets);
  finish(call, {});
  await until(() => inbox.delivered.length === 1);
  await until(async () => (await store.redis.exists(key)) === 0);
  const named = { tenant: "", taskId, id: "own" };
  expect(await failed(client.getTaskPushNotificationConfig(named))).toMatchObject({
    name: "TaskNotFoundError",
  });
  const jobs = await store.redis.keys("{il-queue}:webhooks:*");
  const hashes = await Promise.all(
    jobs.map(async (job) => ((await store.redis.type(job)) === "hash" ? await store.redis.hgetall(job) : {})),
  );
  expect(JSON.stringify(hashes)).toContain(taskId);
  expect(JSON.stringify(hashes)).not.toMatch(secrets);
  expect(gateway.logs()).not.toMatch(secrets);
});
