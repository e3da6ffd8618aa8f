import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, decide, LEE, pausedRun, post, toRest } from "./support/people.ts";
import { StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { answering, callsOf, type StandIn, standIn } from "./support/stand-in.ts";

/** The one name that every object inherits and that the pattern of names allows. */
const NAME = "constructor";
const OPTIMIZE = { agent: "optimizer", task_type: "PRICE_OPTIMIZATION", inputs: "request.inputs" };
const APPROVAL = { proposal: `steps.${NAME}.outputs.items`, roles: ["pricing-lead"] };

const keep = closingAtEnd();
let agent: StandIn;
let store: StoreView;
let one: TestGateway;
let two: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  agent = keep(await standIn({ PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION) }));
  store = keep(new StoreView(redis.url));
  const mesh = pricingMesh(agent.url);
  const report = { needs: [NAME], after: ["publish"], render: `steps.${NAME}.outputs.summary` };
  const manifest = {
    ...mesh,
    flows: {
      // The step is over when the run pauses.
      before: {
        steps: {
          [NAME]: OPTIMIZE,
          publish: { needs: [NAME], publish: "approval.proposal", to: "price-book", approval: APPROVAL },
          report,
        },
        goals: { [NAME]: ["publish"] },
        answer: "report",
      },
      // The run pauses at the step.
      [NAME]: {
        steps: {
          [NAME]: { ...OPTIMIZE, approval: { ...APPROVAL, proposal: "request.inputs" } },
          publish: { needs: [NAME], publish: `steps.${NAME}.outputs.items`, to: "price-book" },
          report,
        },
        goals: { [NAME]: ["publish"] },
        answer: "report",
      },
    },
    services: {
      [NAME]: { ...OPTIMIZE, inputs: undefined, keywords: ["build"], answer: "outputs.summary" },
    },
  };
  const options = { manifest, redisUrl: redis.url };
  one = keep(await testGateway(options));
  two = keep(await testGateway(options));
});

describe.each(["before", NAME])("a step called constructor, in the flow %s,", (flow) => {
  test("is executed once, journaled, and seen by what follows, on another replica too", async () => {
    const run = await pausedRun(one, { flow, inputs: { items: [1] } });
    expect(await decide(two, run, "approve", LEE)).toMatchObject({ status: 200 });
    const events = await toRest(one, run.runId);
    expect(events.filter(({ type, node }) => type === "step_finished" && node === NAME)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      type: "run_finished",
      data: { status: "ok", message: "One price moves.", tools_used: ["price_optimization"] },
    });
    const calls = callsOf(agent, "PRICE_OPTIMIZATION").filter(({ body }) => body.workflow_id === run.runId);
    expect(calls).toHaveLength(1);
    const [published] = await store.published(run.runId);
    expect([published?.payload.payload].flat()).toEqual(GOOD_OUTPUTS.PRICE_OPTIMIZATION.items);
  });
});

test("a service called constructor answers a simple ask", async () => {
  const body = { message: "build prices", session_id: randomUUID(), inputs: { items: [1] } };
  const answer = await post(one, "/api/v1/chat", body, ANN);
  expect(answer.json()).toMatchObject({ message: "One price moves.", tools_used: ["price_optimization"] });
});
