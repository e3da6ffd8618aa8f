import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { type Otlp, otlpReceiver, type ReceivedSpan } from "./support/otlp.ts";
import { ANN, decide, get, LEE, pauseOf, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import {
  type Call,
  callsOf,
  finish,
  gone,
  holding,
  type StandIn,
  sendJson,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const explain = holding();
let otlp: Otlp;
let agent: StandIn;
let one: GatewayProcess;
/** Names a second gateway of the same mesh. */
let another: () => Promise<GatewayProcess>;
/** How many more requests the optimizer answers with 503. */
let unready = 0;

beforeAll(async () => {
  const redis = keep(await testRedis());
  otlp = keep(await otlpReceiver());
  agent = keep(
    await standIn({
      ...PUBLISHING,
      PRICE_OPTIMIZATION: (call: Call) => {
        if (unready-- > 0) return sendJson(call, {}, 503);
        return PUBLISHING.PRICE_OPTIMIZATION(call);
      },
      PRICE_EXPLANATION: explain.handler,
    }),
  );
  const options = { manifest: publishingMesh(agent.url), redisUrl: redis.url };
  const env = { ...otlp.env, LEASE_MS: "1000", OTEL_SERVICE_NAME: "gateway" };
  one = keep(await gatewayProcess({ ...options, env }));
  another = async () => use(await gatewayProcess({ ...options, env }));
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const traced = (trace = TRACE) => ({
  ...ANN,
  traceparent: `00-${trace}-${PARENT}-01`,
  tracestate: "vendor=a b,other=1",
});
/** Follows the run outside of the trace in which it was started. */
async function pausedIn(trace: Record<string, string>, body: Parameters<typeof startRun>[1] = {}) {
  const runId = await startRun(one, { message: "publish the prices", ...body }, trace);
  return pauseOf(runId, await toRest(one, runId));
}
const newTrace = () => randomUUID().replaceAll("-", "");

const ofRun = (run: string) => (span: ReceivedSpan) => span.attributes["interlock.run.id"] === run;
const isRun = (run: string) => (span: ReceivedSpan) =>
  ofRun(run)(span) && /^(run|invoke_workflow)/.test(span.name);

/** The names of a trace's spans as a tree, in the order in which they began. */
function treeOf(traceId: string, parentId: string): unknown[] {
  const below = otlp.spans
    .filter((span) => span.traceId === traceId && span.parentId === parentId)
    .toSorted((a, b) => a.startedAt - b.startedAt || a.name.localeCompare(b.name));
  return below.map(({ name, spanId }) => {
    const more = treeOf(traceId, spanId);
    return more.length > 0 ? { [name]: more } : name;
  });
}

/** The span whose context a call of an agent came with. */
function spanOf(call: Call | undefined): ReceivedSpan | undefined {
  const [, traceId, spanId] = String(call?.headers.traceparent).split("-");
  return otlp.spans.find((span) => span.traceId === traceId && span.spanId === spanId);
}

describe("a plan with an approval", () => {
  test("is one trace from its caller to the pause, and another, linked to it, to its effect", async () => {
    const trace = newTrace();
    const session_id = randomUUID();
    const paused = await pausedIn(traced(trace), { session_id });
    expect((await decide(one, paused, "approve", LEE)).status).toBe(200);
    await toRest(one, paused.runId, ANN, paused.seq);
    await otlp.span((span) => span.name === "approval" && ofRun(paused.runId)(span));
    const resumed = await otlp.span((span) => isRun(paused.runId)(span) && span.traceId !== trace);
    const first = await otlp.span((span) => isRun(paused.runId)(span) && span.traceId === trace);

    expect(treeOf(trace, PARENT)).toEqual([
      {
        "POST /api/v1/runs": [
          {
            turn: [
              "understand",
              {
                "invoke_workflow publishing": [
                  { "step optimize": ["invoke_agent optimizer"] },
                  { "step robustness": ["invoke_agent sensitivity"] },
                ],
              },
              "approval",
            ],
          },
        ],
      },
    ]);
    expect(resumed).toMatchObject({ parentId: "", links: [{ traceId: trace }] });
    expect(resumed.links[0]?.spanId).toBe(first.parentId);
    expect(treeOf(resumed.traceId, "")).toEqual([
      { "invoke_workflow publishing": [{ "step publish": ["publish price-book"] }, "step report"] },
    ]);

    expect(first).toMatchObject({
      service: "gateway",
      kind: "internal",
      traceState: "vendor=a b,other=1",
      failed: false,
      attributes: {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": "publishing",
        "gen_ai.conversation.id": session_id,
        "interlock.outcome": "paused",
      },
    });
    expect(resumed.attributes["interlock.outcome"]).toBe("ok");
    const spansNamed = (name: string) =>
      otlp.spans.find((span) => span.name === name && [trace, resumed.traceId].includes(span.traceId));
    expect(spansNamed("POST /api/v1/runs")).toMatchObject({
      kind: "server",
      attributes: {
        "http.request.method": "POST",
        "http.route": "/api/v1/runs",
        "http.response.status_code": 202,
      },
    });
    expect(spansNamed("turn")?.attributes).toMatchObject({ "interlock.run.id": paused.runId });
    expect(spansNamed("step optimize")?.attributes).toEqual({
      "interlock.step.id": "optimize",
      "interlock.step.kind": "agent",
    });
    expect(spansNamed("publish price-book")).toMatchObject({ kind: "producer", failed: false });
    const wait = spansNamed("approval");
    expect(wait?.attributes).toMatchObject({
      "interlock.approval.id": paused.approvalId,
      "interlock.approval.decision": "approved",
      "interlock.step.id": "publish",
    });
    expect(wait?.startedAt).toBeLessThan(Number(wait?.endedAt));
    expect(wait?.startedAt).toBeGreaterThanOrEqual(
      Math.floor(Number(spansNamed("step robustness")?.startedAt)),
    );

    const call = callsOf(agent, "PRICE_OPTIMIZATION").findLast(
      ({ body }) => body.workflow_id === paused.runId,
    );
    expect(call?.headers.tracestate).toBe("vendor=a b,other=1");
    expect(spanOf(call)).toMatchObject({
      name: "invoke_agent optimizer",
      kind: "client",
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "optimizer",
        "interlock.task": "PRICE_OPTIMIZATION",
        "interlock.attempt": 1,
      },
    });
  });

  test("shows the same id in its record, in log lines and in its spans", async () => {
    const trace = newTrace();
    const paused = await pausedIn(traced(trace));
    expect((await get(one, `/api/v1/runs/${paused.runId}`, ANN)).json()).toMatchObject({ trace_id: trace });
    // Lines are written some milliseconds after what they tell.
    const lines = () =>
      one
        .logs()
        .split("\n")
        .filter((line) => line.includes(trace))
        .map((line) => JSON.parse(line));
    await until(() => lines().some(({ msg }) => msg === "run rests"));
    expect(lines()).toContainEqual(expect.objectContaining({ msg: "request", trace_id: trace, status: 202 }));
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: "run rests", trace_id: trace, run_id: paused.runId, outcome: "paused" }),
    );
  });
});

