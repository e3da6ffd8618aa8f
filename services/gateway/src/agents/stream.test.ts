import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { AgentClient } from "./client.ts";
import {
  type Call,
  clientFor,
  dispatch,
  event,
  failureOf,
  final,
  goodStream,
  openStream,
  sendStream,
  startAgent,
  started,
  type TestAgent,
} from "./test/agent.ts";
import type { AgentEvent } from "./types.ts";

const TYPES = ["started", "progress", "token"];

describe("a stream of an agent", () => {
  let answer: (call: Call) => unknown = () => undefined;
  let agent: TestAgent;
  let client: AgentClient;
  beforeAll(async () => {
    agent = await startAgent((call) => answer(call));
    client = clientFor(agent.url, { breaker: { failures: 100_000, restMs: 1 } });
  });
  afterAll(async () => {
    await client.close();
    await agent.close();
  });

  const run = async (): Promise<{ types: string[]; outputs: unknown }> => {
    const types: string[] = [];
    const onEvent = ({ type }: AgentEvent): void => void types.push(type);
    const { outputs } = await client.stream(dispatch({ onEvent }));
    return { types, outputs };
  };

  test("hands its events on in order, as objects and as written, and ends with the result", async () => {
    answer = (call) => sendStream(call, goodStream(call));
    const events: AgentEvent[] = [];
    const result = await client.stream(dispatch({ onEvent: (seen) => void events.push(seen) }));
    expect(events).toEqual([
      expect.objectContaining({ type: "started", data: { request_id: "run:step:1", task_type: "TASK" } }),
      { type: "progress", data: { step: 1 }, json: '{"step":1}' },
      { type: "token", data: { text: "grüße €uro 🙂" }, json: '{"text":"grüße €uro 🙂"}' },
    ]);
    expect(result).toEqual({
      outputs: { done: true },
      warnings: [],
      attempts: 1,
      durationMs: expect.any(Number),
    });
  });

  test.each(["final", "complete", "done"])(
    "may end with the event %s, and say outputs or data",
    async (name) => {
      answer = (call) =>
        sendStream(call, final(call, { status: "success", data: { a: 1 } }).replace("final", name));
      expect((await run()).outputs).toEqual({ a: 1 });
    },
  );

  test("may say that it succeeded with a word of its own, beside ok or success", async () => {
    for (const flag of ["ok", "success"]) {
      answer = (call) =>
        sendStream(call, final(call, { status: "completed", [flag]: true, outputs: { a: 1 } }));
      expect((await run()).outputs).toEqual({ a: 1 });
    }
  });

  test.each<unknown>([[[1, [2]]], ["half"], [0.5], [null], [true], [{ step: 1 }]])(
    "may report any JSON as its progress: %j",
    async (data) => {
      answer = (call) => sendStream(call, event("progress", data) + final(call));
      const events: AgentEvent[] = [];
      await client.stream(dispatch({ onEvent: (seen) => void events.push(seen) }));
      expect(events).toEqual([{ type: "progress", data, json: JSON.stringify(data) }]);
    },
  );

  test("hands on events with names of its own as progress", async () => {
    answer = (call) =>
      sendStream(call, event("thought", [1]) + event("token", "é") + event("started", "now") + final(call));
    expect((await run()).types).toEqual(["progress", "progress", "started"]);
  });

  test("carries warnings, grounding, usage, provenance and artifacts", async () => {
    const said = {
      warnings: ["ran on the sample"],
      grounding: { sources: ["catalogue"] },
      usage: { total_tokens: 3 },
      provenance: { agent: "worker" },
      artifacts: ["report.pdf"],
    };
    answer = (call) => sendStream(call, final(call, { status: "ok", outputs: {}, ...said, more: 1 }));
    expect(await client.stream(dispatch())).toEqual({
      outputs: {},
      ...said,
      attempts: 1,
      durationMs: expect.any(Number),
    });
  });

  test("needs no event but its terminal one", async () => {
    answer = (call) => sendStream(call, final(call));
    expect(await run()).toEqual({ types: [], outputs: { done: true } });
  });

  test("may hold comments, also after its terminal event", async () => {
    answer = (call) => sendStream(call, `: hello\n\n${goodStream(call)}: bye\n\n`);
    expect((await run()).types).toEqual(TYPES);
  });

  test("says what failed in the agent's own words, on one line", async () => {
    const error = { code: "INFEASIBLE", message: `no\nroom ${"x".repeat(5_000)}`, details: { secret: 1 } };
    answer = (call) => sendStream(call, final(call, { status: "error", ok: false, outputs: {}, error }));
    const failed = await failureOf(client.stream(dispatch()));
    expect(failed).toMatchObject({
      code: "upstream_failed",
      agentCode: "INFEASIBLE",
      retryable: false,
      attempts: 1,
    });
    expect(failed.message).toMatch(/^no room x+$/);
    expect(failed.message).toHaveLength(1_000);
  });

  test("passes none of its words on when the failure is not in form", async () => {
    const error = { code: 7, message: "trace of a stack" };
    answer = (call) => sendStream(call, final(call, { status: "failed", outputs: {}, error }));
    const failed = await failureOf(client.stream(dispatch()));
    expect(failed).toMatchObject({ code: "upstream_failed", message: "An agent could not do its task." });
    expect(failed.agentCode).toBeUndefined();
  });

  test("is good however its bytes are cut into chunks", async () => {
    answer = async (call) => {
      openStream(call);
      const bytes = Buffer.from(goodStream(call).replaceAll("\n", String(call.body.newline)));
      let from = 0;
      for (const to of [...(call.body.cuts as number[]).sort((a, b) => a - b), bytes.length]) {
        call.res.write(bytes.subarray(from, to));
        from = Math.max(from, to);
        await new Promise((resolve) => setImmediate(resolve));
      }
      call.res.end();
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 280 }), { maxLength: 12 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        async (cuts, newline) => {
          const types: string[] = [];
          const body = { request_id: "run:step", task_type: "TASK", cuts, newline };
          await client.stream(dispatch({ body, onEvent: ({ type }) => void types.push(type) }));
          expect(types).toEqual(TYPES);
        },
      ),
      { numRuns: 60 },
    );
  });

  describe("that ends too early is a failure at every byte", () => {
    const whole = ({ body }: Pick<Call, "body">): Buffer =>
      Buffer.from(started({ body }) + event("progress", { step: "€" }) + final({ body }));
    const { length } = whole({
      body: { request_id: "run:step:1", task_type: "TASK", budgets: { timeout_ms: 1 } },
    });

    const cutEverywhere = async (cut: (call: Call, bytes: Buffer) => unknown): Promise<Set<string>> => {
      answer = (call) => cut(call, whole(call).subarray(0, Number(call.body.at)));
      const reasons = new Set<string>();
      const one = async (at: number): Promise<void> => {
        const body = { request_id: "run:step", task_type: "TASK", at };
        const { code, reason } = await failureOf(client.stream(dispatch({ body })));
        reasons.add(`${code} ${reason}`);
      };
      await Promise.all(Array.from({ length }, (_, at) => one(at)));
      return reasons;
    };

    test("when the agent closes the stream properly", async () => {
      const reasons = await cutEverywhere((call, bytes) => sendStream(call, bytes));
      expect(reasons).toEqual(new Set(["upstream_invalid no_terminal", "upstream_invalid invalid_utf8"]));
    });

    test("when the connection closes and was to show the end", async () => {
      const reasons = await cutEverywhere(({ res }, bytes) => {
        res.useChunkedEncodingByDefault = false;
        res.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
        res.end(bytes);
      });
      expect(reasons).toEqual(new Set(["upstream_invalid no_terminal", "upstream_invalid invalid_utf8"]));
    });

    test("when the connection breaks", async () => {
      const reasons = await cutEverywhere((call, bytes) => {
        openStream(call);
        call.res.flushHeaders();
        if (bytes.length > 0) call.res.write(bytes);
        call.res.socket?.end();
      });
      expect(reasons).toEqual(new Set(["upstream_unavailable connection_lost"]));
    });
  });

  test("pauses while a handler is not done, so that the agent feels it", async () => {
    const payload = "x".repeat(10_000);
    let sent = 0;
    let done = false;
    answer = async (call) => {
      openStream(call);
      while (!done && sent < 5_000) {
        sent++;
        if (!call.res.write(event("progress", { payload }))) {
          await new Promise((resolve) => call.res.once("drain", resolve));
        }
      }
      call.res.end(final(call));
    };
    const release = Promise.withResolvers<void>();
    let seen = 0;
    const result = client.stream(
      dispatch({
        onEvent: () => {
          seen++;
          return seen === 3 ? release.promise : undefined;
        },
      }),
    );
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // No more than what the socket buffers of both sides hold.
    expect(sent).toBeLessThan(1_500);
    expect(seen).toBe(3);
    done = true;
    release.resolve();
    await result;
    expect(seen).toBe(sent);
  });

  test("waits for each handler in turn, and for the last before the result", async () => {
    answer = (call) => sendStream(call, goodStream(call));
    const log: string[] = [];
    const onEvent = async ({ type }: AgentEvent): Promise<void> => {
      log.push(`${type} in`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`${type} out`);
    };
    await client.stream(dispatch({ onEvent }));
    expect(log).toEqual(TYPES.flatMap((type) => [`${type} in`, `${type} out`]));
  });

  test("does not run into the closing limit while a handler takes long", async () => {
    const patient = clientFor(agent.url, { closeMs: 20, silenceMs: 50 });
    answer = (call) => sendStream(call, goodStream(call));
    const onEvent = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
    expect(await patient.stream(dispatch({ onEvent }))).toMatchObject({ outputs: { done: true } });
    await patient.close();
  });

  test.each([
    [
      "throws",
      () => {
        throw new RangeError("mine");
      },
    ],
    ["rejects", () => Promise.reject(new RangeError("mine"))],
  ])("ends with what its handler %s, and lets the agent know", async (_, onEvent) => {
    const gone = Promise.withResolvers<void>();
    answer = (call) => {
      call.res.on("close", gone.resolve);
      openStream(call);
      call.res.write(started(call));
    };
    await expect(client.stream(dispatch({ onEvent }))).rejects.toThrow(RangeError);
    await gone.promise;
  });
});
