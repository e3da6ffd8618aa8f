import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, post, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, failing, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let agent: StandIn;
let gateway: TestGateway;
let checkFails = true;

const outcome = { demand: 1, revenue: 10, profit: 5 };
const PROPOSED = [
  { item_id: "A-1", tiers: { new: { price: 11, current_price: 10, current: outcome, expected: outcome } } },
];
const CHECKED = { passed: true, violations: [], suggestions: [], failures: [] };
const ITEMS = [{ item_id: "A-1", tiers: { new: { current_price: 10, unit_cost: 6 } } }];

beforeAll(async () => {
  const totals = { current: outcome, expected: outcome, change: { demand: 0, revenue: 0, profit: 0 } };
  const checks = answering({ ...CHECKED, current: CHECKED });
  const summary = answering({ summary: "About this.\nSo it is.", totals: {}, items: [] });
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: answering({ items: PROPOSED, failures: [], totals, objective: "profit" }),
      POLICY_CHECK: (call) => (checkFails ? failing("BROKEN", "It broke.") : checks)(call),
      PRICE_EXPLANATION: summary,
      SENSITIVITY_ANALYSIS: summary,
      PRICING_REPORT: answering({ summary: "review", proposed: [], shown: {} }),
      ORDER_CHECK: answering({ passed: true, verdicts: [{ slot: "items", verdict: "kept" }] }),
    }),
  );
  const redis = keep(await testRedis());
  gateway = keep(await testGateway({ manifest: shippedMesh(agent.url), redisUrl: redis.url }));
});

test("what the earlier run did not come to is done by the run that takes its proposal over", async () => {
  const session_id = randomUUID();
  const say = async (message: string, more: object = {}) =>
    (await post(gateway, "/api/v1/chat", { message, session_id, ...more }, ANN)).json();
  const failed = await say("Propose prices and check them", { inputs: { items: ITEMS } });
  expect(failed).toMatchObject({ node: "check" });
  checkFails = false;
  const paused = await say("publish it");
  expect(paused).toMatchObject({ status: "paused", node: "publish" });
  const events = await toRest(gateway, String(paused.thread_id));
  const finished = events.filter(({ type }) => type === "step_finished");
  expect(finished.map(({ node, data }) => [node, Object.hasOwn(data, "taken_from")])).toEqual(
    expect.arrayContaining([
      ["optimize", true],
      ["check", false],
    ]),
  );
});
