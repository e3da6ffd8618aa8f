import { describe, expect, test } from "@jest/globals";
import { explainPrices } from "../explanation.ts";
import { formatFor } from "../format.ts";
import { policyCheck, policySteps } from "../policy.ts";
import { proposeItem, totalProposals } from "../proposal.ts";
import { proposalSummary } from "../proposal-summary.ts";
import { standardRulePack } from "../rule-pack.ts";
import { analyseItems } from "../sensitivity-report.ts";
import { settingsFor } from "../settings.ts";
import type { PricingInputs, ResolvedItem } from "../types.ts";
import { languageOf } from "./index.ts";

const pump: ResolvedItem = {
  item_id: "P1",
  tiers: {
    new: {
      current_price: 10,
      unit_cost: 6,
      demand: { model: "constant_elasticity", reference_price: 10, reference_quantity: 100, elasticity: -3 },
      bounds: { min: 5, max: 20 },
    },
  },
};
const korean = formatFor({ language: "ko", currency: "EUR" });
const english = formatFor({ currency: "EUR" });

/** Words of a text other than names and figures. */
function latinWords(text: string): string[] {
  return (text.match(/[A-Za-z]{2,}/g) ?? []).filter(
    (word) => !["new", "exchange", "convention"].includes(word),
  );
}

describe("the language of an answer", () => {
  test.each([
    [["ko"], "ko"],
    [["ko-KR"], "ko"],
    [[undefined, "KO"], "ko"],
    [["en", "ko"], "en"],
    [["fi", "ko"], "ko"],
    [["fi"], "en"],
    [[], "en"],
  ] as const)("%j is answered in %s", (asked, language) => {
    expect(languageOf(...asked)).toBe(language);
  });
});

test("explanations are Korean in all of their sentences", () => {
  const inputs = { items: [pump], max_change_pct: 0.1, currency: "EUR", language: "ko" } as const;
  const { summary, items } = explainPrices({ ...inputs, items: [...inputs.items] }, standardRulePack);
  expect(summary).toMatch(/^P1: 기간당 이익이 현재 가격의 €400\.00에서 €411\.52\(\+2\.88%\)로 바뀝니다: /);
  expect(latinWords(summary)).toEqual([]);
  expect(latinWords(items.map(({ tiers }) => tiers.new?.narrative).join(" "))).toEqual([]);
});

test("sensitivity analyses are Korean in all of their sentences", () => {
  const inputs: PricingInputs = { items: [], max_change_pct: 0.1 };
  const steps = analyseItems(
    [pump],
    undefined,
    settingsFor(inputs, standardRulePack),
    { draws: 200 },
    korean,
  );
  let step = steps.next();
  while (!step.done) step = steps.next();
  expect(step.value.summary).toMatch(/모의실험 200회 중 .*에서 권장 가격이 현재 가격보다 낫습니다/);
  expect(latinWords(step.value.summary)).toEqual([]);
});

describe("policy checks", () => {
  const items = [
    { item_id: "P1", tiers: { new: { current_price: 100 }, exchange: { current_price: 99 } } },
    { item_id: "P2", tiers: { new: { current_price: 100 }, exchange: { current_price: 101 } } },
    { item_id: "P3", tiers: { new: { current_price: 100 }, exchange: { current_price: 80 } } },
  ];
  const moved = items.map(({ item_id, tiers }) => ({
    item_id,
    tiers: { new: { price: 50 }, exchange: { price: tiers.exchange.current_price } },
  }));

  test("list the worst violations first", () => {
    const { summary } = policyCheck({ items }, standardRulePack);
    expect(summary).toMatch(/\n- P2: exchange at 101.00 .*\n- P1: exchange at 99.00 /);
  });

  test("are Korean in all of their sentences", () => {
    const { summary, violations } = policyCheck({ items, language: "ko" }, standardRulePack);
    expect(summary).toMatch(
      /^품목 3개의 가격에서 2건\(등급 간 최소 간격 미달 1건, 등급 간 가격 역전 1건\)의 규칙 위반이/,
    );
    expect(latinWords(summary)).toEqual([]);
    expect(latinWords(violations.map(({ message }) => message).join(" "))).toEqual([]);
  });

  test("of a move tell what is broken today too, and name the rest", () => {
    const summaryIn = (language: "en" | "ko", proposed = moved) => {
      const steps = policySteps({ items, proposed, language }, standardRulePack, { isMove: true });
      for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value.summary;
    };
    expect(summaryIn("en")).toMatch(
      /^Rules that would be broken: 3, of which 1 are broken today too\. New:\n- P1: .*\n- P3: [^\n]*$/,
    );
    expect(summaryIn("ko")).toMatch(/^위반하게 될 규칙: 3건\. 그중 1건은 현재도 위반입니다/);
    const kept = [{ item_id: "P3", tiers: { new: { price: 100 }, exchange: { price: 80 } } }];
    expect(summaryIn("en", kept)).toBe("No rule would break.");
  });

  test("list as many violations as somebody wants to see", () => {
    const steps = policySteps({ items }, standardRulePack, { top: 1 });
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(step.value.summary).toMatch(
      /\nThe worst 1:\n- P2: [^\n]*\n- … and 1 more$|\nThe worst 1:\n- P2: [^\n]*$/,
    );
  });
});

describe("proposals", () => {
  const proposals = [proposeItem(pump, settingsFor({ max_change_pct: 0.1 }, standardRulePack))];
  const totals = totalProposals(proposals);
  const about = { totals, objective: "profit", failed: 0, warnings: [] } as const;

  test("of a move say what it would do to profit", () => {
    expect(proposalSummary(proposals, { ...about, isMove: true }, english)).toBe(
      "At today's prices profit is €400.00 a period; after this move it would be €411.52 (+2.88%).",
    );
  });

  test("for other costs say what today's prices would earn, and the best ones", () => {
    const before = { demand: 100, revenue: 1000, profit: 500 };
    const changed = { ...about, totals: { ...totals, at_todays_costs: before } };
    expect(proposalSummary(proposals, changed, english)).toBe(
      "At today's prices profit would go from €500.00 to €400.00 a period (−20%). With prices set anew for these costs it would be €411.52.",
    );
    expect(latinWords(proposalSummary(proposals, changed, korean))).toEqual([]);
  });

  test("name the largest upside, as many as somebody wants to see", () => {
    expect(proposalSummary(proposals, { ...about, top: 3 }, english)).toBe(
      "Largest upside, as profit a period at the best prices against today's\n- P1: €400 → €412 (+€12)",
    );
  });

  test("say which items they are for, and what must be known", () => {
    const warned = { ...about, onlyViolating: true, warnings: ["Mind the gap."] };
    expect(proposalSummary(proposals, warned, english)).toBe(
      "Proposed prices for the 1 item that breaks a rule today\n- P1, new: €10.00 → €9.00 (−10%)\n\nProfit €400 → €412, revenue €1,000 → €1,235.\n\nPlease note\n- Mind the gap.",
    );
  });

  test("list 40 prices, and count the others", () => {
    const many = Array.from({ length: 50 }, (_, i) => ({ ...proposals[0], item_id: `P${i}` }));
    const summary = proposalSummary(many as typeof proposals, about, english);
    expect(summary.match(/^- P\d+, /gm)).toHaveLength(40);
    expect(summary).toContain("\n- … and 10 more\n");
  });
});