describe("what goes wrong", () => {
  test("a retry is a span of its own, beside the attempt that failed", async () => {
    const trace = newTrace();
    unready = 1;
    const paused = await pausedIn(traced(trace));
    await otlp.span((span) => isRun(paused.runId)(span));
    const attempts = otlp.spans
      .filter((span) => span.traceId === trace && span.name === "invoke_agent optimizer")
      .toSorted((a, b) => a.startedAt - b.startedAt);
    expect(attempts).toMatchObject([
      { failed: true, statusMessage: "", attributes: { "error.type": "http_503", "interlock.attempt": 1 } },
      { failed: false, attributes: { "interlock.attempt": 2 } },
    ]);
    expect(new Set(attempts.map(({ parentId }) => parentId)).size).toBe(1);
    const calls = callsOf(agent, "PRICE_OPTIMIZATION").filter(({ headers }) =>
      String(headers.traceparent).includes(trace),
    );
    expect(calls.map((call) => spanOf(call)?.spanId)).toEqual(attempts.map(({ spanId }) => spanId));
  });

  test("a cancelled step and its attempt end as cancelled", async () => {
    const trace = newTrace();
    const run = await startRun(one, { message: "explain the prices" }, traced(trace));
    const call = await explain.next();
    expect((await post(one, `/api/v1/runs/${run}/cancel`, undefined, ANN)).status).toBe(200);
    await gone(call);
    expect(await otlp.span(isRun(run))).toMatchObject({ failed: true, attributes: { "error.type": "lost" } });
    const named = (name: string) => otlp.spans.find((span) => span.traceId === trace && span.name === name);
    expect(named("step explain")).toMatchObject({ failed: true, attributes: { "error.type": "cancelled" } });
    expect(named("invoke_agent explainer")).toMatchObject({
      failed: true,
      attributes: { "error.type": "aborted" },
    });
  });

  test("after a kill -9 another replica goes on in a trace of its own, linked to the first", async () => {
    const trace = newTrace();
    const victim = await another();
    const stream = await EventReader.open(`${victim.url}/api/v1/chat?stream=true&plan=true`, {
      headers: traced(trace),
      body: { message: "explain the prices", session_id: randomUUID() },
    });
    const run = String(stream.headers["x-run-id"]);
    const held = await explain.next();
    victim.child.kill("SIGKILL");
    await gone(held);
    const again = await explain.next();
    finish(again, GOOD_OUTPUTS.PRICE_EXPLANATION);
    const resumed = await otlp.span((span) => isRun(run)(span) && span.links.length > 0);
    expect(resumed).toMatchObject({ parentId: "", links: [{ traceId: trace }], failed: false });
    expect(resumed.traceId).not.toBe(trace);
    expect(spanOf(again)).toMatchObject({ traceId: resumed.traceId, name: "invoke_agent explainer" });
    // The spans of what was finished before had left the process; those under way died with it.
    expect(otlp.spans.some((span) => span.traceId === trace && isRun(run)(span))).toBe(false);
    expect((await get(one, `/api/v1/runs/${run}`, ANN)).json()).toMatchObject({ trace_id: trace });
  });

  test("a request that fails has its code, and one that is refused its status", async () => {
    const trace = newTrace();
    await post(one, "/api/v1/runs", { session_id: "s", message: 7 }, traced(trace));
    expect(await otlp.span((span) => span.traceId === trace)).toMatchObject({
      failed: false,
      parentId: PARENT,
      attributes: { "http.response.status_code": 400 },
    });
  });
});

