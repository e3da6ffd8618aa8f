import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import {
  ANN,
  as,
  decide,
  eventsOf,
  get,
  KIM,
  LEE,
  type Paused,
  pauseOf,
  post,
  toRest,
} from "./support/people.ts";
import { CURRENT, PROPOSED, PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { freePort, startRedis, testRedis } from "./support/redis.ts";
import { chat, frontMesh, runOf, transcript } from "./support/remote.ts";
import { type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let agent: StandIn;
let books: StoreView;
let frontRedis: string;
let backRedis: string;
let back: TestGateway;
let front: TestGateway;

beforeAll(async () => {
  frontRedis = keep(await testRedis()).url;
  backRedis = keep(await startRedis()).url;
  agent = keep(await standIn(PUBLISHING));
  books = keep(new StoreView(backRedis));
  // Each takes the other's word for who its callers are; tokens of the common issuer are good at both.
  const port = await freePort();
  const env = { PORT: `${port}`, GATEWAY_ISSUER: "https://front.test" };
  const url = `http://127.0.0.1:${await freePort()}`;
  const manifest = withRoles(frontMesh(url, { identity: "exchange" }));
  front = keep(await testGateway({ manifest, redisUrl: frontRedis, env }));
  const keys = { url: `${front.url}/.well-known/jwks.json` };
  const issuers = {
    front: { issuer: "https://front.test", audience: [url], keys },
    test: { issuer: "https://issuer.test", audience: ["interlock"], keys: { file: "jwks.json" } },
  };
  const backEnv = { PORT: new URL(url).port };
  const publishing = { ...publishingMesh(agent.url), identity: { issuers } };
  back = keep(await testGateway({ manifest: publishing, redisUrl: backRedis, env: backEnv }));
});

function withRoles(manifest: object): object {
  const lead = { inherits: ["analyst"], approvals: { decide: ["elsewhere/*"] } };
  return { ...manifest, access: { roles: { "pricing-lead": lead } } };
}

type Mirrored = Paused & { there: Paused; text: string };

/** A run that waits for an approval over there. */
async function paused(where = front, headers = ANN): Promise<Mirrored> {
  const session_id = randomUUID();
  const inputs = { items: CURRENT };
  const stream = await chat(where, { message: "publish the prices", session_id, inputs }, headers);
  expect(await stream.over).toBe("ended");
  const there = await remoteOf(session_id);
  return { ...pauseOf(runOf(stream), eventsOf(stream)), there, text: stream.text };
}

/** The run and approval over there, as the operator of that gateway sees them. */
async function remoteOf(session: string): Promise<Paused> {
  const answer = await get(back, `/api/v1/runs?session_id=${session}`, as("root", "admin"));
  const [run] = answer.json().runs as { run_id: string }[];
  const runId = run?.run_id ?? "";
  return pauseOf(runId, await toRest(back, runId, as("root", "admin")));
}

/** The transcript over there, with the ids of the run here. */
async function original({ runId, approvalId, there }: Mirrored): Promise<string> {
  const text = await transcript(back, there.runId, as("root", "admin"));
  return text.replaceAll(there.runId, runId).replaceAll(there.approvalId, approvalId);
}

const stateOf = async (run: string) => (await get(front, `/api/v1/runs/${run}`, ANN)).json().state;

describe("an approval of a remote service", () => {
  test("rests the run here, and is listed and shown here with the proposal", async () => {
    const run = await paused();
    expect(await stateOf(run.runId)).toBe("paused");
    expect(run.text).toBe(await original(run));
    expect(run.approvalId).not.toBe(run.there.approvalId);

    const list = (await get(front, "/api/v1/approvals", LEE)).json().approvals as { id: string }[];
    expect(list).toContainEqual(
      expect.objectContaining({ id: run.approvalId, run_id: run.runId, flow: "elsewhere", state: "pending" }),
    );
    const view = await get(front, `/api/v1/approvals/${run.approvalId}`, LEE);
    expect(view.json()).toMatchObject({ id: run.approvalId, run_id: run.runId, proposal: PROPOSED });
    expect(gatewayContract.approvalView(view.json())).toMatchObject({ ok: true });
    expect(await get(front, `/api/v1/approvals/${run.approvalId}`, ANN)).toMatchObject({ status: 403 });
  });

  test("is marked here where the proposal was made from a sample there", async () => {
    const stream = await chat(front, { message: "publish the prices", session_id: randomUUID() }, ANN);
    expect(await stream.over).toBe("ended");
    const { approvalId } = pauseOf(runOf(stream), eventsOf(stream));
    const list = (await get(front, "/api/v1/approvals?state=all&limit=200", LEE)).json().approvals;
    expect(list).toContainEqual(expect.objectContaining({ id: approvalId, sample: true }));
    const view = (await get(front, `/api/v1/approvals/${approvalId}`, LEE)).json();
    expect(view).toMatchObject({ sample: true, links: { self: `/api/v1/approvals/${approvalId}` } });
  });

  test("that is approved here lets the run go on there and here, with the same transcript", async () => {
    const run = await paused();
    const key = { ...LEE, "idempotency-key": randomUUID() };
    const answer = await decide(front, run, "approve", key, { note: "fine" });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json()).toMatchObject({
      approval_id: run.approvalId,
      run_id: run.runId,
      decision: "approved",
      by: "lee",
    });
    const events = await toRest(front, run.runId, ANN, run.seq);
    expect(events[0]).toMatchObject({
      type: "approval_decided",
      data: { approval_id: run.approvalId, by: "lee" },
    });
    expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { message: "Published: true." } });
    expect(await transcript(front, run.runId)).toBe(await original(run));
    expect(await books.published(run.there.runId)).toMatchObject([{ payload: { approved_by: "lee" } }]);

    expect((await decide(front, run, "approve", key, { note: "fine" })).json()).toEqual(answer.json());
    const late = await decide(front, run, "reject", KIM);
    expect(late).toMatchObject({ status: 409 });
    expect(late.json()).toMatchObject({ code: "conflict", winner: { decision: "approved", by: "lee" } });
    const audit = (await get(front, `/api/v1/approvals/${run.approvalId}/audit`, LEE)).json().entries;
    expect(audit).toMatchObject([{ action: "requested" }, { action: "approved", by: "lee" }]);
  });

  test("can be edited here, and then wants the decision on what it is then", async () => {
    const run = await paused();
    const edits = [{ item_id: "A100", price: 11 }];
    const edited = await decide(front, run, "edit", LEE, { edits });
    expect(edited).toMatchObject({ status: 200 });
    const hash = String(edited.json().proposal_hash);
    expect(await stateOf(run.runId)).toBe("paused");
    const [listed] = (
      (await get(front, "/api/v1/approvals", LEE)).json().approvals as { id: string }[]
    ).filter(({ id }) => id === run.approvalId);
    expect(listed).toMatchObject({ proposal_hash: hash, editors: ["lee"] });
    expect(await decide(front, run, "approve", KIM)).toMatchObject({ status: 409 });
    // Four eyes hold over there.
    expect(await decide(front, { ...run, hash }, "approve", LEE)).toMatchObject({ status: 403 });
    const approve = { thread_id: run.runId };
    expect(await post(front, "/api/v1/chat/approve", approve, KIM)).toMatchObject({ status: 200 });
    expect((await toRest(front, run.runId)).at(-1)).toMatchObject({ type: "run_finished" });
    expect(await transcript(front, run.runId)).toBe(await original(run));
    expect(await books.published(run.there.runId)).toMatchObject([
      { payload: { payload: { prices: [...edits, PROPOSED[1]] } } },
    ]);
  });

  test("is refused as the other gateway refuses it", async () => {
    const run = await paused(front, as("lee", "pricing-lead"));
    const own = await decide(front, run, "approve", LEE);
    expect(own).toMatchObject({ status: 403 });
    expect(own.json().error).toMatch(/asked for this/);
    expect(await decide(front, run, "approve", ANN)).toMatchObject({ status: 404 });
    const stale = await decide(front, { ...run, hash: "0".repeat(64) }, "approve", KIM);
    expect(stale.json()).toMatchObject({ code: "conflict", proposal_hash: run.hash });
    const record = (await get(front, `/api/v1/runs/${run.runId}`, LEE)).json();
    expect(record).toMatchObject({ state: "paused", seq: run.seq });
  });

  test("that is decided over there shows here, and the run goes on", async () => {
    const run = await paused();
    expect(await decide(back, run.there, "reject", KIM)).toMatchObject({ status: 200 });
    await until(async () => (await stateOf(run.runId)) === "finished");
    expect(await transcript(front, run.runId)).toBe(await original(run));
    const view = await get(front, `/api/v1/approvals/${run.approvalId}`, LEE);
    expect(view.json()).toMatchObject({ state: "rejected", winner: { by: "kim" } });
  });

  test("whose run is cancelled over there shows here", async () => {
    const run = await paused();
    const cancelled = await post(
      back,
      `/api/v1/runs/${run.there.runId}/cancel`,
      undefined,
      as("root", "admin"),
    );
    expect(cancelled).toMatchObject({ status: 200 });
    await until(async () => (await stateOf(run.runId)) === "cancelled");
    expect(await transcript(front, run.runId)).toBe(await original(run));
    expect(await decide(front, run, "approve", LEE)).toMatchObject({ status: 409 });
  });

  test("whose run is cancelled here is cancelled over there", async () => {
    const run = await paused();
    expect(await post(front, `/api/v1/runs/${run.runId}/cancel`, undefined, ANN)).toMatchObject({
      status: 200,
    });
    const there = () => get(back, `/api/v1/runs/${run.there.runId}`, as("root", "admin"));
    await until(async () => (await there()).json().state === "cancelled");
    expect(await decide(back, run.there, "approve", LEE)).toMatchObject({ status: 409 });
  });

  test("outlives the gateway that mirrored it: another replica takes the decision", async () => {
    const manifest = withRoles(frontMesh(back.url, { identity: "exchange" }));
    const run = await paused();
    const keyless = use(await testGateway({ manifest, redisUrl: frontRedis }));
    // It has a key of its own, which nobody over there knows.
    expect(await decide(keyless, run, "approve", LEE)).toMatchObject({ status: 502 });
    expect(await decide(front, run, "approve", LEE)).toMatchObject({ status: 200 });
    expect((await toRest(keyless, run.runId)).at(-1)).toMatchObject({ type: "run_finished" });
  });
});

