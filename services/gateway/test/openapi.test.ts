import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { closed } from "./support/closed.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, decide, get, KIM, LEE, pausedRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, standIn } from "./support/stand-in.ts";

const DOCUMENT: { paths: Record<string, Record<string, unknown>> } = parse(
  readFileSync(new URL("../../../contracts/gateway/v1/openapi.yaml", import.meta.url), "utf8"),
);

const keep = closingAtEnd();
let gateway: TestGateway;
let run: string;
let session: string;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const handlers = Object.entries(GOOD_OUTPUTS).map(([task, outputs]) => [task, answering(outputs)]);
  const { PRICE_OPTIMIZATION } = PUBLISHING;
  const agent = keep(await standIn({ ...Object.fromEntries(handlers), PRICE_OPTIMIZATION }));
  const mesh = publishingMesh(agent.url);
  // The paths of the other domain that ships.
  const book = { book: "price-book" };
  const catalogue = { task_type: "PRICE_OPTIMIZATION" };
  const endpoints = { budgets: book, "savings-actions": book, catalogue };
  const manifest = { ...mesh, endpoints: { ...mesh.endpoints, ...endpoints } };
  gateway = keep(await testGateway({ manifest, redisUrl: redis.url }));
  session = randomUUID();
  const { json } = await chat("full review");
  run = String(json().thread_id);
});

const chat = (message: string, query = "") =>
  ask(`${gateway.url}/api/v1/chat${query}`, { body: { message, session_id: session } });

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

describe("every path of the document", () => {
  test.each(Object.entries(DOCUMENT.paths))(
    "%s has the methods that it documents, and no other",
    async (path, item) => {
      const documented = METHODS.filter((method) => method.toLowerCase() in item);
      for (const method of METHODS) {
        const { status, headers } = await ask(`${gateway.url}${path.replace("{id}", "unknown")}`, { method });
        if (documented.includes(method)) expect([method, status]).not.toEqual([method, 405]);
        else {
          const allowed = documented.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one]));
          const allow = allowed.toSorted().join(", ");
          expect([method, status, headers.allow]).toEqual([method, 405, allow]);
        }
      }
    },
  );
});

