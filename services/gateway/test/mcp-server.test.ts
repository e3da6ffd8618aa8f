import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/client";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { TEST_ISSUER } from "./support/issuer.ts";
import { type McpEra, mcpClient } from "./support/mcp-client.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, as, decide, get, LEE, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import {
  answering,
  event,
  failing,
  finish,
  gone,
  holding,
  type StandIn,
  sendJson,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const check = holding();
const ITEMS = { type: "object", properties: { items: { type: "array" } } };
const CARD = {
  name: "agents",
  version: "1",
  contract: "agent/v1",
  task_types: [
    {
      task_type: "PRICE_OPTIMIZATION",
      inputs: { $id: "https://agent.test/inputs", ...ITEMS },
      outputs: { ...ITEMS, required: ["items"] },
    },
    // Documents of others are not fetched by clients: without a schema of its own the task takes any object.
    {
      task_type: "POLICY_CHECK",
      inputs: { type: "object", properties: { prices: { $ref: "https://agent.test/prices" } } },
      outputs: { type: "object" },
    },
  ],
};
let agent: StandIn;
let gateway: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  agent = keep(
    await standIn({
      "/agents/card": (call) => sendJson(call, CARD),
      PRICE_OPTIMIZATION: answering({
        ...GOOD_OUTPUTS.PRICE_OPTIMIZATION,
        items: [{ item_id: "A100", price: 12 }],
      }),
      SENSITIVITY_ANALYSIS: PUBLISHING.SENSITIVITY_ANALYSIS,
      POLICY_CHECK: check.handler,
      PRICE_EXPLANATION: failing("NO_DATA", "There are no data."),
    }),
  );
  gateway = keep(await testGateway({ manifest: manifest(agent.url), redisUrl: redis.url }));
  // An agent is ready before its card is read.
  const cards = async () =>
    JSON.stringify((await get(gateway, "/api/v1/agents", ANN)).json()).split('"card"');
  await until(async () => (await cards()).length > Object.keys(manifest(agent.url).agents).length);
});

function manifest(url: string) {
  const mesh = publishingMesh(url);
  const { optimizer } = mesh.services;
  const send = { agent: "sensitivity", task_type: "SENSITIVITY_ANALYSIS", inputs: {}, effect: "once" };
  return {
    ...mesh,
    // What takes effect in a flow is no tool by itself.
    flows: { ...mesh.flows, sending: { steps: { send }, goals: { sending: ["send"] } } },
    services: {
      ...mesh.services,
      optimizer: { ...optimizer, examples: ["Propose prices for spring."] },
      sending: { flow: "sending", keywords: ["dispatch"] },
    },
    access: {
      roles: {
        "pricing-lead": { inherits: ["pricing_approver"] },
        narrow: { services: ["optimizer"], tasks: ["optimizer/PRICE_OPTIMIZATION"], sessions: "own" },
      },
    },
  };
}

const somebody = () => as(`u-${randomUUID()}`, "analyst");

