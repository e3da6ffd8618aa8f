import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { type Answer, type Ask, ask } from "./support/http.ts";
import { pricingMesh } from "./support/mesh.ts";
import { as } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { answering, failing, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let gateway: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const agent = keep(
    await standIn({ PRICE_OPTIMIZATION: answering({}), POLICY_CHECK: failing("NO", "It is not possible.") }),
  );
  const env = { MAX_BODY_BYTES: "65536" };
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url, env }));
});

/** Stands wherever a caller's value can stand; must come back nowhere. */
const CANARY = "canary-7f3a";

const good = () => ({ message: "hello", session_id: randomUUID() });
const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);

/** What every refusal has in common. */
function expectRefusal(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.json().code]).toEqual([status, code]);
  expect(gatewayContract.error(answer.json())).toMatchObject({ ok: true });
  expect(Object.keys(answer.json()).slice(0, 4)).toEqual(["error", "code", "retryable", "request_id"]);
  expect(answer.json().request_id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.text + JSON.stringify(answer.headers) + gateway.logs()).not.toContain(CANARY);
}

const send = (path: string, options?: Ask) => ask(`${gateway.url}${path}`, options);
const json = { "content-type": "application/json" };

test("a session id of another form is refused with the form that it has to have", async () => {
  const form = "1 to 64 letters (A to Z, a to z), digits, _ or -";
  const inBody = await send("/api/v1/chat", { body: { ...good(), session_id: "team.one" } });
  expectRefusal(inBody, 400, "invalid_request");
  expect(inBody.json().error).toContain(`/session_id must be ${form}`);
  const inQuery = await send("/api/v1/runs?session_id=team.one");
  expectRefusal(inQuery, 400, "invalid_request");
  expect(inQuery.json().error).toBe(`?session_id is an id: ${form}.`);
});

