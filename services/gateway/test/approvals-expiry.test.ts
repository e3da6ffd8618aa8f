import { beforeAll, describe, expect, test } from "@jest/globals";
import { settleOperation } from "../src/approvals/settle.ts";
import { readConfig } from "../src/config.ts";
import { ApprovalStore } from "../src/store/approval-store.ts";
import { keysOf } from "../src/store/keys.ts";
import { connect } from "../src/store/redis.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, eventsOf, get, LEE, openEvents, pausedRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";
import { storesOf } from "./support/stores.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const DIRECTOR = as("dora", "director");
let redisUrl: string;
let store: StoreView;
let one: TestGateway;
let two: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  redisUrl = redis.url;
  const agent = keep(await standIn(PUBLISHING));
  store = keep(new StoreView(redis.url));
  const manifest = publishingMesh(agent.url);
  const { publish, ...steps } = manifest.flows.publishing.steps;
  const withRule = (rule: object) => ({
    ...manifest.flows.publishing,
    steps: { ...steps, publish: { ...publish, approval: { ...RULE, ...rule } } },
  });
  const escalation = { on_expiry: "escalate", escalate_to: ["director"] };
  const flows = {
    ...manifest.flows,
    hasty: withRule({ expires_in_s: 1 }),
    warned: withRule({ expires_in_s: 3, warn_before_s: 2 }),
    // Each of the two waits has time for the requests of a busy machine.
    escalating: withRule({ expires_in_s: 2, ...escalation }),
    patient: withRule({ ...escalation }),
  };
  const options = { manifest: { ...manifest, flows }, redisUrl: redis.url };
  one = keep(await testGateway(options));
  two = keep(await testGateway(options));
});

const view = async (id: string, headers = LEE) => (await get(two, `/api/v1/approvals/${id}`, headers)).json();

/** Lets an approval expire without a timer's help: nobody has noticed yet. */
const letExpire = (id: string) => store.redis.hset(keysOf("default").approval(id), "expires", 1);

describe("an approval that nobody decides", () => {
  test("is rejected when it expires: no effect, and a later decision hears so", async () => {
    const run = await pausedRun(one, { flow: "hasty" });
    const stream = await openEvents(two, run.runId, ANN, run.seq);
    await stream.toEnd();
    const events = eventsOf(stream);
    expect(events.map(({ type }) => type)).toEqual(["approval_decided", "run_finished"]);
    expect(events[0]?.data).toMatchObject({ decision: "expired", by: "system" });
    expect(events[1]?.data).toMatchObject({ status: "rejected" });
    expect(await store.published(run.runId)).toEqual([]);
    const late = await decide(one, run, "approve", LEE);
    expect(late).toMatchObject({ status: 409 });
    expect(late.json()).toMatchObject({ code: "conflict", winner: { decision: "expired", by: "system" } });
    expect(await view(run.approvalId)).toMatchObject({ state: "expired" });
    const audit = await get(one, `/api/v1/approvals/${run.approvalId}/audit`, LEE);
    expect(audit.json().entries).toMatchObject([
      { action: "requested" },
      { action: "expired", by: "system" },
    ]);
  });

  test("is warned of before, and can still be approved then", async () => {
    const run = await pausedRun(one, { flow: "warned" });
    const stream = await openEvents(one, run.runId, ANN, run.seq);
    await stream.until((frames) => frames.length === 1);
    expect(eventsOf(stream)).toMatchObject([
      { type: "approval_expiring", seq: run.seq + 1, data: { approval_id: run.approvalId } },
    ]);
    expect((await decide(two, run, "approve", LEE)).status).toBe(200);
    await stream.toEnd();
    expect(eventsOf(stream).at(-1)).toMatchObject({ data: { status: "ok" } });
    expect(await store.published(run.runId)).toHaveLength(1);
  });

  test("goes to others where the flow escalates, who may decide it; then it is rejected", async () => {
    const runs = await Promise.all([0, 1].map(() => pausedRun(one, { flow: "escalating" })));
    const [first, second] = runs;
    if (!first || !second) throw new Error("no runs");
    const streams = await Promise.all(runs.map((run) => openEvents(two, run.runId, ANN, run.seq)));
    const escalated = (stream: (typeof streams)[number]) =>
      eventsOf(stream).find(({ type }) => type === "approval_escalated");
    await Promise.all(streams.map((stream) => stream.until(() => escalated(stream) !== undefined)));
    expect(streams.map(escalated)).toMatchObject(runs.map(() => ({ data: { roles: ["director"] } })));
    // Who let it expire has no say any more.
    expect((await decide(one, first, "approve", LEE)).status).toBe(404);
    expect(await view(first.approvalId, DIRECTOR)).toMatchObject({ state: "pending" });
    expect((await decide(one, first, "approve", DIRECTOR)).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.toEnd()));
    expect(await store.published(first.runId)).toMatchObject([{ payload: { approved_by: "dora" } }]);
    expect(await store.published(second.runId)).toEqual([]);
    expect(await view(second.approvalId, DIRECTOR)).toMatchObject({ state: "expired" });
  });
});

describe("a decision that comes after the expiry, before anybody noticed it", () => {
  test("finds the approval expired, and ends the run", async () => {
    const run = await pausedRun(one, { flow: "publishing" });
    await letExpire(run.approvalId);
    const late = await decide(two, run, "approve", LEE);
    expect(late).toMatchObject({ status: 409 });
    expect(late.json()).toMatchObject({ winner: { decision: "expired", by: "system" } });
    expect((await toRest(one, run.runId, ANN, run.seq)).at(-1)).toMatchObject({
      data: { status: "rejected" },
    });
    expect(await store.published(run.runId)).toEqual([]);
  });

  test("and one between whose authorization and whose decision it was escalated decides nothing", async () => {
    const run = await pausedRun(one, { flow: "patient" });
    const connections = connect(redisUrl, () => undefined);
    keep({ stop: () => connections.close() });
    const config = readConfig({});
    const approvals = new ApprovalStore(storesOf(connections.commands, config).shared, config.leaseMs);
    const keys = keysOf("default");
    // What a gateway has read when it finds that the caller may decide.
    const read = await approvals.find(keys, run.approvalId);
    if (!read) throw new Error("There is no approval.");
    await letExpire(run.approvalId);
    await until(async () => {
      await decide(two, run, "approve", LEE);
      return (await get(two, `/api/v1/approvals/${run.approvalId}`, DIRECTOR)).status === 200;
    });
    const settlement = { decision: "approved", by: "lee", proposalHash: run.hash, claim: false } as const;
    const { operation } = await settleOperation(read, settlement);
    expect(await approvals.apply(keys, read, operation)).toEqual({ outcome: "expired" });
    expect(await view(run.approvalId, DIRECTOR)).toMatchObject({ state: "pending" });
    expect(await store.published(run.runId)).toEqual([]);
  });

  test("finds it escalated, and left to others", async () => {
    const run = await pausedRun(one, { flow: "patient" });
    await letExpire(run.approvalId);
    expect((await decide(two, run, "approve", LEE)).status).toBe(409);
    expect(await view(run.approvalId, DIRECTOR)).toMatchObject({
      state: "pending",
      allowed_roles: ["director"],
      on_expiry: "reject",
    });
    expect((await decide(one, run, "reject", DIRECTOR)).status).toBe(200);
  });
});
