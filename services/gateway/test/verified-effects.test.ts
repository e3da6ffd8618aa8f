import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, decide, get, LEE, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { CURRENT, PROPOSED, PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { answering, type Call, callsOf, failing, type StandIn, standIn } from "./support/stand-in.ts";

/** A flow whose effects a task of the policy judges first. */
const keep = closingAtEnd();
let agent: StandIn;
let store: StoreView;
let gateway: TestGateway;
/** What the judge answers next; the default accepts. */
let judgements: ((call: Call) => unknown)[] = [];

const ACCEPTS = answering({ passed: true, verdicts: [] });
const BROKEN = answering({
  passed: false,
  verdicts: [{ slot: "items", verdict: "broken", message: "Not as said for 1 item (A200)." }],
});

const VERIFY = {
  agent: "policy",
  task_type: "ORDER_CHECK",
  inputs: { constraints: "constraints", proposed: "proposal" },
  accept: "outputs.passed",
};

function verifiedMesh(url: string) {
  const mesh = publishingMesh(url);
  const { publish, ...steps } = mesh.flows.publishing.steps;
  const task = { agent: "sensitivity", task_type: "SENSITIVITY_ANALYSIS", inputs: { a: 1 } };
  const flow = (step: object, goal: string) => ({
    steps: { ...steps, publish: { ...publish, verify: VERIFY, ...step } },
    goals: { [goal]: ["publish"] },
    answer: "report",
  });
  const { answer: _, ...unworded } = flow({}, "unworded");
  const flows = {
    ...mesh.flows,
    verified: flow({}, "verified"),
    unasked: flow(
      { publish: "steps.optimize.outputs.items", approval: { ...RULE, when: "false" } },
      "unasked",
    ),
    unworded: {
      ...unworded,
      steps: {
        optimize: steps.optimize,
        publish: {
          ...unworded.steps.publish,
          after: [],
          approval: { ...RULE, show: { before: "request.inputs.items" } },
        },
      },
    },
    effecting: {
      steps: { send: { ...task, effect: "once", verify: VERIFY } },
      goals: { effecting: ["send"] },
    },
  };
  const names = ["verified", "unasked", "unworded", "effecting"];
  const services = Object.fromEntries(
    names.map((name) => [name, { flow: name, keywords: [name], orders: { en: [name] } }]),
  );
  const { policy, ...agents } = mesh.agents;
  const tasks = { ...policy.tasks, ORDER_CHECK: "Judge what takes effect." };
  return {
    ...mesh,
    agents: { ...agents, policy: { ...policy, tasks } },
    flows,
    services: { ...mesh.services, ...services },
  };
}

beforeAll(async () => {
  const redis = keep(await testRedis());
  agent = keep(
    await standIn({ ...PUBLISHING, ORDER_CHECK: (call) => (judgements.shift() ?? ACCEPTS)(call) }),
  );
  store = keep(new StoreView(redis.url));
  gateway = keep(await testGateway({ manifest: verifiedMesh(agent.url), redisUrl: redis.url }));
});

const run = async (flow: string) => {
  const id = await startRun(gateway, { flow, inputs: { items: CURRENT } });
  return { id, end: (await toRest(gateway, id)).at(-1) };
};
const judged = () => callsOf(agent, "ORDER_CHECK").map(({ body }) => body.inputs);

describe("before anybody is asked to approve it", () => {
  test("an effect is judged, exactly as it is proposed", async () => {
    const before = judged().length;
    const paused = await pausedRun(gateway, { flow: "verified", inputs: { items: CURRENT } });
    expect(judged().slice(before)).toEqual([{ constraints: [], proposed: PROPOSED }]);
    const view = (await get(gateway, `/api/v1/approvals/${paused.approvalId}`, LEE)).json();
    expect(view).toMatchObject({ proposal: PROPOSED });
  });

  test("one that is not what was said is refused: the report is shown, and nobody is asked", async () => {
    judgements = [BROKEN];
    const { id, end } = await run("verified");
    expect(end).toMatchObject({
      type: "run_finished",
      data: {
        status: "rejected",
        refused: {
          node: "publish",
          code: "order_not_met",
          differences: [{ slot: "items", verdict: "broken" }],
        },
      },
    });
    expect(end?.data.message).toBe(
      'Proposed.\n\nThe step "publish" was not done: it would not be what was asked for.\n- items: Not as said for 1 item (A200).',
    );
    expect(await store.published(id)).toEqual([]);
    const runView = (await get(gateway, `/api/v1/runs/${id}`, ANN)).json();
    expect(runView).not.toHaveProperty("approval_id");
  });

  test.each([
    ["fails", failing("BROKEN", "It broke.")],
    ["answers without verdicts", answering({ passed: true })],
  ])("it is refused where the judge %s", async (_how, judgement) => {
    judgements = [judgement];
    const { id, end } = await run("verified");
    expect(end?.data).toMatchObject({ status: "rejected", refused: { code: "order_not_checked" } });
    expect(await store.published(id)).toEqual([]);
  });

  test("the answer of a chat names the step and the code", async () => {
    judgements = [BROKEN];
    const body = { message: "verified", session_id: randomUUID(), inputs: { items: CURRENT } };
    const answer = await post(gateway, "/api/v1/chat", body, ANN);
    expect(answer.json()).toMatchObject({
      status: "rejected",
      refused: { node: "publish", code: "order_not_met" },
    });
  });
});

describe("before it takes effect", () => {
  test("it is judged again: what was approved and is not what was said is not done", async () => {
    const paused = await pausedRun(gateway, { flow: "verified", inputs: { items: CURRENT } });
    judgements = [BROKEN];
    expect((await decide(gateway, paused, "approve", LEE)).status).toBe(200);
    const end = (await toRest(gateway, paused.runId)).at(-1);
    expect(end?.data).toMatchObject({ status: "rejected", refused: { code: "order_not_met" } });
    expect(await store.published(paused.runId)).toEqual([]);
  });

  test("it is judged where no approval is needed", async () => {
    judgements = [BROKEN];
    const refused = await run("unasked");
    expect(refused.end?.data).toMatchObject({ status: "rejected", refused: { code: "order_not_met" } });
    expect(await store.published(refused.id)).toEqual([]);
    const done = await run("unasked");
    expect(done.end?.data).toMatchObject({ status: "ok" });
    expect(await store.published(done.id)).toHaveLength(1);
  });

  test("an agent with an effect is not asked", async () => {
    const before = callsOf(agent, "SENSITIVITY_ANALYSIS").length;
    judgements = [BROKEN];
    const { end } = await run("effecting");
    expect(end?.data).toMatchObject({ status: "rejected", refused: { node: "send", code: "order_not_met" } });
    expect(callsOf(agent, "SENSITIVITY_ANALYSIS")).toHaveLength(before);
    expect((await run("effecting")).end?.data).toMatchObject({ status: "ok" });
    expect(callsOf(agent, "SENSITIVITY_ANALYSIS")).toHaveLength(before + 1);
  });
});

test("an edit that is not what was said is refused, and the approval stays as it was", async () => {
  const paused = await pausedRun(gateway, { flow: "verified", inputs: { items: CURRENT } });
  judgements = [BROKEN];
  const edits = [{ item_id: "A100", price: 13 }];
  const answer = await decide(gateway, paused, "edit", LEE, { edits });
  expect(answer.status).toBe(422);
  expect(answer.json()).toMatchObject({ code: "order_not_met", differences: [{ slot: "items" }] });
  const view = (await get(gateway, `/api/v1/approvals/${paused.approvalId}`, LEE)).json();
  expect(view).toMatchObject({ state: "pending", proposal: PROPOSED, proposal_hash: paused.hash });
  expect((await decide(gateway, paused, "edit", LEE, { edits })).status).toBe(200);
});

test("a flow that words no answer and pauses shows the proposal, and says what waits, for whom and until when", async () => {
  const { end } = await run("unworded");
  expect(end).toMatchObject({ type: "run_paused" });
  const { message, approval } = end?.data ?? {};
  expect(message).not.toContain("Done:");
  for (const { item_id } of PROPOSED) expect(message).toContain(item_id);
  expect(message).toContain(`The step "publish" waits for approval ${approval?.id}.`);
  expect(message).toMatch(/It can be decided by pricing-lead until [\d-]{10} \d\d:\d\d UTC/);
});