describe.each(["2026-07-28", "2025-11-25"] as const)("%s", (era: McpEra) => {
  const connect = async (headers = somebody(), capabilities = {}): Promise<Client> => {
    const client = await mcpClient(gateway.url, headers, era, { capabilities });
    keep({ stop: () => client.close() });
    return client;
  };

  test("services and tasks are tools, with the schemas of the agents' cards and what they may change", async () => {
    const client = await connect();
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await client.listTools();
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect([...byName.keys()].sort()).toEqual([
      ...[
        "ask",
        "ask_explainer",
        "ask_optimizer",
        "ask_policy",
        "ask_pricing",
        "ask_publishing",
        "ask_sending",
      ],
      ...["ask_sensitivity", "policy_check", "price_explanation", "price_optimization"],
    ]);
    expect(byName.get("price_optimization")).toMatchObject({
      inputSchema: ITEMS,
      outputSchema: { ...ITEMS, required: ["items"] },
      annotations: { readOnlyHint: true },
    });
    expect(byName.get("price_optimization")?.inputSchema).not.toHaveProperty("$id");
    expect(byName.get("policy_check")?.inputSchema).toEqual({ type: "object" });
    expect(byName.get("ask_publishing")?.annotations).toMatchObject({ destructiveHint: true });
    expect(byName.get("ask_pricing")?.annotations).toMatchObject({ readOnlyHint: true });
  });

  test("a task answers with its outputs, and its run is the caller's", async () => {
    const headers = somebody();
    const client = await connect(headers);
    await client.listTools();
    const result = await client.callTool({ name: "price_optimization", arguments: { items: [] } });
    expect(result.structuredContent).toMatchObject({ items: [{ item_id: "A100", price: 12 }] });
    const runId = String(result._meta?.["interlock/run_id"]);
    const run = await get(gateway, `/api/v1/runs/${runId}`, headers);
    expect(run.json()).toMatchObject({ state: "finished", intent: "price_optimization" });
    expect(agent.calls.at(-1)?.body.inputs).toEqual({ items: [] });
  });

  test("a service answers in words, and goes on with its session", async () => {
    const headers = somebody();
    const client = await connect(headers);
    const first = await client.callTool({ name: "ask_optimizer", arguments: { message: "Propose prices" } });
    expect(first.structuredContent).toMatchObject({ status: "ok", text: "One price moves." });
    const { session_id } = Object(first.structuredContent);
    await client.callTool({ name: "ask", arguments: { message: "Propose prices", session_id } });
    const session = await get(gateway, `/api/v1/sessions/${session_id}`, headers);
    expect(session.json().turns).toHaveLength(4);
  });

  test("what waits for an approval says so, with the link; the run's resource has what came of it", async () => {
    const headers = somebody();
    const client = await connect(headers);
    const paused = await client.callTool({ name: "ask_publishing", arguments: { message: "publish" } });
    expect(paused.isError ?? false).toBe(false);
    const { run_id, status, approval } = Object(paused.structuredContent);
    expect(status).toBe("paused");
    expect(approval.url).toBe(`${gateway.url}/api/v1/approvals/${approval.id}`);
    const uri = `interlock://runs/${run_id}`;
    await expect(client.readResource({ uri: `${uri}/report` })).rejects.toThrow("not found");
    const { hash } = Object((await get(gateway, `/api/v1/approvals/${approval.id}`, LEE)).json());
    const { proposal_hash = hash } = Object(
      (await get(gateway, `/api/v1/approvals/${approval.id}`, LEE)).json(),
    );
    await decide(gateway, { approvalId: approval.id, hash: proposal_hash }, "approve", LEE);
    await toRest(gateway, run_id, headers);
    const { resources } = await client.listResources();
    expect(resources.map((one) => one.uri)).toEqual(expect.arrayContaining([uri, `${uri}/report`]));
    const [report] = (await client.readResource({ uri: `${uri}/report` })).contents;
    expect(report).toMatchObject({ mimeType: "text/markdown", text: "Published: true." });
    const [run] = (await client.readResource({ uri })).contents;
    expect(JSON.parse(Object(run).text)).toMatchObject({ run_id, state: "finished" });
    const stranger = await connect();
    await expect(stranger.readResource({ uri })).rejects.toThrow("not found");
  });

  test("progress is told while a call lasts", async () => {
    const client = await connect();
    const told: string[] = [];
    const answer = client.callTool(
      { name: "policy_check", arguments: {} },
      { onprogress: ({ message = "" }) => void told.push(message) },
    );
    const call = await check.next();
    call.res.write(event("progress", { message: "Comparing." }));
    finish(call, { passed: true });
    expect((await answer).structuredContent).toEqual({ passed: true });
    expect(told).toContain("Comparing.");
  });

  test("what is not listed cannot be called, and schemas are kept", async () => {
    const client = await connect(as(`u-${randomUUID()}`, "narrow"));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(["ask", "ask_optimizer", "price_optimization"]);
    for (const name of ["ask_policy", "policy_check", "sensitivity_analysis", "unheard_of"])
      await expect(client.callTool({ name, arguments: { message: "Check" } })).rejects.toThrow(
        "no such tool",
      );
    const wrong = await client.callTool({ name: "ask_optimizer", arguments: {} });
    expect(wrong).toMatchObject({ isError: true, _meta: { "interlock/error": { code: "invalid_request" } } });
  });

  test("a call that is cancelled ends, down to the agent, though its client stays", async () => {
    const client = await connect();
    const leaving = new AbortController();
    const answer = client.callTool({ name: "policy_check", arguments: {} }, { signal: leaving.signal });
    const call = await check.next();
    leaving.abort();
    await expect(answer).rejects.toBeDefined();
    await gone(call);
  });

  test("an agent that fails is a result that says so", async () => {
    const client = await connect();
    const failed = await client.callTool({ name: "price_explanation", arguments: {} });
    expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("no data") }] });
  });

  test("examples of services are prompts", async () => {
    const client = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: "optimizer_1", description: "Propose prices for spring." }]);
    const { messages } = await client.getPrompt({ name: "optimizer_1" });
    expect(messages).toMatchObject([{ role: "user", content: { text: "Propose prices for spring." } }]);
  });
});

test("the token's issuers are told to who has none", async () => {
  const refused = await ask(`${gateway.url}/mcp`, {
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { authorization: "Bearer nobodys" },
  });
  expect(refused.status).toBe(401);
  const [, url = ""] = /resource_metadata="([^"]+)"/.exec(String(refused.headers["www-authenticate"])) ?? [];
  expect((await ask(url)).json()).toEqual({
    resource: `${gateway.url}/mcp`,
    resource_name: "Interlock",
    authorization_servers: [TEST_ISSUER],
    bearer_methods_supported: ["header"],
  });
});

