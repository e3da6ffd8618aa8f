import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { type PolicyResult, standardRulePack } from "@interlock/pricing";
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
        "Catalogue without a name, 1 item.\nThe prices of 1 item break the rules once: 1 gap between tiers below its minimum. 2 price changes fix this with the least joint change.",
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
        "Catalogue without a name, 1 item.\nThe proposed prices of 1 item keep all rules. Today's prices break them once: 1 hierarchy inversion.",
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
