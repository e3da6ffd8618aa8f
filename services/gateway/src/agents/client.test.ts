import { afterEach, describe, expect, test } from "@jest/globals";
import type { BreakerState } from "../breaker.ts";
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
  sendJson,
  sendStream,
  startAgent,
  started,
  type TestAgent,
  type TestClientOptions,
  terminal,
  until,
} from "./test/agent.ts";
import type { AttemptReport, DispatchRequest } from "./types.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function agentThat(answer: (call: Call) => unknown, port?: number): Promise<TestAgent> {
  const agent = await startAgent(answer, port);
  closing.push(() => agent.close());
  return agent;
}

function clientOf(url: string, options?: TestClientOptions): AgentClient {
  const client = clientFor(url, options);
  closing.push(() => client.close());
  return client;
}

function good(call: Call): void {
  call.path.endsWith("/sync") ? sendJson(call, terminal(call)) : sendStream(call, goodStream(call));
}

async function freePort(): Promise<number> {
  const agent = await startAgent(good);
  await agent.close();
  return agent.port;
}

describe("a request to an agent", () => {
  test("says what the contract asks for, below the path of the agent's address", async () => {
    const agent = await agentThat(good);
    const client = clientOf(`${agent.url}/base/`);
    const fields = { request_id: "run_1:step-2.1", task_type: "TASK", mode: "LIVE", inputs: { a: "€" } };
    await client.stream(
      dispatch({
        body: { ...fields, budgets: { max_tokens: 7 } },
        idempotencyKey: "run_1:step-2",
        trace: { traceparent: "00-ab-cd-01", tracestate: "a=1,b=c d" },
        timeoutMs: 900,
      }),
    );
    const [call] = agent.calls;
    expect(call?.path).toBe("/base/agents/run/stream");
    expect(call?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "text/event-stream",
      "idempotency-key": "run_1:step-2",
      traceparent: "00-ab-cd-01",
      tracestate: "a=1,b=c d",
    });
    expect(call?.body).toEqual({
      ...fields,
      request_id: "run_1:step-2.1:1",
      budgets: { max_tokens: 7, timeout_ms: expect.any(Number) },
    });
    expect(call?.body.budgets.timeout_ms).toBeGreaterThan(800);
    expect(call?.body.budgets.timeout_ms).toBeLessThanOrEqual(900);
  });

  test("takes inputs that are JSON text already, and a caller's shorter budget", async () => {
    const agent = await agentThat(good);
    const body = { request_id: "r", task_type: "TASK", budgets: { timeout_ms: 10 } };
    await clientOf(agent.url).sync(dispatch({ body, inputsJson: '{"a":[1,2]}' }));
    expect(agent.calls[0]?.path).toBe("/agents/run/sync");
    expect(agent.calls[0]?.headers.accept).toBe("application/json");
    expect(agent.calls[0]?.body).toMatchObject({ inputs: { a: [1, 2] }, budgets: { timeout_ms: 10 } });
  });

  test("does not let an id break out of where it is written", async () => {
    const client = clientOf("http://127.0.0.1:1");
    const body = { request_id: 'r","x":"', task_type: "TASK" };
    await expect(client.stream(dispatch({ body }))).rejects.toThrow(TypeError);
    await expect(client.stream(dispatch({ idempotencyKey: "a\r\nx: y" }))).rejects.toThrow(TypeError);
  });

  test("goes over a connection that is used again", async () => {
    const agent = await agentThat(good);
    const client = clientOf(agent.url);
    for (let i = 0; i < 5; i++) {
      await client.stream(dispatch());
      await client.sync(dispatch());
    }
    expect(agent.sockets.size).toBe(1);
  });

  test("counts on from the caller's attempt", async () => {
    const agent = await agentThat((call) => (call.number === 1 ? sendJson(call, {}, 500) : good(call)));
    const client = clientOf(agent.url, { limits: { retries: 1 } });
    await client.stream(dispatch({ firstAttempt: 4 }));
    expect(agent.calls.map(({ body }) => body.request_id)).toEqual(["run:step:4", "run:step:5"]);
  });
});