describe("an answer holds what its schema says, and nothing else", () => {
  test.each([
    ["/healthz", "health"],
    ["/readyz", "health"],
    ["/.well-known/jwks.json", "keySet"],
    ["/api/v1/agents", "agentList"],
    ["/api/v1/chat/health", "chatHealth"],
    ["/api/v1/services", "serviceList"],
    ["/api/v1/chat/tools", "toolList"],
    ["/api/v1/chat/models", "modelList"],
    ["/api/v1/mcps", "mcpList"],
    ["/api/v1/tools", "mcpToolList"],
    ["/mcps", "mcpList"],
    ["/tools", "mcpToolList"],
    ["/api/v1/usage", "usageReport"],
    ["/api/v1/sessions", "sessionList"],
    ["/api/v1/sessions/SESSION", "sessionView"],
    ["/sessions", "sessionList"],
    ["/sessions/SESSION", "sessionTranscript"],
    ["/api/v1/runs", "runList"],
    ["/api/v1/runs/RUN", "runView"],
    ["/api/v1/runs/RUN/lineage", "runLineage"],
    ["/api/v1/approvals", "approvalList"],
    ["/api/v1/price-book", "bookPage"],
  ])("GET %s: %s", async (path, schema) => {
    const { status, text } = await ask(
      `${gateway.url}${path.replace("RUN", run).replace("SESSION", session)}`,
    );
    expect(status).toBe(200);
    expect(closed(schema)(JSON.parse(text))).toMatchObject({ ok: true });
  });

  test("POST /api/v1/chat: chatAnswer, or a stream of chatEvent", async () => {
    const { json } = await chat("Propose new prices");
    expect(closed("chatAnswer")(json())).toMatchObject({ ok: true });
    const reader = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true`, {
      body: { message: "full review", session_id: session },
    });
    await reader.toEnd();
    const contract = closed("chatEvent");
    for (const data of reader.data) expect(contract(data)).toEqual({ ok: true, value: data });
  });

  test("POST /api/v1/runs and its cancelling", async () => {
    const started = await ask(`${gateway.url}/api/v1/runs`, {
      body: { flow: "pricing", session_id: randomUUID() },
    });
    expect([started.status, closed("runAccepted")(started.json()).ok]).toEqual([202, true]);
    expect(started.headers.location).toBe(`/api/v1/runs/${started.json().run_id}`);
    const body = { thread_id: started.json().run_id };
    const { status, json } = await ask(`${gateway.url}/api/v1/chat/cancel`, { body });
    // It may have ended before.
    if (status === 200) expect(closed("runCancelled")(json())).toMatchObject({ ok: true });
    else expect([status, json().code]).toEqual([409, "conflict"]);
  });
});

test("a run that waits for approval, the approval and its decision hold what their schemas say", async () => {
  const paused = await pausedRun(gateway, { flow: "publishing" });
  const path = `/api/v1/approvals/${paused.approvalId}`;
  const view = await get(gateway, `/api/v1/runs/${paused.runId}`, ANN);
  expect(closed("runView")(view.json())).toMatchObject({ ok: true });
  expect(view.json()).toMatchObject({ state: "paused", approval_id: paused.approvalId });
  const edit = { edits: [{ item_id: "A100", price: 13 }] };
  const edited = await decide(gateway, paused, "edit", KIM, edit);
  expect(closed("decisionAnswer")(edited.json())).toMatchObject({ ok: true });
  const hash = String(edited.json().proposal_hash);
  const decided = await decide(gateway, { ...paused, hash }, "approve", LEE);
  expect(closed("decisionAnswer")(decided.json())).toMatchObject({ ok: true });
  const answers = {
    approvalList: await get(gateway, "/api/v1/approvals?state=all", LEE),
    approvalView: await get(gateway, path, LEE),
    auditList: await get(gateway, `${path}/audit`, LEE),
  };
  for (const [schema, answer] of Object.entries(answers)) {
    expect([schema, closed(schema)(answer.json())]).toMatchObject([schema, { ok: true }]);
  }
  for (const event of await toRest(gateway, paused.runId)) {
    expect(closed("runEvent")(event)).toEqual({ ok: true, value: event });
  }
  const reader = await EventReader.open(`${gateway.url}/api/v1/runs/${paused.runId}/events?dialect=chat`);
  await reader.toEnd();
  for (const data of reader.data) expect(closed("chatEvent")(data)).toEqual({ ok: true, value: data });
  expect(reader.data.filter((data) => data.done)).toEqual([reader.data.at(-1)]);
  const session = await get(gateway, `/api/v1/sessions/${view.json().session_id}`, ANN);
  expect(closed("sessionView")(session.json())).toMatchObject({ ok: true });
});

test("the agents are listed with their state, without their addresses", async () => {
  const { json, text } = await ask(`${gateway.url}/api/v1/agents`);
  expect(json().agents).toHaveLength(4);
  expect(json().agents).toContainEqual(
    expect.objectContaining({ name: "policy", tasks: ["POLICY_CHECK"], status: "ready", breaker: "closed" }),
  );
  expect(text).not.toContain("127.0.0.1");
});

test("the tools are the tasks of all agents; the models those of the allowlist", async () => {
  const tools = await ask(`${gateway.url}/api/v1/chat/tools`);
  expect(JSON.parse(tools.text)).toContainEqual({ name: "policy_check", description: "Does POLICY_CHECK." });
  const models = await ask(`${gateway.url}/api/v1/chat/models`);
  expect(models.json()).toEqual({
    default: "rules",
    models: [
      { id: "rules", default: true },
      { id: "large", default: false },
      { id: "small", default: false },
    ],
  });
});

test("the metrics count runs and attempts by names and codes alone", async () => {
  const { text, headers } = await ask(`${gateway.url}/metrics`);
  expect(headers["content-type"]).toMatch(/^text\/plain; version=/);
  expect(text).toMatch(/^interlock_runs_total\{intent="plan",outcome="ok"\} [1-9]/m);
  expect(text).toMatch(
    /^interlock_agent_attempt_seconds_count\{agent="policy",task="POLICY_CHECK",outcome="ok"\} [1-9]/m,
  );
  expect(text).not.toContain(run);
  expect(text).not.toContain(session);
});
