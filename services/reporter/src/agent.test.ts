import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { type PricingReport, standardRulePack } from "@interlock/pricing";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { reporterAgent } from "./agent.ts";
import { sampleReview } from "./sample.ts";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(reporterAgent({ rulePack: standardRulePack }));
});
afterAll(() => agent.close());

async function report(inputs: object, more: object = {}) {
  const { status, body } = await agent.sync({ task_type: "PRICING_REPORT", mode: "LIVE", inputs, ...more });
  return { status, body, outputs: body.outputs as unknown as PricingReport };
}

test("a review has the prices of the selected part, its failures, and what an approver sees", async () => {
  const { outputs } = await report(sampleReview());
  expect(outputs.summary).toBe(
    [
      "Proposed prices for 1 of 2 items",
      "- VALVE-V7, new: €100.00 → €104.00 (+4%)",
      "",
      "No price was found for 1 item",
      "- MOTOR-M2: Item MOTOR-M2: the profit of tier new has no largest value without an upper bound.",
      "",
      "Expected effect: profit €4,000 → €4,200 (+5%), revenue €10,000 → €10,100 (+1%).",
      "",
      "Policy: today's prices break no rule.",
      "The proposal keeps every rule.",
      "Applied: region: only EMEA (2 items).",
      "",
      "Drivers: VALVE-V7: profit per period moves from €4,000.00 at today's prices to €4,200.00 (+5%).",
      "",
      "Robustness: In 91% of 1,000 draws the recommended prices beat today's.",
    ].join("\n"),
  );
  expect(outputs.proposed).toEqual([{ item_id: "VALVE-V7", tiers: { new: { price: 104 } } }]);
  expect(outputs.shown).toMatchObject({
    before: [{ item_id: "VALVE-V7", tiers: { new: { price: 100 } } }],
    failures: [{ item_id: "MOTOR-M2" }],
    robustness: { score: 0.91 },
    drivers: expect.stringMatching(/^VALVE-V7/),
  });
});

test("it is written in the language of the inputs, else in that of the run", async () => {
  const inputs = sampleReview();
  expect((await report(inputs, { language: "ko-KR" })).outputs.summary).toMatch(
    /^제안 가격 \(품목 2개 중 1개\)\n- VALVE-V7, new: €100\.00 → €104\.00 \(\+4%\)\n/,
  );
  expect((await report({ ...inputs, language: "en" }, { language: "ko" })).outputs.summary).toMatch(
    /^Proposed prices/,
  );
  expect((await report(inputs, { language: "fi" })).outputs.summary).toMatch(/^Proposed prices/);
});

test("what was not asked of other agents is left out", async () => {
  const { items, optimized } = sampleReview();
  const empty = { checked: {}, explained: {}, tested: {} };
  for (const inputs of [
    { items, optimized },
    { items, optimized, ...empty },
  ]) {
    const { outputs } = await report(inputs);
    expect(outputs.summary).toMatch(/^Proposed prices for 1 of 2 items\n/);
    expect(outputs.summary).not.toMatch(/Policy|Drivers|Robustness/);
    expect(outputs.shown).not.toHaveProperty("robustness");
  }
});

test("a field that nobody knows is refused", async () => {
  expect((await report({ ...sampleReview(), discount: 1 })).status).toBe(400);
});
