import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { type OrderCheck, type PolicyResult, standardRulePack } from "@interlock/pricing";
import { sampleInputs } from "@interlock/pricing/datasets";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { policyAgent } from "./agent.ts";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(policyAgent({ rulePack: standardRulePack, sample: sampleInputs }));
});
afterAll(() => agent.close());

async function check(inputs: object) {
  const { status, body } = await agent.sync({ task_type: "POLICY_CHECK", mode: "LIVE", inputs });
  expect(status).toBe(200);
  return body as unknown as {
    ok?: boolean;
    outputs: PolicyResult;
    error?: { code: string; message: string };
  };
}

describe("POLICY_CHECK over HTTP", () => {
  test("checks prices without items and returns fixes that pass", async () => {
    const { outputs } = await check({ prices: { new: 100, exchange: 98 }, region: "emea" });
    expect(outputs).toMatchObject({
      passed: false,
      violations: [
        {
          type: "insufficient_tier_margin",
          tiers: ["new", "exchange"],
          actual_gap_pct: 0.02,
          required_gap_pct: 0.04,
        },
      ],
      conflicts: [],
      rule_pack: { name: "standard", version: "1.0.0" },
      summary:
        "The prices of 1 item break the rules once: 1 gap between tiers below its minimum. 2 price changes fix this with the least joint change.\n- prices: exchange at 98.00 is 2% below new at 100.00; at least 4% is required.",
    });
    const again = await check({ prices: outputs.fixed_prices, region: "EMEA" });
    expect(again.outputs).toMatchObject({
      passed: true,
      suggestions: [],
      fixed_prices: outputs.fixed_prices,
    });
  });

  test("checks today's prices and a proposal in the shape of the optimizer's items", async () => {
    const items = [
      { item_id: "a", tiers: { new: { current_price: 100 }, exchange: { current_price: 101 } } },
    ];
    const proposed = [
      { item_id: "a", tiers: { new: { price: 110, change_pct: 0.1 }, exchange: { price: 106 } }, other: 1 },
    ];
    const { outputs } = await check({ items, proposed });
    expect(outputs).toMatchObject({
      passed: true,
      current: { passed: false, violations: [{ type: "hierarchy_inversion" }] },
      proposed: { passed: true },
      fixed_prices: [{ item_id: "a", tiers: { new: { price: 110 }, exchange: { price: 106 } } }],
      summary:
        "The proposed prices of 1 item keep all rules. Today's prices break them once: 1 hierarchy inversion.",
    });
  });

  test("runs on the sample in DEMO mode and streams its progress", async () => {
    const { events, final } = await agent.stream({ task_type: "POLICY_CHECK" });
    expect(events.map(({ event }) => event)).toEqual(["started", "progress", "final"]);
    expect(final).toMatchObject({ ok: true, warnings: [expect.stringContaining("sample")] });
    expect(final.outputs).toMatchObject({ rule_pack: { name: "standard" } });
  });

  test("reports a negative price as a violation and refuses prices that are not numbers", async () => {
    expect((await check({ prices: { new: -1, exchange: 50 } })).outputs).toMatchObject({
      passed: false,
      violations: [{ type: "invalid_price", tiers: ["new"] }],
    });
    for (const price of ["12", null]) {
      const { status } = await agent.sync({ task_type: "POLICY_CHECK", inputs: { prices: { new: price } } });
      expect(status).toBe(400);
    }
    const infinite = await fetch(`${agent.url}/agents/run/sync`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"request_id":"r","task_type":"POLICY_CHECK","inputs":{"prices":{"new":1e999}}}',
    });
    expect(infinite.status).toBe(400);
  });

  test.each([
    [
      "both items and prices",
      { items: [{ item_id: "a", tiers: { new: { current_price: 1 } } }], prices: { new: 1 } },
    ],
    ["a proposal without items", { prices: { new: 1 }, proposed: [] }],
    ["neither", { region: "EMEA" }],
    ["a misspelt field", { prices: { new: 1 }, threshold: { default: 0 } }],
    ["a gap of 100%", { prices: { new: 1 }, thresholds: { default: 1 } }],
  ])("refuses %s", async (_what, inputs) => {
    const { status } = await agent.sync({ task_type: "POLICY_CHECK", mode: "LIVE", inputs });
    expect(status).toBe(400);
  });

  test("fails with item and constraint for a tier that is not in the tier order", async () => {
    const answer = await check({ items: [{ item_id: "a", tiers: { gold: { current_price: 1 } } }] });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "INVALID_ITEM", details: { item_id: "a", constraint: "tier_order" } },
    });
  });

  test("checks 10,000 items in one request and reports progress", async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => ({
      item_id: `item-${i}`,
      tiers: {
        new: { current_price: 100 + (i % 7) },
        exchange: { current_price: 96 },
        repair: { current_price: 90 },
        usm: { current_price: i % 10 === 0 ? 89 : 80 },
      },
    }));
    const { events, final } = await agent.stream({ task_type: "POLICY_CHECK", inputs: { items } });
    expect(final.ok).toBe(true);
    expect(events.length).toBeGreaterThan(10);
    expect((final.outputs as PolicyResult).violations).toHaveLength(1000);
  });
});

