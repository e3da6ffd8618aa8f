import { setTimeout as sleep } from "node:timers/promises";
import {
  type AgentDefinition,
  type AgentSettings,
  createAgent,
  type Progress,
  type TaskContext,
  type TaskDefinition,
  TaskError,
  type TaskRequest,
} from "../src/index.ts";
import { startAgent, type TestAgent } from "../src/testing.ts";

const anyObject = { type: "object" };

/** Counts to `to`, with one progress event per step, and returns the sum. */
export const countTask: TaskDefinition = {
  description: "Counts",
  inputs: {
    type: "object",
    required: ["to"],
    additionalProperties: false,
    properties: { to: { type: "integer", minimum: 0 } },
  },
  outputs: { type: "object", required: ["sum"], properties: { sum: { type: "integer" } } },
  sample: () => ({ to: 3 }),
  async *run(request: TaskRequest<{ to: number }>) {
    let sum = 0;
    for (let at = 1; at <= request.inputs.to; at += 1) {
      sum += at;
      yield { type: "progress", completed: at, total: request.inputs.to };
    }
    return { sum };
  },
};

export type Steps = AsyncGenerator<Progress, object, void>;

/** A task whose inputs and outputs are any objects. */
export function freeTask(run: (context: TaskContext, request: TaskRequest<object>) => Steps): TaskDefinition {
  return {
    inputs: anyObject,
    outputs: anyObject,
    run: (request: TaskRequest<object>, context) => run(context, request),
  };
}

/** A task that returns at once. */
export function returning(outputs: (context: TaskContext) => object): TaskDefinition {
  return freeTask(async function* (context) {
    yield { type: "progress" };
    return outputs(context);
  });
}

/** Waits for its signal, and ignores it. */
export const deafTask = freeTask(async function* () {
  yield { type: "progress", message: "waiting" };
  await new Promise<void>(() => {});
  return {};
});

/** Runs for `ms` and records how it was stopped. */
export function slowTask(ms: number, stopped: (reason: unknown) => void = () => {}): TaskDefinition {
  return freeTask(async function* (context) {
    yield { type: "progress", message: "begun" };
    await sleep(ms, undefined, { signal: context.signal }).catch(() => {
      stopped(context.signal.reason);
      context.signal.throwIfAborted();
    });
    return { slept: true };
  });
}

export const failingTask = freeTask(async function* (context) {
  yield { type: "progress" };
  context.warn("one thing was odd");
  throw new TaskError("INFEASIBLE", "Nothing fits.", { constraint: "bounds" });
});

export function start(
  tasks: AgentDefinition["tasks"],
  settings: Partial<AgentSettings> = {},
  card: Partial<AgentDefinition["card"]> = {},
): Promise<TestAgent> {
  return startAgent(createAgent({ card: { name: "tester", version: "1.2.3", ...card }, tasks }, settings));
}

/** Waits for a condition; the test's own time limit ends a wait in vain. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}
