import { describe, test } from "@jest/globals";
import { converse, ITEMS } from "./support/garden.ts";

const ALL = ITEMS.map(({ item_id }) => item_id);
const without = (...ids: string[]) => ALL.filter((id) => !ids.includes(id));

describe("a selection in force", () => {
  test("loses what is taken out, and gets it back", () => {
    converse([
      [
        "Propose prices for the blower, the tiller and the trimmer",
        "optimizer",
        { items: ["TRIM-4", "BLOW-X2", "TILL-5"] },
      ],
      ["take the tiller out", "optimizer", { items: ["TRIM-4", "BLOW-X2"] }],
      ["and remove the trimmer as well", "optimizer", { items: ["BLOW-X2"] }],
      ["bring the tiller back in", "optimizer", { items: ["BLOW-X2", "TILL-5"] }],
    ]);
    converse([
      ["TRIM-4, TILL-5 규정 점검해 줘", "policy", { items: ["TRIM-4", "TILL-5"] }],
      ["TILL-5는 목록에서 빼 주세요", "policy", { items: ["TRIM-4"] }],
      ["BLOW-X2도 넣어 줘", "policy", { items: ["TRIM-4", "BLOW-X2"] }],
      ["TILL-5 다시 포함해 줘", "policy", { items: ["TRIM-4", "BLOW-X2", "TILL-5"] }],
      ["MOW-21도요", "policy", { items: ["TRIM-4", "BLOW-X2", "TILL-5", "MOW-21"] }],
    ]);
  });

  test("where nothing is selected, it is the rest of all", () => {
    converse([
      ["Do our prices comply?", "policy", {}],
      ["exclude the tiller", "policy", { items: without("TILL-5") }],
    ]);
  });

  test.each([["TILL-5 has to stay out as well"], ["and the tiller should be left out too"]])(
    "loses what has to stay out: %s",
    (message) => {
      converse([
        ["Best prices for all items except the trimmer", "optimizer", { items: without("TRIM-4") }],
        [message, "optimizer", { items: without("TRIM-4", "TILL-5") }],
        ["why?", "explainer", { items: without("TRIM-4", "TILL-5") }],
      ]);
    },
  );

  test("has its values named by ordinary words", () => {
    converse([
      ["Optimise the new tier", "optimizer", { tiers: ["new"] }],
      ["include exchange", "optimizer", { tiers: ["new", "exchange"] }],
      ["new instead", "optimizer", { tiers: ["new"] }],
    ]);
    converse([
      ["Best prices for the premium segment", "optimizer", { segment: "premium" }],
      ["make that budget, and at most 6 %", "optimizer", { segment: "budget", max_change_pct: 0.06 }],
    ]);
  });
});

test("everything again is no selection", () => {
  converse([
    ["Do the APAC prices of the saws comply?", "policy", { region: "APAC", items: ["SAW-7", "SAW-9C"] }],
    ["and now for everything", "policy", {}],
  ]);
});

describe("what a check finds", () => {
  test("is what is selected by pointing at it", () => {
    converse([
      ["Are there prices that break a rule?", "policy", {}],
      ["Reprice just those, 5 % at most", "optimizer", { only_violating: true, max_change_pct: 0.05 }],
      ["and in EMEA?", "optimizer", { only_violating: true, max_change_pct: 0.05, region: "EMEA" }],
      ["now for all items", "optimizer", { max_change_pct: 0.05, region: "EMEA" }],
    ]);
    converse([
      ["규칙을 위반한 품목이 있나요?", "policy", {}],
      ["그 품목들만 가격을 다시 제안해 줘", "optimizer", { only_violating: true }],
    ]);
  });

  test("is what an ask says that only points at it", () => {
    converse([
      ["Which of the EMEA prices are out of line?", "policy", { region: "EMEA" }],
      [
        "only reprice these, profit first",
        "optimizer",
        { region: "EMEA", only_violating: true, objective: "profit" },
      ],
    ]);
  });

  test("is not, where items are named", () => {
    converse([
      ["Do SAW-7 and TRIM-4 comply?", "policy", { items: ["SAW-7", "TRIM-4"] }],
      ["just reprice those", "optimizer", { items: ["SAW-7", "TRIM-4"] }],
    ]);
  });
});

test.each([
  ["Suggest new prices just for those that break it"],
  ["Reprice only the ones that fail"],
  ["Recommend new prices only for those that violate it"],
  ["Recommend new prices only for items that violate the policy"],
])("%s behind a check is one goal", (message) => {
  converse([
    ["Check all prices against the rules", "policy", {}],
    [message, "optimizer", { only_violating: true }],
    ["max 5%", "optimizer", { only_violating: true, max_change_pct: 0.05 }],
  ]);
});

describe("what is said not to belong to the selection is left out", () => {
  test.each([
    ["the pole saw shouldn't be in there", ["MOW-21", "TRIM-4"]],
    ["the pole saw does not belong there", ["MOW-21", "TRIM-4"]],
    ["SAW-7 must not be part of it.", ["MOW-21", "TRIM-4"]],
    ["the pole saw and the trimmer aren't supposed to be in it", ["MOW-21"]],
  ])("%s", (message, items) => {
    converse([
      [
        "Find better prices for MOW-21, SAW-7 and TRIM-4.",
        "optimizer",
        { items: ["MOW-21", "SAW-7", "TRIM-4"] },
      ],
      [message, "optimizer", { items }],
      ["hm no, undo that", "optimizer", { items: ["MOW-21", "SAW-7", "TRIM-4"] }],
    ]);
  });
});

describe("all results are shown again", () => {
  test.each([
    "show all of them again, not only 2",
    "not just two, all of them",
    "the whole list again please",
  ])("%s", (message) => {
    converse([
      ["Check the standard segment against the rules.", "policy", { segment: "standard" }],
      ["the top 2", "policy", { segment: "standard", top: 2 }],
      [message, "policy", { segment: "standard" }],
    ]);
  });

  test("and not where all of something else are meant", () => {
    converse([
      ["Check the new tier against the rules.", "policy", { tiers: ["new"] }],
      ["the top 2", "policy", { tiers: ["new"], top: 2 }],
      ["all tiers", "policy", { top: 2 }],
    ]);
  });
});
