import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { freePort, type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import {
  answering,
  begin,
  type Call,
  event,
  failing,
  finish,
  type StandIn,
  standIn,
  started,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;
let agent: StandIn;
let gateway: TestGateway;
let answer: (call: Call) => unknown;

beforeAll(async () => {
  redis = keep(await testRedis());
  const started = await standIn({
    PRICE_OPTIMIZATION: (call) => answer(call),
    POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
  });
  agent = keep(started);
  const manifest = pricingMesh(agent.url);
  const absent = { ...manifest.agents.explainer, url: `http://127.0.0.1:${await freePort()}` };
  const agents = { ...manifest.agents, explainer: absent };
  gateway = keep(await testGateway({ manifest: { ...manifest, agents }, redisUrl: redis.url }));
});

/** A success in between: failures in a row would open the agent's breaker. */
beforeEach(async () => {
  answer = answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  await runOf();
});

const CANARY = "canary-upstream-bytes";

const typed = (type: string) => (call: Call) =>
  call.res.writeHead(200, { "content-type": type }).end(`{"x":"${CANARY}"}`);

const stream = (text: (call: Call) => string) => (call: Call) => {
  call.res.writeHead(200, { "content-type": "text/event-stream" });
  call.res.end(text(call));
};

const twoTerminals = (call: Call) => {
  begin(
    call,
    event("final", {
      request_id: call.body.request_id,
      task_type: call.body.task_type,
      status: "ok",
      outputs: {},
    }),
  );
  finish(call);
};

/** The defects that an agent's stream can have, told apart by the reason in the run's own log. */
const DEFECTS: [what: string, reason: string, answer: (call: Call) => unknown][] = [
  ["an answer that is not an event stream", "not_event_stream", typed("application/json")],
  ["a stream without a terminal event", "no_terminal", stream(started)],
  ["two terminal events", "two_terminals", twoTerminals],
  [
    "data that is not JSON",
    "bad_json",
    stream((call) => `${started(call)}event: progress\ndata: ${CANARY}\n\n`),
  ],
  [
    "a terminal event of another run",
    "wrong_request_id",
    stream(() => event("final", { request_id: CANARY })),
  ],
  [
    "an event over the limit",
    "event_too_large",
    stream((call) => started(call) + event("progress", { a: "x".repeat(1_100_000) })),
  ],
  [
    "status and ok that contradict each other",
    "contradictory_status",
    (call) => {
      begin(call);
      finish(call, {}, { ok: false });
    },
  ],
];

async function runOf(path = "?stream=true") {
  const reader = await EventReader.open(`${gateway.url}/api/v1/chat${path}`, {
    body: { message: "Propose new prices", session_id: randomUUID() },
  });
  await reader.toEnd();
  return reader;
}

describe("an agent that breaks its contract fails the run with upstream_invalid", () => {
  test.each(DEFECTS)("%s", async (_what, reason, defect) => {
    answer = defect;
    const reader = await runOf();
    expect(reader.data.filter((data) => data.done)).toEqual([
      expect.objectContaining({
        code: "upstream_invalid",
        error: "An agent broke the contract.",
        node: "optimizer",
        tools_used: [],
      }),
    ]);
    const log = await ask(`${gateway.url}/api/v1/runs/${reader.headers["x-run-id"]}`);
    expect(log.json().result).toMatchObject({ code: "upstream_invalid", reason });
    expect(reader.text + log.text + gateway.logs()).not.toContain(CANARY);
  });

  test("what came before the defect was sent, and the gateway goes on", async () => {
    answer = stream((call) => started(call) + event("token", { text: "half an ans" }));
    const broken = await runOf();
    expect(broken.data).toContainEqual(expect.objectContaining({ token: "half an ans" }));
    answer = answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    expect((await runOf()).data.at(-1)).toMatchObject({ message: "One price moves." });
  });
});

describe("an agent that fails", () => {
  test("honestly: its own code and words reach the caller", async () => {
    answer = failing("INFEASIBLE", "The bounds of A100 leave no room.");
    const reader = await runOf();
    expect(reader.data.at(-1)).toMatchObject({
      done: true,
      code: "invalid_inputs",
      error: "The bounds of A100 leave no room.",
      retryable: false,
    });
    const { json } = await ask(`${gateway.url}/api/v1/runs/${reader.headers["x-run-id"]}`);
    expect(json()).toMatchObject({ state: "failed", result: { agent_code: "INFEASIBLE", status: "error" } });
  });

  test("without a stream: the same code as an HTTP error, with the run beside it", async () => {
    answer = failing("INFEASIBLE", "The bounds of A100 leave no room.");
    const session = randomUUID();
    const { status, json } = await ask(`${gateway.url}/api/v1/chat`, {
      body: { message: "Propose new prices", session_id: session },
    });
    expect(status).toBe(422);
    expect(json()).toMatchObject({
      error: "The bounds of A100 leave no room.",
      code: "invalid_inputs",
      retryable: false,
      request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      node: "optimizer",
      session_id: session,
      thread_id: expect.any(String),
      done: true,
    });
  });

  test("by not being there: upstream_unavailable, 503", async () => {
    const { status, json } = await ask(`${gateway.url}/api/v1/chat`, {
      body: { message: "Explain it", session_id: randomUUID() },
    });
    expect(status).toBe(503);
    expect(json()).toMatchObject({ code: "upstream_unavailable", retryable: true, node: "explainer" });
  });

  test("by taking longer than it may: upstream_timeout, 504", async () => {
    const manifest = pricingMesh(agent.url);
    const limits = { ...manifest.agents.optimizer.limits, timeout_ms: 150 };
    const optimizer = { ...manifest.agents.optimizer, limits };
    const agents = { ...manifest.agents, optimizer };
    const hasty = use(await testGateway({ manifest: { ...manifest, agents }, redisUrl: redis.url }));
    answer = () => undefined;
    const { status, json } = await ask(`${hasty.url}/api/v1/chat`, {
      body: { message: "Propose new prices", session_id: randomUUID() },
    });
    expect(status).toBe(504);
    expect(json()).toMatchObject({ code: "upstream_timeout", retryable: true, node: "optimizer" });
  });

  test("a plan past its own time ends with deadline_exceeded, and its step is aborted", async () => {
    const manifest = pricingMesh(agent.url);
    const pricing = { ...manifest.flows.pricing, timeout_ms: 150 };
    const hasty = use(
      await testGateway({ manifest: { ...manifest, flows: { pricing } }, redisUrl: redis.url }),
    );
    const closed = Promise.withResolvers<void>();
    let isAsked = false;
    answer = (call) => {
      isAsked = true;
      call.res.once("close", () => closed.resolve());
      begin(call);
    };
    // On a busy machine its time may be over before the agent is asked.
    await until(async () => {
      const { status, json } = await ask(`${hasty.url}/api/v1/chat?plan=true`, {
        body: { message: "Propose new prices", session_id: randomUUID() },
      });
      expect(status).toBe(504);
      expect(json()).toMatchObject({ code: "deadline_exceeded" });
      if (isAsked) expect(json()).toMatchObject({ node: "optimize" });
      return isAsked;
    });
    await closed.promise;
  });
});

test("an agent that keeps failing is spared: the breaker opens, and the list of agents shows it", async () => {
  const spared = use(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
  answer = stream(started);
  const codes: unknown[] = [];
  // The agent is ready, so that its breaker may be half-open for a moment: then the next failure opens it again.
  await until(async () => {
    const { json } = await ask(`${spared.url}/api/v1/chat`, {
      body: { message: "Propose new prices", session_id: randomUUID() },
    });
    codes.push(json().code);
    return codes.at(-1) === "upstream_unavailable";
  });
  expect(codes.length).toBeGreaterThan(5);
  expect(new Set(codes.slice(0, -1))).toEqual(new Set(["upstream_invalid"]));
  const { json } = await ask(`${spared.url}/api/v1/agents`);
  expect(json().agents).toContainEqual(
    expect.objectContaining({ name: "optimizer", breaker: expect.stringMatching(/^(open|half_open)$/) }),
  );
});

describe("POST /api/v1/policy/check", () => {
  const check = (body: unknown) => ask(`${gateway.url}/api/v1/policy/check`, { body });

  test("answers with what the policy agent found", async () => {
    const { status, json } = await check({ prices: { new: 100 } });
    expect(status).toBe(200);
    expect(json()).toEqual({ ...GOOD_OUTPUTS.POLICY_CHECK, warnings: [] });
    const call = agent.calls.findLast(({ path }) => path === "/agents/run/sync");
    expect(call?.body).toMatchObject({
      task_type: "POLICY_CHECK",
      mode: "LIVE",
      inputs: { prices: { new: 100 } },
    });
  });

  test("refuses a body that is not an object", async () => {
    const { status, json } = await check([1]);
    expect([status, json().code]).toEqual([400, "invalid_request"]);
  });
});
