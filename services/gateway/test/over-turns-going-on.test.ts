import { describe, test } from "@jest/globals";
import { converse } from "./support/garden.ts";

const LAST = { about: "last proposal" };
const FIRST = { about: "first proposal" };

describe("what goes on", () => {
  test("constraints alone keep the ask", () => {
    converse([
      ["Which price suits SAW-7?", "optimizer", { items: ["SAW-7"] }],
      ["Only its new tier.", "optimizer", { items: ["SAW-7"], tiers: ["new"] }],
      [
        "Nothing may move further than 3.5 %.",
        "optimizer",
        { items: ["SAW-7"], tiers: ["new"], max_change_pct: 0.035 },
      ],
      ["One step back.", "optimizer", { items: ["SAW-7"], tiers: ["new"] }],
    ]);
  });

  test("a selection is added to, and exchanged", () => {
    converse([
      ["What would you charge for SAW-7?", "optimizer", { items: ["SAW-7"] }],
      ["Add TILL-5 as well.", "optimizer", { items: ["SAW-7", "TILL-5"] }],
      ["Swap SAW-7 for MOW-21.", "optimizer", { items: ["TILL-5", "MOW-21"] }],
      ["Go back.", "optimizer", { items: ["SAW-7", "TILL-5"] }],
    ]);
  });

  test("a message that only points at a proposal asks the same of it", () => {
    converse([
      ["Suggest prices for the standard segment.", "optimizer", { segment: "standard" }],
      ["Now at most 3 %.", "optimizer", { segment: "standard", max_change_pct: 0.03 }],
      [
        "Why did the initial proposal come out like that?",
        "explainer",
        { segment: "standard", max_change_pct: 0.03 },
        FIRST,
      ],
      ["And the current one?", "explainer", { segment: "standard", max_change_pct: 0.03 }, LAST],
    ]);
    converse([
      ["BLOW-X2 가격 제안해 줘.", "optimizer", { items: ["BLOW-X2"] }],
      ["신품만 해 줘.", "optimizer", { items: ["BLOW-X2"], tiers: ["new"] }],
      ["처음 제안은 얼마나 견고했어?", "sensitivity", { items: ["BLOW-X2"], tiers: ["new"] }, FIRST],
      ["최신 제안은?", "sensitivity", { items: ["BLOW-X2"], tiers: ["new"] }, LAST],
    ]);
  });

  test("what is put off is not done", () => {
    converse([
      [
        "Propose NA prices and check the rules; the explanation can wait.",
        "plan",
        { region: "NA" },
        { goals: ["optimizer", "policy"] },
      ],
      ["and APAC?", "plan", { region: "APAC" }, { goals: ["optimizer", "policy"] }],
      ["Publishing is for later; only explain the proposal.", "explainer", { region: "APAC" }, LAST],
      ["견고성은 나중에 보고, 정책만 확인해 줘.", "policy", { region: "APAC" }],
    ]);
  });
});

test("an ask of its own beside a limit is not what was done before", () => {
  converse([
    ["Check MOW-21 and TRIM-4 against the rules", "policy", { items: ["MOW-21", "TRIM-4"] }],
    [
      "Fine. We'd like a proposal for both, at most 4 % change",
      "optimizer",
      { items: ["MOW-21", "TRIM-4"], max_change_pct: 0.04 },
    ],
  ]);
});

test.each([
  ["well then, suggest prices for the budget segment", "optimizer", { segment: "budget" }],
  ["Recommend prices and list the top 3 for me", "optimizer", { top: 3 }],
  ["check the prices, then explain the top 2", "plan", { top: 2 }],
])("%s: neither going on nor a clause that only constrains is a second goal", (message, route, slots) => {
  converse([[message, route, slots]]);
});

test("which items have the most to gain is asked of the proposal, whatever was done before", () => {
  converse([
    ["What happens to profit if costs go up 5 percent?", "sensitivity", { cost_move: 0.05 }],
    ["which two items have the most upside?", "optimizer", { top: 2 }],
  ]);
});

describe("going back to an ask of before", () => {
  test.each([
    ["back to the proposal: limit 3 percent"],
    ["Ok, let's go back to prices, at most 3 %"],
    ["가격으로 돌아가서, 변동폭 3% 이내로"],
  ])("%s", (message) => {
    converse([
      ["Propose prices for the trimmer and the tiller", "optimizer", { items: ["TRIM-4", "TILL-5"] }],
      ["Publish them", "publish", { items: ["TRIM-4", "TILL-5"] }, LAST],
      [message, "optimizer", { items: ["TRIM-4", "TILL-5"], max_change_pct: 0.03 }],
      [
        "swap the tiller for the leaf blower",
        "optimizer",
        { items: ["TRIM-4", "BLOW-X2"], max_change_pct: 0.03 },
      ],
    ]);
  });

  test("without anything else", () => {
    converse([
      ["Check the prices in NA", "policy", { region: "NA" }],
      ["Propose prices for the standard segment", "optimizer", { region: "NA", segment: "standard" }],
      ["back to the check", "policy", { region: "NA", segment: "standard" }],
      ["Back to EMEA", "policy", { region: "EMEA", segment: "standard" }],
    ]);
  });

  test("what was selected for it goes on with it", () => {
    converse([
      ["Which prices break a rule?", "policy", {}],
      ["Reprice only those", "optimizer", { only_violating: true }],
      ["Who are you?", "general", { only_violating: true }],
      ["back to the prices: just for NA", "optimizer", { only_violating: true, region: "NA" }],
    ]);
  });

  test("the prices of before are no ask", () => {
    converse([
      ["Best prices for NA", "optimizer", { region: "NA" }],
      ["standard only", "optimizer", { region: "NA", segment: "standard" }],
      ["back to the old prices", "optimizer", { region: "NA" }],
    ]);
  });
});
