import type { MeshFlow, MeshMeasure } from "@interlock/contracts";
import { expect, test } from "@jest/globals";
import { compileMeasures } from "./compile-measures.ts";

const LABEL = { en: "rent", ko: "대여료" };
const measure = (more: Partial<MeshMeasure>): MeshMeasure => ({
  kind: "money",
  label: LABEL,
  nouns: ["rent"],
  ...more,
});

const flowOf = (measures: Record<string, MeshMeasure>): MeshFlow => ({
  steps: { plan: { agent: "planner", task_type: "PLAN", inputs: "request.inputs" } },
  goals: { planner: ["plan"] },
  proposal: ["plan"],
  slots: {
    bikes: { kind: "entity", from: ["bikes"], label: { en: "bike", ko: "자전거" } },
    price: { kind: "money", label: { en: "price", ko: "가격" } },
  },
  measures,
});

function problemsOf(measures: Record<string, MeshMeasure>): string[] {
  const problems: string[] = [];
  compileMeasures("rental", flowOf(measures), problems);
  return problems;
}

test("a place is names, with the slot that tells parts apart in brackets", () => {
  const problems: string[] = [];
  const [rent] = compileMeasures(
    "rental",
    flowOf({
      rent: measure({
        before: "inputs.bikes[bikes].rent",
        from: ["steps.plan.outputs.bikes[bikes].new_rent"],
      }),
    }),
    problems,
  );
  expect(problems).toEqual([]);
  expect(rent?.before).toEqual([{ path: [{ name: "bikes", by: "bikes" }, { name: "rent" }] }]);
  expect(rent?.from).toEqual([
    { step: "plan", path: [{ name: "outputs" }, { name: "bikes", by: "bikes" }, { name: "new_rent" }] },
  ]);
});

test.each([
  ["steps.other.outputs.rent", '"other" is no step of the proposal'],
  ["inputs.bikes[wheels].rent", 'there is no slot "wheels" that names things'],
  ["inputs.bikes[price].rent", 'there is no slot "price" that names things'],
  ["inputs.bikes[0].rent", "is no place of values"],
  ["steps.plan.warnings.rent", "is no place of values"],
])("%s is refused", (from, problem) => {
  expect(problemsOf({ rent: measure({ from }) })).toEqual([expect.stringContaining(problem)]);
  expect(problemsOf({ rent: measure({ from }) })[0]).toMatch(/^flows\.rental\.measures\.rent: /);
});

test("what a measure is made of is declared above it", () => {
  const rent = measure({ from: "inputs.bikes[bikes].rent" });
  const gain = measure({ difference: ["rent", "cost"] });
  expect(problemsOf({ gain, rent })).toEqual([
    'flows.rental.measures.gain: there is no measure "rent" above',
    'flows.rental.measures.gain: there is no measure "cost" above',
  ]);
  expect(problemsOf({ rent, twice: measure({ change: "twice" }) })).toEqual([
    'flows.rental.measures.twice: there is no measure "twice" above',
  ]);
  expect(problemsOf({ rent, cost: rent, gain })).toEqual([]);
});
