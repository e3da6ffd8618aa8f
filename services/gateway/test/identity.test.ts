import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { identifyByHeaders } from "../src/identity/index.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, get, LEE, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { type StandIn, standIn } from "./support/stand-in.ts";

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
  test("takes the caller from the headers: each tenant sees its own", async () => {
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

  test("refuses headers that are none", async () => {
    const gateway = await boundTo("localhost");
    const odd = [
      { "x-user": "ann bob" },
      { "x-user": "" },
      { "x-tenant": "a/b" },
      { "x-tenant": "{a}" },
      { "x-tenant": "x".repeat(65) },
      { "x-roles": "lead, no way!" },
      { "x-roles": "a,,b" },
    ];
    for (const headers of odd) {
      const refused = await get(gateway, "/api/v1/runs", headers);
      expect([headers, refused.status, refused.json().code]).toEqual([headers, 401, "unauthorized"]);
      expect(gatewayContract.error(refused.json())).toMatchObject({ ok: true });
    }
    expect((await get(gateway, "/api/v1/runs", { "x-roles": " lead , ops:eu " })).status).toBe(200);
  });
});

describe("a gateway that others can reach", () => {
  test("refuses a request that names its caller: it serves nobody as somebody they may not be", async () => {
    const gateway = await boundTo("0.0.0.0");
    const url = gateway.url.replace("0.0.0.0", address());
    for (const name of ["x-user", "x-tenant", "x-roles"]) {
      for (const path of PATHS) {
        const refused = await get({ url }, path, { [name]: "admin" });
        expect([name, path, refused.status]).toEqual([name, path, 401]);
      }
      const refused = await post(
        { url },
        "/api/v1/runs",
        { flow: "publishing", session_id: "s" },
        { [name]: "x" },
      );
      expect(refused.json()).toMatchObject({ code: "unauthorized" });
    }
    expect((await get({ url }, "/api/v1/agents")).status).toBe(200);
  });
});

test("loopback is what its addresses say, not what looks like them", () => {
  const named = { host: "127.0.0.1:8080", "x-user": "ann" };
  const on = (host: string) => identifyByHeaders({ host, corsOrigins: [] });
  for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
    expect(on(host)(named)).toMatchObject({ subject: "ann", tenant: "default", roles: [] });
  for (const host of [
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "",
    "128.0.0.1",
  ])
    expect(() => on(host)(named)).toThrow(/loopback/);
});

describe("a request on a loopback binding", () => {
  const HERE = "127.0.0.1:8080";
  const identify = identifyByHeaders({ host: "127.0.0.1", corsOrigins: ["https://console.example"] });

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
    expect(identify(headers)).toMatchObject({ subject: "local", roles: [] });
    expect(identify({ ...headers, "x-user": "ann" })).toMatchObject({ subject: "ann" });
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
  ])("is refused from %s, whoever it says it is", (_from, headers) => {
    expect(() => identify(headers)).toThrow(/this machine/);
    expect(() => identify({ ...headers, "x-user": "lee", "x-roles": "pricing-lead" })).toThrow(
      /this machine/,
    );
  });

  test("that came another way decides nothing and reads nothing, but is told whether the gateway lives", async () => {
    const gateway = await boundTo("127.0.0.1");
    const paused = await pausedRun(gateway, { flow: "publishing" });
    for (const way of [{ host: "evil.example" }, { "x-forwarded-for": "192.0.2.60" }]) {
      const decision = await decide(gateway, paused, "approve", { ...LEE, ...way });
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
