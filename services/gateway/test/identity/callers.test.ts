import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { authenticator } from "../../src/identity/index.ts";
import { closing, closingAtEnd } from "../support/closing.ts";
import { type TestGateway, testGateway } from "../support/gateway.ts";
import { claimsOf, jwt, newKey, type SigningKey, TEST_KEY } from "../support/issuer.ts";
import { ANN, as, decide, get, LEE, pausedRun, post, startRun, toRest } from "../support/people.ts";
import { PUBLISHING, publishingMesh } from "../support/publishing.ts";
import { type RedisServer, testRedis } from "../support/redis.ts";
import { type StandIn, standIn } from "../support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url">;
let agent: StandIn;

beforeAll(async () => {
  redis = keep(await testRedis());
  agent = keep(await standIn(PUBLISHING));
});

const boundTo = async (host: string): Promise<TestGateway> =>
  use(
    await testGateway({
      manifest: publishingMesh(agent.url),
      redisUrl: redis.url,
      env: { HOST: host, ALLOW_INSECURE_STORE: "1" },
    }),
  );

const PATHS = ["/api/v1/runs", "/api/v1/approvals", "/api/v1/sessions", "/api/v1/agents", "/api/v1/runs/x"];

describe("a gateway bound to the loopback interface", () => {
  test("takes the caller from the token: each tenant sees its own", async () => {
    const gateway = await boundTo("127.0.0.1");
    const tenants = [randomUUID(), randomUUID()].map((tenant) => as("ann", "", tenant));
    const [mine = ANN, other = ANN] = tenants;
    const session_id = randomUUID();
    const run = await startRun(gateway, { flow: "publishing", session_id }, mine);
    await toRest(gateway, run, mine);
    const runsOf = async (headers: Record<string, string>) =>
      ((await get(gateway, "/api/v1/runs", headers)).json().runs as { run_id: string }[]).map(
        ({ run_id }) => run_id,
      );
    expect([await runsOf(mine), await runsOf(other)]).toEqual([[run], []]);
    const paths = [`/api/v1/runs/${run}`, `/api/v1/runs/${run}/events`, `/api/v1/sessions/${session_id}`];
    const strip = (text: string) => text.replace(/"request_id":"[^"]*"/, "");
    for (const path of paths) {
      const foreign = await get(gateway, path, other);
      const unknown = await get(gateway, path.replace(/[0-9a-f-]{32,36}/, "unknown"), other);
      expect([path, foreign.status, strip(foreign.text)]).toEqual([path, 404, strip(unknown.text)]);
    }
    // One name in two tenants is two sessions.
    expect((await post(gateway, "/api/v1/runs", { flow: "publishing", session_id }, other)).status).toBe(202);
  });

  test("refuses tokens that are none", async () => {
    const gateway = await boundTo("localhost");
    const token = (claims: object, ...more: [SigningKey?, object?]) =>
      `Bearer ${jwt(claimsOf({ sub: "ann", roles: ["analyst"], ...claims }), ...more)}`;
    const now = Math.floor(Date.now() / 1000);
    const good = token({});
    const [head = "", body = "", signature = ""] = good.slice(7).split(".");
    const odd = {
      "no scheme": good.slice(7),
      "another scheme": `Basic ${good.slice(7)}`,
      "no token": "Bearer",
      "not a token": "Bearer x",
      "two tokens": `${good}, ${good}`,
      expired: token({ exp: now - 31 }),
      "without an expiry": token({ exp: undefined }),
      "not yet valid": token({ nbf: now + 60 }),
      "for somebody else": token({ aud: "other" }),
      "of an unknown issuer": token({ iss: "https://other.test" }),
      "of another key": token({}, newKey("test")),
      "of an unknown key": token({}, TEST_KEY, { kid: "other" }),
      "without a key id": token({}, TEST_KEY, { kid: undefined }),
      "of another type": token({}, TEST_KEY, { typ: "dpop+jwt" }),
      "without a signature": `Bearer ${head}.${body}.`,
      "alg none": `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`,
      "with another body": `Bearer ${head}.${Buffer.from(JSON.stringify(claimsOf({ sub: "bo" }))).toString("base64url")}.${signature}`,
      "without a subject": token({ sub: undefined }),
      "with an odd subject": token({ sub: "ann bob" }),
      "with an odd tenant": token({ tenant: "{a}" }),
      "too large": token({ pad: "x".repeat(20_000) }),
    };
    for (const [what, authorization] of Object.entries(odd)) {
      const refused = await get(gateway, "/api/v1/runs", { authorization });
      expect([what, refused.status]).toEqual([what, what === "too large" ? 431 : 401]);
      expect(gatewayContract.error(refused.json())).toMatchObject({ ok: true });
      expect(refused.text + gateway.logs()).not.toContain(body);
      if (refused.status === 401)
        expect(refused.headers["www-authenticate"]).toMatch(/^Bearer realm="interlock"/);
    }
    expect((await get(gateway, "/api/v1/runs", { authorization: good })).status).toBe(200);
    expect((await get(gateway, "/api/v1/runs", { authorization: token({ exp: now - 10 }) })).status).toBe(
      200,
    );
  });
});

