import type { ReportInputs } from "@interlock/pricing";

/** A review of the two items of a region, one of which no price was found for. */
export function sampleReview(): ReportInputs {
  return {
    items: [
      { item_id: "VALVE-V7", region: "EMEA", tiers: { new: { current_price: 100, unit_cost: 60 } } },
      { item_id: "MOTOR-M2", region: "EMEA", tiers: { new: { current_price: 300, unit_cost: 200 } } },
      { item_id: "PUMP-P1", region: "APAC", tiers: { new: { current_price: 250, unit_cost: 150 } } },
    ],
    currency: "EUR",
    constraints: [{ slot: "region", op: "only", value: ["EMEA"] }],
    optimized: {
      objective: "profit",
      totals: { current: { profit: 4000, revenue: 10000 }, expected: { profit: 4200, revenue: 10100 } },
      proposed: [{ item_id: "VALVE-V7", tiers: { new: { price: 104 } } }],
      outcomes: [
        {
          item_id: "VALVE-V7",
          current: { profit: 4000, revenue: 10000 },
          expected: { profit: 4200, revenue: 10100 },
        },
      ],
      failures: [
        {
          item_id: "MOTOR-M2",
          code: "UNBOUNDED",
          message: "Item MOTOR-M2: the profit of tier new has no largest value without an upper bound.",
        },
      ],
      warnings: [],
      applied: [{ slot: "region", op: "only", value: ["EMEA"], items: 2, prices: 0 }],
      not_applied: [],
    },
    checked: { passed: true, violations: [], current: { violations: [], suggestions: [] } },
    rounds: 1,
    proposed: [{ item_id: "VALVE-V7", tiers: { new: { price: 104 } } }],
    explained: {
      summary: "VALVE-V7: profit per period moves from €4,000.00 at today's prices to €4,200.00 (+5%).",
    },
    tested: {
      summary: "In 91% of 1,000 draws the recommended prices beat today's.",
      totals: { robustness: { score: 0.91 } },
    },
  };
}
