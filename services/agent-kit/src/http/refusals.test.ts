import { connect } from "node:net";
import { agentContract } from "@interlock/contracts";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { countTask, start, until } from "../../test/agents.ts";
import type { TestAgent } from "../testing.ts";

const CANARY = "canary-4711";
const JSON_TYPE = { "Content-Type": "application/json" };
const good = { request_id: "r-1", task_type: "COUNT", inputs: { to: 2 } };

let agent: TestAgent;
beforeAll(async () => {
  agent = await start({ COUNT: countTask }, {}, { limits: { max_body_bytes: 4096 } });
});
afterAll(() => agent.close());

type Sent = { readonly body?: string; readonly headers?: Record<string, string>; readonly method?: string };

async function send(path: string, { body, headers = JSON_TYPE, method = "POST" }: Sent) {
  const response = await fetch(agent.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const seen = text + JSON.stringify([...response.headers]);
  return { status: response.status, headers: response.headers, seen, body: JSON.parse(text) };
}

function nested(levels: number): unknown {
  return levels === 0 ? CANARY : { deeper: nested(levels - 1) };
}
function request(changes: object): string {
  return JSON.stringify({ ...good, ...changes });
}
const withCanary = { to: 2, note: CANARY };

type Case = [what: string, status: number, code: string, requestId: string, sent: Sent];

const cases: Case[] = [
  ["malformed JSON", 400, "INVALID_REQUEST", "", { body: `{"request_id": "r-1", "x": ${CANARY}` }],
  ["no body", 400, "INVALID_REQUEST", "", {}],
  ["an empty body", 400, "INVALID_REQUEST", "", { body: "" }],
  ["an array", 400, "INVALID_REQUEST", "", { body: `["${CANARY}"]` }],
  ["null", 400, "INVALID_REQUEST", "", { body: "null" }],
  ["a string", 400, "INVALID_REQUEST", "", { body: `"${CANARY}"` }],
  ["no request_id", 400, "INVALID_REQUEST", "", { body: request({ request_id: undefined }) }],
  ["a blank request_id", 400, "INVALID_REQUEST", " ", { body: request({ request_id: " " }) }],
  ["a numeric request_id", 400, "INVALID_REQUEST", "", { body: request({ request_id: 7 }) }],
  ["no task_type", 400, "INVALID_REQUEST", "r-1", { body: request({ task_type: undefined }) }],
  ["a blank task_type", 400, "INVALID_REQUEST", "r-1", { body: request({ task_type: "" }) }],
  ["inputs that are an array", 400, "INVALID_REQUEST", "r-1", { body: request({ inputs: [CANARY] }) }],
  ["inputs that are text", 400, "INVALID_REQUEST", "r-1", { body: request({ inputs: CANARY }) }],
  ["an unknown mode", 400, "INVALID_REQUEST", "r-1", { body: request({ mode: CANARY }) }],
  ["a negative budget", 400, "INVALID_REQUEST", "r-1", { body: request({ budgets: { timeout_ms: -1 } }) }],
  ["33 levels", 400, "INVALID_REQUEST", "r-1", { body: request({ inputs: nested(32) }) }],
  ["inputs that do not fit", 400, "INVALID_INPUTS", "r-1", { body: request({ inputs: { to: CANARY } }) }],
  ["an unknown input", 400, "INVALID_INPUTS", "r-1", { body: request({ inputs: withCanary }) }],
  ["a secret name", 400, "INVALID_INPUTS", "r-1", { body: request({ inputs: { to: 1, [CANARY]: 1 } }) }],
  [
    "LIVE without inputs",
    400,
    "INVALID_INPUTS",
    "r-1",
    { body: request({ mode: "LIVE", inputs: undefined }) },
  ],
  ["LIVE with empty inputs", 400, "INVALID_INPUTS", "r-1", { body: request({ mode: "LIVE", inputs: {} }) }],
  [
    "an unknown task",
    422,
    "UNSUPPORTED_TASK",
    "r-1",
    { body: request({ task_type: "OTHER", inputs: withCanary }) },
  ],
  [
    "no media type",
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "",
    { body: request({}), headers: { "Content-Type": "" } },
  ],
  [
    "text",
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "",
    { body: request({}), headers: { "Content-Type": "text/plain" } },
  ],
  [
    "a content encoding",
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "",
    { body: request({}), headers: { ...JSON_TYPE, "Content-Encoding": "gzip" } },
  ],
  ["a large body", 413, "PAYLOAD_TOO_LARGE", "", { body: request({ user_id: CANARY.repeat(500) }) }],
  [
    "a long Idempotency-Key",
    400,
    "INVALID_REQUEST",
    "r-1",
    { body: request({}), headers: { ...JSON_TYPE, "Idempotency-Key": "k".repeat(257) } },
  ],
  ["GET", 405, "METHOD_NOT_ALLOWED", "", { method: "GET", headers: {} }],
];

describe.each(["/agents/run/sync", "/agents/run/stream"])("%s refuses", (path) => {
  test.each(cases)("%s with %i %s", async (_, status, code, requestId, sent) => {
    const answer = await send(path, sent);
    expect(answer).toMatchObject({ status, body: { request_id: requestId, error: { code } } });
    expect(agentContract.refusal(answer.body)).toMatchObject({ ok: true });
    expect(answer.seen).not.toContain(CANARY);
  });
});

test("32 levels are taken", async () => {
  const { status } = await send("/agents/run/sync", { body: request({ extra: nested(31) }) });
  expect(status).toBe(200);
});

test("the media type may have a charset and any case", async () => {
  const headers = { "Content-Type": "Application/JSON; charset=UTF-8" };
  expect((await send("/agents/run/sync", { body: request({}), headers })).status).toBe(200);
});

test("a refusal names the place and the rule", async () => {
  const { body } = await send("/agents/run/sync", { body: request({ inputs: { to: -1 } }) });
  expect(body.error).toEqual({
    code: "INVALID_INPUTS",
    message: "The inputs are not valid: /inputs/to must be at least 0.",
    details: { path: "/inputs/to", rule: "minimum" },
  });
});

test.each([
  ["/nowhere", 404, "NOT_FOUND"],
  ["/%E0%A4%A", 404, "NOT_FOUND"],
])("%s is answered %i in the same shape", async (path, status, code) => {
  const answer = await send(path, { method: "GET", headers: {} });
  expect(answer).toMatchObject({ status, body: { request_id: "", error: { code } } });
  expect(agentContract.refusal(answer.body).ok).toBe(true);
});

test("another method on the card says which it takes", async () => {
  const { status, headers } = await send("/agents/card", { method: "DELETE", headers: {} });
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("a body that is not UTF-8 is refused", async () => {
  const body = Buffer.concat([Buffer.from('{"request_id": "'), Buffer.from([0xff]), Buffer.from('"}')]);
  const response = await fetch(`${agent.url}/agents/run/sync`, { method: "POST", headers: JSON_TYPE, body });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: "INVALID_REQUEST" } },
  ]);
});

