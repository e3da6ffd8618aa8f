import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { freeTask, start, until } from "../../test/agents.ts";
import { startRedis, type TestRedis } from "../../test/redis.ts";
import { newRun } from "../../test/runs.ts";
import { type AgentSettings, type TaskDefinition, TaskError } from "../index.ts";
import { silentLog } from "../log.ts";
import type { Outcome } from "../runs/answer.ts";
import type { Run } from "../runs/run.ts";
import type { TestAgent } from "../testing.ts";
import { memoryStore } from "./memory-store.ts";
import { redisStore } from "./redis-store.ts";
import { type Admission, fingerprintOf, Repeats, scopedKey } from "./repeats.ts";
import type { IdempotencyStore } from "./store.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

const agents: TestAgent[] = [];
const stores: IdempotencyStore[] = [];
afterEach(async () => {
  await Promise.all([...agents.splice(0), ...stores.splice(0)].map((one) => one.close()));
});

/** Every test uses its own agent name, so keys that earlier tests left in Redis do not matter. */
function agentName(): string {
  return `test-${randomUUID()}`;
}

type Counted = { readonly runs: number; readonly release: () => void; readonly task: TaskDefinition };

/** A task that counts its runs and can be paused. */
function counted(waits = false): Counted {
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const task = freeTask(async function* ({ signal, idempotencyKey }) {
    runs += 1;
    const run = runs;
    const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    yield { type: "progress", message: "begun" };
    if (waits) await Promise.race([gate.promise, aborted]);
    return { run, key: idempotencyKey };
  });
  return {
    get runs() {
      return runs;
    },
    release: () => gate.resolve(),
    task,
  };
}

async function serving(task: TaskDefinition, settings: Partial<AgentSettings> = {}): Promise<TestAgent> {
  const agent = await start({ TASK: task, OTHER: task }, settings);
  agents.push(agent);
  return agent;
}

const asked = { task_type: "TASK", inputs: { a: 1 } };
function key(value: string, signal?: AbortSignal) {
  return {
    headers: { "Idempotency-Key": value },
    ...(signal === undefined ? {} : { signal }),
  };
}
async function metric(agent: TestAgent, line: string): Promise<boolean> {
  return (await (await fetch(`${agent.url}/metrics`)).text()).includes(line);
}
/** The repeats of one request, as an agent admits them. */
function repeatsOf(store: IdempotencyStore) {
  stores.push(store);
  let runs = 0;
  const repeats = new Repeats(
    () => store,
    () => silentLog,
  );
  const begin = (): Run => {
    runs += 1;
    return newRun(counted().task);
  };
  const frame = { taskType: "TASK", maxBytes: 4096 };
  return { admit: () => repeats.admit({ key: "k", fingerprint: "f", frame, begin }), runs: () => runs };
}
/** What a request does whose client has gone while it waited. */
function leaveAtOnce({ leave, own }: Admission): void {
  leave("CANCELLED");
  void own?.drive();
}
function outcomeOf({ outcome, own }: Admission): Promise<Outcome> {
  void own?.drive();
  return outcome;
}
function active(agent: TestAgent, runs: number): Promise<boolean> {
  return metric(agent, `runs_active ${runs}`);
}

