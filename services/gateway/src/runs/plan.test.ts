import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { AgentService, Flow, FlowStep } from "../mesh/index.ts";
import { plannedSteps, planOfFlow } from "./plan.ts";

const step = (id: string, needs: string[] = [], after: string[] = []): FlowStep => ({
  kind: "agent",
  id,
  agent: "worker",
  taskType: "TASK",
  needs,
  after,
  optional: false,
  inputs: async () => ({}),
  text: async () => undefined,
});

const report: FlowStep = {
  kind: "render",
  id: "report",
  needs: ["check"],
  after: ["explain", "test"],
  optional: false,
  render: async () => "text",
};

const flowOf = (steps: FlowStep[], answer?: string): Flow => ({
  name: "flow",
  description: "",
  timeoutMs: 1_000,
  measures: [],
  steps: new Map(steps.map((one) => [one.id, one])),
  goals: new Map([
    ["check", ["check"]],
    ["explain", ["explain"]],
    ["both", ["explain", "test"]],
  ]),
  defaultGoals: ["check"],
  proposal: [],
  unclear: new Set(),
  uncheckable: new Set(),
  sampleName: { en: "sample", ko: "샘플" },
  ...(answer === undefined ? {} : { answer }),
});

const STEPS = [
  step("optimize"),
  step("check", ["optimize"]),
  step("explain", ["check"]),
  step("test", ["check"]),
];
const ids = (flow: Flow, goals: string[]) => planOfFlow(flow, goals).steps.map(({ id }) => id);

describe("the plan of goals", () => {
  test("is their steps, what those need, and the answer with what it needs", () => {
    const flow = flowOf([...STEPS, report], "report");
    expect(ids(flow, ["explain"])).toEqual(["optimize", "check", "explain", "report"]);
    expect(ids(flow, ["both"])).toEqual(["optimize", "check", "explain", "test", "report"]);
    expect(ids(flow, [])).toEqual(["optimize", "check", "report"]);
  });

  test("has each step once, however often it is asked for", () => {
    expect(ids(flowOf(STEPS), ["both", "explain", "check"])).toEqual([
      "optimize",
      "check",
      "explain",
      "test",
    ]);
  });

  test("waits after nothing that is not in the plan", () => {
    const plan = planOfFlow(flowOf([...STEPS, report], "report"), ["explain"]);
    expect(plan.steps.at(-1)?.after).toEqual(["explain"]);
  });

  test("puts no step before one that it waits for, in whatever order they are declared", () => {
    const flow = flowOf([report, ...STEPS.toReversed()], "report");
    const order = ids(flow, ["both"]);
    for (const { id, needs, after } of planOfFlow(flow, ["both"]).steps) {
      for (const other of [...needs, ...after]) expect(order.indexOf(other)).toBeLessThan(order.indexOf(id));
    }
  });

  test("knows nothing of a goal that the flow does not have", () => {
    expect(ids(flowOf(STEPS), ["other"])).toEqual([]);
  });
});

describe("whatever the flow, a plan of its goals", () => {
  const anyFlow = fc
    .array(fc.record({ needs: fc.array(fc.nat(11)), after: fc.array(fc.nat(11)), task: fc.nat(2) }), {
      minLength: 1,
      maxLength: 12,
    })
    .map((declared): Flow => {
      const before = (at: number, others: number[]) => [
        ...new Set(others.filter((other) => other < at).map((other) => `s${other}`)),
      ];
      const steps = declared.map(({ needs, after, task }, at) => ({
        ...step(`s${at}`, before(at, needs), before(at, after)),
        taskType: `TASK_${task}`,
      }));
      const goals = new Map(steps.map(({ id }) => [`goal-${id}`, [id]]));
      return { ...flowOf(steps.toReversed()), goals };
    });
  const anyGoals = fc.array(fc.nat(11), { minLength: 1 });

  /** A service that does the task of a step, and words its answer. */
  const serviceOf = (taskType: string): AgentService => ({
    name: "service",
    keywords: [],
    examples: [],
    target: { kind: "agent", agent: "worker", taskType, answer: async () => "text" },
  });

  test.each([false, true])(
    "has all that their steps need, before them; answered by a service: %s",
    (answered) => {
      fc.assert(
        fc.property(anyFlow, anyGoals, (flow, chosen) => {
          const all = [...flow.goals.keys()];
          const goals = chosen.map((at) => all[at % all.length] ?? "");
          const wanted = flow.steps.get(goals[0]?.replace("goal-", "") ?? "");
          const service = answered && wanted?.kind === "agent" ? serviceOf(wanted.taskType) : undefined;
          const { steps } = planOfFlow(flow, goals, service);
          const seen = new Set<string>();
          for (const { id, needs, after } of steps) {
            for (const other of [...needs, ...after])
              expect([id, other, seen.has(other)]).toEqual([id, other, true]);
            seen.add(id);
          }
          for (const goal of goals) for (const id of flow.goals.get(goal) ?? []) expect(seen).toContain(id);
          for (const id of seen)
            for (const need of flow.steps.get(id)?.needs ?? []) expect(seen).toContain(need);
        }),
      );
    },
  );
});

test("its event shows steps with what they wait for, and agents where they have one", () => {
  expect(plannedSteps(planOfFlow(flowOf([...STEPS, report], "report"), ["explain"]))).toEqual([
    { id: "optimize", agent: "worker", task_type: "TASK", needs: [] },
    { id: "check", agent: "worker", task_type: "TASK", needs: ["optimize"] },
    { id: "explain", agent: "worker", task_type: "TASK", needs: ["check"] },
    { id: "report", needs: ["check", "explain"] },
  ]);
});
