import { describe, expect, test } from "@jest/globals";
import { deafTask, failingTask, freeTask, returning, slowTask } from "../../test/agents.ts";
import { newRun } from "../../test/runs.ts";
import { createLog, type Log } from "../log.ts";
import type { TaskDefinition } from "../types.ts";
import { answerText, type Outcome } from "./answer.ts";

type Event = readonly [name: string, data: unknown];

function told(outcome: Outcome): Record<string, unknown> {
  return JSON.parse(answerText("r", outcome));
}

async function drain(definition: TaskDefinition, more: { maxEventBytes?: number; log?: Log } = {}) {
  const events: Event[] = [];
  const outcome = await newRun(definition, more).drive((name, json) => {
    events.push([name, JSON.parse(json)]);
    return undefined;
  });
  return { events, answer: told(outcome), code: outcome.code };
}

describe("a run", () => {
  test("of a task that throws a defect says INTERNAL and not what was thrown", async () => {
    const lines: string[] = [];
    const log = createLog({ destination: { write: (line) => void lines.push(line) } });
    const broken = freeTask(async function* () {
      yield { type: "progress" };
      throw new Error("canary-4711\n    at canary-4711 (canary-4711:1:1)");
    });
    const { answer } = await drain(broken, { log });
    expect(answer).toMatchObject({ ok: false, error: { code: "INTERNAL", message: "The run failed." } });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("run.test.ts");
    expect(lines[0] + JSON.stringify(answer)).not.toContain("canary");
  });

  test("of a task that is not even a generator fails likewise", async () => {
    const { code } = await drain({
      ...failingTask,
      run: () => {
        throw new TypeError("no");
      },
    });
    expect(code).toBe("INTERNAL");
  });

  test("whose outputs break their schema fails with the place and the rule", async () => {
    const { answer } = await drain({
      inputs: { type: "object" },
      outputs: { type: "object", required: ["sum"], properties: { sum: { type: "number" } } },
      async *run() {
        yield { type: "progress" };
        return { sum: Number.NaN };
      },
    });
    expect(answer).toMatchObject({
      ok: false,
      outputs: {},
      error: { code: "INVALID_OUTPUTS", details: { path: "/outputs/sum", rule: "type" } },
    });
  });

  test.each<[string, () => object]>([
    ["a list", () => [1]],
    [
      "a cycle",
      () => {
        const cycle: Record<string, unknown> = {};
        cycle.self = cycle;
        return cycle;
      },
    ],
    ["a bigint", () => ({ big: 1n })],
  ])("that returns %s fails", async (_, make) => {
    const { code } = await drain(
      returning(() => {
        return make();
      }),
    );
    expect(code).toBe("INVALID_OUTPUTS");
  });

  test("whose final is larger than the limit ends in an error instead", async () => {
    const { answer } = await drain(
      returning(() => {
        return { text: "ü".repeat(3000) };
      }),
      { maxEventBytes: 4096 },
    );
    expect(answer).toMatchObject({ ok: false, outputs: {}, error: { code: "OUTPUT_TOO_LARGE" } });
  });

  test("whose failure is larger than the limit keeps its code", async () => {
    const { answer } = await drain(
      returning((context) => {
        context.warn("w".repeat(5000));
        throw Object.assign(new Error(), {});
      }),
      { maxEventBytes: 4096 },
    );
    expect(answer).toMatchObject({ ok: false, warnings: [], error: { code: "INTERNAL" } });
    expect(JSON.stringify(answer).length).toBeLessThan(4096);
  });

  test("that yields an event larger than the limit fails before it is sent", async () => {
    const { events, code } = await drain(
      freeTask(async function* () {
        yield { type: "progress", message: "m".repeat(5000) };
        return {};
      }),
      { maxEventBytes: 4096 },
    );
    expect([events, code]).toEqual([[], "OUTPUT_TOO_LARGE"]);
  });

  test("that yields something else is a defect", async () => {
    const odd: unknown = { type: "final" };
    const { code } = await drain(
      freeTask(async function* () {
        yield odd as { type: "progress" };
        return {};
      }),
    );
    expect(code).toBe("INTERNAL");
  });

  test("collects what the task says of it", async () => {
    const { answer } = await drain(
      returning((context) => {
        context.warn("mind");
        context.attach("report.pdf");
        context.provenance({ dataset: "sample" });
        context.use({ total_tokens: 2, model: "a" });
        context.use({ total_tokens: 3 });
        context.cite({ sources: ["one"] });
        context.cite({ sources: ["two"], citations: [1] });
        return {};
      }),
    );
    expect(answer).toMatchObject({
      warnings: ["mind"],
      artifacts: ["report.pdf"],
      provenance: { dataset: "sample" },
      usage: { total_tokens: 5, model: "a" },
      grounding: { sources: ["one", "two"], citations: [1], span_refs: [] },
    });
  });
});

describe("aborting", () => {
  test("ends a run that does not listen, and its later events are not sent", async () => {
    const run = newRun(deafTask);
    const events: string[] = [];
    const outcome = run.drive((name) => {
      events.push(name);
      return undefined;
    });
    await new Promise((resolve) => setImmediate(resolve));
    run.abort("CANCELLED");
    expect(told(await outcome)).toMatchObject({ error: { code: "CANCELLED" } });
    expect(events).toEqual(["progress"]);
  });

  test("comes with the last of its watchers", async () => {
    const run = newRun(slowTask(60_000));
    const [first, second] = [run.watch(), run.watch()];
    void run.drive();
    first?.("CANCELLED");
    first?.("CANCELLED");
    const third = run.watch();
    second?.("CANCELLED");
    third?.("DEADLINE_EXCEEDED");
    expect(run.watch()).toBeUndefined();
    expect((await run.outcome).code).toBe("DEADLINE_EXCEEDED");
  });

  test("reaches a task that computes, at its next pause", async () => {
    const stopped = Promise.withResolvers<unknown>();
    const run = newRun(
      freeTask(async function* (context) {
        yield { type: "progress" };
        try {
          for (let turn = 0; turn < 1_000_000; turn++) await context.pause();
          stopped.resolve("nothing");
        } catch (reason) {
          stopped.resolve(reason);
        }
        return {};
      }),
    );
    // While the task computes, timers go off.
    void run.drive(() => void setTimeout(() => run.abort("CANCELLED"), 1));
    expect(await stopped.promise).toMatchObject({ code: "CANCELLED" });
  });

  test("after the end changes nothing", async () => {
    const run = newRun(failingTask);
    const outcome = await run.drive();
    run.abort("CANCELLED");
    expect((await run.outcome).code).toBe(outcome.code);
    expect(outcome.code).toBe("INFEASIBLE");
  });
});
