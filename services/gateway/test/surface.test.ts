import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { type Answer, type Ask, ask } from "./support/http.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { answerIn, askRaw, rawConnection } from "./support/raw.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const check = holding();
const CONSOLE = "https://console.example";
let redisUrl: string;
let agent: StandIn;
let gateway: TestGateway;
/** A gateway whose CORS_ORIGINS has CONSOLE. */
let open: TestGateway;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  agent = keep(await standIn({ ...PUBLISHING, POLICY_CHECK: check.handler }));
  const options = { manifest: publishingMesh(agent.url), redisUrl };
  gateway = keep(await testGateway(options));
  open = keep(await testGateway({ ...options, env: { CORS_ORIGINS: CONSOLE } }));
});

const send = (path: string, options?: Ask) => ask(`${gateway.url}${path}`, options);
const hello = () => ({ message: "hello", session_id: randomUUID() });

/** What Node's own answers lack. */
function expectShape(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.json().code]).toEqual([status, code]);
  expect(gatewayContract.error(answer.json())).toMatchObject({ ok: true });
  expect(answer.headers["x-request-id"]).toBe(answer.json().request_id);
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
}

describe("every answer forbids caching and guessing of its type:", () => {
  test.each<[what: string, status: number, path: string, options: Ask]>([
    ["a probe", 200, "/healthz", {}],
    ["metrics", 200, "/metrics", {}],
    ["a list", 200, "/api/v1/runs", {}],
    ["HEAD", 200, "/api/v1/runs", { method: "HEAD" }],
    ["OPTIONS", 204, "/api/v1/runs", { method: "OPTIONS" }],
    ["OPTIONS of a hot path", 204, "/api/v1/chat", { method: "OPTIONS" }],
    ["not there", 404, "/api/v1/nothing", {}],
    ["not there outside of the API", 404, "/nothing", {}],
    ["another method", 405, "/api/v1/chat", {}],
    ["not acceptable", 406, "/api/v1/runs", { headers: { accept: "image/png" } }],
    ["not JSON", 415, "/api/v1/chat", { method: "POST", body: "x" }],
  ])("%s (%i)", async (_what, status, path, options) => {
    const answer = await send(path, options);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.any(String),
    });
  });

  test("a stream, and its 204 when there is nothing left", async () => {
    const run = await startRun(gateway, { flow: "publishing" });
    const events = `/api/v1/runs/${run}/events`;
    const paused = await toRest(gateway, run);
    const stream = await EventReader.open(`${gateway.url}${events}`, { headers: ANN });
    expect(stream.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-content-type-options": "nosniff",
    });
    stream.leave();
    await send(`/api/v1/runs/${run}/cancel`, { method: "POST", headers: ANN });
    const all = await toRest(gateway, run, ANN, paused.length);
    const nothing = await send(`${events}?after=${paused.length + all.length}`, { headers: ANN });
    expect([nothing.status, nothing.text]).toEqual([204, ""]);
    expect(nothing.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });
});

describe("a client", () => {
  test("that accepts nothing that there is gets 406, in JSON", async () => {
    const accept = "text/html, image/*;q=0.8";
    expectShape(await send("/api/v1/runs", { headers: { accept } }), 406, "not_acceptable");
    expectShape(await send("/api/v1/chat", { body: hello(), headers: { accept } }), 406, "not_acceptable");
    for (const accepted of ["application/*", "text/html, */*;q=0.1", "application/json;q=0.5"])
      expect((await send("/api/v1/runs", { headers: { accept: accepted } })).status).toBe(200);
  });

  test("that asks for the head alone gets the headers of GET", async () => {
    for (const path of ["/healthz", "/api/v1/chat/models", "/api/v1/runs/unknown"]) {
      const [get, head] = [await send(path), await send(path, { method: "HEAD" })];
      expect([head.status, head.text]).toEqual([get.status, ""]);
      for (const name of ["content-type", "cache-control", "x-content-type-options"])
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    }
  });

  test("that asks for the options learns the methods", async () => {
    const allowed = async (path: string) => {
      const { status, headers, text } = await send(path, { method: "OPTIONS" });
      return [status, headers.allow, text];
    };
    expect(await allowed("/api/v1/chat")).toEqual([204, "POST, OPTIONS", ""]);
    expect(await allowed("/api/v1/runs")).toEqual([204, "GET, HEAD, POST, OPTIONS", ""]);
    expect(await allowed("/healthz")).toEqual([204, "GET, HEAD, OPTIONS", ""]);
  });
});

