import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { answerIn, rawConnection } from "./support/raw.ts";
import { testRedis } from "./support/redis.ts";
import { answering, callsOf, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redisUrl: string;
let agent: StandIn;
let gateway: TestGateway;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  agent = keep(await standIn({ POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK) }));
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl }));
});

const chat = (body: unknown, headers: Record<string, string> = {}, url = gateway.url) =>
  ask(`${url}/api/v1/chat`, { body, headers: { "content-type": "application/json", ...headers } });

const question = (inputs: object = {}) => ({
  message: "check the hierarchy",
  session_id: randomUUID(),
  inputs,
});

/** A request for the policy check with a body of `length` bytes, and that body. */
function request(length: number): { head: string; body: string } {
  const body = JSON.stringify({ prices: "x".repeat(length - '{"prices":""}'.length) });
  const lines = [
    "POST /api/v1/policy/check HTTP/1.1",
    "Host: localhost",
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${length}`,
  ];
  return { head: `${lines.join("\r\n")}\r\n\r\n`, body };
}

describe("a large body", () => {
  test("reaches the agent as it was sent, several of them at once", async () => {
    const items = Array.from({ length: 10_000 }, (_, n) => ({
      item_id: `Ä-${n}`,
      tiers: { new: { price: n / 7 }, used: { note: '"[{,' } },
    }));
    const bodies = Array.from({ length: 3 }, () => question({ items }));
    const answers = await Promise.all(bodies.map((body) => chat(body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [call] = callsOf(agent, "POLICY_CHECK");
    expect(call?.body.inputs).toEqual({ items });
  });

  test("goes to a task of its own as it was sent, and a large answer comes back with its warnings", async () => {
    const outputs = { passed: true, items: Array.from({ length: 100_000 }, (_, n) => `Ä "${n}"`) };
    const checker = use(await standIn({ POLICY_CHECK: answering(outputs, { warnings: ["late"] }) }));
    const other = use(await testGateway({ manifest: pricingMesh(checker.url), redisUrl }));
    const inputs = { proposed: Array.from({ length: 10_000 }, (_, n) => ({ item_id: `é-${n}` })) };
    const answer = await ask(`${other.url}/api/v1/policy/check`, { body: inputs });
    expect(answer.json()).toEqual({ ...outputs, warnings: ["late"] });
    expect(callsOf(checker, "POLICY_CHECK")[0]?.body.inputs).toEqual(inputs);
  });

  test("is refused over the limit of bytes, before it is sent", async () => {
    const connection = use(await rawConnection(gateway.url));
    connection.write(request(8 * 1024 * 1024 + 1).head);
    const refused = answerIn(await connection.closed);
    expect([refused.status, refused.json().code]).toEqual([413, "payload_too_large"]);
  });

  test("is refused over the limit of values, or where it is not JSON", async () => {
    const refusals = await Promise.all([
      chat(question({ list: Array.from({ length: 500_001 }, () => 0) })),
      chat(`${JSON.stringify(question({ text: "x".repeat(100_000) })).slice(0, -1)},}`),
    ]);
    expect(refusals.map((refused) => [refused.status, refused.json().code])).toEqual([
      [400, "invalid_request"],
      [400, "invalid_json"],
    ]);
  });

  test("is the same request for its key when its bytes are the same", async () => {
    const body = JSON.stringify(question({ list: Array.from({ length: 50_000 }, (_, n) => n) }));
    const headers = { "idempotency-key": randomUUID() };
    const first = await chat(body, headers);
    expect(first.status).toBe(200);
    expect((await chat(body, headers)).text).toBe(first.text);
    expect((await chat(`${body} `, headers)).json()).toMatchObject({ code: "idempotency_mismatch" });
  });
});

describe("bodies under way", () => {
  test("have a total: what goes over it is refused before it is read, and works later", async () => {
    const env = { MAX_BODY_BYTES: "60000", MAX_BODIES_BYTES: "100000" };
    const small = use(await testGateway({ manifest: pricingMesh(agent.url), redisUrl, env }));
    const { head, body } = request(60_000);
    const first = use(await rawConnection(small.url));
    first.write(head + body.slice(0, 59_999));
    const other = { prices: "x".repeat(59_000) };
    const refusal = async () => {
      const { status } = await ask(`${small.url}/api/v1/policy/check`, { body: other });
      return status === 503;
    };
    await until(refusal);
    const second = use(await rawConnection(small.url));
    second.write(head);
    const refused = answerIn(await second.closed);
    expect([refused.status, refused.json().code]).toEqual([503, "overloaded"]);
    expect(refused.headers).toMatchObject({ "retry-after": "1", connection: "close" });
    // A small one has room.
    expect((await ask(`${small.url}/api/v1/policy/check`, { body: { prices: "few" } })).status).toBe(200);
    first.write(body.slice(59_999));
    expect(answerIn(await first.closed).status).toBe(200);
    expect((await ask(`${small.url}/api/v1/policy/check`, { body: other })).status).toBe(200);
  });

  test("do not count while they are announced alone", async () => {
    const env = { MAX_BODY_BYTES: "60000", MAX_BODIES_BYTES: "60000" };
    const small = use(await testGateway({ manifest: pricingMesh(agent.url), redisUrl, env }));
    const { head, body } = request(60_000);
    for (let count = 0; count < 5; count++) use(await rawConnection(small.url)).write(head);
    const last = use(await rawConnection(small.url));
    last.write(head + body);
    expect(answerIn(await last.closed).status).toBe(200);
  });

  test("are cut where they trickle", async () => {
    const { head, body } = request(60_000);
    const slow = use(await rawConnection(gateway.url));
    slow.write(head + body.slice(0, 100));
    const cut = answerIn(await slow.closed);
    expect([cut.status, cut.json().code]).toEqual([408, "request_timeout"]);
    expect(gatewayContract.error(cut.json())).toMatchObject({ ok: true });
    expect(cut.headers.connection).toBe("close");
  });
});
