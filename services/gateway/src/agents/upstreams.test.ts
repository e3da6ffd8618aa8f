import { afterEach, expect, test } from "@jest/globals";
import { Egress, EgressRules } from "../egress/index.ts";
import { AgentClient } from "./client.ts";
import { dispatch, HERE, LIMITS, sendJson, startAgent, terminal, until } from "./test/agent.ts";
import type { AgentSpec } from "./types.ts";
import { Upstreams } from "./upstreams.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function mesh() {
  const sockets = new Set<unknown>();
  const agent = await startAgent((call) => {
    sockets.add(call.res.socket);
    sendJson(call, terminal(call));
  });
  closing.push(agent.close);
  const upstreams = new Upstreams({});
  closing.push(() => upstreams.close());
  const worker = (more: Partial<AgentSpec> = {}): AgentSpec[] => [
    { name: "worker", url: agent.url, tasks: ["TASK"], limits: LIMITS, ...more },
  ];
  const client = (agents = worker(), egress = HERE) =>
    new AgentClient({ agents, egress, upstreams, decidesEgress: true });
  return { agent, sockets, worker, client };
}

test("clients share what they know of an agent, whatever else its entry says, and the last one closes its connections", async () => {
  const { agent, sockets, worker, client } = await mesh();
  const before = client();
  await before.sync(dispatch());
  const after = client(worker({ tasks: ["TASK", "OTHER"], limits: { ...LIMITS, timeoutMs: 1_000 } }));
  await before.close();
  await after.sync(dispatch());
  expect([sockets.size, after.connections("worker")]).toEqual([1, 1]);
  await after.close();
  await until(() => agent.sockets.size === 0);
});

test("an agent at another address is another one", async () => {
  const { worker, client } = await mesh();
  const before = client();
  closing.push(() => before.close());
  await before.sync(dispatch());
  const moved = await startAgent((call) => sendJson(call, terminal(call)));
  closing.push(moved.close);
  const after = client(worker({ url: moved.url }));
  closing.push(() => after.close());
  await after.sync(dispatch());
  expect(moved.calls).toHaveLength(1);
  expect([before.connections("worker"), after.connections("worker")]).toEqual([1, 1]);
});

test("other rules for connections count for all requests that begin after them, and cut none", async () => {
  const { sockets, worker, client } = await mesh();
  const before = client();
  closing.push(() => before.close());
  await before.sync(dispatch());
  const strict = new Egress({ rules: new EgressRules({ loopback: true, allow: ["10.0.0.0/8"] }) });
  const after = client(worker(), strict);
  closing.push(() => after.close());
  await expect(after.sync(dispatch())).rejects.toMatchObject({ code: "upstream_unavailable" });
  await expect(before.sync(dispatch())).rejects.toMatchObject({ code: "upstream_unavailable" });
  expect(sockets.size).toBe(1);
});
