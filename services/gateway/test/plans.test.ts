import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { testGateway } from "./support/gateway.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import {
  answering,
  type Call,
  callsOf,
  failing,
  finish,
  gone,
  holding,
  standIn,
} from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;

beforeAll(async () => {
  redis = keep(await testRedis());
});

type Handlers = Parameters<typeof standIn>[0];

const GOOD: Handlers = Object.fromEntries(
  Object.entries(GOOD_OUTPUTS).map(([task, outputs]) => [task, answering(outputs)]),
);

/** A mesh of its own for each test, so that a test sees only its own calls. */
async function mesh(
  handlers: Handlers,
  adapt: (manifest: ReturnType<typeof pricingMesh>) => void = () => undefined,
) {
  const agent = use(await standIn({ ...GOOD, ...handlers }));
  const manifest = pricingMesh(agent.url);
  adapt(manifest);
  const gateway = use(await testGateway({ manifest, redisUrl: redis.url }));
  const plan = (message: string) =>
    EventReader.open(`${gateway.url}/api/v1/chat?stream=true&plan=true`, {
      body: { message, session_id: randomUUID(), inputs: { items: [] } },
    });
  return { agent, plan };
}

const inputsOf = (call: Call | undefined) => call?.body.inputs;
const nodes = (stream: EventReader, status: string) =>
  stream.data.flatMap(({ node, tool_call }) =>
    typeof tool_call === "object" && tool_call && "status" in tool_call && tool_call.status === status
      ? [node]
      : [],
  );

describe("a plan", () => {
  test("is the closure of its goals, and no more", async () => {
    const { agent, plan } = await mesh({});
    const stream = await plan("how robust is it?");
    await stream.toEnd();
    expect(nodes(stream, "started")).toEqual(["optimize", "check", "robustness"]);
    expect(callsOf(agent, "PRICE_EXPLANATION")).toEqual([]);
    expect(stream.data.at(-1)).toMatchObject({ message: "Passed: true\n\nRobust." });
  });

  test("gives a step what the steps before it came to", async () => {
    const { agent, plan } = await mesh({});
    await (await plan(COMPOSITE_ASK)).toEnd();
    expect(inputsOf(callsOf(agent, "POLICY_CHECK")[0])).toEqual({ proposed: [{ item_id: "A100" }] });
    expect(inputsOf(callsOf(agent, "PRICE_EXPLANATION")[0])).toEqual({ proposed: [{ item_id: "A100" }] });
  });

  test("names each dispatch by run and step, and gives it a key to know a repeat by", async () => {
    const { agent, plan } = await mesh({});
    const stream = await plan("check");
    await stream.toEnd();
    const run = stream.headers["x-run-id"];
    const [call] = callsOf(agent, "POLICY_CHECK");
    expect(call?.body).toMatchObject({ request_id: `${run}:check:1:1`, workflow_id: run, stage_id: "check" });
    expect(call?.headers["idempotency-key"]).toBe(`${run}:check`);
  });

  test("runs steps that do not wait for each other at the same time", async () => {
    const explain = holding();
    const robustness = holding();
    const handlers = { PRICE_EXPLANATION: explain.handler, SENSITIVITY_ANALYSIS: robustness.handler };
    const { plan } = await mesh(handlers);
    const stream = await plan("full review");
    // Neither has ended when both have begun.
    const [one, two] = await Promise.all([explain.next(), robustness.next()]);
    await stream.until(() => nodes(stream, "started").length === 4);
    finish(two, GOOD_OUTPUTS.SENSITIVITY_ANALYSIS);
    await stream.until(() => nodes(stream, "ok").includes("robustness"));
    finish(one, GOOD_OUTPUTS.PRICE_EXPLANATION);
    await stream.toEnd();
    expect(nodes(stream, "ok")).toEqual(["optimize", "check", "robustness", "explain"]);
  });

  test("goes on without an optional step that failed, and says which one", async () => {
    const { plan } = await mesh({ SENSITIVITY_ANALYSIS: failing("NO_DATA", "There is no data.") });
    const stream = await plan("full review");
    await stream.toEnd();
    expect(stream.data.find((data) => data.node === "robustness" && nodes(stream, "error"))).toBeDefined();
    expect(nodes(stream, "error")).toEqual(["robustness"]);
    expect(stream.data.at(-1)).toMatchObject({ done: true, message: "Passed: true\n\nCost drives it." });
    expect(stream.data.at(-1)).not.toHaveProperty("code");
  });

  test("ends once, with code and step, where a step fails; the others are cancelled", async () => {
    const explain = holding();
    const robustness = holding();
    const handlers = { PRICE_EXPLANATION: explain.handler, SENSITIVITY_ANALYSIS: robustness.handler };
    const { plan } = await mesh(handlers);
    const stream = await plan("full review");
    const [failingCall, other] = await Promise.all([explain.next(), robustness.next()]);
    finish(
      failingCall,
      {},
      { status: "error", ok: false, error: { code: "NO_DEMAND", message: "No demand is given." } },
    );
    await gone(other);
    await stream.toEnd();
    expect(nodes(stream, "error")).toEqual(["explain"]);
    expect(stream.data.filter((data) => data.done)).toEqual([
      expect.objectContaining({
        node: "explain",
        code: "invalid_inputs",
        retryable: false,
        error: "No demand is given.",
        message: "This could not be done (step explain): No demand is given.",
        tools_used: ["price_optimization", "policy_check"],
      }),
    ]);
  });

  test.each([
    ["inputs that are no object", { inputs: "steps.optimize.outputs.items" }],
    ["inputs that lead nowhere", { inputs: "steps.optimize.outputs.absent" }],
    ["a condition that cannot be told", { repair: { when: "outputs.passed > 1", inputs: "inputs" } }],
  ])("fails with flow_failed where a step has %s", async (_, step) => {
    const { plan } = await mesh({}, ({ flows }) => Object.assign(flows.pricing.steps.check, step));
    const stream = await plan("check");
    await stream.toEnd();
    expect(stream.data.at(-1)).toMatchObject({ done: true, code: "flow_failed", node: "check" });
  });
});

