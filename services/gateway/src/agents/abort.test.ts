import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { AgentClient } from "./client.ts";
import {
  type Call,
  clientFor,
  dispatch,
  event,
  failureOf,
  goodStream,
  openStream,
  sendStream,
  startAgent,
  started,
  type TestAgent,
  type TestClientOptions,
  until,
} from "./test/agent.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function pair(
  answer: (call: Call) => unknown,
  options?: TestClientOptions,
): Promise<{ agent: TestAgent; client: AgentClient }> {
  const agent = await startAgent(answer);
  const client = clientFor(agent.url, options);
  closing.push(
    () => agent.close(),
    () => client.close(),
  );
  return { agent, client };
}

function hang(call: Call): void {
  openStream(call);
  call.res.write(started(call));
}

describe("an abort", () => {
  test("closes the agent's socket", async () => {
    const { agent, client } = await pair(hang);
    const stop = new AbortController();
    const failed = failureOf(
      client.stream(
        dispatch({
          signal: stop.signal,
          onEvent: () => stop.abort(),
        }),
      ),
    );
    expect(await failed).toMatchObject({ code: "cancelled", reason: "aborted", retryable: false });
    // The agent never ends its stream by itself.
    await until(() => agent.sockets.size === 0);
  });

  test("ends a sync run that has not answered", async () => {
    const { agent, client } = await pair(() => undefined);
    const stop = new AbortController();
    const failed = failureOf(client.sync(dispatch({ signal: stop.signal })));
    await until(() => agent.calls.length === 1);
    stop.abort();
    expect((await failed).code).toBe("cancelled");
    await until(() => agent.sockets.size === 0);
  });

  test("before the start sends nothing", async () => {
    const { agent, client } = await pair(hang);
    expect(await failureOf(client.stream(dispatch({ signal: AbortSignal.abort() })))).toMatchObject({
      code: "cancelled",
      attempts: 0,
    });
    expect(agent.calls).toHaveLength(0);
  });

  test("does not wait for a connection that is still being made", async () => {
    const client = clientFor(await silentHost(), { connectMs: 10_000 });
    closing.push(() => client.close());
    const stop = new AbortController();
    const failed = failureOf(client.stream(dispatch({ signal: stop.signal })));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect((await failed).code).toBe("cancelled");
  });

  test("ends the pause before a retry", async () => {
    const { agent, client } = await pair(({ res }) => void res.writeHead(500).end(), {
      limits: { retries: 1, backoffMs: 4_000 },
      random: () => 0.99,
    });
    const stop = new AbortController();
    const failed = failureOf(client.stream(dispatch({ signal: stop.signal })));
    await until(() => agent.calls.length === 1);
    setTimeout(() => stop.abort(), 30);
    expect((await failed).code).toBe("cancelled");
    expect(agent.calls).toHaveLength(1);
  });

  test("while a handler works rejects at once and hands over nothing more", async () => {
    const { client } = await pair((call) => sendStream(call, goodStream(call)));
    const stop = new AbortController();
    let seen = 0;
    const onEvent = (): Promise<void> => {
      seen++;
      setImmediate(() => stop.abort());
      return new Promise((resolve) => setTimeout(resolve, 20));
    };
    expect((await failureOf(client.stream(dispatch({ signal: stop.signal, onEvent })))).code).toBe(
      "cancelled",
    );
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(seen).toBe(1);
  });

  test("1,000 times leaves no socket, no listener and no connection behind", async () => {
    const { agent, client } = await pair(hang);
    // No more at once than an agent takes: one that waits for its turn too long fails otherwise.
    for (let round = 0; round < 100; round++) {
      const stops = Array.from({ length: 10 }, () => new AbortController());
      const failures = stops.map((stop) =>
        failureOf(client.stream(dispatch({ signal: stop.signal, onEvent: () => stop.abort() }))),
      );
      for (const { code } of await Promise.all(failures)) expect(code).toBe("cancelled");
      for (const { signal } of stops) expect(getEventListeners(signal, "abort")).toHaveLength(0);
    }
    expect(agent.calls).toHaveLength(1_000);
    await until(() => agent.sockets.size === 0);
    expect(client.connections("worker")).toBe(0);
    expect(client.breakerState("worker")).toBe("closed");
  });

  test("is not listened for any more when a run has ended", async () => {
    const { client } = await pair((call) => sendStream(call, goodStream(call)));
    const { signal } = new AbortController();
    for (let i = 0; i < 3; i++) await client.stream(dispatch({ signal }));
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("the limits hold against", () => {
  test("a line of 100 MB, of which little is kept", async () => {
    const block = "x".repeat(1024 * 1024);
    let sent = 0;
    const { agent, client } = await pair(async (call) => {
      openStream(call);
      call.res.write("event: progress\ndata: ");
      while (sent < 100 && !call.res.destroyed) {
        sent++;
        if (!call.res.write(block)) await Promise.race([once(call.res, "drain"), once(call.res, "close")]);
      }
      call.res.end();
    });
    const before = process.memoryUsage().rss;
    expect((await failureOf(client.stream(dispatch()))).reason).toBe("event_too_large");
    await until(() => agent.sockets.size === 0);
    expect(sent).toBeLessThan(20);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("a trickle without end", async () => {
    const { agent, client } = await pair((call) => {
      openStream(call);
      const timer = setInterval(() => call.res.write(event("progress", {})), 5);
      call.res.on("close", () => clearInterval(timer));
    });
    let seen = 0;
    const request = dispatch({ timeoutMs: 1_000, onEvent: () => void seen++ });
    expect(await failureOf(client.stream(request))).toMatchObject({
      code: "upstream_timeout",
      reason: "deadline",
    });
    expect(seen).toBeGreaterThan(2);
    await until(() => agent.sockets.size === 0);
  });

  test("a trickle of comments, and of a refusal", async () => {
    const trickle = (status: number) => (call: Call) => {
      call.res.writeHead(status, { "content-type": "text/event-stream" });
      const timer = setInterval(() => call.res.write(": still here\n\n"), 5);
      call.res.on("close", () => clearInterval(timer));
    };
    for (const status of [200, 400]) {
      const { client } = await pair(trickle(status));
      expect(await failureOf(client.stream(dispatch({ timeoutMs: 100 })))).toMatchObject({
        reason: "deadline",
      });
    }
  });

  test("the agent's own limit of time, whatever the caller would give", async () => {
    const { client } = await pair(hang, { limits: { timeoutMs: 100 } });
    expect((await failureOf(client.stream(dispatch({ timeoutMs: 60_000 })))).reason).toBe("deadline");
  });

  test("a host that does not answer", async () => {
    const client = clientFor(await silentHost(), { connectMs: 300 });
    closing.push(() => client.close());
    expect(await failureOf(client.stream(dispatch()))).toMatchObject({
      code: "upstream_unavailable",
      reason: "connect_timeout",
    });
  });
});

/** A port that accepts no connection: its process is stopped and its backlog is full. */
async function silentHost(): Promise<string> {
  const code = `require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () {
    process.stdout.write(String(this.address().port));
  });`;
  const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "ignore"] });
  const [port]: unknown[] = await once(child.stdout, "data");
  child.kill("SIGSTOP");
  const waiting = Array.from({ length: 4 }, () =>
    connect(Number(port), "127.0.0.1").on("error", () => undefined),
  );
  closing.push(async () => {
    for (const socket of waiting) socket.destroy();
    child.kill("SIGKILL");
    await once(child, "close");
  });
  await until(() => waiting.filter((socket) => !socket.connecting).length >= 2);
  return `http://127.0.0.1:${Number(port)}`;
}
