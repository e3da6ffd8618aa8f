import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { ANN, get, type LogEvent, post, startRun, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, standIn } from "./support/stand-in.ts";

const SMALL = { mean: 0.1, note: "ok", values: [1, 2, 3] };
const ROWS = Array.from({ length: 115 }, (_, id) => ({ id, price: id / 10 }));
/** Some 8 MB, in two bytes a character once they are text: more than any answer repeats, and than the gateway reads in its event loop. */
const LARGE = {
  label: "→",
  rows: Array.from({ length: 150_000 }, (_, id) => ({ id, note: 'quoted ", and of some length, too' })),
};
/** Less than is read elsewhere, and more than an answer repeats. */
const MIDDLE = { rows: LARGE.rows.slice(0, 5_000) };

const keep = closingAtEnd();
const started = join(tmpdir(), `interlock-started-${randomUUID()}`);
let gateway: GatewayProcess;

beforeAll(async () => {
  const { url: redisUrl } = keep(await testRedis());
  const agent = keep(
    await standIn({
      SMALL: answering(SMALL),
      ROWS: answering({ rows: ROWS }),
      MIDDLE: answering(MIDDLE),
      LARGE: answering(LARGE),
    }),
  );
  const tasks = { SMALL: "Little.", ROWS: "Rows.", MIDDLE: "More.", LARGE: "Much." };
  const limits = { max_event_bytes: 32 * 1024 * 1024, timeout_ms: 120_000 };
  const service = (task: string, more: object = {}) => ({
    agent: "worker",
    task_type: task,
    keywords: [task.toLowerCase()],
    ...more,
  });
  const step = (task: string, more: object = {}) => ({
    agent: "worker",
    task_type: task,
    inputs: {},
    ...more,
  });
  const manifest = {
    egress: { allow: ["127.0.0.0/8"] },
    agents: {
      worker: {
        url: agent.url,
        tasks,
        limits,
        command: [process.execPath, "-e", `fs.writeFileSync(${JSON.stringify(started)}, "")`],
      },
    },
    flows: {
      survey: {
        steps: {
          before: step("ROWS"),
          small: step("SMALL", { needs: ["before"] }),
          shown: step("ROWS", { show: { count: { count: "outputs.rows" } } }),
          much: step("LARGE"),
        },
        goals: { rows: ["small", "shown", "much"], small: ["small"] },
      },
    },
    services: {
      small: service("SMALL"),
      rows: service("ROWS"),
      middle: service("MIDDLE"),
      large: service("LARGE"),
      worded: service("SMALL", {
        keywords: ["worded"],
        answer: { text: "Mean {outputs.mean}, {outputs.note}" },
      }),
    },
  };
  // The test reads much, and slowly on a busy machine.
  gateway = keep(await gatewayProcess({ manifest, redisUrl, env: { STREAM_STALLED_MS: "60000" } }));
});

const chat = async (message: string) => {
  const answer = await post(gateway, "/api/v1/chat", { message, session_id: randomUUID() }, ANN);
  expect(answer.status).toBe(200);
  expect(gatewayContract.chatAnswer(answer.json())).toMatchObject({ ok: true });
  return answer.json();
};
const record = async (run: unknown) => (await get(gateway, `/api/v1/runs/${run}`, ANN)).json();
const dialect = async (run: unknown, name: string): Promise<unknown[]> => {
  const url = `${gateway.url}/api/v1/runs/${run}/events?dialect=${name}`;
  const stream = await EventReader.open(url, { headers: ANN });
  await stream.toEnd();
  return stream.frames.filter(({ data }) => data !== "").map(({ data }) => JSON.parse(data));
};
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const endOf = (events: LogEvent[]) => events.at(-1)?.data;

