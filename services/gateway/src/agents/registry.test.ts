import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { BreakerState } from "../breaker.ts";
import { AgentRegistry, type AgentRegistryOptions } from "./registry.ts";
import { HERE, LIMITS, until } from "./test/agent.ts";
import type { AgentSpec, AgentStatus } from "./types.ts";

const CARD = {
  name: "optimizer",
  version: "1.2.3",
  description: "Finds prices",
  contract: "agent/v1",
  task_types: [{ task_type: "TASK", inputs: { type: "object" }, outputs: { type: "object" } }],
};

function json(res: ServerResponse, value: unknown, status = 200): void {
  res.writeHead(status, { "content-type": "application/json" });
  res.end(typeof value === "string" ? value : JSON.stringify(value));
}

describe("the registry", () => {
  let ready: (res: ServerResponse) => void;
  let card: (res: ServerResponse) => void;
  let asked: string[];
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    ready = (res) => json(res, { status: "ready" });
    card = (res) => json(res, CARD);
    asked = [];
    const server = createServer((req, res) => {
      asked.push(req.url ?? "");
      if (req.url === "/health/ready") ready(res);
      else if (req.url === "/agents/card") card(res);
      else json(res, {}, 404);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    url = `http://127.0.0.1:${address.port}`;
    closing.push(async () => {
      server.close();
      server.closeAllConnections();
    });
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const spec = (name = "optimizer", fields: Partial<AgentSpec> = {}): AgentSpec => ({
    name,
    url,
    tasks: ["TASK"],
    limits: LIMITS,
    ...fields,
  });

  const registryOf = (options: Partial<AgentRegistryOptions> = {}): AgentRegistry => {
    const registry = new AgentRegistry({ agents: [spec()], egress: HERE, intervalMs: 10, ...options });
    closing.push(() => registry.stop());
    return registry;
  };

  const statusOf = (registry: AgentRegistry): AgentStatus["status"] | undefined => registry.list()[0]?.status;

  test("knows nothing of an agent before its first check", () => {
    const registry = registryOf({ agents: [spec("optimizer", { description: "Prices" })] });
    expect(registry.list()).toEqual([
      { name: "optimizer", tasks: ["TASK"], description: "Prices", status: "unknown", breaker: "closed" },
    ]);
  });

  test("lists an agent with its card, its breaker, and no address", async () => {
    const registry = registryOf({ breakerState: () => "half_open" });
    await registry.start();
    expect(registry.list()).toEqual([
      {
        name: "optimizer",
        tasks: ["TASK"],
        status: "ready",
        version: "1.2.3",
        card: { name: "optimizer", contract: "agent/v1", description: "Finds prices", task_types: ["TASK"] },
        checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        breaker: "half_open",
      },
    ]);
    expect(registry.schemas("optimizer", "TASK").inputs).toEqual({ type: "object" });
    expect(registry.schemas("other", "TASK")).toEqual({});
  });

  test.each<[string, AgentStatus["reason"], (res: ServerResponse) => void]>([
    ["503", "refused", (res) => json(res, { status: "draining" }, 503)],
    ["a redirect", "refused", (res) => void res.writeHead(302, { location: "/agents/card" }).end()],
    ["no status", "invalid", (res) => json(res, {})],
    ["no JSON", "invalid", (res) => json(res, "<p>ready</p>")],
    ["too much of it", "no_answer", (res) => json(res, { status: "x".repeat(100_000) })],
    ["a cut connection", "no_answer", (res) => void res.socket?.destroy()],
    ["no answer", "no_answer", () => undefined],
    ["an answer that trickles", "no_answer", (res) => void res.writeHead(200).write("{")],
  ])("takes %s for not ready (%s)", async (_, reason, answer) => {
    ready = answer;
    const registry = registryOf({ checkMs: 150 });
    await registry.start();
    expect(registry.list()[0]).toMatchObject({ status: "not_ready", reason });
  });

  test("says since when an agent is as it is, and why only while it is not ready", async () => {
    const registry = registryOf();
    await registry.start();
    const [first] = registry.list();
    const checkedAgain = () => registry.list()[0]?.checked_at !== first?.checked_at;
    await until(checkedAgain);
    expect(registry.list()[0]?.since).toBe(first?.since);
    ready = (res) => json(res, {}, 503);
    await until(() => statusOf(registry) === "not_ready");
    expect(String(registry.list()[0]?.since) > String(first?.since)).toBe(true);
    ready = (res) => json(res, { status: "ready" });
    await until(() => statusOf(registry) === "ready");
    expect(registry.list()[0]).not.toHaveProperty("reason");
  });

  test("starts without an agent that is not there", async () => {
    const registry = registryOf({ agents: [spec("gone", { url: "http://127.0.0.1:1" })] });
    await registry.start();
    expect(statusOf(registry)).toBe("not_ready");
  });

  test("sees an agent go and come back, and reads its card again when it does", async () => {
    const seen: string[] = [];
    const registry = registryOf({
      observer: { onHealth: (agent, status) => seen.push(`${agent} ${status}`) },
    });
    await registry.start();
    ready = (res) => json(res, { status: "draining" }, 503);
    await until(() => statusOf(registry) === "not_ready");
    expect(registry.list()[0]?.version).toBe("1.2.3");
    card = (res) => json(res, { ...CARD, version: "2.0.0" });
    ready = (res) => json(res, { status: "ready" });
    await until(() => registry.list()[0]?.version === "2.0.0");
    expect(seen).toEqual(["optimizer ready", "optimizer not_ready", "optimizer ready"]);
  });

  test("looks after an agent behind an open breaker more often, and tells when it is ready", async () => {
    let breaker: BreakerState = "closed";
    const told: string[] = [];
    const registry = registryOf({
      intervalMs: 3_600_000,
      probeMs: 5,
      breakerState: () => breaker,
      onReady: (agent) => told.push(agent),
    });
    ready = (res) => json(res, {}, 503);
    await registry.start();
    breaker = "open";
    await until(() => asked.length > 5);
    expect(told).toEqual([]);
    ready = (res) => json(res, { status: "ready" });
    await until(() => told.length > 0);
    expect(told[0]).toBe("optimizer");
  });

  test("believes an agent without a readiness endpoint when it answers at all", async () => {
    const told: string[] = [];
    const registry = registryOf({ onReady: (agent) => told.push(agent) });
    ready = (res) => json(res, {}, 404);
    await registry.start();
    expect(told).toEqual(["optimizer"]);
    expect(statusOf(registry)).toBe("not_ready");
  });

  test("reads a card once, also when there is none, and never one that breaks the contract", async () => {
    for (const answer of [
      card,
      (res: ServerResponse) => json(res, {}, 404),
      (res: ServerResponse) => json(res, { name: 1 }),
    ]) {
      asked = [];
      const before = card;
      card = answer;
      const registry = registryOf();
      await registry.start();
      await until(() => asked.filter((path) => path === "/health/ready").length > 4);
      expect(asked.filter((path) => path === "/agents/card")).toHaveLength(1);
      expect(registry.list()[0]?.card !== undefined).toBe(answer === before);
      await registry.stop();
      card = before;
    }
  });

  test("reads a card again when it is old", async () => {
    const registry = registryOf({ cardMs: 20 });
    await registry.start();
    await until(() => asked.filter((path) => path === "/agents/card").length > 2);
  });

  test("gives a task to a ready agent before others, and to the first of the manifest before later ones", async () => {
    const gone = spec("gone", { url: "http://127.0.0.1:1" });
    const registry = registryOf({
      agents: [gone, spec("first"), spec("second"), spec("third", { tasks: ["OTHER"] })],
    });
    expect(registry.agentFor("TASK")?.name).toBe("gone");
    await registry.start();
    expect(registry.agentFor("TASK")?.name).toBe("first");
    expect(registry.agentFor("OTHER")?.name).toBe("third");
    expect(registry.agentFor("NONE")).toBeUndefined();
  });

  test("asks no more once it is stopped, and stops while a check is under way", async () => {
    const registry = registryOf({ checkMs: 60_000 });
    await registry.start();
    ready = () => undefined;
    const before = asked.length;
    await until(() => asked.length > before);
    await registry.stop();
    const after = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toHaveLength(after);
  });
});
