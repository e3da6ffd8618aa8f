import { describe, test } from "@jest/globals";
import { converse, type Said } from "./support/garden.ts";

const TRIMMER = { items: ["TRIM-4"] };
const TILLER = { items: ["TILL-5"] };
const BOTH = { items: ["TRIM-4", "TILL-5"] };

describe("what was asked for one after the other is meant together", () => {
  test.each<[string, string]>([
    ["are the two of them robust?", "sensitivity"],
    ["Reprice both of those, please", "optimizer"],
    ["now optimise these two for turnover", "optimizer"],
    ["check them together", "policy"],
    ["both", "policy"],
    ["둘 다 최적화해 줘", "optimizer"],
  ])("%s", (message, route) => {
    const objective = message.includes("turnover") ? { objective: "revenue" } : {};
    converse([
      ["Does the hedge trimmer comply with policy?", "policy", TRIMMER],
      ["And the soil tiller?", "policy", TILLER],
      [message, route, { ...BOTH, ...objective }],
    ]);
  });

  test("three, over another topic and beside a limit", () => {
    converse([
      ["Reprice the pole saw", "optimizer", { items: ["SAW-7"] }],
      ["the leaf blower next", "optimizer", { items: ["BLOW-X2"] }],
      ["and the tiller", "optimizer", TILLER],
      ["thank you so much", "general", TILLER],
      [
        "all three of them with at most 4 % change",
        "optimizer",
        { items: ["SAW-7", "BLOW-X2", "TILL-5"], max_change_pct: 0.04 },
      ],
    ]);
  });

  test("both regions, and both tiers", () => {
    converse([
      ["Check the prices in EMEA", "policy", { region: "EMEA" }],
      ["and in NA?", "policy", { region: "NA" }],
      ["both regions, please", "policy", { region: ["EMEA", "NA"] }],
      ["the new tier only", "policy", { region: ["EMEA", "NA"], tiers: ["new"] }],
      ["now exchange", "policy", { region: ["EMEA", "NA"], tiers: ["exchange"] }],
      ["both please", "policy", { region: ["EMEA", "NA"], tiers: ["new", "exchange"] }],
    ]);
  });

  test("two that are selected stay those two", () => {
    converse([
      ["Check the leaf blower", "policy", { items: ["BLOW-X2"] }],
      ["Best prices for the trimmer and the tiller", "optimizer", BOTH],
      ["how sure are these two?", "sensitivity", BOTH],
    ]);
  });

  test("of more than two nobody knows which two are meant", () => {
    converse([
      [
        "Best prices for the pole saw, the trimmer and the tiller",
        "optimizer",
        { items: ["SAW-7", ...BOTH.items] },
      ],
      [
        "optimise the two of them for profit",
        "optimizer",
        { items: ["SAW-7", ...BOTH.items], objective: "profit" },
      ],
    ]);
  });
});

test("the second of two that are selected", () => {
  converse([
    ["Best prices for the trimmer and the tiller", "optimizer", BOTH],
    ["just the second one, please", "optimizer", TILLER],
    ["what would make both compliant?", "policy", BOTH],
    ["both costs and prices rise by 4 %", "policy", { ...BOTH, cost_move: 0.04, price_move: 0.04 }],
  ]);
});

describe("the other one of two", () => {
  const asked: readonly Said[] = [
    ["Reprice the mower", "clarify", {}],
    ["the robotic one", "optimizer", { items: ["MOW-30R"] }],
  ];

  test("what the user was offered and did not choose", () => {
    converse([
      ...asked,
      ["and now the other one?", "optimizer", { items: ["MOW-21"] }],
      ["is either of them, I mean both of them, compliant?", "policy", { items: ["MOW-30R", "MOW-21"] }],
    ]);
  });

  test("beside the one that was chosen", () => {
    converse([...asked, ["do the other one as well", "optimizer", { items: ["MOW-21", "MOW-30R"] }]]);
  });

  test("by a name that fits both", () => {
    converse([
      ["Check the pole saw", "policy", { items: ["SAW-7"] }],
      ["and the other saw?", "policy", { items: ["SAW-9C"] }],
      ["the other one again", "policy", { items: ["SAW-7"] }],
    ]);
  });
});

describe("what was left out is put back", () => {
  test.each([["put it back in"], ["Actually add it again, please"], ["it can come back"]])(
    "%s",
    (message) => {
      converse([
        ["Optimise the trimmer and the tiller", "optimizer", BOTH],
        ["without the tiller", "optimizer", TRIMMER],
        ["changes of 5 % at most", "optimizer", { ...TRIMMER, max_change_pct: 0.05 }],
        [message, "optimizer", { ...BOTH, max_change_pct: 0.05 }],
      ]);
    },
  );

  test("'put it back' takes back what was done last", () => {
    converse([
      ["Optimise the trimmer and the tiller", "optimizer", BOTH],
      ["without the tiller", "optimizer", TRIMMER],
      ["changes of 5 % at most", "optimizer", { ...TRIMMER, max_change_pct: 0.05 }],
      ["put it back", "optimizer", TRIMMER],
    ]);
  });
});

describe("what only says which things are meant publishes nothing", () => {
  test.each([["now the first one only"], ["take this one"], ["nope, back in with it"]])("%s", (message) => {
    converse([
      ["Optimise the hedge trimmer", "optimizer", TRIMMER],
      [message, "general", TRIMMER],
      ["go ahead", "publish", TRIMMER],
    ]);
  });
});