describe("an attempt is repeated", () => {
  const failing = async (answer: (call: Call) => unknown, keyed = true) => {
    const agent = await agentThat(answer);
    const client = clientOf(agent.url, { limits: { retries: 2 }, random: () => 0 });
    const error = await failureOf(client.stream(dispatch(keyed ? { idempotencyKey: "run:step" } : {})));
    return { error, agent };
  };

  test.each([500, 502, 503])(
    "after %i, as often as the limits say and under the same key",
    async (status) => {
      const { error, agent } = await failing((call) => sendJson(call, {}, status));
      expect(error.attempts).toBe(3);
      expect(agent.calls.map(({ body }) => body.request_id)).toEqual([
        "run:step:1",
        "run:step:2",
        "run:step:3",
      ]);
      expect(new Set(agent.calls.map(({ headers }) => headers["idempotency-key"]))).toEqual(
        new Set(["run:step"]),
      );
    },
  );

  test("after 429 only if the agent says when", async () => {
    expect((await failing((call) => sendJson(call, {}, 429))).agent.calls).toHaveLength(1);
    const timed = await failing((call) => sendJson(call, {}, 429, { "retry-after": "0" }));
    expect(timed.agent.calls).toHaveLength(3);
  });

  test("not when the agent asks for more time than is left", async () => {
    const { error, agent } = await failing((call) => sendJson(call, {}, 503, { "retry-after": "60" }));
    expect(error).toMatchObject({ code: "upstream_overloaded", retryable: true });
    expect(agent.calls).toHaveLength(1);
  });

  test("after a connection lost before any event, but only under a key", async () => {
    const cut = (call: Call): unknown => call.res.socket?.destroy();
    expect((await failing(cut)).agent.calls).toHaveLength(3);
    expect((await failing(cut, false)).agent.calls).toHaveLength(1);
  });

  test("never after an event was seen", async () => {
    const { error, agent } = await failing((call) => {
      openStream(call);
      call.res.write(started(call), () => call.res.socket?.destroy());
    });
    expect(error).toMatchObject({ code: "upstream_unavailable", reason: "connection_lost", attempts: 1 });
    expect(agent.calls).toHaveLength(1);
  });

  test.each([
    ["a defect", (call: Call) => sendStream(call, "")],
    ["a refusal", (call: Call) => sendJson(call, {}, 422)],
    [
      "an honest failure",
      (call: Call) =>
        sendStream(
          call,
          final(call, { status: "error", ok: false, outputs: {}, error: { code: "X", message: "" } }),
        ),
    ],
  ])("never after %s", async (_, answer) => {
    expect((await failing(answer)).agent.calls).toHaveLength(1);
  });

  test("after a refused connection, until the agent is there", async () => {
    const port = await freePort();
    const pauses: number[] = [];
    const client = clientOf(`http://127.0.0.1:${port}`, {
      limits: { retries: 20, backoffMs: 40 },
      breaker: { failures: 100, restMs: 1 },
      random: () => {
        pauses.push(1);
        return 0.5;
      },
    });
    const result = client.stream(dispatch());
    while (pauses.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    await agentThat(good, port);
    const { attempts } = await result;
    expect(attempts).toBeGreaterThan(2);
  });

  test("not at all with no retries allowed; a refused connection says so", async () => {
    const client = clientOf(`http://127.0.0.1:${await freePort()}`);
    expect(await failureOf(client.stream(dispatch()))).toMatchObject({
      code: "upstream_unavailable",
      reason: "connection_refused",
      retryable: true,
      cause: "ECONNREFUSED",
      attempts: 1,
    });
  });

  test("and the retry's result is as good as the first's", async () => {
    const agent = await agentThat((call) => (call.number < 3 ? sendJson(call, {}, 500) : good(call)));
    const client = clientOf(agent.url, { limits: { retries: 2 } });
    expect(await client.sync(dispatch())).toMatchObject({ outputs: { done: true }, attempts: 3 });
  });

  test("but not past the deadline", async () => {
    const agent = await agentThat((call) => sendJson(call, {}, 500));
    const client = clientOf(agent.url, {
      limits: { retries: 1_000, backoffMs: 50 },
      breaker: { failures: 1e6, restMs: 1 },
    });
    const startedAt = performance.now();
    await failureOf(client.stream(dispatch({ timeoutMs: 200 })));
    // All the retries take many minutes.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
  });
});

describe("a refusal", () => {
  const refusal = (fields: object): object => ({
    request_id: "",
    ok: false,
    status: "error",
    outputs: {},
    warnings: [],
    error: { code: "INVALID_INPUTS", message: "Inputs are not valid." },
    ...fields,
  });

  test("passes the agent's code and words on when it has the contract's form", async () => {
    const agent = await agentThat((call) => sendJson(call, refusal({}), 400));
    expect(await failureOf(clientOf(agent.url).stream(dispatch()))).toMatchObject({
      code: "upstream_refused",
      agentCode: "INVALID_INPUTS",
      message: "Inputs are not valid.",
    });
  });

  test("passes nothing on otherwise", async () => {
    const agent = await agentThat((call) => sendJson(call, refusal({ error: "secret of a proxy" }), 400));
    const error = await failureOf(clientOf(agent.url).stream(dispatch()));
    expect(error.agentCode).toBeUndefined();
    expect(error.message).toBe("An agent refused the request.");
  });
});

describe("the circuit breaker", () => {
  type Mood = "bad" | "good" | "refusing" | "hanging" | "broken";
  const moody = async (options: TestClientOptions = {}) => {
    let mood: Mood = "bad";
    const agent = await agentThat((call) => {
      if (mood === "bad") sendJson(call, {}, 500);
      else if (mood === "refusing") sendJson(call, {}, 422);
      else if (mood === "good") good(call);
      else if (mood === "broken") sendStream(call, started(call));
      else openStream(call);
    });
    const states: BreakerState[] = [];
    const client = clientOf(agent.url, {
      breaker: { failures: 3, restMs: 200 },
      observer: { onBreaker: (_, state) => states.push(state) },
      ...options,
    });
    const become = (next: Mood): void => {
      mood = next;
    };
    const failTimes = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) await failureOf(client.stream(dispatch()));
    };
    /** Health checks find the agent ready, until the breaker takes notice. */
    const ready = async (): Promise<void> => {
      for (; client.breakerState("worker") === "open"; await new Promise(setImmediate))
        client.noteReady("worker");
    };
    return { agent, client, states, become, failTimes, ready };
  };

  test("opens after failures in a row, spares the agent, and closes once the agent is ready and answers", async () => {
    const { agent, client, states, become, failTimes } = await moody();
    await failTimes(3);
    expect(client.breakerState("worker")).toBe("open");
    expect(await failureOf(client.stream(dispatch()))).toMatchObject({
      code: "upstream_unavailable",
      reason: "breaker_open",
      attempts: 0,
    });
    expect(agent.calls).toHaveLength(3);
    become("good");
    client.noteReady("worker");
    await client.stream(dispatch());
    await client.sync(dispatch());
    expect(states).toEqual(["open", "half_open", "closed"]);
  });

  test("stays open for as long as the agent is not ready: no request probes it", async () => {
    const { agent, client, become, failTimes } = await moody();
    await failTimes(3);
    become("good");
    await failTimes(5);
    expect(agent.calls).toHaveLength(3);
    expect(client.breakerState("worker")).toBe("open");
  });

  test("opens again at the first failure of an agent that is ready, and then rests longer", async () => {
    const { agent, client, states, failTimes, ready } = await moody();
    await failTimes(3);
    await ready();
    await failTimes(2);
    expect(agent.calls).toHaveLength(4);
    expect(states).toEqual(["open", "half_open", "open"]);
    client.noteReady("worker");
    expect(client.breakerState("worker")).toBe("open");
    await ready();
    expect(client.breakerState("worker")).toBe("half_open");
  });

  test("lets all requests through while none has answered: a long one keeps nobody out", async () => {
    const { agent, client, become, failTimes, ready } = await moody();
    await failTimes(3);
    become("hanging");
    await ready();
    const stop = new AbortController();
    const long = failureOf(client.stream(dispatch({ signal: stop.signal })));
    while (agent.calls.length < 4) await new Promise((resolve) => setTimeout(resolve, 2));
    become("good");
    await client.stream(dispatch());
    expect(client.breakerState("worker")).toBe("closed");
    stop.abort();
    expect((await long).code).toBe("cancelled");
  });

  test("takes the first event of a stream for an answer", async () => {
    const { agent, client, become, failTimes, ready } = await moody();
    await failTimes(3);
    become("hanging");
    await ready();
    const stop = new AbortController();
    const long = failureOf(client.stream(dispatch({ signal: stop.signal })));
    while (agent.calls.length < 4) await new Promise((resolve) => setTimeout(resolve, 2));
    agent.calls[3]?.res.write(event("progress", {}));
    while (client.breakerState("worker") !== "closed") await new Promise((resolve) => setTimeout(resolve, 2));
    stop.abort();
    await long;
  });

  test("does not count what was sent before it opened and ends later", async () => {
    const { agent, client, become, failTimes, ready } = await moody();
    become("hanging");
    const late = failureOf(client.stream(dispatch()));
    while (agent.calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 2));
    become("bad");
    await failTimes(3);
    await ready();
    agent.calls[0]?.res.end();
    expect((await late).reason).toBe("no_terminal");
    expect(client.breakerState("worker")).toBe("half_open");
  });

  test("does not count refusals, honest failures and cancellations; a refusal ends a row", async () => {
    const { client, become, failTimes } = await moody();
    await failTimes(2);
    become("hanging");
    await failureOf(client.stream(dispatch({ timeoutMs: 20 })));
    const stop = AbortSignal.timeout(20);
    await failureOf(client.stream(dispatch({ signal: stop })));
    expect(client.breakerState("worker")).toBe("closed");
    become("refusing");
    await failTimes(1);
    become("bad");
    await failTimes(2);
    expect(client.breakerState("worker")).toBe("closed");
    await failTimes(1);
    expect(client.breakerState("worker")).toBe("open");
  });

  test("counts an agent that begins well and never ends well", async () => {
    const { client, become, failTimes } = await moody();
    become("broken");
    await failTimes(3);
    expect(client.breakerState("worker")).toBe("open");
  });

  test("ends the retries of a dispatch that opened it", async () => {
    const { agent, client } = await moody({ limits: { retries: 10 } });
    const error = await failureOf(client.stream(dispatch()));
    expect(error).toMatchObject({ reason: "http_500", attempts: 3 });
    expect(agent.calls).toHaveLength(3);
  });
});

