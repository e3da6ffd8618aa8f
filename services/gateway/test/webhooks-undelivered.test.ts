import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, get, LEE, pausedRun, post, startRun } from "./support/people.ts";
import { PROPOSED, PUBLISHING, publishingMesh, RULE } from "./support/publishing.ts";
import { type Delivered, idsOf, receiver, verified } from "./support/receiver.ts";
import { testRedis } from "./support/redis.ts";
import { holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closing();
const keepAll = closingAtEnd();
const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const EVENTS = [
  "approval.requested",
  "approval.expiring",
  "approval.decided",
  "run.failed",
  "run.needs_review",
];
const OLE = as("ole", "operator");
const RESOLVER = new URL("./support/resolver.mjs", import.meta.url).href;
const check = holding();

type Listed = { id: string; webhook: string; type: string; run_id: string; state: string; code?: string };

let agent: StandIn;
let redisUrl: string;

beforeAll(async () => {
  agent = keepAll(await standIn({ ...PUBLISHING, PRICE_EXPLANATION: check.handler }));
  redisUrl = keepAll(await testRedis()).url;
});

function options(webhooks: Record<string, object>, env: Record<string, string> = {}) {
  return {
    manifest: { ...publishingMesh(agent.url, RULE), webhooks },
    redisUrl,
    env: { HOOK: SECRET, WEBHOOK_RETRY_MS: "20", ...env },
  };
}

/** A name of its own for each test: what is left over from another goes nowhere. */
const hook = (url: string, more: object = {}) => ({ url, events: EVENTS, secrets: ["HOOK"], ...more });

const waiting = (gateway: TestGateway, headers = ANN) => pausedRun(gateway, { flow: "publishing" }, headers);

async function undelivered(gateway: TestGateway, run: string, headers = OLE): Promise<Listed | undefined> {
  const answer = await get(gateway, "/api/v1/admin/webhooks?limit=200", headers);
  expect(answer.status).toBe(200);
  return (answer.json().deliveries as Listed[]).find(({ run_id }) => run_id === run);
}

async function undeliveredAs(gateway: TestGateway, run: string, state: string): Promise<Listed> {
  await until(async () => (await undelivered(gateway, run))?.state === state);
  return (await undelivered(gateway, run)) as Listed;
}

const again = (gateway: TestGateway, { id }: Pick<Listed, "id">, headers = OLE) =>
  post(gateway, `/api/v1/admin/webhooks/${id}/redeliver`, undefined, headers);

/** Takes connections and says nothing. A port that nobody listens on is soon that of another test. */
async function silent(): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, stop: async () => void (await once(server.close(), "close")) };
}

