import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { AwakeClock } from "./awake-clock.ts";
import {
  clientFor,
  dispatch,
  failureOf,
  final,
  openStream,
  startAgent,
  started,
  until,
} from "./test/agent.ts";

/** Holds this process's event loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const STALL_MS = 1_300;

describe("the clock", () => {
  let clock: AwakeClock;
  beforeEach(() => {
    clock = new AwakeClock();
  });
  afterEach(() => clock.stop());

  test("stands still while the process does", () => {
    const before = clock.now();
    block(STALL_MS);
    expect(clock.now() - before).toBeLessThan(STALL_MS);
    expect(clock.lostMs).toBeGreaterThanOrEqual(STALL_MS);
  });

  test("goes on through what is merely slow", () => {
    const before = clock.now();
    block(300);
    expect(clock.now() - before).toBeGreaterThanOrEqual(300);
    expect(clock.lostMs).toBe(0);
  });

  test("does not take an idle process for a stalled one", async () => {
    const before = performance.now();
    await until(() => performance.now() - before > STALL_MS);
    expect(clock.lostMs).toBe(0);
  });
});

describe("a time-out during a stall of this process", () => {
  test("does not end a run whose answer comes within the time that the agent has", async () => {
    const agent = await startAgent(async (call) => {
      openStream(call);
      call.res.write(started(call));
      block(STALL_MS);
      await new Promise((resolve) => setTimeout(resolve, 50));
      call.res.end(final(call));
    });
    const client = clientFor(agent.url, { limits: { timeoutMs: 500 } });
    expect(await client.stream(dispatch())).toMatchObject({ outputs: { done: true } });
    await client.close();
    await agent.close();
  });

  test("is said to be one, and not counted against the agent", async () => {
    const agent = await startAgent((call) => {
      openStream(call);
      block(STALL_MS);
    });
    const client = clientFor(agent.url, { limits: { timeoutMs: 100 }, breaker: { failures: 1, restMs: 1 } });
    expect(await failureOf(client.stream(dispatch()))).toMatchObject({
      code: "upstream_timeout",
      stalled: true,
    });
    expect(client.breakerState("worker")).toBe("closed");
    await client.close();
    await agent.close();
  });
});
