import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { keysOf } from "../src/store/keys.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import {
  ANN,
  decide,
  get,
  KIM,
  LEE,
  type Paused,
  pausedRun,
  pauseOf,
  post,
  startRun,
  toRest,
} from "./support/people.ts";
import { CURRENT, PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { callsOf, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let agent: StandIn;
let store: StoreView;
let strict: TestGateway;
let lenient: TestGateway;

/** The flow `publishing` of the tests, without inputs of its own and with some, as the flow `stocked`. */
function meshOf(url: string, allow: boolean, sampleFile: string) {
  const mesh = publishingMesh(url);
  const { publishing } = mesh.flows;
  const publish = { ...publishing.steps.publish, allow_sample: allow };
  const flow = { ...publishing, steps: { ...publishing.steps, publish } };
  const stocked = {
    ...flow,
    default_inputs: sampleFile,
    default_inputs_name: { en: "stock list", ko: "재고 목록" },
  };
  return { ...mesh, flows: { ...mesh.flows, publishing: flow, stocked } };
}

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-sample-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  const sampleFile = join(dir, "sample.json");
  writeFileSync(sampleFile, JSON.stringify({ items: CURRENT }));
  const { url: redisUrl } = keep(await testRedis());
  agent = keep(await standIn(PUBLISHING));
  store = keep(new StoreView(redisUrl));
  strict = keep(await testGateway({ manifest: meshOf(agent.url, false, sampleFile), redisUrl }));
  lenient = keep(await testGateway({ manifest: meshOf(agent.url, true, sampleFile), redisUrl }));
});

const FLOWS = ["stocked", "publishing"];
const own = { inputs: { items: CURRENT } };
const view = async ({ approvalId }: Pick<Paused, "approvalId">) =>
  (await get(lenient, `/api/v1/approvals/${approvalId}`, LEE)).json();
const result = async (run: string) => (await get(lenient, `/api/v1/runs/${run}`, ANN)).json().result;

describe("where the manifest does not allow it, what was made from a sample", () => {
  test("of the flow is refused before anything is done, with what to do", async () => {
    const before = callsOf(agent, "PRICE_OPTIMIZATION").length;
    const answer = await post(strict, "/api/v1/runs", { flow: "stocked", session_id: randomUUID() }, ANN);
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ code: "sample_refused", flow: "stocked", step: "publish" });
    expect(String(answer.json().error)).toMatch(
      /`inputs`.*`allow_sample: true` at flows\.stocked\.steps\.publish/,
    );
    expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(before);
  });

  test("of an agent is refused before anybody is asked to approve it", async () => {
    const runId = await startRun(strict, { flow: "publishing" });
    const events = await toRest(strict, runId);
    expect(events.at(-1)).toMatchObject({
      type: "run_failed",
      data: { code: "sample_refused", retryable: false },
    });
    expect(events.map(({ type }) => type)).not.toContain("run_paused");
    expect(await store.published(runId)).toEqual([]);
  });

  test("is computed and shown nevertheless, where nothing is to be published", async () => {
    const session_id = randomUUID();
    const answer = await post(strict, "/api/v1/chat", { message: "propose", session_id }, ANN);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json()).toMatchObject({ status: "ok", sample: true });
  });

  test.each(FLOWS)("does not keep own inputs from being published: %s", async (flow) => {
    const paused = await pausedRun(strict, { flow, ...own });
    expect((await decide(strict, paused, "approve", LEE)).status).toBe(200);
    const events = await toRest(strict, paused.runId, ANN, paused.seq);
    expect(events.at(-1)?.data).not.toHaveProperty("sample");
    expect(await store.published(paused.runId)).toMatchObject([{ payload: { sample: false } }]);
  });
});

describe("where the manifest allows it, what was made from a sample is marked", () => {
  test.each(FLOWS)("in the pause, the approval, the answer and the book: %s", async (flow) => {
    const runId = await startRun(lenient, { flow });
    const events = await toRest(lenient, runId);
    const paused = pauseOf(runId, events);
    expect(events.at(-1)?.data).toMatchObject({ sample: true });
    for (const event of events) expect(gatewayContract.runEvent(event)).toMatchObject({ ok: true });
    const approval = await view(paused);
    expect(approval).toMatchObject({ sample: true, state: "pending" });
    const { approvals } = (await get(lenient, "/api/v1/approvals", LEE)).json();
    expect(approvals).toContainEqual(expect.objectContaining({ id: paused.approvalId, sample: true }));
    expect((await decide(lenient, paused, "approve", LEE)).status).toBe(200);
    await toRest(lenient, runId, ANN, paused.seq);
    expect(await result(runId)).toMatchObject({ status: "ok", sample: true });
    expect(await store.published(runId)).toMatchObject([{ payload: { sample: true, requested_by: "ann" } }]);
    const [entry] = (await get(lenient, "/api/v1/price-book?limit=1", ANN)).json().entries as object[];
    expect(entry).toMatchObject({ run_id: runId, sample: true });
  });

  test("with a warning that says whose inputs they are, in every dialect", async () => {
    const runId = await startRun(lenient, { flow: "stocked" });
    await toRest(lenient, runId);
    for (const dialect of ["chat", "status"]) {
      const stream = await EventReader.open(`${lenient.url}/api/v1/runs/${runId}/events?dialect=${dialect}`, {
        headers: ANN,
      });
      await stream.toEnd();
      const contract = dialect === "chat" ? gatewayContract.chatEvent : gatewayContract.statusEvent;
      for (const data of stream.data) expect(contract(data)).toMatchObject({ ok: true });
      expect(stream.data.at(-1)).toMatchObject({
        sample: true,
        warnings: ["No inputs were given: the results are of the flow's sample, not of your data."],
      });
    }
  });

  test("in the answer of a turn", async () => {
    const body = { message: "publish the prices", session_id: randomUUID() };
    const answer = (await post(lenient, "/v1/agent/chat", body, ANN)).json();
    expect(gatewayContract.turnAnswer(answer)).toMatchObject({ ok: true });
    expect(answer).toMatchObject({ next_action: "CONFIRM", sample: true });
  });

  test("also after an edit", async () => {
    const paused = await pausedRun(lenient, { flow: "stocked" });
    const edits = { edits: [{ item_id: "A100", price: 13 }] };
    const edited = await decide(lenient, paused, "edit", KIM, edits);
    expect(edited.status).toBe(200);
    const hash = String(edited.json().proposal_hash);
    expect(await view(paused)).toMatchObject({ sample: true, editors: ["kim"] });
    expect((await decide(lenient, { ...paused, hash }, "approve", LEE)).status).toBe(200);
    await toRest(lenient, paused.runId, ANN, paused.seq);
    expect(await store.published(paused.runId)).toMatchObject([{ payload: { sample: true } }]);
  });

  test("and what came of own inputs is not", async () => {
    const paused = await pausedRun(lenient, { flow: "stocked", ...own });
    expect(await view(paused)).toMatchObject({ sample: false });
    expect((await toRest(lenient, paused.runId)).at(-1)?.data).not.toHaveProperty("sample");
  });
});

test("an approval from before there was a mark is read, and says nothing of it", async () => {
  const paused = await pausedRun(lenient, { flow: "stocked" });
  await store.redis.hdel(keysOf("default").approval(paused.approvalId), "sample", "owner");
  const approval = await view(paused);
  expect(gatewayContract.approvalView(approval)).toMatchObject({ ok: true });
  expect(approval).not.toHaveProperty("sample");
  expect((await decide(lenient, paused, "approve", LEE)).status).toBe(200);
});
