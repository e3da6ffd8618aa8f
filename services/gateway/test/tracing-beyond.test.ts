import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess, testGateway } from "./support/gateway.ts";
import { type WildServer, wildServer } from "./support/mcp.ts";
import { type Otlp, otlpReceiver, type ReceivedSpan } from "./support/otlp.ts";
import { ANN, as, get, pausedRun, startRun, toRest, type Where } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { receiver } from "./support/receiver.ts";
import { startRedis, testRedis } from "./support/redis.ts";
import { chat, frontMesh } from "./support/remote.ts";
import { callsOf, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const PARENT = "b7ad6b7169203331";
const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
let redisUrl: string;
let otlp: Otlp;
let agent: StandIn;
let tools: WildServer;
let inbox: Awaited<ReturnType<typeof receiver>>;
let manifest: object;
let gateway: GatewayProcess;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  otlp = keep(await otlpReceiver());
  agent = keep(await standIn(PUBLISHING));
  tools = keep(await wildServer([{ name: "draw", description: "Draws." }]));
  // The first time it is away.
  inbox = keep(await receiver((_one, nth) => (nth === 1 ? 503 : 204)));
  const mesh = publishingMesh(agent.url);
  const drawing = { steps: { draw: { tool: "wild.draw", inputs: {} } }, goals: { drawing: ["draw"] } };
  manifest = {
    ...mesh,
    flows: { ...mesh.flows, drawing },
    tools: { servers: { wild: { url: tools.url, tools: { draw: { reads: true } } } } },
    webhooks: { leads: { url: inbox.url, events: ["approval.requested"], secrets: ["HOOK"] } },
  };
  const env = { ...otlp.env, HOOK: SECRET, WEBHOOK_RETRY_MS: "20" };
  gateway = keep(await gatewayProcess({ manifest, redisUrl, env }));
  await until(() => hasTools(gateway));
});

/** A replica waits for its tool servers for some seconds only. */
async function hasTools(where: Where): Promise<boolean> {
  const { mcps = [] } = (await get(where, "/mcps", as("ada", "admin"))).json() as {
    mcps?: { status: string }[];
  };
  return mcps.some(({ status }) => status === "ready");
}

const newTrace = () => randomUUID().replaceAll("-", "");
const traced = (trace: string) => ({
  ...ANN,
  traceparent: `00-${trace}-${PARENT}-01`,
  tracestate: "vendor=1",
});
const named = (trace: string, name: string) => (span: ReceivedSpan) =>
  span.traceId === trace && span.name === name;
const headerOf = ({ traceId, spanId }: ReceivedSpan) => `00-${traceId}-${spanId}-01`;

