import { randomUUID } from "node:crypto";
import type { MeshManifest } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { testRedis } from "./support/redis.ts";
import { SHIPPED_MESH, shippedMesh } from "./support/shipped-mesh.ts";
import { answering, type StandIn, standIn } from "./support/stand-in.ts";

/** The shipped pricing flow, which is the first, and a flow of cloud cost with the shipped models of it. */
const keep = closingAtEnd();
let agent: StandIn;
let gateway: TestGateway;

const effect = { demand: 1, revenue: 1, profit: 1 };
const PRICING = {
  PRICE_OPTIMIZATION: { items: [], totals: { current: effect, expected: effect, change: effect } },
  POLICY_CHECK: {
    passed: true,
    violations: [],
    suggestions: [],
    current: { violations: [], suggestions: [] },
  },
  PRICE_EXPLANATION: { items: [], omitted: 0, summary: "why" },
  SENSITIVITY_ANALYSIS: { summary: "how sure", totals: { robustness: {} } },
};
const COST_GOALS = [
  "cost_query",
  "cost_forecast",
  "optimization",
  "resource_info",
  "alert_config",
  "report_gen",
];
const taskOf = (goal: string) => goal.toUpperCase();

function twoFlows(url: string): MeshManifest {
  const manifest = shippedMesh(url);
  const steps = Object.fromEntries(
    COST_GOALS.map((goal) => [goal, { agent: "cloud", task_type: taskOf(goal), inputs: {} }]),
  );
  const intents = ["en", "ko"].map((language) =>
    SHIPPED_MESH.replace("mesh.yaml", `services/finops/intents/${language}.model.json`),
  );
  return {
    ...manifest,
    // The flow here publishes nothing.
    endpoints: {},
    agents: {
      ...manifest.agents,
      cloud: { url, tasks: Object.fromEntries(COST_GOALS.map((goal) => [taskOf(goal), goal])) },
    },
    services: {
      ...manifest.services,
      ...Object.fromEntries(
        COST_GOALS.map((goal) => [
          goal,
          { agent: "cloud", task_type: taskOf(goal), answer: { literal: "cloud cost" } },
        ]),
      ),
    },
    flows: {
      ...manifest.flows,
      "cloud-cost": {
        intents,
        steps: { ...steps, report: { after: COST_GOALS, render: { literal: "cloud cost" } } },
        goals: Object.fromEntries(COST_GOALS.map((goal) => [goal, [goal]])),
        default_goals: ["cost_query"],
        answer: "report",
      },
    },
  };
}

beforeAll(async () => {
  const tasks = { ...PRICING, ...Object.fromEntries(COST_GOALS.map((goal) => [taskOf(goal), {}])) };
  agent = keep(
    await standIn(
      Object.fromEntries(Object.entries(tasks).map(([task, outputs]) => [task, answering(outputs)])),
    ),
  );
  gateway = keep(
    await testGateway({
      ...{ manifest: twoFlows(agent.url), redisUrl: keep(await testRedis()).url },
      // What a message is for is told from what it says, and not from an answer to a question.
      env: { READING_RISK: "1" },
    }),
  );
});

/** @returns the tasks that a message has agents do */
async function tasksFor(message: string, session_id: string = randomUUID()): Promise<string[]> {
  const before = agent.calls.length;
  const answer = await ask(`${gateway.url}/api/v1/chat`, { body: { message, session_id } });
  expect([message, answer.status]).toEqual([message, 200]);
  return agent.calls
    .slice(before)
    .flatMap(({ path, body }) => (path.startsWith("/agents/run/") ? [body.task_type] : []));
}

const isCost = (task: string): boolean => COST_GOALS.some((goal) => taskOf(goal) === task);

describe("a message goes to the flow whose model is surer of it", () => {
  test.each([
    "How much did we pay for EC2 in September?",
    "Forecast our AWS bill for next quarter",
    "Notify me when the daily spend goes over 800 dollars",
    "Which virtual machines are idle?",
    "Where can we save money on S3 storage?",
    "which reservations should we buy",
    "email me a weekly cost report",
    "지난달 클라우드 비용이 얼마였어?",
  ])("%s (cloud cost)", async (message) => {
    const tasks = await tasksFor(message);
    expect([tasks.length, tasks.filter((task) => !isCost(task))]).toEqual([1, []]);
  });

  test.each([
    "Recommend the best prices for our pumps",
    "Do today's prices violate the tier hierarchy?",
    "How robust are the recommended prices if demand is uncertain?",
    "what drives the price of the filter",
    "check margins against the policy",
    "밸브의 최적 가격을 제안해 줘",
  ])("%s (pricing)", async (message) => {
    const tasks = await tasksFor(message);
    expect([tasks.length, tasks.filter(isCost)]).toEqual([1, []]);
  });
});

describe("a conversation", () => {
  test("that goes over to another flow comes back to what it worked with", async () => {
    const session = randomUUID();
    expect(await tasksFor("Propose prices with at most 4 % change", session)).toEqual(["PRICE_OPTIMIZATION"]);
    expect(await tasksFor("How much did we spend on Azure last month?", session)).toEqual(["COST_QUERY"]);
    const workingSet = async () =>
      ((await ask(`${gateway.url}/api/v1/sessions/${session}`)).json() as { working_set: object })
        .working_set;
    expect(await workingSet()).toMatchObject({ flow: "cloud-cost", slots: {} });
    // The proposal of before is explained, and nobody is asked for it again.
    const tasks = await tasksFor("What drives the prices that you recommended?", session);
    expect(tasks).toContain("PRICE_EXPLANATION");
    expect(tasks).not.toContain("PRICE_OPTIMIZATION");
    expect(await workingSet()).toMatchObject({ flow: "pricing", slots: { max_change_pct: 0.04 } });
  });

  test.each(["Why did the biggest of those go up?", "Why are the two of them different?"])(
    "stays with its flow for what refers back and speaks of no other: %s",
    async (message) => {
      const session = randomUUID();
      expect(await tasksFor("How much did we pay for EC2 in September?", session)).toEqual(["COST_QUERY"]);
      const tasks = await tasksFor(message, session);
      expect(tasks.filter((task) => !isCost(task))).toEqual([]);
    },
  );

  test("stays with its flow for a constraint, a command, and what refers back", async () => {
    const session = randomUUID();
    await tasksFor("Propose prices with at most 4 % change", session);
    for (const message of ["now with at most 2 %", "what about EMEA?", "undo that", "say that again"])
      expect([message, await tasksFor(message, session)]).toEqual([message, ["PRICE_OPTIMIZATION"]]);
    const cost = randomUUID();
    await tasksFor("How much did we pay for EC2 in September?", cost);
    const tasks = await tasksFor("publish it as a report", cost);
    expect([tasks.length, tasks.filter((task) => !isCost(task))]).toEqual([1, []]);
  });

  test.each(["why?", "Why is that?", "how come", "왜?", "왜 그런 거야?"])(
    "stays with its flow for “%s”, which asks about what was said last",
    async (message) => {
      const session = randomUUID();
      await tasksFor("How much did we pay for EC2 in September?", session);
      expect((await tasksFor(message, session)).filter((task) => !isCost(task))).toEqual([]);
      const { json } = await ask(`${gateway.url}/api/v1/sessions/${session}`);
      expect(json()).toMatchObject({ working_set: { flow: "cloud-cost" } });
    },
  );
});
