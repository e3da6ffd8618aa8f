import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { OrderConstraint } from "../constraints/constraint.ts";
import { judgeOrder } from "../constraints/judge.ts";
import type { Violation } from "../policy-types.ts";
import { standardRulePack } from "../rule-pack.ts";
import { pricingReport } from "./report.ts";
import type { ReportInputs } from "./types.ts";

const TIERS = ["new", "exchange", "repair"];
const report = (inputs: ReportInputs) => pricingReport(inputs, standardRulePack);

/** A catalogue, of which the optimizer found no price for some items, and what was said of it. */
const anyReview = fc
  .record({
    size: fc.integer({ min: 1, max: 60 }),
    failing: fc.array(fc.nat({ max: 59 }), { maxLength: 30 }),
    chosen: fc.option(fc.array(fc.nat({ max: 59 }), { minLength: 1, maxLength: 30 }), { nil: undefined }),
    op: fc.constantFrom("only", "except", "freeze"),
    tiers: fc.option(fc.subarray(TIERS, { minLength: 1, maxLength: 2 }), { nil: undefined }),
    tierOp: fc.constantFrom("only", "except", "freeze"),
    language: fc.constantFrom("en", "ko"),
  })
  .map(({ size, failing, chosen, op, tiers, tierOp, language }) => {
    const ids = Array.from({ length: size }, (_, i) => `ITEM-${i}`);
    const failed = new Set(failing.filter((i) => i < size).map((i) => `ITEM-${i}`));
    const named = chosen?.map((i) => `ITEM-${i % size}`);
    const constraints = [
      ...(named ? [{ slot: "items", op, value: named } as OrderConstraint] : []),
      ...(tiers ? [{ slot: "tiers", op: tierOp, value: tiers } as OrderConstraint] : []),
    ];
    const has = (id: string) => (named === undefined ? true : named.includes(id) === (op === "only"));
    const selected = ids.filter(has);
    const changing = TIERS.filter(
      (tier) => tiers === undefined || tiers.includes(tier) === (tierOp === "only"),
    );
    const proposed = ids
      .filter((id) => !failed.has(id))
      .map((item_id, i) => ({
        item_id,
        tiers: Object.fromEntries(TIERS.map((tier, at) => [tier, { price: 100 - 20 * at + i / 100 }])),
      }));
    const outcomes = proposed.map(({ item_id }, i) => ({
      item_id,
      current: { profit: 10, revenue: 100 },
      expected: { profit: 10 + i, revenue: 100 + i },
    }));
    const inputs: ReportInputs = {
      items: ids.map((item_id) => ({
        item_id,
        tiers: Object.fromEntries(TIERS.map((tier, at) => [tier, { current_price: 99 - 20 * at }])),
      })),
      constraints,
      language: language as "en" | "ko",
      optimized: {
        proposed,
        outcomes,
        totals: {
          current: { profit: -1, revenue: -1 },
          expected: { profit: -1, revenue: -1 },
        },
        failures: [...failed].map((item_id) => ({ item_id, code: "UNBOUNDED", message: "No maximum." })),
      },
    };
    // Frozen items are part of the answer as they are; they are nothing that was left out.
    const isFreeze = named !== undefined && op === "freeze";
    const failures = [...failed].filter((id) => isFreeze || has(id));
    return { inputs, selected, changing, failed, failures, outcomes };
  });

test("nothing outside of the selection is proposed, and nothing of it is missing", () => {
  fc.assert(
    fc.property(anyReview, ({ inputs, selected, changing, failed }) => {
      if (selected.length === 0) return;
      const { proposed, shown } = report(inputs);
      const priced = selected.filter((id) => !failed.has(id));
      expect(proposed.map(({ item_id }) => item_id)).toEqual(priced);
      for (const [i, { tiers }] of proposed.entries()) {
        expect(Object.keys(tiers)).toEqual(changing);
        expect(Object.keys(shown.before[i]?.tiers ?? {})).toEqual(changing);
      }
    }),
  );
});

test("what is proposed passes the check of what was said, where no item is without a price", () => {
  fc.assert(
    fc.property(anyReview, ({ inputs, selected, failed }) => {
      if (selected.length === 0 || failed.size > 0) return;
      const { proposed } = report(inputs);
      const { constraints = [], items } = inputs;
      expect(judgeOrder({ constraints, items, proposed }, standardRulePack)).toMatchObject({ passed: true });
    }),
  );
});