describe.each(["memory", "redis"])("with the %s store", (kind) => {
  const store = () => (kind === "memory" ? memoryStore() : redisStore(redis.url, { agent: agentName() }));

  test("a repeated key is answered without another run, under the repeat's own request_id", async () => {
    const state = counted();
    const agent = await serving(state.task, { idempotency: store() });
    const first = await agent.sync({ ...asked, request_id: "run:step:1" }, key("run:step"));
    const second = await agent.sync({ ...asked, request_id: "run:step:2" }, key("run:step"));
    expect(first.body).toMatchObject({ request_id: "run:step:1", outputs: { run: 1, key: "run:step" } });
    expect(second.body).toEqual({ ...first.body, request_id: "run:step:2" });
    expect(state.runs).toBe(1);
  });

  test("a streaming repeat gets started and the terminal", async () => {
    const agent = await serving(counted().task, { idempotency: store() });
    await agent.sync(asked, key("k"));
    const { events, final } = await agent.stream(asked, key("k"));
    expect(events.map(({ event }) => event)).toEqual(["started", "final"]);
    expect(final).toMatchObject({ outputs: { run: 1 } });
  });

  test("a repeat joins the run under way", async () => {
    const state = counted(true);
    const agent = await serving(state.task, { idempotency: store() });
    const answers = [agent.sync(asked, key("k")), agent.stream(asked, key("k")), agent.sync(asked, key("k"))];
    await until(() => metric(agent, 'repeats_total{task_type="TASK"} 2'));
    state.release();
    await Promise.all(answers);
    expect(state.runs).toBe(1);
  });

  test("the run goes on while one of its callers is there, and is aborted with the last", async () => {
    const state = counted(true);
    const agent = await serving(state.task, { idempotency: store() });
    const clients = [new AbortController(), new AbortController()];
    const sent = clients.map(({ signal }) => agent.sync(asked, key("k", signal)).catch(() => "gone"));
    await until(() => metric(agent, 'repeats_total{task_type="TASK"} 1'));
    clients[0]?.abort();
    await sent[0];
    expect(await active(agent, 1)).toBe(true);
    clients[1]?.abort();
    await until(() => active(agent, 0));
    state.release();
    expect((await agent.sync(asked, key("k"))).body).toMatchObject({ outputs: { run: 2 } });
  });

  test("a repeat that waits for the same claim is not cancelled with the first request", async () => {
    const { admit } = repeatsOf(store());
    const first = admit().then(leaveAtOnce);
    const second = admit().then(outcomeOf);
    await first;
    expect(await second).toMatchObject({ ok: true });
  });

  test("a repeat that finds a run which everybody has just left gets another one", async () => {
    const { admit, runs } = repeatsOf(store());
    const repeat = admit().then((place) => {
      leaveAtOnce(place);
      return admit();
    });
    expect(await repeat.then(outcomeOf)).toMatchObject({ ok: true });
    expect(runs()).toBe(2);
  });

  test("the same key with another body is refused, and with another task is another key", async () => {
    const agent = await serving(counted().task, { idempotency: store() });
    await agent.sync(asked, key("k"));
    const other = await agent.sync({ ...asked, inputs: { a: 2 } }, key("k"));
    expect(other).toMatchObject({ status: 422, body: { error: { code: "IDEMPOTENCY_CONFLICT" } } });
    expect((await agent.sync({ ...asked, task_type: "OTHER" }, key("k"))).body).toMatchObject({
      outputs: { run: 2 },
    });
  });

  test("a business failure is kept, a defect and an exceeded deadline are not", async () => {
    let runs = 0;
    const agent = await serving(
      freeTask(async function* (context, { inputs }) {
        runs += 1;
        yield { type: "progress" };
        if ("defect" in inputs) throw new Error("a defect");
        if ("late" in inputs)
          await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
        throw new TaskError("INFEASIBLE", "No.");
      }),
      { idempotency: store() },
    );
    for (const inputs of [{ plain: 1 }, { defect: 1 }, { late: 1 }]) {
      const name = key(Object.keys(inputs).join());
      const request = { ...asked, inputs, ...("late" in inputs ? { budgets: { timeout_ms: 200 } } : {}) };
      const first = await agent.sync(request, name);
      expect((await agent.sync(request, name)).body).toEqual(first.body);
    }
    expect(runs).toBe(5);
  });

  test("a request that was refused for want of room is not kept", async () => {
    const busy = counted(true);
    const agent = await serving(busy.task, { idempotency: store(), maxConcurrent: 1 });
    const first = agent.sync(asked);
    await until(() => active(agent, 1));
    expect((await agent.sync(asked, key("k"))).status).toBe(429);
    busy.release();
    await first;
    expect((await agent.sync(asked, key("k"))).body).toMatchObject({ outputs: { run: 2 } });
  });
});

