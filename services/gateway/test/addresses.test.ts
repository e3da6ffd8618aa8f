import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { pricingMesh } from "./support/mesh.ts";
import { as, get, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
const PER_MINUTE = 3;
const BAD = { authorization: "Bearer not.a.token" };

let redisUrl: string;
let agentUrl: string;
let gateway: TestGateway;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  agentUrl = keep(await standIn({})).url;
});

beforeEach(async () => {
  gateway = await started({ TRUSTED_PROXIES: "127.0.0.1/32" });
});

async function started(env: Record<string, string>): Promise<TestGateway> {
  const limit = { FAILED_AUTH_PER_MINUTE: String(PER_MINUTE) };
  return use(await testGateway({ manifest: pricingMesh(agentUrl), redisUrl, env: { ...limit, ...env } }));
}

const TOOLS = "/api/v1/chat/tools";

async function failures(count: number, where: TestGateway, headers: Record<string, string>) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await get(where, TOOLS, headers)).status);
  return statuses;
}

const from = (address: string) => ({ "x-forwarded-for": address });

test("who fails to authenticate too often hears 429, at another address 401", async () => {
  expect(await failures(5, gateway, { ...BAD, ...from("203.0.113.1") })).toEqual([401, 401, 401, 429, 429]);
  const refused = await get(gateway, TOOLS, { ...BAD, ...from("203.0.113.1") });
  expect(refused.json()).toMatchObject({ code: "rate_limited" });
  expect(refused.headers["retry-after"]).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect(await failures(1, gateway, { ...BAD, ...from("203.0.113.2") })).toEqual([401]);
});

test("whoever shares the address is served with a good token", async () => {
  await failures(5, gateway, { ...BAD, ...from("203.0.113.1") });
  const answer = await get(gateway, TOOLS, { ...as(`user-${randomUUID()}`), ...from("203.0.113.1") });
  expect(answer.status).toBe(200);
});

test("addresses of one IPv6 network count as one", async () => {
  const statuses = [];
  for (const host of ["::1", ":1::2", ":a:b:c:d", "::5"])
    statuses.push(...(await failures(1, gateway, { ...BAD, ...from(`2001:db8:0:7${host}`) })));
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect(await failures(1, gateway, { ...BAD, ...from("2001:db8:0:8::1") })).toEqual([401]);
});

test("forwarding headers of a client that is no listed proxy do not change its address", async () => {
  const direct = await started({});
  const statuses = [];
  for (let n = 1; n <= 4; n++)
    statuses.push(...(await failures(1, direct, { ...BAD, ...from(`203.0.113.${n}`) })));
  expect(statuses).toEqual([401, 401, 401, 429]);
});

test("a request that a listed proxy forwards to a loopback binding is nobody's without a token", async () => {
  expect((await get(gateway, TOOLS)).status).toBe(200);
  expect((await get(gateway, TOOLS, from("203.0.113.1"))).status).toBe(401);
});

test("the log says where refused requests come from, and of no others", async () => {
  await get(gateway, TOOLS, { ...BAD, ...from("203.0.113.1") });
  await post(
    gateway,
    "/api/v1/chat",
    { message: "hi", session_id: "s" },
    { ...as("ann"), ...from("203.0.113.9") },
  );
  const lines = gateway.logs().split("\n");
  expect(lines.find((line) => line.includes('"status":401'))).toContain('"address":"203.0.113.1"');
  expect(gateway.logs()).not.toContain("203.0.113.9");
});