describe("what is exported", () => {
  test("has nothing that anybody said, asked or answered", async () => {
    const secret = `zebra ${randomUUID()}`;
    const inputs = { items: [{ item_id: secret, price: 1 }] };
    const runId = await startRun(one, { message: `publish ${secret}`, inputs }, traced(newTrace()));
    const paused = pauseOf(runId, await toRest(one, runId));
    await decide(one, paused, "reject", LEE, { note: secret });
    await otlp.span((span) => isRun(runId)(span) && span.links.length > 0);
    expect(otlp.bytes.some((body) => body.includes("interlock.run.id"))).toBe(true);
    expect(otlp.bytes.some((body) => body.includes(secret) || body.includes("zebra"))).toBe(false);
  });

  test("leaves out what a caller does not want sampled, and says so to agents", async () => {
    const trace = newTrace();
    const headers = { ...ANN, traceparent: `00-${trace}-${PARENT}-00` };
    const paused = await pausedIn(headers);
    const call = callsOf(agent, "PRICE_OPTIMIZATION").findLast(
      ({ body }) => body.workflow_id === paused.runId,
    );
    expect(call?.headers.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    // A later trace has arrived, so that what was not sampled would have, too.
    const later = newTrace();
    const next = await pausedIn(traced(later));
    await otlp.span(isRun(next.runId));
    expect(otlp.spans.some((span) => span.traceId === trace)).toBe(false);
  });

  test("is sent before the gateway ends", async () => {
    const gateway = await another();
    const trace = newTrace();
    await get(gateway, "/api/v1/services", traced(trace));
    gateway.child.kill("SIGTERM");
    expect(await gateway.exited).toMatchObject({ code: 0 });
    expect(otlp.spans.some((span) => span.traceId === trace)).toBe(true);
  });
});
