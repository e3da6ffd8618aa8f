import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayOptions, gatewayProcess, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, as, get, post, type Where } from "./support/people.ts";
import { StoreView } from "./support/publishing.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { EventReader } from "./support/sse.ts";
import { answering, callsOf, finish, holding, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const ROOT = as("root", "admin");

let redis: Pick<RedisServer, "url">;

beforeAll(async () => {
  redis = keep(await testRedis());
});

/** The pricing mesh without flows, whose agents take many requests at once, and whatever a test adds to it. */
function meshOf(url: string, more: object = {}) {
  const { agents, services, flows: _, ...mesh } = pricingMesh(url);
  const { pricing: __, ...asks } = services;
  const limits = { timeout_ms: 60_000, retries: 0, max_concurrency: 500 };
  const roomy = Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [name, { ...agent, limits }]),
  );
  return { ...mesh, agents: roomy, services: asks, ...more };
}

type Manifest = ReturnType<typeof meshOf> & { services: Record<string, object> };

function withService({ agents, services, ...mesh }: Manifest, url: string) {
  const statistics = { url, tasks: { DESCRIBE: "Describes." } };
  const service = { agent: "statistics", task_type: "DESCRIBE", keywords: ["describe"] };
  return { ...mesh, agents: { ...agents, statistics }, services: { ...services, statistics: service } };
}

const replica = async (options: Omit<GatewayOptions, "redisUrl">) =>
  use(await testGateway({ ...options, redisUrl: redis.url }));
const process = async (options: Omit<GatewayOptions, "redisUrl">) =>
  use(await gatewayProcess({ ...options, redisUrl: redis.url }));

const reload = (where: Where, headers = ROOT) => post(where, "/api/v1/admin/reload", undefined, headers);
const chat = (where: Where, message: string, headers = ANN) =>
  post(where, "/api/v1/chat", { message, session_id: randomUUID() }, headers);
const stream = (where: Where, message: string) =>
  EventReader.open(`${where.url}/api/v1/chat?stream=true`, {
    headers: ANN,
    body: { message, session_id: randomUUID() },
  });
const unset = (variable: string) => `\${${variable}}`;
async function metric(where: Where, name: string): Promise<string | undefined> {
  const { text } = await get(where, "/metrics");
  return text.split("\n").find((line) => line.startsWith(name));
}

