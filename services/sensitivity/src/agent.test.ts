import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { datasetsUnder, readRulePack, sampleInputs } from "@interlock/pricing/datasets";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sensitivityAgent } from "./agent.ts";

const TASK = "SENSITIVITY_ANALYSIS";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(
    sensitivityAgent({
      datasets: datasetsUnder(undefined),
      rulePack: readRulePack(undefined),
      sample: sampleInputs,
    }),
  );
});
afterAll(() => agent.close());

const items = [
  {
    item_id: "A",
    tiers: {
      new: {
        current_price: 10,
        unit_cost: 6,
        demand: {
          model: "constant_elasticity",
          reference_price: 10,
          reference_quantity: 100,
          elasticity: -3,
          elasticity_se: 0.2,
        },
      },
    },
  },
];

async function ask(inputs: object) {
  return (await agent.sync({ task_type: TASK, mode: "LIVE", inputs })).body;
}

test("it analyses the sample and reports increasing progress up to the end", async () => {
  const { events, final } = await agent.stream({ task_type: TASK });
  expect(final).toMatchObject({
    status: "ok",
    outputs: {
      draws: 1000,
      seed: 1,
      objective: "profit",
      totals: { robustness: { score: expect.any(Number), draws: 1000 } },
      summary: expect.stringMatching(/draws/),
    },
  });
  const completed = events.filter(({ event }) => event === "progress").map(({ data }) => data.completed);
  expect(completed.length).toBeGreaterThan(5);
  expect(completed).toEqual(completed.toSorted((a, b) => Number(a) - Number(b)));
  expect(events.findLast(({ event }) => event === "progress")?.data).toMatchObject({
    completed: 8000,
    total: 8000,
  });
});

test("it accepts a proposal in the shape of the optimizer's answer", async () => {
  const proposed = [
    { item_id: "A", tiers: { new: { price: 9.2, current_price: 10, binding: [], expected: { demand: 1 } } } },
  ];
  const { outputs } = await ask({ items, proposed, uncertainty: { draws: 200, seed: 3 } });
  expect(outputs).toMatchObject({
    draws: 200,
    seed: 3,
    items: [{ item_id: "A", tiers: { new: { recommended_price: 9.2 } } }],
  });
});

describe("it refuses", () => {
  test.each([
    ["too few draws", { draws: 5 }],
    ["too many draws", { draws: 1e9 }],
    ["a seed that is not an integer", { seed: 0.5 }],
    ["an unknown uncertainty field", { luck: 1 }],
    [
      "an interval that reaches above 0",
      { elasticity_intervals: [{ item_id: "A", tier: "new", low: -1, high: 1 }] },
    ],
  ])("%s", async (_, uncertainty) => {
    const { status } = await agent.sync({ task_type: TASK, mode: "LIVE", inputs: { items, uncertainty } });
    expect(status).toBe(400);
  });

  test("a proposal for an unknown item, with a business error", async () => {
    const body = await ask({ items, proposed: [{ item_id: "Z", tiers: { new: { price: 9 } } }] });
    expect(body).toMatchObject({
      status: "error",
      error: { code: "INVALID_ITEM", details: { item_id: "Z" } },
    });
  });
});

test("a long analysis ends at its deadline", async () => {
  const many = Array.from({ length: 300 }, (_, i) => ({ ...items[0], item_id: `part-${i}` }));
  const started = performance.now();
  const { body } = await agent.sync({
    task_type: TASK,
    inputs: { items: many, uncertainty: { draws: 20_000 } },
    budgets: { timeout_ms: 200 },
  });
  expect(body).toMatchObject({ error: { code: "DEADLINE_EXCEEDED" } });
  expect(performance.now() - started).toBeLessThan(3000);
});

test("a locale that nobody knows is refused", async () => {
  const { body } = await agent.sync({
    task_type: "SENSITIVITY_ANALYSIS",
    inputs: { ...sampleInputs(), locale: "zz" },
  });
  expect(body).toMatchObject({ status: "error", error: { code: "UNKNOWN_LOCALE" } });
});

test("costs move as was said, and beliefs about items that are left out are no mistake", async () => {
  const two = [...items, { ...items[0], item_id: "B" }];
  const uncertainty = {
    draws: 100,
    elasticity_intervals: [{ item_id: "B", tier: "new", low: -4, high: -2 }],
  };
  const constraints = [{ slot: "items", op: "only", value: ["A"] }];
  const costly = [...constraints, { slot: "cost_move", op: "set", value: 0.5, direction: "up" }];
  const profitAt = async (said: object[]) => {
    const { outputs } = await ask({
      items: two,
      proposed: two.map(({ item_id }) => ({ item_id, tiers: { new: { price: 10 } } })),
      constraints: said,
      uncertainty,
    });
    expect(outputs).toMatchObject({ items: [{ item_id: "A" }], failures: [], not_applied: [] });
    return (outputs as { totals: { profit_band: { p50: number } } }).totals.profit_band.p50;
  };
  expect(await profitAt(costly)).toBeLessThan((await profitAt(constraints)) / 2);
});
