import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { type ForeignAgent, foreignAgent, wordsOf } from "./support/a2a-agent.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, eventsOf, get, openEvents, post, startRun, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { until } from "./support/until.ts";

/** Agents of somebody else, by the protocol's own library, as agents of the mesh. */
const keep = closingAtEnd();
let trips: ForeignAgent;
let gateway: TestGateway;

beforeAll(async () => {
  const { url: redisUrl } = keep(await testRedis());
  trips = keep(await foreignAgent());
  const limits = { timeout_ms: 20_000, retries: 1, backoff_ms: 1 };
  const agent = (tasks: Record<string, string>) => ({ protocol: "a2a", url: trips.url, tasks, limits });
  gateway = keep(
    await testGateway({
      redisUrl,
      manifest: {
        egress: { allow: ["127.0.0.0/8"] },
        agents: {
          trips: agent({ BOOK_TRIP: "Books a trip.", PLAN_TRIP: "Plans a trip." }),
          other: agent({ FLY: "Is no skill of the agent." }),
        },
        services: {
          booking: { agent: "trips", task_type: "BOOK_TRIP", dialogue: {}, keywords: ["book"] },
          planning: { agent: "trips", task_type: "PLAN_TRIP", answer: "outputs.text", keywords: ["plan"] },
        },
        flows: {
          trip: {
            steps: {
              plan: { agent: "trips", task_type: "PLAN_TRIP", inputs: "request.inputs", show: "outputs" },
              report: { needs: ["plan"], render: ["steps.plan.outputs.text"] },
            },
            goals: { planning: ["plan"] },
            answer: "report",
          },
        },
      },
    }),
  );
});

const say = async (message: string, session_id: string = randomUUID(), service = "booking") => {
  const answer = await post(
    gateway,
    `/v1/chat/completions`,
    {
      model: `interlock/${service}`,
      messages: [{ role: "user", content: message }],
      metadata: { session_id },
    },
    ANN,
  );
  return { status: answer.status, ...Object(answer.json()) };
};
const textOf = ({ choices }: { choices: { message: { content: string } }[] }) => choices[0]?.message.content;

test("an agent is ready where its card has a skill for each of its tasks", async () => {
  await until(async () => {
    const { agents } = Object((await get(gateway, "/api/v1/agents", ANN)).json());
    const states = agents.map(({ name, status, reason }: Record<string, string>) => [name, status, reason]);
    return (
      JSON.stringify(states) ===
      JSON.stringify([
        ["trips", "ready", null],
        ["other", "not_ready", "invalid"],
      ])
    );
  });
});

test("a service asks with the user's words, and answers with the artifact", async () => {
  const answer = await say("Seoul", randomUUID(), "planning");
  expect(textOf(answer)).toBe("Booked: Seoul.");
  expect(trips.asked.at(-1)).toMatchObject({ metadata: { "interlock/task_type": "PLAN_TRIP" } });
});

test("a step gives its inputs as data, and gets text and data", async () => {
  const inputs = { message: "Busan", seats: 2 };
  const runId = await startRun(gateway, { flow: "trip", session_id: randomUUID(), inputs });
  const events = await toRest(gateway, runId);
  expect(events.find(({ type, node }) => type === "step_finished" && node === "plan")?.data).toMatchObject({
    outputs: { text: "Booked: Busan.", data: { seats: 2 } },
  });
  expect(trips.asked.at(-1)?.parts.at(-1)?.content).toMatchObject({ $case: "data", value: { seats: 2 } });
  expect(events.some(({ type }) => type === "progress")).toBe(true);
});

test("what the agent asks is a question of the dialogue, and its answer goes on with the agent's task", async () => {
  const session = randomUUID();
  expect(textOf(await say("ask", session))).toBe("Where to?");
  const first = trips.asked.at(-1);
  expect(textOf(await say("Jeju", session))).toBe("Booked: Jeju.");
  const second = trips.asked.at(-1);
  expect(second && wordsOf(second)).toBe("Jeju");
  expect(second).toMatchObject({ taskId: first?.taskId, contextId: first?.contextId });
  // A task that is over is not gone on with, its context is.
  await say("Daegu", session);
  expect(trips.asked.at(-1)?.contextId).toBe(second?.contextId);
  expect(trips.asked.at(-1)?.taskId).not.toBe(second?.taskId);
});

test.each([
  ["fail", "upstream_failed"],
  ["need rights", "upstream_failed"],
  ["leave", "upstream_invalid"],
  ["cut", "upstream_unavailable"],
])("%s: %s, and the agent is asked once", async (message, code) => {
  const before = trips.asked.length;
  const { status, error } = await say(message);
  expect([status >= 500, error.code]).toEqual([true, code]);
  expect(trips.asked).toHaveLength(before + 1);
});

test("a step cannot be asked anything", async () => {
  const runId = await startRun(gateway, {
    flow: "trip",
    session_id: randomUUID(),
    inputs: { message: "ask" },
  });
  expect((await toRest(gateway, runId)).at(-1)).toMatchObject({
    type: "run_failed",
    data: { code: "invalid_inputs", agent_code: "INPUT_REQUIRED" },
  });
});

test("a run that is cancelled cancels the agent's task", async () => {
  const runId = await startRun(gateway, {
    flow: "trip",
    session_id: randomUUID(),
    inputs: { message: "hang" },
  });
  await until(() => trips.asked.some((message) => wordsOf(message) === "hang"));
  const events = await openEvents(gateway, runId);
  await until(() => eventsOf(events).some(({ type }) => type === "progress"));
  expect((await post(gateway, `/api/v1/runs/${runId}/cancel`, {}, ANN)).status).toBe(200);
  expect(await trips.nextCancelled()).toBeTruthy();
});
