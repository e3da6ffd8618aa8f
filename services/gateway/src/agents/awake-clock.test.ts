import { mock } from "node:test";
import { describe, expect, test } from "@jest/globals";
import { AwakeClock } from "./awake-clock.ts";
import { clientFor, dispatch, failureOf, final, openStream, startAgent, started } from "./test/agent.ts";

/** Holds this process's event loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const STALL_MS = 1_300;
/** The rest of such a time-out is enough to be answered in, on a busy machine too. */
const LONG_STALL_MS = 4_000;

describe("the clock", () => {
  test("stands still while the process does", () => {
    const clock = new AwakeClock();
    const before = clock.now();
    block(STALL_MS);
    expect(clock.now() - before).toBeLessThan(STALL_MS);
    expect(clock.lostMs).toBeGreaterThanOrEqual(STALL_MS);
    clock.stop();
  });

  test("goes on through what is merely slow", () => {
    let now = 0;
    const clock = new AwakeClock(() => now);
    now += 900;
    expect([clock.now(), clock.lostMs]).toEqual([900, 0]);
    clock.stop();
  });

  test("does not take an idle process for a stalled one", () => {
    mock.timers.enable();
    let now = 0;
    const clock = new AwakeClock(() => now);
    // Nobody reads the clock meanwhile but its own timer.
    for (; now < STALL_MS; mock.timers.tick(100)) now += 100;
    expect(clock.lostMs).toBe(0);
    clock.stop();
    mock.timers.reset();
  });
});

describe("a time-out during a stall of this process", () => {
  test("does not end a run whose answer comes within the time that the agent has", async () => {
    const agent = await startAgent(async (call) => {
      openStream(call);
      call.res.write(started(call));
      block(LONG_STALL_MS);
      // Whatever is due by now fires before the answer comes.
      await new Promise((resolve) => setTimeout(resolve, 50));
      call.res.end(final(call));
    });
    const client = clientFor(agent.url, { limits: { timeoutMs: LONG_STALL_MS - 500 } });
    expect(await client.stream(dispatch())).toMatchObject({ outputs: { done: true } });
    await client.close();
    await agent.close();
  });

  test("is said to be one, and not counted against the agent", async () => {
    const agent = await startAgent((call) => {
      openStream(call);
      block(STALL_MS);
    });
    const client = clientFor(agent.url, {
      limits: { timeoutMs: 2_000 },
      breaker: { failures: 1, restMs: 1 },
    });
    expect(await failureOf(client.stream(dispatch()))).toMatchObject({
      code: "upstream_timeout",
      stalled: true,
    });
    expect(client.breakerState("worker")).toBe("closed");
    await client.close();
    await agent.close();
  });
});