test("a locale that nobody knows is refused", async () => {
  const { body } = await agent.sync({
    task_type: "POLICY_CHECK",
    inputs: { prices: { new: 100, exchange: 90 }, locale: "zz" },
  });
  expect(body).toMatchObject({ status: "error", error: { code: "UNKNOWN_LOCALE" } });
});

describe("ORDER_CHECK over HTTP", () => {
  const items = [
    { item_id: "A", tiers: { new: { current_price: 100 } } },
    { item_id: "B", tiers: { new: { current_price: 50 } } },
  ];
  const judged = async (constraints: object[], proposed: object[]) => {
    const inputs = { constraints, items, proposed };
    const { status, body } = await agent.sync({ task_type: "ORDER_CHECK", mode: "LIVE", inputs });
    return { status, outputs: (body as unknown as { outputs?: OrderCheck }).outputs };
  };
  const price = (item_id: string, value: number) => ({ item_id, tiers: { new: { price: value } } });
  const only = { slot: "items", op: "only", value: ["A"] };

  test("passes exactly what was said, and names what differs", async () => {
    expect((await judged([only], [price("A", 104)])).outputs).toMatchObject({ passed: true });
    const { outputs } = await judged([only], [price("A", 104), price("B", 51)]);
    expect(outputs).toMatchObject({
      passed: false,
      verdicts: [{ slot: "items", verdict: "broken", item_ids: ["B"] }],
    });
    expect(outputs).not.toHaveProperty("complete_for");
  });

  test("refuses constraints in another form", async () => {
    expect((await judged([{ slot: "items" }], [])).status).toBe(400);
    expect((await judged([{ ...only, op: "perhaps" }], [])).status).toBe(400);
  });
});

test("what was said is judged as part of the rules, and the part of a proposal that is not asked for is not looked at", async () => {
  const items = ["A", "B"].map((item_id) => ({ item_id, tiers: { new: { current_price: 100 } } }));
  const proposed = items.map(({ item_id }) => ({ item_id, tiers: { new: { price: 130 } } }));
  const constraints = [
    { slot: "items", op: "only", value: ["A"] },
    { slot: "max_price", op: "set", value: 120 },
    { slot: "objective", op: "set", value: "revenue" },
    { slot: "top", op: "set", value: 1 },
  ];
  const { outputs } = await check({ items, proposed, constraints });
  expect(outputs).toMatchObject({
    passed: false,
    violations: [{ item_id: "A", type: "out_of_bounds", limit: 120 }],
    fixed_prices: [{ item_id: "A", tiers: { new: { price: 120 } } }],
    failures: [],
    applied: [{ slot: "items" }, { slot: "max_price" }, { slot: "top" }],
    not_applied: [{ slot: "objective" }],
    summary: expect.stringMatching(/\n- A: new at .* is above /),
  });
});
