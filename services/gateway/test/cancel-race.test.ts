import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import {
  ANN,
  decide,
  eventsOf,
  get,
  LEE,
  openEvents,
  type Paused,
  pausedRun,
  post,
  toRest,
} from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const explain = holding();
let store: StoreView;
let agent: StandIn;
let replicas: [TestGateway, TestGateway];

beforeAll(async () => {
  const redis = keep(await testRedis());
  store = keep(new StoreView(redis.url));
  agent = keep(await standIn({ ...PUBLISHING, PRICE_EXPLANATION: explain.handler }));
  const manifest = publishingMesh(agent.url);
  const { publishing } = manifest.flows;
  const { optimize, publish, report, robustness } = publishing.steps;
  const told = {
    agent: "explainer",
    task_type: "PRICE_EXPLANATION",
    needs: ["optimize"],
    inputs: {},
  };
  const flows = {
    ...manifest.flows,
    // Something is left to do when the effect has happened.
    longer: {
      ...publishing,
      steps: {
        optimize,
        publish: {
          ...publish,
          after: [],
          approval: { ...RULE, show: { before: "request.inputs.items" } },
        },
        told: { ...told, after: ["publish"] },
        report: { ...report, after: ["publish", "told"] },
      },
      goals: { publishing: ["publish", "told"] },
      answer: "report",
    },
    short: {
      ...publishing,
      steps: {
        optimize,
        publish: {
          ...publish,
          after: [],
          approval: { ...RULE, show: { before: "request.inputs.items" } },
        },
        robustness: { ...robustness, after: ["publish"] },
        report: { ...report, after: ["publish", "robustness"] },
      },
      goals: { publishing: ["publish", "robustness"] },
      answer: "report",
    },
  };
  const options = { manifest: { ...manifest, flows }, redisUrl: redis.url };
  replicas = [keep(await testGateway(options)), keep(await testGateway(options))];
});

const cancel = (n: number, { runId }: Paused) =>
  post(replicas[n % 2] ?? replicas[0], `/api/v1/runs/${runId}/cancel`, undefined, ANN);

/** Where what a run has become, and what is in the book, must agree. */
async function settled(run: Paused) {
  const events = await toRest(replicas[1], run.runId, ANN, run.seq);
  const end = events.at(-1);
  const published = (await store.published(run.runId)).length;
  expect([end?.type, published]).toEqual(
    end?.type === "run_finished" ? ["run_finished", end.data.status === "ok" ? 1 : 0] : ["run_cancelled", 0],
  );
  const approval = (await get(replicas[0], `/api/v1/approvals/${run.approvalId}`, LEE)).json();
  return { end, published, approval };
}

describe("a run whose effect is in the book", () => {
  test("is not cancelled any more: the canceller hears what took effect, and who approved it", async () => {
    const run = await pausedRun(replicas[0], { flow: "longer" });
    expect((await decide(replicas[0], run, "approve", LEE)).status).toBe(200);
    const call = await explain.next();
    await until(async () => (await store.published(run.runId)).length === 1);
    const refused = await cancel(1, run);
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      { code: "conflict", state: "running", step: "publish", winner: { decision: "approved", by: "lee" } },
    ]);
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    expect((await settled(run)).end).toMatchObject({ type: "run_finished", data: { status: "ok" } });
  });
});

describe("approving and cancelling at once", () => {
  /** Each of these is a moment of the approved run; the cancel comes with the first event of that kind. */
  const MOMENTS = ["approval_decided", "step_started", "step_finished"];

  test.each(MOMENTS)("cancelled as %s is read: one of both is told no", async (moment) => {
    for (let round = 0; round < 15; round++) {
      const run = await pausedRun(replicas[0], { flow: "short" });
      const stream = await openEvents(replicas[round % 2] ?? replicas[0], run.runId, ANN, run.seq);
      const approving = decide(replicas[0], run, "approve", LEE);
      await until(() => eventsOf(stream).some(({ type }) => type === moment));
      const cancelled = await cancel(round, run);
      const approved = await approving;
      const { published } = await settled(run);
      expect([approved.status, cancelled.status, published]).toEqual([200, 409, 1]);
    }
  });

  test.each([
    ["the approval", true],
    ["the cancelling", false],
  ])("%s is sent first: one of both wins, the other is told", async (_, approvalFirst) => {
    for (let round = 0; round < 25; round++) {
      const run = await pausedRun(replicas[0], { flow: "short" });
      const approve = () => decide(replicas[0], run, "approve", LEE);
      const answers = approvalFirst
        ? await Promise.all([approve(), cancel(round, run)])
        : (await Promise.all([cancel(round, run), approve()])).toReversed();
      const { published, approval, end } = await settled(run);
      const statuses = answers.map(({ status }) => status);
      if (statuses[0] === 200)
        expect([statuses, published, approval.state]).toEqual([[200, 409], 1, "approved"]);
      else expect([statuses, end?.type, approval.state]).toEqual([[409, 200], "run_cancelled", "cancelled"]);
    }
  });
});