test("names of others, pages of others and lists of messages are refused", async () => {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = { ...somebody(), accept: "application/json, text/event-stream" };
  const post = (more: Record<string, string>, sent: unknown = body) =>
    ask(`${gateway.url}/mcp`, { body: sent, headers: { ...headers, ...more } });
  expect((await post({})).status).toBe(200);
  expect((await post({ host: "evil.test" })).status).toBe(403);
  expect((await post({ origin: "https://evil.test" })).status).toBe(403);
  const list = await post({}, [body, body]);
  expect(list.status).toBe(400);
  expect(list.json()).toMatchObject({
    jsonrpc: "2.0",
    id: null,
    error: { data: { code: "invalid_request" } },
  });
  expect((await ask(`${gateway.url}/mcp`, { headers })).status).toBe(405);
});

describe("long runs are tasks", () => {
  const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  /** One request as a client that has the extension sends it, or one that does not. */
  const rpc = async (
    method: string,
    params: object,
    headers: Record<string, string>,
    capabilities = TASKS,
  ) => {
    const name = Object(params).name ?? Object(params).taskId;
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    const answer = await ask(`${gateway.url}/mcp`, {
      body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } },
      headers: { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": name },
    });
    const { result, error } = answer.json();
    return Object(result ?? error);
  };
  const publish = (headers: Record<string, string>, capabilities = TASKS) =>
    rpc("tools/call", { name: "ask_publishing", arguments: { message: "publish" } }, headers, capabilities);

  test("to clients that know them: one waits for an approval, and ends with what came of it", async () => {
    const headers = somebody();
    const { resultType, status, taskId } = await publish(headers);
    expect({ resultType, status }).toEqual({ resultType: "task", status: "working" });
    await toRest(gateway, taskId, headers);
    const waiting = await rpc("tasks/get", { taskId }, headers);
    // A person decides, elsewhere: the client is asked for nothing.
    expect(waiting).toMatchObject({ resultType: "complete", status: "working" });
    const [, id = ""] = /Approval (\S+): http/.exec(waiting.statusMessage) ?? [];
    await rpc("tasks/update", { taskId, inputResponses: { approval: { action: "accept" } } }, headers);
    const { state, proposal_hash } = (await get(gateway, `/api/v1/approvals/${id}`, LEE)).json();
    expect(state).toBe("pending");
    await decide(gateway, { approvalId: id, hash: String(proposal_hash) }, "approve", LEE);
    await toRest(gateway, taskId, headers);
    expect(await rpc("tasks/get", { taskId }, headers)).toMatchObject({
      status: "completed",
      result: { structuredContent: { status: "ok", text: "Published: true." } },
    });
  });

  test("a task that is cancelled is cancelled", async () => {
    const headers = somebody();
    const { taskId } = await publish(headers);
    expect(await rpc("tasks/cancel", { taskId }, headers)).toMatchObject({ resultType: "complete" });
    expect(await rpc("tasks/get", { taskId }, headers)).toMatchObject({ status: "cancelled" });
  });

  test("others get the answer itself, and no task of anybody", async () => {
    const headers = somebody();
    const NONE = { extensions: {} } as typeof TASKS;
    const { resultType, structuredContent } = await publish(headers, NONE);
    expect(resultType).toBe("complete");
    const taskId = structuredContent.run_id;
    expect(await rpc("tasks/get", { taskId }, headers, NONE)).toMatchObject({ code: -32021 });
    expect(await rpc("tasks/get", { taskId }, headers)).toMatchObject({ status: "working" });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      expect(await rpc(method, { taskId }, somebody())).toMatchObject({ code: -32602 });
  });
});

test("a call with a key is made once, and its client may come back for the answer", async () => {
  const headers = somebody();
  const call = (message = "Propose prices") => ({
    name: "ask_optimizer",
    arguments: { message },
    _meta: { "interlock/idempotency-key": "one" },
  });
  const [client, again] = await Promise.all([1, 2].map(() => mcpClient(gateway.url, headers, "2026-07-28")));
  if (client) keep({ stop: () => client.close() });
  if (again) keep({ stop: () => again.close() });
  const first = await client?.callTool(call());
  const second = await again?.callTool(call());
  expect(Object(second?.structuredContent).run_id).toBe(Object(first?.structuredContent).run_id);
  const other = await again?.callTool(call("Propose other prices"));
  expect(other).toMatchObject({
    isError: true,
    _meta: { "interlock/error": { code: "idempotency_mismatch" } },
  });
});

test("a manifest may offer services alone", async () => {
  const redis = keep(await testRedis());
  const peers = { mcp: { tasks: false } };
  const services = keep(
    await testGateway({ manifest: { ...manifest(agent.url), peers }, redisUrl: redis.url }),
  );
  const client = await mcpClient(services.url, somebody(), "2026-07-28");
  keep({ stop: () => client.close() });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name.replace(/^ask_.*/, "ask_…"))).toEqual([
    "ask",
    ...Array(7).fill("ask_…"),
  ]);
  const task = client.callTool({ name: "price_optimization", arguments: { items: [] } });
  await expect(task).rejects.toThrow("no such tool");
});