describe("a chat body is refused", () => {
  const cases: [what: string, status: number, code: string, options: () => Ask][] = [
    ["with an unknown field", 400, "invalid_request", () => ({ body: { ...good(), [CANARY]: CANARY } })],
    [
      "with a prototype for a field",
      400,
      "invalid_request",
      () => ({ body: `{"message":"m","session_id":"s","__proto__":{"a":"${CANARY}"}}`, headers: json }),
    ],
    ["without a message", 400, "invalid_request", () => ({ body: { session_id: "s" } })],
    ["with a message that is a number", 400, "invalid_request", () => ({ body: { ...good(), message: 7 } })],
    ["with a blank message", 400, "invalid_request", () => ({ body: { ...good(), message: " \n" } })],
    [
      "with a message of 4001 characters",
      400,
      "invalid_request",
      () => ({ body: { ...good(), message: CANARY.padEnd(4001, "x") } }),
    ],
    [
      "with a bad session id",
      400,
      "invalid_request",
      () => ({ body: { ...good(), session_id: `../${CANARY}` } }),
    ],
    [
      "with a long session id",
      400,
      "invalid_request",
      () => ({ body: { ...good(), session_id: "s".repeat(65) } }),
    ],
    [
      "with a bad conversation id",
      400,
      "invalid_request",
      () => ({ body: { ...good(), conversation_id: `${CANARY} ` } }),
    ],
    [
      "with inputs that are a list",
      400,
      "invalid_request",
      () => ({ body: { ...good(), inputs: [CANARY] } }),
    ],
    ["that is a list", 400, "invalid_request", () => ({ body: [CANARY] })],
    ["that is a text", 400, "invalid_request", () => ({ body: JSON.stringify(CANARY), headers: json })],
    ["that is no JSON", 400, "invalid_json", () => ({ body: `{"message":"${CANARY}`, headers: json })],
    ["that is empty", 400, "invalid_json", () => ({ body: "", headers: { ...json, "content-length": "0" } })],
    ["that nests too deep", 400, "invalid_request", () => ({ body: { ...good(), inputs: nested(40) } })],
    [
      "that nests far too deep",
      400,
      "invalid_request",
      () => ({ body: `{"inputs":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, headers: json }),
    ],
    [
      "over the limit",
      413,
      "payload_too_large",
      () => ({ body: { ...good(), inputs: { a: CANARY.repeat(10_000) } } }),
    ],
    [
      "over the limit, of unknown length",
      413,
      "payload_too_large",
      () => ({ body: "x".repeat(70_000), headers: { ...json, "transfer-encoding": "chunked" } }),
    ],
    [
      "of another media type",
      415,
      "unsupported_media_type",
      () => ({ body: "a=b", headers: { "content-type": CANARY } }),
    ],
    [
      "of the type text/plain",
      415,
      "unsupported_media_type",
      () => ({ body: "{}", headers: { "content-type": "text/plain" } }),
    ],
    ["without a media type", 415, "unsupported_media_type", () => ({ body: JSON.stringify(good()) })],
    [
      "in an unknown character set",
      415,
      "unsupported_media_type",
      () => ({ body: "{}", headers: { "content-type": `application/json; charset=${CANARY}` } }),
    ],
    [
      "in a compressed form",
      415,
      "unsupported_media_type",
      () => ({ body: "{}", headers: { ...json, "content-encoding": "gzip" } }),
    ],
  ];

  test.each(cases)("%s: %i %s", async (_what, status, code, options) => {
    expectRefusal(await send("/api/v1/chat", { method: "POST", ...options() }), status, code);
  });

  test("but nesting as deep as is allowed, and brackets inside a text, pass", async () => {
    const inputs = { ...nested(30), text: "[".repeat(100) };
    const answer = await send("/api/v1/chat", { body: { ...good(), inputs } });
    expect(answer.status).toBe(200);
  });
});

describe("a query is refused", () => {
  test.each([
    ["?unknown=1"],
    [`?${CANARY}=${CANARY}`],
    [`?stream=${CANARY}`],
    ["?stream=true&stream=false"],
    ["?interval=0"],
    ["?interval=1.5"],
    ["?interval=301"],
    [`?interval=${CANARY}`],
    [`?on_disconnect=${CANARY}`],
    [`?keepalive=${CANARY}`],
    [`?multitask=${CANARY}`],
    [`?model=${CANARY.padEnd(129, "x")}`],
    ["?__proto__=1"],
  ])("of the chat: %s", async (query) => {
    expectRefusal(await send(`/api/v1/chat${query}`, { body: good() }), 400, "invalid_request");
  });

  test.each([
    ["/api/v1/agents"],
    ["/api/v1/chat/health"],
    ["/api/v1/chat/tools"],
    ["/api/v1/chat/models"],
    ["/api/v1/usage"],
    ["/api/v1/sessions"],
    ["/api/v1/sessions/s"],
    ["/api/v1/runs"],
    ["/api/v1/runs/r"],
    ["/api/v1/runs/r/events"],
    ["/api/v1/approvals"],
    ["/api/v1/approvals/a"],
    ["/api/v1/approvals/a/audit"],
  ])("of %s with an unknown parameter", async (path) => {
    expectRefusal(await send(`${path}?${CANARY}=1`), 400, "invalid_request");
  });

  test.each([
    ["/api/v1/sessions?limit=0"],
    ["/api/v1/sessions?limit=201"],
    [`/api/v1/sessions?before=${CANARY}`],
    ["/api/v1/sessions?before=1_a/b"],
    [`/api/v1/runs?state=${CANARY}`],
    ["/api/v1/runs?session_id=a%2Fb"],
    [`/api/v1/runs/r/events?dialect=${CANARY}`],
  ])("where a parameter does not read: %s", async (path) => {
    expectRefusal(await send(path), 400, "invalid_request");
  });
});

describe("an id", () => {
  const PATHS = ["/api/v1/runs/ID", "/api/v1/runs/ID/events", "/api/v1/sessions/ID", "/api/v1/approvals/ID"];
  const MALFORMED = [`${CANARY}%20x`, "a%2Fb", "%00", `${CANARY.repeat(10)}`, "..%2F..", "%C3%BC"];

  test.each(PATHS)(
    "that names nothing and one that can name nothing answer the same 404: %s",
    async (path) => {
      const unknown = await send(path.replace("ID", CANARY));
      expectRefusal(unknown, 404, "not_found");
      for (const id of MALFORMED) {
        const malformed = await send(path.replace("ID", id));
        expectRefusal(malformed, 404, "not_found");
        expect({ ...malformed.json(), request_id: "" }).toEqual({ ...unknown.json(), request_id: "" });
      }
      // This is no address at all.
      expectRefusal(await send(path.replace("ID", "%zz")), 404, "not_found");
    },
  );

  test("of another tenant answers like an unknown one", async () => {
    const headers = as("ann", "", `tenant-${randomUUID()}`);
    const { message, session_id } = good();
    const mine = await send("/api/v1/chat", { body: { message, session_id }, headers });
    for (const path of [`/api/v1/runs/${mine.json().thread_id}`, `/api/v1/sessions/${session_id}`]) {
      expect((await send(path, { headers })).status).toBe(200);
      expectRefusal(await send(path), 404, "not_found");
    }
  });
});

describe("a method that a path does not have", () => {
  test.each([
    ["GET", "/api/v1/chat", "POST"],
    ["DELETE", "/api/v1/sessions/s", "GET, HEAD"],
    ["POST", "/api/v1/agents", "GET, HEAD"],
    ["PUT", "/api/v1/runs", "GET, HEAD, POST"],
    ["POST", "/healthz", "GET, HEAD"],
  ])("%s %s: 405, with those that it has", async (method, path, allow) => {
    const answer = await send(path, { method });
    expectRefusal(answer, 405, "method_not_allowed");
    expect(answer.headers.allow).toBe(allow);
  });
});

describe("a header", () => {
  test("X-Request-Id names the request where it is an id, and is replaced where it is not", async () => {
    const named = await send("/api/v1/nothing", { headers: { "x-request-id": "my-request" } });
    expect([named.headers["x-request-id"], named.json().request_id]).toEqual(["my-request", "my-request"]);
    const other = await send("/api/v1/nothing", { headers: { "x-request-id": `${CANARY} x` } });
    expectRefusal(other, 404, "not_found");
    expect(other.headers["x-request-id"]).toBe(other.json().request_id);
  });

  test.each([
    ["idempotency-key", `${CANARY} x`, 400, "invalid_idempotency_key"],
    ["idempotency-key", CANARY.repeat(30), 400, "invalid_idempotency_key"],
    ["authorization", `Bearer ${CANARY}`, 401, "unauthorized"],
    ["authorization", `Basic ${CANARY}`, 401, "unauthorized"],
  ])("%s: %s is refused", async (name, value, status, code) => {
    expectRefusal(await send("/api/v1/chat", { body: good(), headers: { [name]: value } }), status, code);
  });
});

test("a path that is not there: 404, within the API and outside", async () => {
  expectRefusal(await send(`/api/v1/${CANARY}`), 404, "not_found");
  expectRefusal(await send(`/${CANARY}`), 404, "not_found");
});

test("an agent's failure does not bring the caller's values back", async () => {
  const answer = await send("/api/v1/policy/check", { body: { prices: { [CANARY]: CANARY } } });
  expectRefusal(answer, 422, "invalid_inputs");
});
