import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayOptions, type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { get, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { freePort, type RedisServer, startRedis } from "./support/redis.ts";
import { type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

/** Stands in every secret. Nothing that the gateway writes or answers may hold it. */
const MARKER = `marker-${randomUUID()}`;

const keep = closingAtEnd();
const use = closing();
let dir: string;
let redis: RedisServer;
let agent: StandIn;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "interlock-secrets-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  redis = keep(await startRedis());
  const admin = new Redis(redis.url);
  await admin.call("ACL", "SETUSER", "gateway", "on", `>${MARKER}`, "~*", "&*", "+@all");
  admin.disconnect();
  agent = keep(await standIn(PUBLISHING));
});

const withPassword = (password: string, url = redis.url) =>
  url.replace("redis://", `redis://gateway:${password}@`);

/** A file that holds the marker. */
function file(name: string): string {
  const path = join(dir, name);
  writeFileSync(path, `${MARKER}\n`);
  return path;
}

const options = (env: Record<string, string>, redisUrl = ""): GatewayOptions => ({
  manifest: publishingMesh(agent.url),
  redisUrl,
  env: { LOG_LEVEL: "trace", ...env },
});

/** What a gateway prints that does not start. */
const refusal = (given: GatewayOptions): Promise<string> =>
  gatewayProcess(given).then(
    async (started) => {
      await started.stop();
      return "it started";
    },
    (error: Error) => error.message,
  );

const ASKED = [
  "/healthz",
  "/readyz",
  "/metrics",
  "/api/v1/agents",
  "/api/v1/chat/tools",
  "/api/v1/runs",
  "/nowhere",
];

/** All that a gateway answers and prints, until it has said what is wrong. */
async function everythingOf(gateway: GatewayProcess): Promise<string> {
  const answers = await Promise.all(ASKED.map((path) => get(gateway, path)));
  answers.push(await post(gateway, "/api/v1/chat", { message: "Propose new prices", session_id: "s" }));
  answers.push(await post(gateway, "/api/v1/runs", { flow: "publishing", session_id: "s" }));
  await until(() => gateway.logs().includes('"trouble"'));
  gateway.child.kill("SIGTERM");
  await gateway.exited;
  return `${answers.map(({ headers, text }) => JSON.stringify(headers) + text).join("\n")}\n${gateway.logs()}`;
}