describe("two replicas with one Redis", () => {
  const replicas = (
    task: TaskDefinition,
    { leaseMs = 15_000, onRenewal = () => {} }: { leaseMs?: number; onRenewal?: () => void } = {},
  ): Promise<TestAgent[]> => {
    const agent = agentName();
    return Promise.all(
      [1, 2].map(() => {
        const store = redisStore(redis.url, { agent, leaseMs });
        const renew: IdempotencyStore["renew"] = async (...claim) => {
          await store.renew(...claim);
          onRenewal();
        };
        return serving(task, { idempotency: { ...store, renew } });
      }),
    );
  };

  test("answer a key that the other one ran", async () => {
    const state = counted();
    const [one, two] = await replicas(state.task);
    const first = await one?.sync(asked, key("k"));
    expect((await two?.sync(asked, key("k")))?.body).toEqual(first?.body);
    expect(state.runs).toBe(1);
  });

  test("wait for a run that is under way at the other one, however often its lease is renewed", async () => {
    const state = counted(true);
    let renewals = 0;
    const [one, two] = await replicas(state.task, { leaseMs: 3_000, onRenewal: () => renewals++ });
    if (one === undefined || two === undefined) throw new Error("no agents");
    const first = one.sync(asked, key("k"));
    await until(() => active(one, 1));
    const second = two.stream(asked, key("k"));
    await until(() => metric(two, 'repeats_total{task_type="TASK"} 1'));
    // By then the run is older than its lease, which is renewed each third of it.
    await until(() => renewals > 3);
    state.release();
    const { body } = await first;
    expect((await second).final).toEqual(body);
    expect(state.runs).toBe(1);
  });

  test("take over a run whose replica is gone, once its lease has lapsed", async () => {
    const state = counted();
    const agent = agentName();
    const begun = performance.now();
    const dead = redisStore(redis.url, { agent, leaseMs: 500 });
    await dead.claim(scopedKey("TASK", "k"), fingerprintOf({ request_id: "r", ...asked }), "one that died");
    const live = await serving(state.task, { idempotency: redisStore(redis.url, { agent }) });
    expect((await live.sync(asked, key("k"))).body).toMatchObject({ outputs: { run: 1 } });
    expect(performance.now() - begun).toBeGreaterThan(490);
    await dead.close();
  });

  test("free a key at the other one when the caller has gone", async () => {
    const state = counted(true);
    const [one, two] = await replicas(state.task);
    if (one === undefined || two === undefined) throw new Error("no agents");
    const client = new AbortController();
    const first = one.sync(asked, key("k", client.signal)).catch(() => "gone");
    await until(() => active(one, 1));
    const second = two.sync(asked, key("k"));
    await until(() => metric(two, 'repeats_total{task_type="TASK"} 1'));
    client.abort();
    await first;
    await until(() => active(two, 1));
    state.release();
    expect((await second).body).toMatchObject({ outputs: { run: 2 } });
  });
});

test("while Redis is away a request with a key is refused, and one without is run", async () => {
  const state = counted();
  const agent = await serving(state.task, {
    idempotency: redisStore("redis://127.0.0.1:1", { agent: agentName() }),
  });
  expect(await agent.sync(asked, key("k"))).toMatchObject({
    status: 503,
    body: { error: { code: "UNAVAILABLE" } },
  });
  expect((await agent.sync(asked)).status).toBe(200);
  expect(state.runs).toBe(1);
});

test("the memory store forgets after a day, and the oldest first when it is full", async () => {
  let now = 0;
  const store = memoryStore(3000, () => now);
  const outcome = { ok: true, code: "OK", rest: "x".repeat(600) };
  for (const name of ["a", "b", "c"]) {
    await store.claim(name, "f", "o");
    await store.complete(name, "f", "o", outcome);
  }
  expect((await store.claim("a", "f", "new")).state).toBe("mine");
  expect((await store.claim("c", "f", "new")).state).toBe("done");
  now += 24 * 60 * 60 * 1000;
  expect((await store.claim("c", "f", "new")).state).toBe("mine");
});
