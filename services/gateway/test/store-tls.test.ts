import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { type Certificates, certificates } from "./support/certificates.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, decide, get, LEE, pausedRun, post, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { freePort } from "./support/redis.ts";
import { type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const AGENT = fileURLToPath(new URL("../../agent-kit/test/main.ts", import.meta.url));

const keep = closingAtEnd();
const use = closing();
let pem: Certificates;
let agent: StandIn;
let dir: string;

beforeAll(async () => {
  pem = keep(certificates());
  agent = keep(await standIn(PUBLISHING));
  dir = mkdtempSync(join(tmpdir(), "interlock-store-tls-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
});

/** What a server needs that speaks TLS alone and wants a certificate of its clients. */
const tlsOf = (port: number): [name: string, value: string][] => [
  ["port", "0"],
  ["tls-port", String(port)],
  ["tls-cert-file", pem.server.cert],
  ["tls-key-file", pem.server.key],
  ["tls-ca-cert-file", pem.ca],
  ["tls-auth-clients", "yes"],
  ["tls-replication", "yes"],
];

const asArguments = (settings: readonly (readonly string[])[]): string[] =>
  settings.flatMap(([name = "", ...values]) => [`--${name}`, ...values]);

function started(args: readonly string[]): ChildProcess {
  const child = spawn("redis-server", args, { stdio: "ignore" });
  const exited = once(child, "exit");
  use({
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  });
  return child;
}

/** A server, and a client of the test. */
async function server(more: readonly (readonly string[])[] = []): Promise<{ port: number; client: Redis }> {
  let port = 0;
  do port = await freePort();
  while (port > 55_000);
  const own = mkdtempSync(join(dir, "server-"));
  const settings = [...tlsOf(port), ["bind", "127.0.0.1"], ["dir", own], ["save", ""], ...more];
  started(asArguments(settings));
  const [ca, cert, key] = [pem.ca, pem.client.cert, pem.client.key].map((path) => readFileSync(path));
  const tls = { ca, cert, key };
  const client = new Redis(port, "127.0.0.1", { tls, retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on("error", () => undefined);
  use({ stop: () => client.disconnect() });
  await client.ping();
  return { port, client };
}

const WITH_CERTIFICATE = () => ({
  REDIS_CA_FILE: pem.ca,
  REDIS_CERT_FILE: pem.client.cert,
  REDIS_KEY_FILE: pem.client.key,
});

const gatewayAt = async (redisUrl: string, env: Record<string, string> = WITH_CERTIFICATE()) =>
  use(await testGateway({ manifest: publishingMesh(agent.url), redisUrl, env }));

const isReady = async (gateway: TestGateway) => (await get(gateway, "/readyz")).status === 200;

/** The URL of each form, for servers that are started for it. */
const FORMS: Record<string, () => Promise<string>> = {
  "one server": async () => `rediss://127.0.0.1:${(await server()).port}`,
  sentinels: async () => {
    const { port } = await server();
    const own = await freePort();
    const config = join(dir, "sentinel.conf");
    const lines = [
      ...tlsOf(own),
      ["dir", dir],
      ["sentinel", "monitor", "mesh", "127.0.0.1", String(port), "1"],
    ];
    writeFileSync(config, lines.map((line) => line.join(" ")).join("\n"));
    started([config, "--sentinel"]);
    return `rediss+sentinel://127.0.0.1:${own}/mesh`;
  },
  "a cluster": async () => {
    const { port, client } = await server([
      ["cluster-enabled", "yes"],
      // A node that has met no other does not know its address.
      ["cluster-announce-ip", "127.0.0.1"],
      ["tls-cluster", "yes"],
    ]);
    await client.call("CLUSTER", "ADDSLOTSRANGE", 0, 16_383);
    await until(async () => String(await client.cluster("INFO")).includes("cluster_state:ok"));
    return `rediss+cluster://127.0.0.1:${port}`;
  },
};

test.each(Object.keys(FORMS))(
  "over TLS with a certificate of its own: %s",
  async (form) => {
    const url = (await FORMS[form]?.()) ?? "";
    const one = await gatewayAt(url);
    const other = await gatewayAt(url);
    await until(async () => (await isReady(one)) && (await isReady(other)));
    // The queue starts the run, the other replica follows it, an approval resumes it.
    const run = await pausedRun(one, { flow: "publishing" });
    expect((await decide(other, run, "approve", LEE)).status).toBe(200);
    expect((await toRest(one, run.runId, ANN, run.seq)).at(-1)).toMatchObject({ type: "run_finished" });
  },
  60_000,
);

test("an agent keeps its answers by key over TLS", async () => {
  const { port, client } = await server();
  const env = {
    PATH: process.env.PATH,
    PORT: "0",
    REDIS_URL: `rediss://127.0.0.1:${port}`,
    ...WITH_CERTIFICATE(),
  };
  const child = spawn(process.execPath, [AGENT], { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  use({
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  await until(() => output.includes('"url"'));
  const url = /"url":"([^"]+)"/.exec(output)?.[1] ?? "";
  const body = { request_id: "r1", task_type: "COUNT", inputs: { to: 2 } };
  expect((await post({ url }, "/agents/run/sync", body, { "idempotency-key": "k1" })).status).toBe(200);
  expect(await client.keys("interlock:agent:*")).toHaveLength(1);
});

test("a server whose certificate the authority has not signed is not talked to, however often", async () => {
  const { port } = await server();
  const env = { ...WITH_CERTIFICATE(), REDIS_CA_FILE: pem.otherCa };
  const redisUrl = `rediss://127.0.0.1:${port}`;
  const gateway = use(await gatewayProcess({ manifest: publishingMesh(agent.url), redisUrl, env }));
  await until(() => gateway.logs().split('"trouble"').length > 20);
  expect(gateway.logs()).toMatch(/CERT|SIGNATURE|ISSUER/);
  expect(await isReady(gateway)).toBe(false);
});