describe("a secret stays out of logs and answers", () => {
  test("of a gateway that works with the one in a file", async () => {
    const path = join(dir, "redis-url");
    writeFileSync(path, `${withPassword(MARKER)}\n`);
    const gateway = use(await gatewayProcess(options({ REDIS_URL_FILE: path })));
    const events = await toRest(gateway, await startRun(gateway, { flow: "publishing" }, {}), {});
    expect(events.at(-1)).toMatchObject({ type: "run_paused" });
    for (const path of ASKED) expect((await get(gateway, path)).text).not.toContain(MARKER);
    expect(gateway.logs()).not.toContain(MARKER);
  });

  test("when Redis refuses it", async () => {
    const gateway = use(await gatewayProcess(options({}, withPassword(`${MARKER}-wrong`))));
    const everything = await everythingOf(gateway);
    expect(everything).toContain("store_unavailable");
    expect(everything).not.toContain(MARKER);
  });

  test("when Redis cannot be reached, with TLS and without", async () => {
    const port = await freePort();
    for (const protocol of ["redis", "rediss"]) {
      const url = `${protocol}://gateway:${MARKER}@127.0.0.1:${port}`;
      const everything = await everythingOf(use(await gatewayProcess(options({}, url))));
      expect(everything).toContain("store_unavailable");
      expect(everything).not.toContain(MARKER);
    }
  });

  test.each<[problem: string, env: () => Record<string, string>, named: string]>([
    ["a URL that is none", () => ({ REDIS_URL: `http://${MARKER}` }), "REDIS_URL"],
    ["a file that is not there", () => ({ REDIS_URL_FILE: join(dir, MARKER) }), "REDIS_URL_FILE"],
    ["a file that holds something else", () => ({ REDIS_URL_FILE: file("url") }), "REDIS_URL"],
    [
      "two values",
      () => ({ REDIS_URL: withPassword(MARKER), REDIS_URL_FILE: file("url") }),
      "REDIS_URL_FILE",
    ],
    [
      "a file for TLS without TLS",
      () => ({ REDIS_URL: redis.url, REDIS_CA_FILE: file("ca") }),
      "REDIS_CA_FILE",
    ],
    [
      "a weak one where others can reach it",
      () => ({ HOST: "0.0.0.0", REDIS_URL: "redis://:changeme@127.0.0.1" }),
      "weak password",
    ],
  ])("when the gateway does not start: %s", async (_problem, env, named) => {
    const text = await refusal(options(env()));
    expect(text).toContain(named);
    expect(text).not.toContain(MARKER);
    expect(text).not.toContain("changeme");
  });

  test("when the manifest holds it", async () => {
    const manifest = publishingMesh(agent.url.replace("://", `://user:${MARKER}@`));
    const text = await refusal({ manifest, redisUrl: redis.url });
    expect(text).toContain("must not hold credentials");
    expect(text).not.toContain(MARKER);
  });

  test("when the process ends with an error that quotes it", async () => {
    const crash = join(dir, "crash.mjs");
    const error = `Object.assign(new Error("${MARKER}", { cause: "${MARKER}" }), { command: { args: ["${MARKER}"] } })`;
    writeFileSync(crash, `process.once("SIGUSR2", () => void Promise.reject(${error}));`);
    const NODE_OPTIONS = `--import=${pathToFileURL(crash)}`;
    const gateway = use(await gatewayProcess(options({ NODE_OPTIONS }, redis.url)));
    gateway.child.kill("SIGUSR2");
    expect(await gateway.exited).toMatchObject({ code: 1 });
    expect(gateway.logs()).toContain("The gateway ends: Error");
    expect(gateway.logs()).toContain("crash.mjs");
    expect(gateway.logs()).not.toContain(MARKER);
  });
});

describe("the metrics", () => {
  test("have a port of their own where METRICS_PORT says so", async () => {
    const gateway = use(await gatewayProcess(options({ METRICS_PORT: "0" }, redis.url)));
    expect((await get(gateway, "/metrics")).status).toBe(404);
    const scraped = { url: gateway.metricsUrl ?? "" };
    expect((await get(scraped, "/metrics")).text).toContain("interlock_http_request_seconds");
    expect((await get(scraped, "/api/v1/agents")).status).toBe(404);
    gateway.child.kill("SIGTERM");
    expect(await gateway.exited).toMatchObject({ code: 0 });
  });

  test("and the state of the process are told beside the API to programs of this machine only", async () => {
    const inner = use(await gatewayProcess(options({}, redis.url)));
    expect((await get(inner, "/metrics")).status).toBe(200);
    expect((await get(inner, "/readyz")).json()).toHaveProperty("loop_stall_ms");
    const env = { HOST: "0.0.0.0", ALLOW_INSECURE_STORE: "1" };
    const outer = use(await gatewayProcess(options(env, redis.url)));
    const foreign = [
      [inner, { "x-forwarded-for": "192.0.2.60" }],
      [inner, { host: "evil.example" }],
      [{ url: outer.url.replace("0.0.0.0", "127.0.0.1") }, {}],
    ] as const;
    for (const [where, headers] of foreign) {
      expect((await get(where, "/metrics", headers)).json()).toMatchObject({ code: "not_found" });
      expect(Object.keys((await get(where, "/readyz", headers)).json())).toEqual(["status", "store"]);
      expect((await get(where, "/healthz", headers)).status).toBe(200);
    }
  });
});
