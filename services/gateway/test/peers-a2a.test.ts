import { randomUUID } from "node:crypto";
import { type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { a2aClient, message, textOf } from "./support/a2a-peers.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, get, LEE, post } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, callsOf, finish, gone, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const explain = holding();
let agent: StandIn;
let gateway: TestGateway;

beforeAll(async () => {
  const { url: redisUrl } = keep(await testRedis());
  agent = keep(
    await standIn({
      ...PUBLISHING,
      PRICE_OPTIMIZATION: answering({ items: [], summary: "One price moves." }),
      PRICE_EXPLANATION: explain.handler,
    }),
  );
  gateway = keep(await testGateway({ manifest: publishingMesh(agent.url), redisUrl }));
});

const somebody = () => as(`u-${randomUUID()}`, "analyst");
const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;
type Sent = Parameters<typeof message>[1] & { service?: string; returnImmediately?: boolean };

const asked = (text: string, { service, returnImmediately = false, ...more }: Sent = {}) => ({
  tenant: "",
  message: message(text, more),
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
  metadata: service === undefined ? undefined : { "interlock/service": service },
});

async function send(client: Client, text: string, sent: Sent = {}): Promise<Task> {
  const answer = await client.sendMessage(asked(text, sent));
  if (!("status" in answer)) throw new Error("a message is no task");
  return answer;
}

const stateOf = ({ status }: Pick<Task, "status">) => TaskState[status?.state ?? 0];
const failing = (answer: Promise<unknown>) =>
  answer.then(
    () => ({}),
    (error) => error,
  );
const found = (client: Client, id: string) => client.getTask({ tenant: "", id });

test("the mesh's card says how it is reached; the extended one has the caller's services as skills", async () => {
  const open = (await get(gateway, "/.well-known/agent-card.json")).json();
  expect(open).toMatchObject({
    supportedInterfaces: [
      { url: `${gateway.url}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${gateway.url}/a2a`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
    skills: [{ id: "ask" }],
  });
  for (const binding of BINDINGS) {
    const client = await a2aClient({ url: gateway.url, headers: somebody() }, { binding });
    const { skills } = await client.getAgentCard();
    expect(skills.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["ask", "optimizer", "pricing", "publishing"]),
    );
  }
  const nobody = as(`u-${randomUUID()}`, "nobody");
  const card = (await get(gateway, "/a2a/extendedAgentCard", nobody)).json();
  expect(card.skills).toMatchObject([{ id: "ask" }]);
});

test("a service is an agent of its own, for those who may use it", async () => {
  const headers = somebody();
  const client = await a2aClient({ url: gateway.url, headers }, { path: "/a2a/optimizer/" });
  expect(textOf(await send(client, "Explain"))).toBe("One price moves.");
  const path = "/a2a/optimizer/.well-known/agent-card.json";
  expect((await get(gateway, path, headers)).json()).toMatchObject({ skills: [{ id: "optimizer" }] });
  expect((await get(gateway, path, as(`u-${randomUUID()}`, "nobody"))).status).toBe(404);
});

describe.each(BINDINGS)("%s", (binding) => {
  const connect = (headers = somebody()) => a2aClient({ url: gateway.url, headers }, { binding });

  test("a task is a run, its context is the session", async () => {
    const headers = somebody();
    const client = await connect(headers);
    const contextId = randomUUID();
    const task = await send(client, "Propose prices", { service: "optimizer", contextId });
    expect([stateOf(task), textOf(task), task.contextId]).toEqual([
      "TASK_STATE_COMPLETED",
      "One price moves.",
      contextId,
    ]);
    const run = (await get(gateway, `/api/v1/runs/${task.id}`, headers)).json();
    expect(run).toMatchObject({ run_id: task.id, session_id: contextId, state: "finished" });
    expect(await found(client, task.id)).toMatchObject({ artifacts: task.artifacts, history: [{}] });
  });

  test("a question is answered under its task, and so is an approval, with an approver's own token", async () => {
    const headers = somebody();
    const client = await connect(headers);
    const task = await send(client, "What of the prices?", { service: "publishing" });
    expect(stateOf(task)).toBe("TASK_STATE_INPUT_REQUIRED");
    const { id: taskId, contextId } = task;
    const answer = { taskId, contextId, messageId: randomUUID() };
    const paused = await send(client, "publish", answer);
    // The same answer again is the same turn.
    expect((await send(client, "publish", answer)).metadata).toEqual(paused.metadata);
    // Whoever asked is none of those who decide.
    expect([paused.id, stateOf(paused)]).toEqual([taskId, "TASK_STATE_AUTH_REQUIRED"]);
    expect(await found(client, taskId)).toMatchObject({
      id: taskId,
      status: { state: paused.status?.state },
    });
    const { id, proposal_hash } = paused.metadata?.["interlock/approval"] ?? {};
    const data = { decision: "approve", proposal_hash };
    expect(await failing(send(client, "", { taskId, data }))).toMatchObject({ message: /decided by/ });
    expect(await failing(send(client, "yes", { taskId }))).toMatchObject({ message: /decision/ });
    // Another tenant's approver knows of no such task.
    const zoe = await connect(as("zoe", "pricing-lead", `t-${randomUUID()}`));
    expect(await failing(send(zoe, "", { taskId, data }))).toMatchObject({ name: "TaskNotFoundError" });
    const follower = client.resubscribeTask({ tenant: "", id: taskId });
    expect(await follower.next()).toMatchObject({ value: { payload: { $case: "task" } } });
    // An approver who may not read the run names the approval.
    const lee = await connect(LEE);
    await lee.sendMessage(asked("", { taskId, data: { ...data, approval_id: id } }));
    let last: StreamResponse | undefined;
    for await (const one of follower) last = one;
    expect(last?.payload).toMatchObject({
      $case: "statusUpdate",
      value: { taskId, status: { state: TaskState.TASK_STATE_COMPLETED } },
    });
    const done = await found(client, taskId);
    expect([stateOf(done), textOf(done)]).toEqual([
      "TASK_STATE_COMPLETED",
      expect.stringContaining("Published"),
    ]);
    // Terminal tasks never change.
    expect(await failing(send(client, "again", { taskId }))).toMatchObject({
      name: "UnsupportedOperationError",
    });
  });

  test("a task goes on without its client, and is followed from any event", async () => {
    const headers = somebody();
    const client = await connect(headers);
    const stream = client.sendMessageStream(asked("Explain", { service: "explainer" }));
    const { payload } = (await stream.next()).value ?? {};
    if (payload?.$case !== "task") throw new Error("the first event is no task");
    const { id } = payload.value;
    const call = await explain.next();
    await stream.return(undefined);
    finish(call, { summary: "Cost drives it." });
    await until(async () => stateOf(await found(client, id)) === "TASK_STATE_COMPLETED");
    const read = async (from: string) => {
      const reader = await EventReader.open(`${gateway.url}/a2a/tasks/${id}:subscribe`, {
        headers: { ...headers, "last-event-id": from },
      });
      await reader.toEnd();
      return reader.frames.map((frame) => [frame.id, frame.data] as const);
    };
    const [task, ...all] = await read(`${id}:0`);
    expect(JSON.parse(task?.[1] ?? "").task).toMatchObject({ id });
    const ids = all.flatMap(([at]) => at ?? []);
    expect(ids.length).toBeGreaterThan(1);
    const stateless = (frames: (typeof all)[number][]) =>
      frames.map(([, data]) => Object.keys(JSON.parse(data)));
    for (const at of ids.slice(0, -1)) {
      const rest = (await read(at)).slice(1);
      expect(rest.map(([one]) => one).filter(Boolean)).toEqual(ids.slice(ids.indexOf(at) + 1));
      expect(stateless(rest)).toEqual(stateless(all.slice(-rest.length)));
    }
    const over = await failing(client.resubscribeTask({ tenant: "", id }).next());
    expect(Object(over).cause ?? over).toMatchObject({ name: "UnsupportedOperationError" });
  });

  test("a task that is cancelled is cancelled down to the agent, once", async () => {
    const client = await connect();
    const { id, ...task } = await send(client, "Explain", { service: "explainer", returnImmediately: true });
    expect(stateOf(task)).toBe("TASK_STATE_SUBMITTED");
    const call = await explain.next();
    expect(stateOf(await client.cancelTask({ tenant: "", id, metadata: undefined }))).toBe(
      "TASK_STATE_CANCELED",
    );
    await gone(call);
    expect(stateOf(await found(client, id))).toBe("TASK_STATE_CANCELED");
    const again = await failing(client.cancelTask({ tenant: "", id, metadata: undefined }));
    expect(again).toMatchObject({ name: "TaskNotCancelableError" });
  });

  test("tasks are listed in pages, each caller's own", async () => {
    const client = await connect();
    const ids: string[] = [];
    const contextId = randomUUID();
    for (let n = 0; n < 3; n += 1)
      ids.unshift((await send(client, "Propose prices", { service: "optimizer", contextId })).id);
    const list = (pageToken = "", more: object = {}) =>
      client.listTasks({
        ...{ tenant: "", contextId, status: 0, pageSize: 2, pageToken },
        ...{ statusTimestampAfter: undefined, ...more },
      });
    const first = await list();
    const second = await list(first.nextPageToken);
    expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(ids);
    expect(second.nextPageToken).toBe("");
    expect(first.tasks[0]?.artifacts).toEqual([]);
    expect((await list("", { includeArtifacts: true })).tasks[0]?.artifacts).toHaveLength(1);
    expect((await list("", { status: TaskState.TASK_STATE_FAILED })).tasks).toEqual([]);
    expect((await (await connect()).listTasks({ ...listAll })).tasks).toEqual([]);
  });

  test("a message that is sent again is answered with the same task", async () => {
    const client = await connect();
    const sent = { service: "optimizer", messageId: randomUUID() };
    const { id } = await send(client, "Propose prices", sent);
    const before = callsOf(agent, "PRICE_OPTIMIZATION").length;
    expect((await send(client, "Propose prices", sent)).id).toBe(id);
    expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(before);
  });

  test("somebody else's task does not exist", async () => {
    const { id } = await send(await connect(), "Propose prices", { service: "optimizer" });
    for (const other of [somebody(), as("zoe", "analyst", `t-${randomUUID()}`)]) {
      const client = await connect(other);
      const cancelling = client.cancelTask({ tenant: "", id, metadata: undefined });
      const following = client.resubscribeTask({ tenant: "", id }).next();
      for (const answer of [found(client, id), cancelling, following, send(client, "x", { taskId: id })]) {
        const error = Object(await failing(answer));
        expect(error).toMatchObject({ name: "TaskNotFoundError" });
      }
    }
  });
});

const listAll = { tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined };

test("what cannot be heeded is refused, in the protocol's words", async () => {
  const headers = somebody();
  const rpc = async (method: string, params: object, more: Record<string, string> = {}) => {
    const answer = await post(
      gateway,
      "/a2a",
      { jsonrpc: "2.0", id: 7, method, params },
      { ...headers, ...more },
    );
    const { id, error } = Object(answer.json());
    expect(id).toBe(7);
    return error.code;
  };
  const said = (part: object) => ({ message: { messageId: randomUUID(), parts: [part] } });
  expect(await rpc("SendMessage", said({ url: "https://example.com/a.png" }))).toBe(-32005);
  expect(await rpc("SendMessage", { message: {} })).toBe(-32602);
  const configuration = { taskPushNotificationConfig: { url: "https://example.com" } };
  expect(await rpc("SendMessage", { ...said({ text: "x" }), configuration })).toBe(-32003);
  expect(await rpc("CreateTaskPushNotificationConfig", {})).toBe(-32003);
  expect(await rpc("GetTask", { id: "unknown" })).toBe(-32001);
  expect(await rpc("Nothing", {})).toBe(-32601);
  expect(await rpc("ListTasks", {}, { "a2a-version": "0.3" })).toBe(-32009);
});