describe("a reload", () => {
  test("adds a service while 100 streams run: none of them is cut, all are answered, and the service is there", async () => {
    const { handler, next } = holding();
    const agent = use(await standIn({ PRICE_OPTIMIZATION: handler, DESCRIBE: answering({ mean: 3 }) }));
    const manifest = meshOf(agent.url);
    const gateway = await process({ manifest });
    const streams: EventReader[] = [];
    while (streams.length < 100)
      streams.push(...(await Promise.all(Array.from({ length: 5 }, () => stream(gateway, "propose")))));
    const calls = await Promise.all(streams.map(() => next()));
    expect((await chat(gateway, "describe these")).json()).not.toHaveProperty("tools_used.0");

    gateway.write(withService(manifest, agent.url));
    const answer = await reload(gateway);
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        edition: expect.stringMatching(/^[0-9a-f]{16}$/),
        changed: {
          agents: { added: ["statistics"], removed: [], changed: [] },
          services: { added: ["statistics"], removed: [], changed: [] },
        },
      },
    ]);
    expect((await chat(gateway, "describe these")).json()).toMatchObject({ tools_used: ["describe"] });

    for (const call of calls) finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    expect(new Set(await Promise.all(streams.map(({ over }) => over)))).toEqual(new Set(["ended"]));
    for (const { data } of streams)
      expect(data.at(-1)).toMatchObject({ done: true, message: GOOD_OUTPUTS.PRICE_OPTIMIZATION.summary });
  }, 180_000);

  test("of what is behind an answer leaves the runs under way as they are", async () => {
    const { handler, next } = holding();
    const agent = use(await standIn({ PRICE_OPTIMIZATION: handler }));
    const manifest = meshOf(agent.url);
    const gateway = await replica({ manifest });
    const before = chat(gateway, "propose");
    const first = await next();
    const { optimizer } = manifest.services;
    gateway.write({
      ...manifest,
      services: {
        ...manifest.services,
        optimizer: { ...optimizer, answer: { text: "New: {outputs.summary}" } },
      },
    });
    await gateway.reload();
    const after = chat(gateway, "propose");
    for (const call of [await next(), first]) finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    expect((await before).json()).toMatchObject({ message: "One price moves." });
    expect((await after).json()).toMatchObject({ message: "New: One price moves." });
  });

  test("keeps what there is to an agent that has not changed, and closes the connections to one that was removed with its last run", async () => {
    const check = holding();
    const kept = use(await standIn({ POLICY_CHECK: check.handler }));
    const { handler, next } = holding();
    const removed = use(await standIn({ DESCRIBE: handler }));
    const manifest = meshOf(kept.url);
    const gateway = await replica({ manifest: withService(manifest, removed.url) });
    const checking = chat(gateway, "check");
    const checked = await check.next();
    const last = await stream(gateway, "describe these");
    const call = await next();

    gateway.write(manifest);
    expect((await reload(gateway)).json()).toMatchObject({
      changed: { agents: { removed: ["statistics"] } },
    });
    const inFlight = 'interlock_agent_inflight{agent="policy"}';
    expect(await metric(gateway, inFlight)).toBe(`${inFlight} 1`);
    expect((await get(gateway, "/metrics")).text).not.toContain(
      'interlock_agent_inflight{agent="statistics"}',
    );
    expect((await get(gateway, "/api/v1/agents", ANN)).text).not.toContain("statistics");
    expect(await metric(gateway, "interlock_open_editions")).toBe("interlock_open_editions 2");
    expect(removed.sockets.size).toBeGreaterThan(0);

    finish(checked, GOOD_OUTPUTS.POLICY_CHECK);
    expect((await checking).status).toBe(200);
    finish(call, { mean: 3 });
    expect(await last.over).toBe("ended");
    expect(last.data.at(-1)).toMatchObject({ done: true, tools_used: ["describe"] });
    await until(() => removed.sockets.size === 0);
    expect(await metric(gateway, "interlock_open_editions")).toBe("interlock_open_editions 1");
  });

  test("of roles and limits counts at once, also for the agents of runs under way", async () => {
    const agent = use(await standIn({ POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK) }));
    const access = { roles: { checker: { sessions: "own", services: ["*"], tasks: ["policy/*"] } } };
    const manifest = meshOf(agent.url, { access });
    const gateway = await replica({ manifest });
    const eve = as("eve", "checker");
    expect((await chat(gateway, "check", eve)).status).toBe(200);

    gateway.write({
      ...manifest,
      access: { roles: {} },
      limits: { agents: { policy: { points: 1, per_s: 600 } } },
    });
    expect((await reload(gateway)).json().changed).toEqual({
      roles: { added: [], removed: ["checker"], changed: [] },
      settings: { added: ["limits"], removed: [], changed: [] },
    });
    expect((await chat(gateway, "check", eve)).status).toBe(403);
    expect((await chat(gateway, "check")).status).toBe(200);
    expect((await chat(gateway, "check")).status).toBe(429);
  });

  test("of a manifest that cannot be used says everything that is wrong with it, and changes nothing", async () => {
    const agent = use(await standIn({ POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK) }));
    const manifest = meshOf(agent.url);
    const gateway = await replica({ manifest });
    const info = await metric(gateway, "interlock_edition_info");
    const problemsOf = async (broken: object) => {
      gateway.write(broken);
      const { status, ...answer } = await reload(gateway);
      expect([status, answer.json().code]).toEqual([422, "invalid_manifest"]);
      return answer.json().problems;
    };
    const lost = { agent: "nobody", task_type: "X" };
    expect(
      await problemsOf({ ...manifest, services: { one: lost, two: { ...lost, agent: "policy" } } }),
    ).toEqual([
      expect.stringMatching(
        /^\S+:\d+:\d+: services\.one\.agent: there is no agent "nobody"; there are: optimizer, policy, /,
      ),
      expect.stringMatching(
        /^\S+:\d+:\d+: services\.two\.task_type: agent "policy" has no task "X"; there are: POLICY_CHECK$/,
      ),
    ]);
    const wrong = { checker: { services: ["nothing"] } };
    expect(await problemsOf({ ...manifest, access: { roles: wrong } })).toEqual([
      expect.stringContaining("checker"),
    ]);
    expect(
      await problemsOf({ ...manifest, agents: { policy: { url: unset("NOWHERE"), tasks: {} } } }),
    ).toEqual(["the variable NOWHERE is not set and has no default"]);
    await gateway.reload();

    expect(gateway.logs()).toContain("the manifest was not reloaded");
    expect((await chat(gateway, "check")).status).toBe(200);
    expect(await metric(gateway, "interlock_edition_info")).toBe(info);
    gateway.write(manifest);
    expect((await reload(gateway)).json().changed).toEqual({});
  });

  test("is for administrators, is in the decision log, and comes one after the other", async () => {
    const agent = use(await standIn({}));
    const manifest = meshOf(agent.url);
    const gateway = await replica({ manifest });
    const [root, tenant] = [as("root", "admin", "north"), "north"];
    for (const roles of ["", "operator", "pricing_approver"])
      expect((await reload(gateway, as("ann", roles))).status).toBe(403);

    gateway.write(withService(manifest, agent.url));
    const answers = await Promise.all([reload(gateway, root), reload(gateway, root)]);
    const [first, second] = answers.map((answer) => answer.json());
    expect(first?.edition).toBe(second?.edition);
    expect([first?.changed, second?.changed]).toContainEqual({});
    const { json } = await get(gateway, "/readyz");
    expect(json()).toMatchObject({ edition: first?.edition });
    expect(await metric(gateway, "interlock_edition_info")).toBe(
      `interlock_edition_info{edition="${first?.edition}"} 1`,
    );
    const store = use(new StoreView(redis.url));
    await until(async () => {
      const log = JSON.stringify(await store.redis.xrange(`il:{${tenant}}:audit`, "-", "+"));
      return log.includes("manifest_reloaded") && log.includes(String(first?.edition));
    });
  });
});

test("SIGHUP reloads the manifest that ships, and holds the event loop no longer than a request may", async () => {
  const agent = use(await standIn({ DESCRIBE: answering({ mean: 3 }) }));
  const shipped = shippedMesh(agent.url);
  const gateway = await process({ manifest: { ...shipped, egress: { allow: ["127.0.0.0/8"] } } });
  const agents = { ...shipped.agents, statistics: { url: agent.url, tasks: { DESCRIBE: "Describes." } } };
  gateway.write({
    ...shipped,
    agents,
    endpoints: { ...shipped.endpoints, describe: { task_type: "DESCRIBE" } },
  });
  gateway.child.kill("SIGHUP");
  await until(() => gateway.logs().includes('"manifest reloaded"'));
  const answer = await post(gateway, "/api/v1/describe", { values: [1, 5] }, ANN);
  expect([answer.status, answer.json()]).toEqual([200, { mean: 3, warnings: [] }]);
  expect(callsOf(agent, "DESCRIBE")).toHaveLength(1);
});