describe("a page of another origin", () => {
  const preflight = (where: TestGateway, origin: string) =>
    ask(`${where.url}/api/v1/chat`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,authorization",
      },
    });

  test("that is listed may ask first about a path with a query", async () => {
    const headers = { origin: CONSOLE, "access-control-request-method": "POST" };
    for (const query of ["stream=true", "stream=true&heartbeat=5", "unknown=1"]) {
      const allowed = await ask(`${open.url}/api/v1/chat?${query}`, { method: "OPTIONS", headers });
      expect([query, allowed.status, allowed.headers["access-control-allow-origin"]]).toEqual([
        query,
        204,
        CONSOLE,
      ]);
    }
    const refused = await ask(`${open.url}/api/v1/chat?unknown=1`, {
      body: hello(),
      headers: { origin: CONSOLE, ...ANN },
    });
    expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([400, CONSOLE]);
  });

  test("that is listed may ask first, send, and read the answer", async () => {
    const allowed = await preflight(open, CONSOLE);
    expect(allowed.status).toBe(204);
    expect(allowed.headers).toMatchObject({
      "access-control-allow-origin": CONSOLE,
      "access-control-allow-methods": "GET,HEAD,POST,DELETE",
      "access-control-allow-headers": "content-type,authorization",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(allowed.headers.vary).toContain("Origin");
    const headers = { origin: CONSOLE, "sec-fetch-site": "cross-site", ...ANN };
    const answer = await ask(`${open.url}/api/v1/chat`, { body: hello(), headers });
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, CONSOLE]);
    expect(answer.headers["access-control-expose-headers"]).toContain("X-Run-Id");
    const refused = await ask(`${open.url}/api/v1/chat`, { body: {}, headers });
    expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([400, CONSOLE]);
  });

  test.each([
    ["where others are listed", () => open],
    ["where none is listed", () => gateway],
  ])("that is not listed gets no leave %s", async (_where, where) => {
    const { headers } = await preflight(where(), "https://evil.example");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("changes nothing, with or without a body", async () => {
    const run = await startRun(gateway, { flow: "publishing" });
    const evil = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://127.0.0.1:1" },
      { "sec-fetch-site": "cross-site" },
    ];
    const targets: [path: string, body?: object][] = [
      [`/api/v1/runs/${run}/cancel`],
      ["/api/v1/approvals/unknown/decision", { decision: "approve", proposal_hash: "0" }],
      ["/api/v1/chat", hello()],
      ["/api/v1/runs", { flow: "publishing", session_id: "s" }],
    ];
    for (const headers of evil) {
      for (const [path, body] of targets)
        expectShape(await send(path, { method: "POST", body, headers }), 403, "forbidden");
    }
    const { host } = new URL(gateway.url);
    const own = { ...ANN, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
    expect((await send(`/api/v1/runs/${run}/cancel`, { method: "POST", headers: own })).status).toBe(200);
  });
});

describe("what Node refuses by itself has the form of every error:", () => {
  const CLOSE = "Connection: close\r\n\r\n";

  test.each([
    ["a text that is not HTTP", "HELLO\r\n\r\n", 400, "invalid_request"],
    ["a header without a name", "GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n", 400, "invalid_request"],
    [
      "two lengths",
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n${CLOSE}`,
      400,
      "invalid_request",
    ],
    [
      "headers over 16 KiB",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(17_000)}\r\n${CLOSE}`,
      431,
      "headers_too_large",
    ],
    [
      "an expectation",
      `GET / HTTP/1.1\r\nHost: localhost\r\nExpect: a-miracle\r\n${CLOSE}`,
      417,
      "expectation_failed",
    ],
    ["no Host", `GET /healthz HTTP/1.1\r\n${CLOSE}`, 400, "invalid_request"],
    [
      "two Hosts",
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nHOST: localhost\r\n${CLOSE}`,
      400,
      "invalid_request",
    ],
    ["HTTP/0.9", "GET /healthz\r\n\r\n", 400, "invalid_request"],
    ["HTTP/0.9 by name", `GET /healthz HTTP/0.9\r\nHost: localhost\r\n${CLOSE}`, 400, "invalid_request"],
    ["HTTP/2.0 by name", `GET /healthz HTTP/2.0\r\nHost: localhost\r\n${CLOSE}`, 400, "invalid_request"],
  ])("%s", async (_what, text, status, code) => {
    expectShape(await askRaw(gateway.url, text), status, code);
  });

  test("headers that trickle, and a connection on which nothing comes", async () => {
    const trickle = use(await rawConnection(gateway.url));
    const silent = use(await rawConnection(gateway.url));
    trickle.write("GET /healthz HTTP/1.1\r\nHost: ");
    expectShape(answerIn(await trickle.closed), 408, "request_timeout");
    await silent.closed;
  });

  test("but the probes of a balancer that speaks HTTP/1.0 without a Host pass", async () => {
    expect((await askRaw(gateway.url, "GET /readyz HTTP/1.0\r\n\r\n")).status).toBe(200);
  });

  test("and nothing is put into an answer that has begun", async () => {
    const body = JSON.stringify({ message: "check the hierarchy", session_id: randomUUID() });
    const { host } = new URL(gateway.url);
    const head = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const connection = use(await rawConnection(gateway.url));
    connection.write(`POST /api/v1/chat?stream=true HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    const call = await check.next();
    await until(() => connection.text().includes("data: "));
    connection.write("HELLO\r\n\r\n");
    const text = await connection.closed;
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    finish(call, GOOD_OUTPUTS.POLICY_CHECK);
  });
});

test("connections have a limit: what is over it is closed and counted", async () => {
  const env = { MAX_CONNECTIONS: "2" };
  const small = use(await testGateway({ manifest: publishingMesh(agent.url), redisUrl, env }));
  const [first, second] = [use(await rawConnection(small.url)), use(await rawConnection(small.url))];
  expect(await use(await rawConnection(small.url)).closed).toBe("");
  second.stop();
  first.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(await first.closed).toContain("interlock_connections_refused_total 1\n");
});