describe("a service without an answer", () => {
  const TEXT = "mean: 0.1\nnote: ok\nvalues: 1, 2, 3";

  test("answers with its outputs, as data and as a text, wherever the answer is read", async () => {
    const answer = await chat("small");
    expect(answer).toMatchObject({ message: TEXT, outputs: SMALL, done: true });
    expect(answer).not.toHaveProperty("large_outputs");
    const run = answer.thread_id;
    expect((await record(run)).result).toMatchObject({ message: TEXT, outputs: SMALL });

    const end = { message: TEXT, outputs: SMALL };
    expect((await dialect(run, "run")).slice(-2)).toMatchObject([
      { type: "step_finished", node: "small", data: { outputs: SMALL } },
      { type: "run_finished", data: end },
    ]);
    expect((await dialect(run, "chat")).slice(-2)).toMatchObject([{ tool_call: { outputs: SMALL } }, end]);
    expect((await dialect(run, "status")).slice(-3)).toMatchObject([
      { type: "tool", result: SMALL },
      { type: "text", content: TEXT },
      { type: "complete", outputs: SMALL },
    ]);
    expect((await dialect(run, "turn")).slice(-2)).toMatchObject([{ result: SMALL }, end]);
  });

  test("says of what it leaves out how much it is", async () => {
    const { message, outputs } = await chat("rows");
    expect(outputs).toEqual({ rows: ROWS });
    expect(message).toMatch(/^rows: \(115\)\n {2}id \| price\n {2}0 {2}\| 0\n {2}1 {2}\| 0\.1\n/);
    expect(message).toMatch(/\n {2}… 95 more$/);
  });

  test("is given one by its manifest, and then repeats no outputs", async () => {
    const answer = await chat("worded");
    expect(answer).toMatchObject({ message: "Mean 0.1, ok" });
    expect(answer).not.toHaveProperty("outputs");
    expect(JSON.stringify(await dialect(answer.thread_id, "run"))).not.toContain('"outputs"');
  });
});

describe("outputs that are too large for an answer", () => {
  test.each([
    ["middle", MIDDLE],
    ["large", LARGE],
  ])("are named with their size, and the step's event has them: %s", async (name, outputs) => {
    const answer = await chat(name);
    const bytes = bytesOf(outputs);
    const run = answer.thread_id;
    expect(answer).toMatchObject({ large_outputs: [{ node: name, bytes }] });
    expect(answer).not.toHaveProperty("outputs");
    expect(answer.message).toContain(`rows: (${outputs.rows.length})\n  id | note\n`);
    expect(answer.message).toContain(`… ${outputs.rows.length - 20} more`);
    expect(answer.message).toContain(
      `(${bytes} bytes) are in its step_finished event: GET /api/v1/runs/${run}/`,
    );
    expect(bytesOf(answer)).toBeLessThan(16 * 1024);
    expect(bytesOf(await record(run))).toBeLessThan(16 * 1024);

    const events = await dialect(run, "run");
    expect(events.at(-2)).toMatchObject({ type: "step_finished", node: name });
    expect(events.at(-2)).toHaveProperty("data.outputs", outputs);
    expect(bytesOf(events.at(-1))).toBeLessThan(16 * 1024);
    const said = { ...Object(events.at(-2)).data };
    const call = (await dialect(run, "chat")).at(-2);
    expect(gatewayContract.chatEvent(call)).toMatchObject({ ok: true });
    const { task_type: _, ...rest } = said;
    expect(call).toEqual({
      seq: Object(events.at(-2)).seq,
      done: false,
      node: name,
      tool_call: { name, ...rest },
    });
    expect((await dialect(run, "status")).at(-3)).toEqual({ type: "tool", name, result: outputs });
    expect((await dialect(run, "turn")).at(-2)).toMatchObject({
      agent: "worker",
      success: true,
      result: outputs,
    });
  });
});

describe("a flow without an answer", () => {
  const execute = async (goals: string[]) =>
    await toRest(gateway, await startRun(gateway, { flow: "survey", goals }));

  test("answers with the outputs of its goals' steps, and with what else it took only in the journal", async () => {
    const events = await execute(["small"]);
    expect(endOf(events)).toMatchObject({
      message: "small:\n  mean: 0.1\n  note: ok\n  values: 1, 2, 3",
      outputs: { small: SMALL },
    });
    const shown = events
      .filter(({ type }) => type === "step_finished")
      .map(({ node, data }) => [node, data.outputs]);
    expect(shown).toEqual([
      ["before", undefined],
      ["small", SMALL],
    ]);
  });

  test("names what is large beside what is not, and shows of each step what the manifest says", async () => {
    const events = await execute(["rows"]);
    const end = endOf(events);
    expect(end).toMatchObject({
      outputs: { small: SMALL, shown: { count: 115 } },
      large_outputs: [{ node: "much", bytes: bytesOf(LARGE) }],
    });
    expect(end?.message).toMatch(/^small:\n {2}mean: 0\.1\n/);
    const finished = events.filter(({ type }) => type === "step_finished");
    const outputs = Object.fromEntries(finished.map(({ node, data }) => [node, data.outputs]));
    expect(outputs.shown).toEqual({ count: 115 });
    expect(outputs.much).toEqual(LARGE);
  });
});

test("a gateway starts no agent, whatever the manifest has a command for", async () => {
  expect(await chat("small")).toMatchObject({ outputs: SMALL });
  expect(existsSync(started)).toBe(false);
});
