import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { sendStream, started, terminal } from "../src/agents/test/agent.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, callsOf, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

/** Takes for ever where a text nearly fits. */
const ENDLESS = { properties: { note: { pattern: "^(a+)+$" } } };
const NEARLY = `${"a".repeat(60)}!`;
/** More values than the gateway checks on its event loop. */
const ITEMS = Array.from({ length: 2_000 }, (_, n) => ({ item_id: `ITEM-${n}` }));

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;

beforeAll(async () => {
  redis = keep(await testRedis());
});

const agentWith = async (outputs: object): Promise<StandIn> => {
  const handlers = Object.entries({ ...GOOD_OUTPUTS, PRICE_OPTIMIZATION: outputs });
  return use(await standIn(Object.fromEntries(handlers.map(([task, own]) => [task, answering(own)]))));
};

/** A gateway that looks into what its optimizer answers. */
async function gatewayOf(agent: StandIn, timeoutMs: number, schema?: object): Promise<GatewayProcess> {
  const manifest = pricingMesh(agent.url);
  const limits = { ...manifest.agents.optimizer.limits, max_event_bytes: 64 * 1024 * 1024 };
  const outputs = schema === undefined ? {} : { outputs: { PRICE_OPTIMIZATION: schema } };
  Object.assign(manifest.agents.optimizer, { limits, ...outputs });
  const env = { LARGE_VALUE_TIMEOUT_MS: String(timeoutMs), LARGE_VALUE_MEMORY_MB: "128" };
  return use(await gatewayProcess({ manifest, redisUrl: redis.url, env }));
}

const plan = (gateway: { url: string }, message: string, inputs: object) =>
  EventReader.open(`${gateway.url}/api/v1/chat?stream=true&plan=true`, {
    body: { message, session_id: randomUUID(), inputs },
  });

/** Asks for a proposal; returns when the agent has answered. */
async function proposing(gateway: GatewayProcess, agent: StandIn): Promise<EventReader> {
  const stream = await plan(gateway, "propose", {});
  await until(() => callsOf(agent, "PRICE_OPTIMIZATION").some(({ res }) => res.writableEnded));
  return stream;
}

const OVER = { done: true, code: "value_timeout", retryable: false, node: "optimize" };

describe("a run fails where a large value", () => {
  test("takes too long to look into, and the gateway answers meanwhile", async () => {
    const agent = await agentWith({ items: ITEMS, note: NEARLY });
    const gateway = await gatewayOf(agent, 3_000, ENDLESS);
    const stream = await proposing(gateway, agent);
    const order: string[] = [];
    const over = stream.over.then(() => order.push("run failed"));
    expect((await ask(`${gateway.url}/healthz`)).status).toBe(200);
    order.push("healthz");
    await over;
    expect(order).toEqual(["healthz", "run failed"]);
    expect(stream.data.at(-1)).toMatchObject(OVER);
  });

  test("takes more memory than it may, and the gateway lives on", async () => {
    const agent = await agentWith({ items: Array(5_000_000).fill({}) });
    const gateway = await gatewayOf(agent, 60_000);
    const stream = await proposing(gateway, agent);
    await stream.toEnd();
    expect(stream.data.at(-1)).toMatchObject(OVER);
    expect((await ask(`${gateway.url}/healthz`)).status).toBe(200);
  });
});

describe("the processes that look into large values end with their gateway", () => {
  const childrenOf = (pid = 0): number[] => {
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    const rows = stdout.trim().split("\n");
    return rows.flatMap((row) => {
      const [child = 0, parent] = row.trim().split(/\s+/).map(Number);
      return parent === pid ? [child] : [];
    });
  };
  const isRunning = (pid: number): boolean => {
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
  };

  test.each(["SIGTERM", "SIGKILL"] as const)("on %s, though one of them is at work", async (signal) => {
    const agent = await agentWith({ items: ITEMS, note: NEARLY });
    const gateway = await gatewayOf(agent, 60_000, ENDLESS);
    await proposing(gateway, agent);
    await until(() => childrenOf(gateway.child.pid).length > 0);
    const children = childrenOf(gateway.child.pid);
    gateway.child.kill(signal);
    await gateway.exited;
    await until(() => !children.some(isRunning));
  });
});

test("large values go from step to step as they are written, and conditions look into them", async () => {
  // Written as no program of this project writes it: it is not parsed on the way.
  const items = `[${Array.from({ length: 40_000 }, (_, n) => `{"item_id": "Ä-${n}",  "price": 1.50}`).join(", ")}]`;
  const proposed: string[] = [];
  let rounds = 0;
  const agent = use(
    await standIn({
      PRICE_OPTIMIZATION: (call) => {
        const end = JSON.stringify(terminal(call, { status: "ok" })).slice(0, -1);
        const json = `${end},"outputs":{"items":${items}}}`;
        sendStream(call, `${started(call)}event: final\ndata: ${json}\n\n`);
      },
      POLICY_CHECK: (call) => {
        proposed.push(call.text);
        const violations = Array.from({ length: 9_000 }, (_, n) => ({ rule: `R-${n}`, open: n === 8_999 }));
        answering({ passed: rounds++ > 0, violations })(call);
      },
    }),
  );
  const manifest = pricingMesh(agent.url);
  const { optimizer } = manifest.agents;
  Object.assign(optimizer, { limits: { ...optimizer.limits, max_event_bytes: 64 * 1024 * 1024 } });
  Object.assign(manifest.flows.pricing.steps.check, {
    show: { passed: "outputs.passed", violations: { count: "outputs.violations" } },
    repair: { when: "!outputs.passed && outputs.violations.exists(one, one.open)", inputs: "inputs" },
  });
  const gateway = use(await gatewayProcess({ manifest, redisUrl: redis.url }));
  const stream = await plan(gateway, "check", {});
  await stream.toEnd();
  expect(stream.data.at(-1)).toMatchObject({ done: true, message: "Passed: true" });
  expect(proposed).toHaveLength(2);
  for (const text of proposed) expect(text).toContain(`"inputs":{"proposed":${items}}`);
  expect(stream.data).toContainEqual(
    expect.objectContaining({
      node: "check",
      tool_call: expect.objectContaining({ outputs: { passed: true, violations: 9_000 } }),
    }),
  );
});
