import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, eventsOf, post, startRun, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, type Call, callsOf, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const GOOD = { mean: 5, unit: "m" };
const WRONG = { mean: "canary", unit: "m" };
/** More than the gateway reads in its event loop. */
const LARGE = { rows: Array.from({ length: 30_000 }, (_, id) => ({ id, note: "x".repeat(40) })) };
const answers: object[] = [];
let agent: StandIn;
let gateway: TestGateway;
let first = 0;

const SCHEMA = {
  type: "object",
  required: ["mean"],
  properties: { mean: { type: "number" }, unit: { enum: ["m", "km"] } },
};
const ROWS = {
  type: "object",
  properties: { rows: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } } },
};

beforeAll(async () => {
  const { url } = keep(await testRedis());
  const next = answering(() => answers.shift() ?? GOOD);
  agent = keep(await standIn({ DESCRIBE: next, TELL: next, LIST: next }));
  const dir = mkdtempSync(join(tmpdir(), "interlock-schema-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  writeFileSync(join(dir, "tell.json"), JSON.stringify(SCHEMA));
  const limits = { timeout_ms: 20_000, retries: 0, backoff_ms: 1, max_event_bytes: 8 * 1024 * 1024 };
  const tell = { agent: "worker", task_type: "TELL", inputs: {} };
  const manifest = {
    egress: { allow: ["127.0.0.0/8"] },
    agents: {
      worker: {
        url: agent.url,
        tasks: { DESCRIBE: "Describes.", TELL: "Tells.", LIST: "Lists." },
        outputs: { DESCRIBE: SCHEMA, TELL: join(dir, "tell.json"), LIST: ROWS },
        limits,
      },
    },
    flows: {
      tour: {
        steps: {
          describe: { agent: "worker", task_type: "DESCRIBE", inputs: {} },
          report: { needs: ["describe"], render: { text: "Mean {steps.describe.outputs.mean}" } },
        },
        goals: { describe: ["describe"] },
        answer: "report",
      },
      repeatable: { steps: { tell: { ...tell, effect: "repeatable" } }, goals: { describe: ["tell"] } },
      once: { steps: { tell: { ...tell, effect: "once" } }, goals: { describe: ["tell"] } },
    },
    services: {
      describe: {
        agent: "worker",
        task_type: "DESCRIBE",
        keywords: ["describe"],
        answer: { text: "Mean {outputs.mean}" },
      },
      list: { agent: "worker", task_type: "LIST", keywords: ["list"] },
    },
    endpoints: { describe: { task_type: "DESCRIBE" } },
  };
  gateway = keep(await testGateway({ manifest, redisUrl: url }));
});

beforeEach(() => {
  answers.length = 0;
  first = agent.calls.length + 1;
});

const calls = (task = "DESCRIBE"): Call[] => callsOf(agent, task).filter(({ number }) => number >= first);
const ask = async (message: string) => {
  const stream = await EventReader.open(`${gateway.url}/api/v1/chat?dialect=run`, {
    headers: ANN,
    body: { message, session_id: randomUUID() },
  });
  await stream.toEnd();
  return eventsOf(stream);
};
const execute = async (flow: string) => {
  const run = await startRun(gateway, { flow, goals: ["describe"] });
  return { run, end: (await toRest(gateway, run)).at(-1) };
};

describe("outputs that the manifest's schema does not allow", () => {
  test("are asked for once more, under another key, and the log says so", async () => {
    answers.push(WRONG, GOOD);
    const events = await ask("describe it");
    expect(events.map(({ type }) => type)).toEqual([
      "run_started",
      "step_started",
      "step_repair",
      "step_finished",
      "run_finished",
    ]);
    expect(events.at(-1)?.data).toMatchObject({ status: "ok", message: "Mean 5" });
    const [one, two, ...others] = calls();
    expect(others).toEqual([]);
    const run = one?.body.workflow_id;
    expect([one, two].map((call) => call?.headers["idempotency-key"])).toEqual([
      `${run}:describe`,
      `${run}:describe.again`,
    ]);
    expect(one?.body.request_id).not.toBe(two?.body.request_id);
  });

  test("fail the run the second time, and nobody is shown what they were", async () => {
    answers.push(WRONG, WRONG);
    const events = await ask("describe it");
    expect(events.at(-1)).toMatchObject({
      type: "run_failed",
      data: {
        code: "upstream_invalid",
        reason: "wrong_outputs",
        node: "describe",
      },
    });
    expect(calls()).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain("canary");
    expect(gateway.logs()).toContain("UpstreamError:upstream_invalid:/mean");
    expect(gateway.logs()).not.toContain("canary");
  });

  test("are asked for again in a plain request, and in the step of a plan", async () => {
    answers.push(WRONG);
    const body = { message: "describe it", session_id: randomUUID() };
    const answer = await post(gateway, "/api/v1/chat", body, ANN);
    expect(answer.json()).toMatchObject({ message: "Mean 5" });
    answers.push(WRONG);
    expect((await execute("tour")).end?.data).toMatchObject({ status: "ok", message: "Mean 5" });
    expect(calls()).toHaveLength(4);
  });

  test("are asked for again at a task's own endpoint, which then fails honestly", async () => {
    answers.push(WRONG);
    const repaired = await post(gateway, "/api/v1/describe", {}, ANN);
    expect(repaired).toMatchObject({ status: 200 });
    expect(repaired.json()).toMatchObject(GOOD);
    answers.push(WRONG, { mean: 1, unit: "canary" });
    const failed = await post(gateway, "/api/v1/describe", {}, ANN);
    expect(failed).toMatchObject({ status: 502 });
    expect(failed.json()).toMatchObject({ code: "upstream_invalid" });
    expect(failed.text).not.toContain("canary");
  });
});

describe("an effect is not repeated for its outputs' sake", () => {
  test("where the agent would know its key again: the run fails", async () => {
    answers.push(WRONG);
    expect((await execute("repeatable")).end).toMatchObject({
      type: "run_failed",
      data: { code: "upstream_invalid", reason: "wrong_outputs" },
    });
    expect(calls("TELL")).toHaveLength(1);
  });

  test("where it may happen once only: a person finds out what it came to", async () => {
    answers.push(WRONG);
    expect((await execute("once")).end).toMatchObject({
      type: "run_parked",
      data: { code: "outcome_unknown" },
    });
    expect(calls("TELL")).toHaveLength(1);
  });
});

test.each([
  ["are accepted where they are right", [LARGE], { type: "run_finished" }],
  [
    "fail where they are wrong at their end",
    Array(2).fill({ rows: [...LARGE.rows, { id: "last" }] }),
    { type: "run_failed", data: { reason: "wrong_outputs" } },
  ],
])("large outputs %s", async (_, said, end) => {
  answers.push(...said);
  expect((await ask("list them")).at(-1)).toMatchObject(end);
  expect(JSON.stringify(LARGE).length).toBeGreaterThan(1024 * 1024);
  expect(calls("LIST")).toHaveLength(said.length);
});
