import { request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { countTask, deafTask, failingTask, freeTask, slowTask, start, until } from "../../test/agents.ts";
import { readEvents, type TestAgent } from "../testing.ts";
import type { AgentDefinition, AgentSettings } from "../types.ts";

let agent: TestAgent | undefined;
afterEach(() => agent?.close());

async function serving(
  tasks: AgentDefinition["tasks"],
  settings: Partial<AgentSettings> = {},
): Promise<TestAgent> {
  agent = await start(tasks, settings);
  return agent;
}

function runBody(task: string, more: object = {}): string {
  return JSON.stringify({ request_id: "r", task_type: task, ...more });
}

function openStream(url: string, body: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/agents/run/stream`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A response that is read only on request. */
function openUnread(url: string, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/agents/run/stream`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
    });
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end(body);
  });
}

describe("a stream", () => {
  test("is started, what the task yields, and one final with what it returns", async () => {
    const { stream } = await serving({ COUNT: countTask });
    const { events } = await stream({ request_id: "r-9", task_type: "COUNT", inputs: { to: 2 } });
    expect(events).toEqual([
      { event: "started", data: { request_id: "r-9", task_type: "COUNT" } },
      { event: "progress", data: { completed: 1, total: 2 } },
      { event: "progress", data: { completed: 2, total: 2 } },
      {
        event: "final",
        data: {
          request_id: "r-9",
          task_type: "COUNT",
          status: "ok",
          ok: true,
          outputs: { sum: 3 },
          warnings: [],
          provenance: { agent: "tester", version: "1.2.3" },
        },
      },
    ]);
  });

  test("is not to be cached, changed or buffered on its way", async () => {
    const { stream } = await serving({ COUNT: countTask });
    const { headers } = await stream({ task_type: "COUNT" });
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(headers.get("x-accel-buffering")).toBe("no");
  });

  test("has tokens as they are yielded", async () => {
    const { stream } = await serving({
      TALK: {
        inputs: { type: "object" },
        outputs: { type: "object" },
        async *run() {
          yield { type: "token", text: "Grüße\n" };
          yield { type: "token", text: "\u2028 data: x\r\n\r\n" };
          return {};
        },
      },
    });
    const { events } = await stream({ task_type: "TALK" });
    expect(events.slice(1, 3).map(({ data }) => data)).toEqual([
      { text: "Grüße\n" },
      { text: "\u2028 data: x\r\n\r\n" },
    ]);
  });

  test("of a task that throws ends in its one error terminal", async () => {
    const { stream } = await serving({ FAIL: failingTask });
    const { events, final } = await stream({ task_type: "FAIL" });
    expect(events.map(({ event }) => event)).toEqual(["started", "progress", "final"]);
    expect(final).toMatchObject({
      status: "error",
      ok: false,
      outputs: {},
      warnings: ["one thing was odd"],
      error: { code: "INFEASIBLE", message: "Nothing fits.", details: { constraint: "bounds" } },
    });
  });

  test("has a comment when the task is silent", async () => {
    const { url } = await serving({ SLOW: slowTask(400) }, { keepaliveMs: 50 });
    const text = await (await openStream(url, runBody("SLOW"))).text();
    const comments = text.split(": keepalive\n\n").length - 1;
    expect(comments).toBeGreaterThanOrEqual(3);
    expect(comments).toBeLessThanOrEqual(9);
    expect(text).toMatch(/event: final\ndata: .*\n\n$/);
  });
});

describe("/sync drains the same generator", () => {
  test("to the same answer", async () => {
    const { sync, stream } = await serving({ COUNT: countTask });
    const asked = { request_id: "r", task_type: "COUNT", inputs: { to: 4 } };
    const { final } = await stream(asked);
    expect((await sync(asked)).body).toEqual(final);
  });

  test("and a business failure is a 200", async () => {
    const { sync } = await serving({ FAIL: failingTask });
    const { status, body } = await sync({ task_type: "FAIL" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "error", ok: false, error: { code: "INFEASIBLE" } });
  });
});

describe("inputs", () => {
  test.each([[{}], [{ inputs: {} }]])(
    "that are absent or empty (%j) run on the sample in DEMO",
    async (more) => {
      const { sync } = await serving({ COUNT: countTask });
      const { body } = await sync({ task_type: "COUNT", ...more });
      expect(body).toMatchObject({ outputs: { sum: 6 }, warnings: [expect.stringContaining("sample")] });
    },
  );

  test("that are given run without a warning in LIVE", async () => {
    const { sync } = await serving({ COUNT: countTask });
    const { body } = await sync({ task_type: "COUNT", mode: "LIVE", inputs: { to: 1 } });
    expect(body).toMatchObject({ outputs: { sum: 1 }, warnings: [] });
  });
});

