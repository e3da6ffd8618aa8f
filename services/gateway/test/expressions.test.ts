import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { EventReader } from "./support/sse.ts";
import { answering, type Call, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const ENDLESS = "($f := function($n) { $f($n + 1) }; $f(0))";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;
let agent: StandIn;

beforeAll(async () => {
  redis = keep(await testRedis());
  const handlers = Object.entries(GOOD_OUTPUTS).map(([task, outputs]) => [task, answering(outputs)]);
  agent = keep(await standIn(Object.fromEntries(handlers)));
});

/** A gateway whose check takes the inputs that the expression gives. */
async function gatewayWith(inputs: string, timeoutMs: number): Promise<GatewayProcess> {
  const manifest = pricingMesh(agent.url);
  manifest.flows.pricing.steps.check.inputs = inputs;
  const env = { EXPRESSION_TIMEOUT_MS: String(timeoutMs), EXPRESSION_MEMORY_MB: "128" };
  return use(await gatewayProcess({ manifest, redisUrl: redis.url, env }));
}

const plan = (gateway: { url: string }, message: string, inputs: object) =>
  EventReader.open(`${gateway.url}/api/v1/chat?stream=true&plan=true`, {
    body: { message, session_id: randomUUID(), inputs },
  });

/** Asks for a check; returns when its inputs are being evaluated. */
async function checking(gateway: GatewayProcess): Promise<EventReader> {
  const stream = await plan(gateway, "check", {});
  await stream.until((frames) => frames.some(({ data }) => data.includes('"status":"ok"')));
  return stream;
}

const OVER = { done: true, code: "expression_timeout", retryable: false, node: "check" };

describe("a run fails where an expression", () => {
  test.each([
    ["recurses forever", ENDLESS],
    ["has a catastrophic pattern", "{ 'proposed': $match($pad('', 60, 'a') & '!', /^(a+)+$/) }"],
  ])("%s, and the gateway answers meanwhile", async (_, inputs) => {
    const gateway = await gatewayWith(inputs, 2_000);
    const stream = await checking(gateway);
    const order: string[] = [];
    const over = stream.over.then(() => order.push("run failed"));
    expect((await ask(`${gateway.url}/healthz`)).status).toBe(200);
    order.push("healthz");
    await over;
    expect(order).toEqual(["healthz", "run failed"]);
    expect(stream.data.at(-1)).toMatchObject(OVER);
  });

  test.each([
    ["takes all memory", "($f := function($a) { $f($append($a, $a)) }; $f([1..1000]))"],
    ["makes an array that V8 does not survive", "$split($pad('', 200000000, 'x'), '')"],
  ])("%s, and the gateway lives on", async (_, inputs) => {
    const gateway = await gatewayWith(inputs, 10_000);
    const stream = await checking(gateway);
    await stream.toEnd();
    expect(stream.data.at(-1)).toMatchObject(OVER);
    expect((await ask(`${gateway.url}/healthz`)).status).toBe(200);
  });
});

describe("the processes that evaluate expressions end with their gateway", () => {
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

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "on %s, though one is in an endless recursion",
    async (signal) => {
      const gateway = await gatewayWith(ENDLESS, 60_000);
      await checking(gateway);
      await until(() => childrenOf(gateway.child.pid).length > 0);
      const children = childrenOf(gateway.child.pid);
      gateway.child.kill(signal);
      await gateway.exited;
      await until(() => !children.some(isRunning));
    },
  );
});

test("thousands of items are checked and reported by the flow that ships", async () => {
  const tiers = (more: (price: number) => object) => ({ new: more(100), repair: more(50) });
  const items = Array.from({ length: 3_000 }, (_, n) => `ITEM-${n}`);
  const inputs = {
    items: items.map((item_id) => ({
      item_id,
      tiers: tiers((price) => ({ current_price: price, unit_cost: price / 2 })),
    })),
  };
  const sum = { profit: 1, revenue: 2 };
  const large = use(
    await standIn({
      PRICE_OPTIMIZATION: answering({
        items: items.map((item_id) => ({
          item_id,
          tiers: tiers((price) => ({ price: price * 1.1, more: "x".repeat(400) })),
        })),
        totals: { current: sum, expected: sum, change: sum },
      }),
      POLICY_CHECK: answering(({ body }: Call) => {
        const { proposed } = body.inputs as { proposed: object[] };
        return {
          passed: true,
          violations: [],
          current: { violations: proposed.map(violation), suggestions: [] },
        };
      }),
    }),
  );
  const gateway = use(await gatewayProcess({ manifest: shippedMesh(large.url), redisUrl: redis.url }));
  const stream = await plan(gateway, "propose prices and check the policy", inputs);
  await stream.toEnd();
  const { message } = stream.data.at(-1) ?? {};
  expect(message).toMatch(
    /^Your inputs, 3000 items\.\n\nProposed prices\n- ITEM-0, new: 100.00 → 110.00 \(\+10%\)\n/,
  );
  expect(message).toContain("… and 5960 more");
  expect(message).toContain("today's prices break 3000 rules:\n- ITEM-0: too low\n");
});

const violation = (item: object) => ({ ...item, message: "too low" });