describe("a proposal that breaks the policy", () => {
  const violating = { passed: false, fixed_prices: [{ item_id: "fixed" }] };

  test("is replaced by its fix and checked again; what follows works on the fix", async () => {
    let rounds = 0;
    const check = answering(() => (rounds++ === 0 ? violating : { passed: true }));
    const { agent, plan } = await mesh({ POLICY_CHECK: check });
    const stream = await plan(COMPOSITE_ASK);
    await stream.toEnd();
    const calls = callsOf(agent, "POLICY_CHECK");
    expect(calls.map(inputsOf)).toEqual([
      { proposed: [{ item_id: "A100" }] },
      { proposed: [{ item_id: "fixed" }] },
    ]);
    // Another question has another key: it must not get the first one's stored answer.
    const keys = calls.map((call) => call.headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
    expect(inputsOf(callsOf(agent, "PRICE_EXPLANATION")[0])).toEqual({ proposed: [{ item_id: "fixed" }] });
    expect(stream.data).toContainEqual(
      expect.objectContaining({ node: "check", progress: { stage: "repair", round: 1, max_rounds: 2 } }),
    );
    expect(stream.data.at(-1)).toMatchObject({ message: "Passed: true\n\nCost drives it." });
  });

  test("is mended no more often than the flow says, and the run tells how it stands", async () => {
    const { agent, plan } = await mesh({ POLICY_CHECK: answering(violating) });
    const stream = await plan("check");
    await stream.toEnd();
    expect(callsOf(agent, "POLICY_CHECK")).toHaveLength(3);
    expect(stream.data.at(-1)).toMatchObject({ done: true, message: "Passed: false" });
  });

  test("is not mended where the policy has no fix", async () => {
    const { agent, plan } = await mesh({ POLICY_CHECK: answering({ passed: false }) });
    await (await plan("check")).toEnd();
    expect(callsOf(agent, "POLICY_CHECK")).toHaveLength(1);
  });
});