describe("a receiver of webhooks", () => {
  test("that is away longer than all tries are for is told when somebody sends it again", async () => {
    const nobody = await silent();
    const away = hook(`http://127.0.0.1:${nobody.port}/hook`);
    const gateway = keep(await testGateway(options({ away }, { WEBHOOK_ATTEMPTS: "3" })));
    const { runId, approvalId } = await waiting(gateway);
    const dead = await undeliveredAs(gateway, runId, "dead");
    expect(dead).toMatchObject({
      ...{ webhook: "away", type: "approval.requested", approval_id: approvalId },
      ...{ attempts: 3, code: "unreachable" },
    });
    await nobody.stop();
    const inbox = keep(await receiver(undefined, nobody.port));
    expect(await again(gateway, dead)).toMatchObject({ status: 202 });
    await until(() => inbox.delivered.length === 1);
    const [one] = inbox.delivered as [Delivered];
    expect(one.headers["webhook-id"]).toBe(dead.id);
    expect(verified(SECRET, one).data.run_id).toBe(runId);
    // It is on the list no more, and cannot be sent once more.
    await until(async () => (await undelivered(gateway, runId)) === undefined);
    expect((await again(gateway, dead)).status).toBe(404);
    const { text } = await get(gateway, "/metrics");
    expect(text).toContain('interlock_webhook_deliveries_total{webhook="away",outcome="failed"} 2');
    expect(text).toContain('interlock_webhook_deliveries_total{webhook="away",outcome="dead"} 1');
    expect(text).toContain('interlock_webhook_deliveries_total{webhook="away",outcome="delivered"} 1');
    await until(async () =>
      (await get(gateway, "/api/v1/admin/audit", OLE)).text.includes("webhook_redelivered"),
    );
  });

  test("that is down for an hour between two tries need not be waited for", async () => {
    let down = true;
    const inbox = keep(await receiver(() => (down ? 503 : 204)));
    const slow = { WEBHOOK_RETRY_MS: "600000" };
    const gateway = keep(await testGateway(options({ down: hook(inbox.url) }, slow)));
    const { runId } = await waiting(gateway);
    const failed = await undeliveredAs(gateway, runId, "failed");
    expect(failed).toMatchObject({ attempts: 1, code: "status_503" });
    down = false;
    expect((await again(gateway, failed)).json()).toMatchObject({ id: failed.id, state: "pending" });
    await until(() => inbox.delivered.length === 2);
    expect(idsOf(inbox.delivered)).toEqual(new Set([failed.id]));
  });

  test("that says 410 is dead at once; of two who send it again at once, it gets one", async () => {
    let gone = true;
    const inbox = keep(await receiver(() => (gone ? 410 : 204)));
    const gateway = keep(await testGateway(options({ gone: hook(inbox.url) })));
    const { runId } = await waiting(gateway);
    const dead = await undeliveredAs(gateway, runId, "dead");
    expect(dead).toMatchObject({ attempts: 1, code: "gone" });
    gone = false;
    const answers = await Promise.all([again(gateway, dead), again(gateway, dead)]);
    // The slower one finds it sent, or on its way.
    expect(answers.map(({ status }) => status).filter((status) => status !== 404)).toContain(202);
    await until(async () => (await undelivered(gateway, runId)) === undefined);
    expect(inbox.delivered).toHaveLength(2);
  });

  test("puts what comes in any order into that of the run, by its sequence", async () => {
    let taken = false;
    // The request comes to nothing until the decision has come.
    const inbox = keep(
      await receiver(({ body }) => {
        taken ||= body.includes("approval.decided");
        return taken ? 204 : 503;
      }),
    );
    const gateway = keep(await testGateway(options({ ordered: hook(inbox.url) })));
    const paused = await waiting(gateway);
    await until(() => inbox.delivered.length > 0);
    expect(await decide(gateway, paused, "approve", LEE)).toMatchObject({ status: 200 });
    await until(async () => (await undelivered(gateway, paused.runId)) === undefined);
    const told = inbox.delivered.map((one) => verified(SECRET, one));
    const order = told.toSorted((a, b) => Number(a.data.sequence) - Number(b.data.sequence));
    expect([...new Set(order.map(({ type }) => type))]).toEqual(["approval.requested", "approval.decided"]);
  });

  test("refuses what is replayed later, by its time; and what comes twice, by its id", async () => {
    const inbox = keep(await receiver((_one, nth) => (nth === 1 ? 500 : 204)));
    const gateway = keep(await testGateway(options({ replayed: hook(inbox.url) })));
    await waiting(gateway);
    await until(() => inbox.delivered.length === 2);
    const [first, second] = inbox.delivered as [Delivered, Delivered];
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    const old = String(Number(first.headers["webhook-timestamp"]) - 3_600);
    const at = (time: string) => ({ ...first.headers, "webhook-timestamp": time });
    // With the old time the signature is another one, and with its own signature it is too old.
    expect(() => new Webhook(SECRET).verify(first.body, at(old))).toThrow();
    const signature = new Webhook(SECRET).sign(
      String(first.headers["webhook-id"]),
      new Date(Number(old) * 1_000),
      first.body,
    );
    const replayed = { ...at(old), "webhook-signature": signature };
    expect(() => new Webhook(SECRET).verify(first.body, replayed)).toThrow("too old");
  });

  test("is told the proposal only where the manifest says so", async () => {
    const [told, plain] = [keep(await receiver()), keep(await receiver())];
    const webhooks = { told: hook(told.url, { proposal: true }), plain: hook(plain.url) };
    const gateway = keep(await testGateway(options(webhooks)));
    const { hash } = await waiting(gateway);
    await until(() => told.delivered.length > 0 && plain.delivered.length > 0);
    const { data } = verified(SECRET, told.delivered[0] as Delivered);
    expect(data).toMatchObject({ proposal: PROPOSED, proposal_hash: hash });
    const bare = verified(SECRET, plain.delivered[0] as Delivered).data;
    expect(Object.keys(bare).sort()).toEqual(["approval_id", "run_id", "sequence", "tenant"]);
  });

  test("is told of a run that needs a person", async () => {
    const inbox = keep(await receiver());
    const reviewed = options(
      { reviewed: hook(inbox.url, { events: ["run.needs_review"] }) },
      { LEASE_MS: "1000", MAX_ATTEMPTS: "1" },
    );
    const doomed = keep(await gatewayProcess(reviewed));
    const run = await startRun(doomed, { flow: "pricing", goals: ["explainer"] });
    await check.next();
    doomed.child.kill("SIGKILL");
    await doomed.exited;
    keep(await testGateway(reviewed));
    await until(() => inbox.delivered.length === 1);
    expect(verified(SECRET, inbox.delivered[0] as Delivered)).toMatchObject({
      type: "run.needs_review",
      data: { run_id: run },
    });
  });

  test("whose name leads inside since the manifest was read gets nothing, and that is said", async () => {
    const dir = mkdtempSync(join(tmpdir(), "interlock-names-"));
    keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
    const names = join(dir, "names.json");
    writeFileSync(names, JSON.stringify({ "hooks.test": ["10.0.0.1"] }));
    const inside = hook("http://hooks.test/hook");
    const env = { NODE_OPTIONS: `--import ${RESOLVER}`, TEST_NAMES: names };
    const gateway = keep(await gatewayProcess(options({ inside }, env)));
    const { runId } = await waiting(gateway);
    expect(await undeliveredAs(gateway, runId, "failed")).toMatchObject({ code: "egress_refused" });
  });
});

