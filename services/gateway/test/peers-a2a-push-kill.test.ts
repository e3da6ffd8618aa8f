import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { newWinner } from "../src/approvals/index.ts";
import { readConfig } from "../src/config.ts";
import { assistantTurn, cancelledEnd } from "../src/runs/endings.ts";
import { connect, keysOf, type RunRecord } from "../src/store/index.ts";
import { a2aClient } from "./support/a2a-peers.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, as, get } from "./support/people.ts";
import { PUBLISHING } from "./support/publishing.ts";
import { type Delivered, idsOf, receiver } from "./support/receiver.ts";
import { testRedis } from "./support/redis.ts";
import { finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { storesOf } from "./support/stores.ts";
import { config, keyFile, pushingMesh, sendTold, toldIn } from "./support/task-pushes.ts";
import { until } from "./support/until.ts";

const keep = closing();
const keepAll = closingAtEnd();
const explain = holding();
const RESOLVER = new URL("./support/resolver.mjs", import.meta.url).href;
let agent: StandIn;
let redisUrl: string;
let env: Record<string, string>;

beforeAll(async () => {
  redisUrl = keepAll(await testRedis()).url;
  agent = keepAll(await standIn({ ...PUBLISHING, PRICE_EXPLANATION: explain.handler }));
  env = { WEBHOOK_RETRY_MS: "20", LEASE_MS: "1000", GATEWAY_KEY_FILE: keepAll(keyFile()).path };
});

const options = (push_to?: readonly string[]) => ({
  manifest: pushingMesh(agent.url, push_to),
  redisUrl,
  env,
});
const clientFor = ({ url }: TestGateway) => a2aClient({ url, headers: ANN });

test("a change is told though the gateway was killed while it told it", async () => {
  let dead = true;
  const inbox = keep(await receiver(() => (dead ? "nothing" : 204)));
  const first = keep(await gatewayProcess(options()));
  const { id } = await sendTold(await clientFor(first), "Propose prices", config(inbox.url), {
    service: "optimizer",
  });
  await until(() => inbox.delivered.length === 1);
  first.child.kill("SIGKILL");
  await first.exited;
  dead = false;
  keep(await testGateway(options()));
  await until(() => inbox.delivered.length === 2);
  expect(idsOf(inbox.delivered).size).toBe(1);
  expect(toldIn(inbox.delivered[1] as Delivered)).toMatchObject({
    taskId: id,
    state: "TASK_STATE_COMPLETED",
  });
});

test("a change that no gateway lived to relay is told by the next one", async () => {
  const inbox = keep(await receiver());
  const first = keep(await gatewayProcess(options()));
  const client = await clientFor(first);
  const { id } = await sendTold(client, "publish", config(inbox.url), { service: "publishing" });
  await until(() => inbox.delivered.length === 1);
  first.child.kill("SIGKILL");
  await first.exited;
  // As a gateway does it that dies right afterwards.
  const redis = connect(redisUrl, () => undefined);
  keep({ stop: () => redis.close() });
  const { store } = storesOf(redis.commands, readConfig({}));
  const keys = keysOf("default");
  const record = (await store.find(keys, id)) as RunRecord;
  const { winner, audit } = newWinner(record.approvalId ?? "", "cancelled", "ann");
  const event = cancelledEnd(record.order, []);
  const turn = assistantTurn(record, event.data.message, "cancelled");
  const approval = { winner: JSON.stringify(winner), audit };
  expect(await store.cancel(keys, record, { first: [], event, turn, approval })).toBe("cancelled");
  const left = await redis.commands.zrange(keys.outbox, "0", "-1");
  expect(left).toEqual([expect.stringMatching(new RegExp(`^webhook\\|task\\.updated\\|${id}\\|`))]);
  expect(inbox.delivered).toHaveLength(1);
  keep(await testGateway(options()));
  await until(() => inbox.delivered.length === 2);
  expect(toldIn(inbox.delivered[1] as Delivered)).toMatchObject({ taskId: id, state: "TASK_STATE_CANCELED" });
});

test("a task whose gateway was killed is told as its run ends: a plan goes on, a simple ask has failed", async () => {
  const inbox = keep(await receiver());
  const first = keep(await gatewayProcess(options()));
  const client = await clientFor(first);
  const waits = false;
  const plan = await sendTold(client, COMPOSITE_ASK, config(inbox.url), { waits });
  await explain.next();
  const simple = await sendTold(client, "Explain", config(inbox.url), { service: "explainer", waits });
  await explain.next();
  first.child.kill("SIGKILL");
  await first.exited;
  keep(await testGateway(options()));
  finish(await explain.next(), GOOD_OUTPUTS.PRICE_EXPLANATION);
  await until(() => inbox.delivered.length === 2);
  const states = inbox.delivered.map(toldIn).map(({ taskId, state }) => [taskId, state]);
  expect(Object.fromEntries(states)).toEqual({
    [plan.id]: "TASK_STATE_COMPLETED",
    [simple.id]: "TASK_STATE_FAILED",
  });
});

test("a receiver whose secrets nobody can open any more is not told, and that is said", async () => {
  const inbox = keep(await receiver(() => 503));
  const before = keep(await gatewayProcess(options()));
  const { id } = await sendTold(await clientFor(before), "Propose prices", config(inbox.url), {
    service: "optimizer",
  });
  await until(() => inbox.delivered.length > 0);
  before.child.kill("SIGKILL");
  await before.exited;
  const another = { ...options(), env: { ...env, GATEWAY_KEY_FILE: keep(keyFile()).path } };
  const after = keep(await testGateway(another));
  expect(await undeliveredAs(after, id, "dead")).toMatchObject({ code: "no_key", task_id: id });
});

test("a receiver whose name leads inside gets nothing, and that is said", async () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-names-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  const names = join(dir, "names.json");
  writeFileSync(names, JSON.stringify({ "hooks.test": ["10.0.0.1"] }));
  const resolving = { NODE_OPTIONS: `--import ${RESOLVER}`, TEST_NAMES: names };
  const inside = options(["hooks.test"]);
  const gateway = keep(await gatewayProcess({ ...inside, env: { ...env, ...resolving } }));
  const client = await clientFor(gateway);
  const { id } = await sendTold(client, "Propose prices", config("http://hooks.test/hook"), {
    service: "optimizer",
  });
  expect(await undeliveredAs(gateway, id, "failed")).toMatchObject({ code: "egress_refused" });
});

type Listed = { run_id: string; state: string; code?: string; task_id?: string };

async function undeliveredAs(gateway: TestGateway, run: string, state: string): Promise<Listed> {
  let found: Listed | undefined;
  await until(async () => {
    const { json } = await get(gateway, "/api/v1/admin/webhooks?limit=200", as("ole", "operator"));
    const { deliveries } = json() as { deliveries: Listed[] };
    found = deliveries.find((one) => one.run_id === run && one.state === state);
    return found !== undefined;
  });
  return found as Listed;
}