test("every item that was asked for has a price or is named, and both are counted", () => {
  fc.assert(
    fc.property(anyReview, ({ inputs, selected, failures }) => {
      if (selected.length === 0) return;
      const { summary, proposed, shown } = report(inputs);
      expect(shown.failures.map(({ item_id }) => item_id)).toEqual(failures);
      const [title = ""] = summary.split("\n");
      const counts = (title.match(/\d+/g) ?? []).map(Number);
      if (proposed.length > 0 && failures.length > 0)
        expect(counts.toSorted((a, b) => a - b)).toEqual([
          proposed.length,
          proposed.length + failures.length,
        ]);
      for (const id of failures.slice(0, 20)) expect(summary).toContain(`\n- ${id}: `);
    }),
  );
});

test("the totals of a part are the sums of its items", () => {
  fc.assert(
    fc.property(anyReview, ({ inputs, selected, outcomes: all }) => {
      if (selected.length === 0) return;
      const { proposed, shown } = report(inputs);
      const ids = new Set(proposed.map(({ item_id }) => item_id));
      const mine = all.filter(({ item_id }) => ids.has(item_id));
      if (mine.length === all.length) expect(shown.totals).toEqual(inputs.optimized?.totals);
      else if (mine.length === 0) expect(shown).not.toHaveProperty("totals");
      else
        expect(shown.totals).toEqual({
          current: { profit: 10 * mine.length, revenue: 100 * mine.length },
          expected: {
            profit: mine.reduce((sum, { expected }) => sum + expected.profit, 0),
            revenue: mine.reduce((sum, { expected }) => sum + expected.revenue, 0),
          },
        });
    }),
  );
});

describe("what somebody asks about", () => {
  const items = [
    { item_id: "A", tiers: { new: { current_price: 100 }, exchange: { current_price: 101 } } },
    { item_id: "B", tiers: { new: { current_price: 100 }, exchange: { current_price: 80 } } },
  ];
  const violation = (item_id: string): Violation => ({
    type: "hierarchy_inversion",
    item_id,
    tiers: ["new", "exchange"],
    current: {},
    message: "exchange is not below new.",
  });
  const figures = { current: { profit: 100, revenue: 300 }, expected: { profit: 90, revenue: 310 } };
  const said = (slot: string, value: number | boolean) => ({ slot, op: "set", value }) as OrderConstraint;
  const proposed = ["A", "B"].map((item_id) => ({
    item_id,
    tiers: { new: { price: 103 }, exchange: { price: 104 } },
  }));

  test("a move of prices: what it would earn, and the rules that it breaks", () => {
    const { summary } = report({
      items,
      constraints: [{ ...said("price_move", 0.03), unit: "share", direction: "up" }],
      optimized: { proposed, totals: figures, applied: [], not_applied: [] },
      checked: {
        passed: false,
        violations: [violation("A"), violation("B")],
        current: { violations: [violation("A")] },
      },
    });
    expect(summary).toBe(
      "At today's prices profit is 100.00 a period; after this move it would be 90.00 (−10%).\nRules that would be broken: 2, of which 1 are broken today too. New:\n- B: exchange is not below new.\nApplied: price change +3% (2 items).",
    );
  });

  test("a move of costs: what today's prices would earn, before the prices for these costs", () => {
    const at_todays_costs = { demand: 1, profit: 200, revenue: 300 };
    const { summary } = report({
      items,
      constraints: [said("cost_move", 0.1)],
      optimized: { proposed, totals: { ...figures, at_todays_costs } },
    });
    expect(summary).toMatch(
      /^At today's prices profit would go from 200\.00 to 100\.00 a period \(−50%\)\. With prices set anew for these costs it would be 90\.00\.\n\nProposed prices\n/,
    );
  });

  test("only what breaks a rule: the items that do so today", () => {
    const constraints = [said("only_violating", true)];
    const one = report({ items, constraints, optimized: { proposed } });
    expect(one.proposed.map(({ item_id }) => item_id)).toEqual(["A"]);
    expect(one.summary).toMatch(/^Proposed prices for the 1 item that breaks a rule today\n- A, new: /);
    const none = report({ items: items.slice(1), constraints });
    expect(none).toMatchObject({
      summary: expect.stringMatching(/there is nothing to change/),
      proposed: [],
    });
  });

  test("what nothing could apply is named", () => {
    const constraints = [{ slot: "period", op: "set", value: "Q1" } as const];
    const { summary, shown } = report({ items, constraints, optimized: { proposed } });
    expect(summary).toMatch(/\nNot applied, since nothing here can apply it: period Q1\.$/);
    expect(shown.not_applied).toEqual(constraints);
  });

  test("figures that nobody gave are left out", () => {
    const { summary, shown } = report({ items, proposed });
    expect(summary).not.toMatch(/Expected effect|Policy/);
    expect(shown).not.toHaveProperty("totals");
  });
});