describe("a deadline", () => {
  test.each(["sync", "stream"] as const)("ends a run by %s even where the task is deaf", async (how) => {
    const running = await serving({ DEAF: deafTask });
    const answer = await running[how]({ task_type: "DEAF", budgets: { timeout_ms: 100 } });
    const told = "final" in answer ? answer.final : answer.body;
    expect(told).toMatchObject({ status: "error", ok: false, error: { code: "DEADLINE_EXCEEDED" } });
  });

  test("reaches a task that never waits", async () => {
    const { stream } = await serving({
      BUSY: freeTask(async function* () {
        for (;;) yield { type: "progress" };
      }),
    });
    const { final } = await stream({ task_type: "BUSY", budgets: { timeout_ms: 100 } });
    expect(final).toMatchObject({ error: { code: "DEADLINE_EXCEEDED" } });
  });

  test("is told to the task, and fires its signal", async () => {
    const seen: unknown[] = [];
    const { sync } = await serving({
      SLOW: freeTask(async function* (context) {
        seen.push(context.deadline);
        await sleep(5000, undefined, { signal: context.signal }).catch(() =>
          seen.push(context.signal.reason),
        );
        yield { type: "progress" };
        return {};
      }),
    });
    const before = Date.now();
    await sync({ task_type: "SLOW", budgets: { timeout_ms: 80 } });
    await until(() => seen.length === 2);
    expect(seen[0]).toBeGreaterThanOrEqual(before + 80);
    expect(seen[1]).toMatchObject({ code: "DEADLINE_EXCEEDED" });
  });
});

describe("a client that goes", () => {
  test.each(["sync", "stream"])("aborts its run by %s", async (how) => {
    const reasons: unknown[] = [];
    const { url } = await serving({ SLOW: slowTask(60_000, (reason) => reasons.push(reason)) });
    const client = new AbortController();
    const sent = fetch(`${url}/agents/run/${how}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: runBody("SLOW"),
      signal: client.signal,
    }).then((response) => response.text());
    await until(async () => (await (await fetch(`${url}/metrics`)).text()).includes("runs_active 1"));
    client.abort();
    await expect(sent).rejects.toThrow();
    await until(() => reasons.length === 1);
    expect(reasons).toMatchObject([{ code: "CANCELLED" }]);
  });

  test("has the task's finally blocks run", async () => {
    let cleaned = false;
    const { url } = await serving({
      TICK: freeTask(async function* () {
        try {
          for (;;) {
            yield { type: "progress" };
            await sleep(5);
          }
        } finally {
          cleaned = true;
        }
      }),
    });
    const response = await openStream(url, runBody("TICK"));
    for await (const { event } of readEvents(response)) if (event === "progress") break;
    await until(() => cleaned);
  });
});

describe("a slow reader", () => {
  const flood = (yielded: { count: number }) =>
    freeTask(async function* () {
      for (; yielded.count < 1000; yielded.count += 1) {
        yield { type: "progress", message: "x".repeat(64 * 1024) };
      }
      return {};
    });

  test("holds the task back, and then gets everything", async () => {
    const yielded = { count: 0 };
    const { url } = await serving({ FLOOD: flood(yielded) });
    const response = await openUnread(url, runBody("FLOOD"));
    let before = -1;
    await until(async () => {
      const still = before === yielded.count;
      before = yielded.count;
      await sleep(100);
      return still && before > 0;
    });
    expect(yielded.count).toBeLessThan(900);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    expect(yielded.count).toBe(1000);
    expect(bytes).toBeGreaterThan(64_000 * 1000);
  });

  test("that takes nothing at all is dropped", async () => {
    const yielded = { count: 0 };
    const { url } = await serving({ FLOOD: flood(yielded) }, { stallMs: 200 });
    const response = await openUnread(url, runBody("FLOOD"));
    response.on("error", () => {});
    await until(async () => (await (await fetch(`${url}/metrics`)).text()).includes('code="CANCELLED"} 1'));
    response.destroy();
    expect(yielded.count).toBeLessThan(900);
  });
});