describe("requests beyond what an agent may have under way", () => {
  const oneAtATime = async (queue?: { most: number; waitMs: number }) => {
    const agent = await agentThat(openStream);
    const limits = { maxConcurrency: 1, timeoutMs: 400 };
    const client = clientOf(agent.url, { limits, ...(queue ? { queue } : {}) });
    const send = (subject: string, more: Partial<DispatchRequest> = {}) =>
      client.stream(dispatch({ caller: { tenant: "t", issuer: "local", subject, roles: [] }, ...more }));
    const load = () => client.loads().get("worker");
    /** Answers the next request that arrives, and says whose it is. */
    const answer = async (number: number): Promise<void> => {
      await until(() => agent.calls.length >= number);
      const call = agent.calls[number - 1];
      call?.res.end(final(call));
    };
    return { agent, client, send, load, answer };
  };

  test("wait, which is not the agent's time", async () => {
    const { agent, send, load, answer } = await oneAtATime();
    const results = [send("ann"), send("ann"), send("ann")];
    for (const number of [1, 2, 3]) {
      await until(() => agent.calls.length === number);
      expect(load()).toMatchObject({ inFlight: 1, limit: 1, queued: 3 - number });
      const since = performance.now();
      // All three together take longer than the agent may.
      await until(() => performance.now() - since > 200);
      await answer(number);
    }
    await Promise.all(results);
    for (const { body } of agent.calls) expect(body.budgets.timeout_ms).toBeGreaterThan(350);
    expect(load()).toMatchObject({ inFlight: 0, queued: 0 });
  });

  test("are refused when the queue is full, those of the caller who has most in it first", async () => {
    const { agent, send, load, answer } = await oneAtATime({ most: 2, waitMs: 60_000 });
    const first = send("busy");
    const [second, third] = [send("busy"), failureOf(send("busy"))];
    const refused = { code: "rate_limited", reason: "queue_full", retryable: true, attempts: 0 };
    expect(await failureOf(send("busy"))).toMatchObject(refused);
    const quiet = send("quiet");
    expect(await third).toMatchObject(refused);
    expect((await third).retryAfterMs).toBeGreaterThanOrEqual(1_000);
    expect(load()).toMatchObject({ queued: 2 });
    for (const number of [1, 2, 3]) await answer(number);
    await Promise.all([first, second, quiet]);
    expect(agent.calls).toHaveLength(3);
  });

  test("are refused after a while, but not those of a patient caller", async () => {
    const { send, load, answer } = await oneAtATime({ most: 10, waitMs: 30 });
    const first = send("ann");
    const [patient, hasty] = [send("ann", { patient: true }), failureOf(send("ann"))];
    expect(await hasty).toMatchObject({ code: "rate_limited", reason: "queue_timeout" });
    expect(load()).toMatchObject({ queued: 1 });
    for (const number of [1, 2]) await answer(number);
    await Promise.all([first, patient]);
  });

  test("leave at once when they are aborted", async () => {
    const { agent, send, load, answer } = await oneAtATime();
    const first = send("ann");
    const stop = new AbortController();
    const second = failureOf(send("ann", { signal: stop.signal }));
    expect(load()).toMatchObject({ queued: 1 });
    stop.abort();
    expect(load()).toMatchObject({ queued: 0 });
    expect(await second).toMatchObject({ code: "cancelled", attempts: 0 });
    await answer(1);
    await first;
    expect(agent.calls).toHaveLength(1);
  });

  test("fail as soon as the breaker is open", async () => {
    const agent = await agentThat(({ res }) => void res.writeHead(500).end());
    const limits = { maxConcurrency: 1 };
    const client = clientOf(agent.url, { limits, breaker: { failures: 2, restMs: 60_000 } });
    const failures = Array.from({ length: 5 }, () => failureOf(client.stream(dispatch({ patient: true }))));
    const reasons = (await Promise.all(failures)).map(({ reason }) => reason);
    expect(reasons).toEqual(["http_500", "http_500", "breaker_open", "breaker_open", "breaker_open"]);
    expect(agent.calls).toHaveLength(2);
  });

  test("are fewer after the agent has refused some for its load", async () => {
    const agent = await agentThat((call) => sendJson(call, {}, 429));
    const client = clientOf(agent.url, { limits: { maxConcurrency: 8 } });
    await Promise.all(Array.from({ length: 8 }, () => failureOf(client.stream(dispatch()))));
    expect(client.loads().get("worker")?.limit).toBe(4);
  });
});