test("a body without a declared length is cut off at the limit", async () => {
  const body = ReadableStream.from([Buffer.from(request({})), Buffer.alloc(5000, " ")]);
  const init = { method: "POST", headers: JSON_TYPE, body, duplex: "half" } as const;
  const response = await fetch(`${agent.url}/agents/run/sync`, init);
  expect([response.status, await response.json()]).toMatchObject([
    413,
    { error: { code: "PAYLOAD_TOO_LARGE" } },
  ]);
});

test("a body that is far too large is answered while it is still being sent", async () => {
  const socket = connect(Number(new URL(agent.url).port), "127.0.0.1");
  let seen = "";
  socket.on("data", (chunk) => {
    seen += chunk;
  });
  socket.write(
    "POST /agents/run/sync HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n",
  );
  for (let sent = 0; sent < 9_000_000 && !seen.includes("PAYLOAD_TOO_LARGE"); sent += 65_536) {
    socket.write("x".repeat(65_536));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => seen.includes("PAYLOAD_TOO_LARGE"));
  socket.destroy();
  expect(seen).toMatch(/^HTTP\/1\.1 413 /);
});

test("what parses into very much is refused before it is parsed, so that nothing of it is echoed", async () => {
  const roomy = await start({ COUNT: countTask }, {}, { limits: { max_body_bytes: 1024 * 1024 } });
  const refusalOf = async (inputs: string) => {
    const body = `{"request_id":"r-1","task_type":"COUNT","inputs":${inputs}}`;
    const response = await fetch(`${roomy.url}/agents/run/sync`, {
      method: "POST",
      headers: JSON_TYPE,
      body,
    });
    const refusal = agentContract.refusal(await response.json());
    return refusal.ok
      ? [response.status, refusal.value.request_id, refusal.value.error.code]
      : refusal.problem;
  };
  const unread = [400, "", "INVALID_REQUEST"];
  expect(await refusalOf("[".repeat(500_000))).toEqual(unread);
  expect(await refusalOf(`${"[".repeat(600)}${"]".repeat(600)}`)).toEqual(unread);
  expect(await refusalOf(`{"to":[${"{},".repeat(100_001)}{}]}`)).toEqual(unread);
  // As many as a body of its size may have: the schema judges them.
  expect(await refusalOf(`{"to":[${"1,".repeat(90_000)}1]}`)).toEqual([400, "r-1", "INVALID_INPUTS"]);
  await roomy.close();
});