describe("a gateway that others can reach", () => {
  test("serves nobody without a token, whatever headers say", async () => {
    const gateway = await boundTo("0.0.0.0");
    const url = gateway.url.replace("0.0.0.0", address());
    for (const path of PATHS) {
      for (const headers of [{}, { "x-user": "admin", "x-roles": "admin" }]) {
        const refused = await get({ url }, path, headers);
        expect([path, refused.status, refused.json().code]).toEqual([path, 401, "unauthorized"]);
      }
    }
    expect((await get({ url }, "/api/v1/agents", ANN)).status).toBe(200);
    expect((await get({ url }, "/healthz")).status).toBe(200);
  });

  test("does not start where nobody vouches for anybody", () => {
    for (const host of [
      "0.0.0.0",
      "::",
      "10.0.0.1",
      "127.0.0.1.example.com",
      "localhost.example.com",
      "128.0.0.1",
    ])
      expect(() => authenticator([], { host, authRequired: false, corsOrigins: [] })).toThrow(/issuers/);
    expect(() => authenticator([], { host: "127.0.0.1", authRequired: true, corsOrigins: [] })).toThrow(
      /issuers/,
    );
  });
});

describe("a request on a loopback binding", () => {
  const HERE = "127.0.0.1:8080";
  const CORS = ["https://console.example"];
  const identify = authenticator([], { host: "127.0.0.1", authRequired: false, corsOrigins: CORS });

  test.each([
    [{ host: "localhost" }],
    [{ host: "LOCALHOST:8080" }],
    [{ host: "127.0.0.1:8080" }],
    [{ host: "127.9.9.9" }],
    [{ host: "[::1]:8080" }],
    [{ host: HERE, origin: `http://${HERE}`, "sec-fetch-site": "same-origin" }],
    [{ host: HERE, origin: "https://console.example", "sec-fetch-site": "cross-site" }],
    [{ host: HERE, "sec-fetch-site": "none" }],
  ])("is of this machine with %j", (headers) => {
    expect(identify(headers)).toMatchObject({ issuer: "local", subject: "local", roles: ["analyst"] });
  });

  test.each([
    ["a page whose name resolves to this machine", { host: "evil.example:8080" }],
    ["such a page's script", { host: "evil.example:8080", origin: "http://evil.example:8080" }],
    ["a name that begins like a local one", { host: "localhost.evil.example" }],
    ["an address that is none of ours", { host: "10.0.0.1:8080" }],
    ["no host", {}],
    ["another page", { host: HERE, origin: "https://evil.example" }],
    ["a page at another port", { host: HERE, origin: "http://127.0.0.1:3000" }],
    ["a page that hides its origin", { host: HERE, origin: "null" }],
    ["another page's image", { host: HERE, "sec-fetch-site": "cross-site" }],
    ["a proxy (Forwarded)", { host: HERE, forwarded: "for=192.0.2.60" }],
    ["a proxy (X-Forwarded-For)", { host: HERE, "x-forwarded-for": "192.0.2.60" }],
    ["a proxy (X-Forwarded-Proto)", { host: HERE, "x-forwarded-proto": "https" }],
    ["a proxy (Via)", { host: HERE, via: "1.1 proxy" }],
    ["a proxy (X-Real-IP)", { host: HERE, "x-real-ip": "192.0.2.60" }],
  ])("is refused from %s without a token", (_from, headers) => {
    expect(() => identify(headers)).toThrow(/this machine/);
  });

  test("that came another way without a token reads nothing, but is told whether the gateway lives", async () => {
    const gateway = await boundTo("127.0.0.1");
    const paused = await pausedRun(gateway, { flow: "publishing" });
    for (const way of [{ host: "evil.example" }, { "x-forwarded-for": "192.0.2.60" }]) {
      const decision = await decide(gateway, paused, "approve", way);
      expect([decision.status, decision.json().code]).toEqual([401, "unauthorized"]);
      expect((await get(gateway, `/api/v1/runs/${paused.runId}`, way)).status).toBe(401);
      expect((await get(gateway, "/healthz", way)).status).toBe(200);
    }
    expect((await decide(gateway, paused, "approve", LEE)).status).toBe(200);
  });
});

/** An address of this machine that is not its loopback one, where it has one. */
function address(): string {
  const all = Object.values(networkInterfaces()).flat();
  return all.find((one) => one?.family === "IPv4" && !one.internal)?.address ?? "127.0.0.1";
}
