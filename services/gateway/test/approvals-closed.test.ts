import { beforeAll, describe, expect, test } from "@jest/globals";
import { keysOf } from "../src/store/keys.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import {
  ANN,
  decide,
  eventsOf,
  LEE,
  openEvents,
  pausedRun,
  pauseOf,
  startRun,
  toRest,
} from "./support/people.ts";
import { PROPOSED, PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { answering, type Call, failing, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let store: StoreView;
let gateway: TestGateway;
let robustness: (call: Call) => unknown = answering(GOOD_OUTPUTS.SENSITIVITY_ANALYSIS);
let policy: (call: Call) => unknown = PUBLISHING.POLICY_CHECK;

/** Rules that do not say `false`, and inputs for which they cannot be told at all. */
const NOT_FALSE = {
  true: "true",
  nothing: "request.inputs.absent",
  null: "request.inputs.none",
  zero: "request.inputs.zero",
  text: "request.inputs.text",
  list: "request.inputs.list",
  compared: "request.inputs.text > 5",
  long: "request.inputs.long.exists(one, one == 1)",
} as const;
const INPUTS = { none: null, zero: 0, text: "false", list: [false], long: Array(10_001).fill(1) };

beforeAll(async () => {
  const redis = keep(await testRedis());
  const agent = keep(
    await standIn({
      ...PUBLISHING,
      SENSITIVITY_ANALYSIS: (call) => robustness(call),
      POLICY_CHECK: (call) => policy(call),
    }),
  );
  store = keep(new StoreView(redis.url));
  const manifest = publishingMesh(agent.url);
  const { publishing } = manifest.flows;
  const withRule = (rule: object) => {
    const { publish, ...steps } = publishing.steps;
    return { ...publishing, steps: { ...steps, publish: { ...publish, approval: rule } } };
  };
  const flows = {
    ...manifest.flows,
    ...Object.fromEntries(
      Object.entries(NOT_FALSE).map(([name, when]) => [`when-${name}`, withRule({ ...RULE, when })]),
    ),
    "when-false": withRule({ ...RULE, when: "false" }),
    "when-untested": withRule({ ...RULE, when: "!has(steps.robustness)" }),
    "no-proposal": withRule({ ...RULE, proposal: "request.inputs.absent" }),
  };
  gateway = keep(await testGateway({ manifest: { ...manifest, flows }, redisUrl: redis.url }));
});

describe("a rule", () => {
  test.each(Object.keys(NOT_FALSE))(
    "that says something else than false, or cannot be told, pauses the run: %s",
    async (name) => {
      const run = await pausedRun(gateway, { flow: `when-${name}`, inputs: INPUTS });
      expect(await store.published(run.runId)).toEqual([]);
    },
  );

  test("that says false lets the step pass", async () => {
    const runId = await startRun(gateway, { flow: "when-false" });
    expect((await toRest(gateway, runId)).at(-1)).toMatchObject({ type: "run_finished" });
    expect(await store.published(runId)).toMatchObject([{ payload: { approval_id: null } }]);
  });

  test("is not asked again after a rejection, even where it would say something else by then", async () => {
    robustness = failing("NO_DATA", "There is no data.");
    const run = await pausedRun(gateway, { flow: "when-untested" });
    robustness = answering(GOOD_OUTPUTS.SENSITIVITY_ANALYSIS);
    expect((await decide(gateway, run, "reject", LEE)).status).toBe(200);
    const events = await toRest(gateway, run.runId, ANN, run.seq);
    expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { status: "rejected" } });
    expect(await store.published(run.runId)).toEqual([]);
  });
});

test.each([{}, { passed: null }, { passed: "true" }, { passed: 1 }, { passed: [true] }])(
  "an edit is refused where it cannot be told that the check accepts it: %j",
  async (outputs) => {
    const run = await pausedRun(gateway, { flow: "publishing" });
    policy = answering(outputs);
    const edits = [{ item_id: "A100", price: 11 }];
    const answer = await decide(gateway, run, "edit", LEE, { edits });
    expect([answer.status, answer.json().code]).toEqual([400, "invalid_request"]);
    expect(answer.json().error).toBe("The edited proposal does not pass the check.");
    // The same edit is accepted where the check says so.
    policy = PUBLISHING.POLICY_CHECK;
    expect((await decide(gateway, run, "edit", LEE, { edits })).status).toBe(200);
  },
);

test("a proposal that is nothing is approved as nothing: what comes later cannot stand in for it", async () => {
  const run = await pausedRun(gateway, { flow: "no-proposal" });
  expect((await decide(gateway, run, "approve", LEE)).status).toBe(200);
  await toRest(gateway, run.runId, ANN, run.seq);
  expect(await store.published(run.runId)).toMatchObject([{ payload: { payload: { prices: null } } }]);
});

describe("without a stored decision", () => {
  /** Puts a paused run back to the queue, as no script does. */
  const forceOn = async (runId: string) => {
    const keys = keysOf("default");
    const epoch = await store.redis.hincrby(keys.run(runId), "epoch", 1);
    await store.redis.hset(keys.run(runId), "state", "resuming");
    await store.redis.zadd(keys.outbox, 0, `run|${runId}|${epoch}`);
  };

  test("a run that goes on all the same pauses again, and publishes nothing", async () => {
    const run = await pausedRun(gateway, { flow: "publishing" });
    const stream = await openEvents(gateway, run.runId, ANN, run.seq);
    await forceOn(run.runId);
    await stream.toEnd();
    const again = pauseOf(run.runId, eventsOf(stream));
    expect(again.approvalId).not.toBe(run.approvalId);
    expect(await store.published(run.runId)).toEqual([]);
    // What the run does not wait for any more decides nothing.
    expect((await decide(gateway, run, "approve", LEE)).status).toBe(409);
    expect((await decide(gateway, again, "approve", LEE)).status).toBe(200);
    await toRest(gateway, run.runId, ANN, again.seq);
    expect(await store.published(run.runId)).toMatchObject([
      { payload: { approval_id: again.approvalId, payload: { prices: PROPOSED } } },
    ]);
  });

  test("a decision of another kind than approval publishes nothing either", async () => {
    const run = await pausedRun(gateway, { flow: "publishing" });
    const decision = JSON.stringify({ approval_id: run.approvalId, decision: "APPROVED", by: "eve" });
    await store.redis.hset(keysOf("default").steps(run.runId), "approval.publish", decision);
    const stream = await openEvents(gateway, run.runId, ANN, run.seq);
    await forceOn(run.runId);
    await stream.toEnd();
    expect(eventsOf(stream).at(-1)).toMatchObject({ data: { status: "rejected" } });
    expect(await store.published(run.runId)).toEqual([]);
  });
});