test("a decision made over there is noticed by another replica when the one that mirrored the run is killed", async () => {
  // Without a token the other gateway sees whoever calls from this machine.
  const manifest = withRoles(frontMesh(back.url, { identity: "none" }));
  const killed = use(await gatewayProcess({ manifest, redisUrl: frontRedis }));
  const stream = await chat(killed, {
    message: "publish the prices",
    session_id: "left",
    inputs: { items: CURRENT },
  });
  await stream.toEnd();
  const there = await remoteOf("left");
  killed.child.kill("SIGKILL");
  await killed.exited;
  const other = use(await testGateway({ manifest, redisUrl: frontRedis }));
  expect(await decide(back, there, "approve", KIM)).toMatchObject({ status: 200 });
  const state = async () => (await get(other, `/api/v1/runs/${runOf(stream)}`, ANN)).json().state;
  await until(async () => (await state()) === "finished");
  expect((await toRest(other, runOf(stream))).at(-1)).toMatchObject({
    data: { message: "Published: true." },
  });
});

test("an approval that expires over there expires here, and the run ends alike", async () => {
  const manifest = publishingMesh(agent.url, { ...RULE, expires_in_s: 1 });
  const hasty = use(await testGateway({ manifest, redisUrl: backRedis }));
  const asking = use(await testGateway({ manifest: withRoles(frontMesh(hasty.url)), redisUrl: frontRedis }));
  const stream = await chat(asking, { message: "publish the prices", inputs: { items: CURRENT } });
  await stream.toEnd();
  await until(
    async () => (await get(asking, `/api/v1/runs/${runOf(stream)}`, ANN)).json().state === "finished",
  );
  const events = await toRest(asking, runOf(stream));
  expect(events).toContainEqual(expect.objectContaining({ type: "approval_decided" }));
  expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { status: "rejected" } });
});