describe("the client", () => {
  test("reports every attempt without a word of what was said", async () => {
    const reports: AttemptReport[] = [];
    const agent = await agentThat((call) => (call.number === 1 ? sendJson(call, {}, 500) : good(call)));
    const client = clientOf(agent.url, {
      limits: { retries: 1 },
      observer: { onAttempt: (report) => reports.push(report) },
    });
    await client.stream(dispatch());
    const durationMs = expect.any(Number);
    expect(reports).toEqual([
      { agent: "worker", task: "TASK", outcome: "upstream_unavailable", reason: "http_500", durationMs },
      { agent: "worker", task: "TASK", outcome: "ok", durationMs },
    ]);
  });

  test("ends what is under way when it is closed, and takes nothing more", async () => {
    const agent = await agentThat(openStream);
    const client = clientFor(agent.url);
    const running = failureOf(client.stream(dispatch()));
    while (agent.calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 2));
    await client.close();
    expect(await running).toMatchObject({ code: "upstream_unavailable" });
    expect(await failureOf(client.stream(dispatch()))).toMatchObject({ reason: "client_closed" });
  });

  test("knows only the agents of the mesh", async () => {
    await expect(clientOf("http://127.0.0.1:1").stream(dispatch({ agent: "other" }))).rejects.toThrow(
      TypeError,
    );
  });
});