describe("the list of what has not arrived", () => {
  test("is a tenant's own, for those who read all of it, and comes in pages", async () => {
    const inbox = keep(await receiver(() => 410));
    const gateway = keep(await testGateway(options({ paged: hook(inbox.url) })));
    const tenant = `t-${randomUUID()}`;
    const [ann, ole] = [as("ann", "", tenant), as("ole", "operator", tenant)];
    const runs = [await waiting(gateway, ann), await waiting(gateway, ann), await waiting(gateway, ann)];
    const page = async (query: string) =>
      (await get(gateway, `/api/v1/admin/webhooks${query}`, ole)).json() as {
        deliveries: Listed[];
        next?: string;
      };
    await until(async () => (await page("")).deliveries.every(({ state }) => state === "dead"));
    await until(async () => (await page("")).deliveries.length === 3);
    const first = await page("?limit=2");
    const second = await page(`?limit=2&before=${first.next}`);
    const listed = [...first.deliveries, ...second.deliveries];
    expect(listed.map(({ run_id }) => run_id)).toEqual(runs.map(({ runId }) => runId).reverse());
    expect(second.next).toBeUndefined();
    // No address, secret or text.
    expect(JSON.stringify(listed)).not.toMatch(/127\.0\.0\.1|whsec|HOOK/);
    const [one] = listed as [Listed];
    expect(await undelivered(gateway, one.run_id)).toBeUndefined();
    expect((await again(gateway, one)).status).toBe(404);
    for (const path of ["/api/v1/admin/webhooks"]) expect((await get(gateway, path, ann)).status).toBe(403);
    expect((await again(gateway, one, ann)).status).toBe(403);
    expect((await again(gateway, { id: "no.id" }, ole)).status).toBe(404);
    expect((await get(gateway, "/api/v1/admin/webhooks?before=x", ole)).status).toBe(400);
    expect(inbox.delivered).toHaveLength(3);
  });
});
