import { describe, expect, test } from "@jest/globals";
import { begin, converse, ITEMS, type Said } from "./support/garden.ts";

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
});

describe("the other one of two", () => {
  const asked: readonly Said[] = [
    ["Reprice the mower", "clarify", {}],
    ["the robotic one", "optimizer", { items: ["MOW-30R"] }],
  ];

  test("beside the one that was chosen", () => {
    converse([...asked, ["do the other one as well", "optimizer", { items: ["MOW-21", "MOW-30R"] }]]);
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

test.each([["now the first one only"], ["take this one"], ["nope, back in with it"]])(
  "%s only says which things are meant, and publishes nothing",
  (message) => {
    const { say } = begin({ items: ITEMS });
    say("Optimise the hedge trimmer");
    const { route, goals = [] } = say(message);
    expect([route, ...goals]).not.toContain("publish");
    expect(say("go ahead").route).toBe("publish");
  },
);