describe("a trace reaches", () => {
  test("MCP servers, in the fields that the protocol has for it, from a span of the call", async () => {
    const trace = newTrace();
    const run = await startRun(gateway, { flow: "drawing" }, traced(trace));
    expect((await toRest(gateway, run)).at(-1)).toMatchObject({ type: "run_finished" });
    const span = await otlp.span(named(trace, "execute_tool wild.draw"));
    expect(span).toMatchObject({
      failed: false,
      attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "wild.draw" },
    });
    const step = await otlp.span(named(trace, "step draw"));
    expect(span.parentId).toBe(step.spanId);
    expect(tools.seen.at(-1)?.meta).toMatchObject({ traceparent: headerOf(span), tracestate: "vendor=1" });
  });

  test("webhooks, in a span a try, with what each came to", async () => {
    const trace = newTrace();
    await pausedRun(gateway, { flow: "publishing" }, traced(trace));
    await until(() => inbox.delivered.length === 2);
    const tries = () =>
      otlp.spans.filter(named(trace, "notify leads")).toSorted((a, b) => a.startedAt - b.startedAt);
    await until(() => tries().length === 2);
    expect(tries()).toMatchObject([
      { kind: "client", failed: true, attributes: { "error.type": "status_503", "interlock.attempt": 1 } },
      {
        failed: false,
        attributes: {
          "http.response.status_code": 204,
          "interlock.attempt": 2,
          "interlock.notice": "approval.requested",
        },
      },
    ]);
    expect(inbox.delivered.map(({ headers }) => headers.traceparent)).toEqual(tries().map(headerOf));
    expect(inbox.delivered.at(-1)?.headers.tracestate).toBe("vendor=1");
  });

  test("the agents of another gateway, through both", async () => {
    const elsewhere = keep(await startRedis()).url;
    const env = { ...otlp.env, OTEL_SERVICE_NAME: "front" };
    const front = use(await gatewayProcess({ manifest: frontMesh(gateway.url), redisUrl: elsewhere, env }));
    const trace = newTrace();
    const stream = await chat(front, { message: "Please explain the prices" }, traced(trace));
    await stream.toEnd();
    const call = callsOf(agent, "PRICE_EXPLANATION").at(-1);
    const span = await otlp.span(named(trace, "invoke_agent explainer"));
    expect(call?.headers.traceparent).toBe(headerOf(span));
    // Each span up from there has come, too: the agent's caller, its gateway, and the gateway in front of that.
    const above: ReceivedSpan[] = [];
    for (let id = span.parentId; id !== PARENT; ) {
      const next = await otlp.span((one) => one.spanId === id);
      above.push(next);
      id = next.parentId;
    }
    expect(new Set(above.map(({ traceId }) => traceId))).toEqual(new Set([trace]));
    expect(above.at(-1)).toMatchObject({ service: "front", name: "POST /api/v1/chat" });
    expect(above.some(({ service }) => service !== "front")).toBe(true);
  });
});

test("where nothing is exported, what a caller sent is passed on as it came", async () => {
  // Of its own: a replica that exports would take the run.
  const alone = keep(await startRedis()).url;
  const plain = use(await testGateway({ manifest, redisUrl: alone, env: { HOOK: SECRET } }));
  await until(() => hasTools(plain));
  const trace = newTrace();
  const headers = traced(trace);
  await toRest(plain, await startRun(plain, { flow: "drawing" }, headers));
  expect(tools.seen.at(-1)?.meta).toMatchObject({ traceparent: headers.traceparent, tracestate: "vendor=1" });
});

test("metrics lead to traces that are kept, under the names that they have without", async () => {
  const [kept, dropped] = [newTrace(), newTrace()];
  await get(gateway, "/api/v1/services", traced(kept));
  const unsampled = { ...ANN, traceparent: `00-${dropped}-${PARENT}-00` };
  expect((await get(gateway, "/api/v1/approvals", unsampled)).status).toBe(200);
  const scrape = await get(gateway, "/metrics");
  expect(scrape.headers["content-type"]).toMatch(/^application\/openmetrics-text/);
  expect(scrape.text).toMatch(/# EOF\n$/);
  const line = `interlock_http_request_seconds_bucket\\{.*route="/api/v1/services".*\\} \\d+ # \\{trace_id="${kept}"\\}`;
  expect(scrape.text).toMatch(new RegExp(line));
  expect(scrape.text).toMatch(/_count\{.*route="\/api\/v1\/approvals".*\} 1\n/);
  expect(scrape.text).not.toContain(dropped);

  const plain = use(await testGateway({ manifest, redisUrl, env: { HOOK: SECRET } }));
  const without = await get(plain, "/metrics");
  expect(without.headers["content-type"]).toMatch(/^text\/plain/);
  const namesIn = (text: string) =>
    new Set([...text.matchAll(/^(interlock_\w+?)(?:_bucket|_sum|_count)?[{ ]/gm)].map(([, name]) => name));
  for (const name of ["interlock_runs_total", "interlock_store_up"]) {
    expect([name, namesIn(scrape.text).has(name)]).toEqual([name, true]);
  }
  expect([...namesIn(without.text)].filter((name) => !namesIn(scrape.text).has(name))).toEqual([]);
});
