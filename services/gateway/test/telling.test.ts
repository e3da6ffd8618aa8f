import { describe, test } from "@jest/globals";
import { converse } from "./support/garden.ts";

const EMEA = { region: "EMEA" };

describe("who tells something beside a constraint asks for nothing", () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["the board would live with 6 %", { max_change_pct: 0.06 }],
    ["nobody here accepts more than 3 %", { max_change_pct: 0.03 }],
    ["what I forgot to mention: revenue is our aim", { max_change_pct: 0.05, objective: "revenue" }],
    ["our dealers hate jumps, they said, so 4 % at most", { max_change_pct: 0.04 }],
    ["we still have to stay above a 20 % margin", { max_change_pct: 0.05, min_margin: 0.2 }],
    ["on reflection the repair tier matters more", { max_change_pct: 0.05, tiers: ["repair"] }],
  ])("%s", (message, slots) => {
    converse([
      ["Best prices for EMEA, at most 5 % change", "optimizer", { ...EMEA, max_change_pct: 0.05 }],
      [message, "optimizer", { ...EMEA, ...slots }],
    ]);
  });

  test.each<[string, string]>([
    ["they wonder how robust it is at 4 %", "sensitivity"],
    ["I think we should publish it at 4 %", "publish"],
  ])("%s: a wish or a goal's own word asks", (message, route) => {
    converse([
      ["Best prices for EMEA, at most 5 % change", "optimizer", { ...EMEA, max_change_pct: 0.05 }],
      [message, route, { ...EMEA, max_change_pct: 0.04 }],
    ]);
  });

  test.each([
    ["My cousin grows roses, by the way, she is very proud of them."],
    ["he has bought a new bike"],
  ])("%s: what constrains nothing is talk", (message) => {
    converse([
      ["Best prices for EMEA", "optimizer", EMEA],
      [message, "general", EMEA],
    ]);
  });
});

test.each([
  ["it's Friday, finally"],
  ["can we continue after lunch?"],
  ["shall we take this up again tomorrow morning?"],
  ["we'd better finish on Thursday"],
])("%s publishes nothing", (message) => {
  converse([
    ["Best prices for EMEA", "optimizer", EMEA],
    [message, "general", EMEA],
    ["publish it", "publish", EMEA],
  ]);
});

test("a constraint behind a publication goes on with what was published, and does not publish again", () => {
  converse([
    ["Best prices for EMEA", "optimizer", EMEA],
    ["Publish it", "publish", EMEA, { about: "last proposal" }],
    ["at most 4 % change", "optimizer", { ...EMEA, max_change_pct: 0.04 }],
  ]);
});

describe("small talk that is asked like a question about the prices", () => {
  test.each([
    ["what did you have for breakfast?"],
    ["how come the train was late again?"],
    ["could you recommend a film for tonight?"],
    ["Our receptionist keeps bees, she sells the honey herself"],
  ])("%s", (message) => {
    converse([
      [message, "general", {}],
      ["Best prices for EMEA", "optimizer", EMEA],
      [message, "general", EMEA],
    ]);
  });

  test("beside a constraint", () => {
    converse([
      ["Best prices for EMEA", "optimizer", EMEA],
      [
        "what did you have for breakfast? Anyway, at most 4 %",
        "optimizer",
        { ...EMEA, max_change_pct: 0.04 },
      ],
    ]);
  });

  test.each([
    ["can we check the rules before lunch?", "policy"],
    ["what did you do to get these prices?", "explainer"],
  ])("%s: a word of the domain asks", (message, route) => {
    converse([
      ["Best prices for EMEA", "optimizer", EMEA],
      [message, route, EMEA],
    ]);
  });
});

describe("a goal that is said in the words of a constraint", () => {
  test.each([["Now optimise it for turnover."], ["maximise turnover now"]])("%s", (message) => {
    converse([
      ["Is the hedge trimmer within the rules?", "policy", { items: ["TRIM-4"] }],
      [message, "optimizer", { items: ["TRIM-4"], objective: "revenue" }],
      ["profit rather", "optimizer", { items: ["TRIM-4"], objective: "profit" }],
    ]);
  });
});

test.each([["run the whole catalogue, best profit"], ["the entire range, best profit please"]])(
  "%s: all items are not all goals",
  (message) => {
    converse([[message, "optimizer", { objective: "profit" }]]);
  },
);

describe("a selection of what a check finds stays in force", () => {
  test("but not for another question", () => {
    converse([
      ["Check the prices in EMEA, just the violating ones", "policy", { ...EMEA, only_violating: true }],
      ["Another question: how robust are they?", "sensitivity", EMEA],
    ]);
  });
});

test.each([["That was too bold, go back"], ["Hmm, I don't like that. Undo it"], ["too much, revert that"]])(
  "%s: the command stands behind what is told",
  (message) => {
    converse([
      ["Best prices for EMEA", "optimizer", EMEA],
      ["Let's be bold, at most 9 %", "optimizer", { ...EMEA, max_change_pct: 0.09 }],
      [message, "optimizer", EMEA],
    ]);
  },
);

test("what is added on top of it", () => {
  converse([
    ["Best prices for the tiller", "optimizer", { items: ["TILL-5"] }],
    ["and the leaf blower on top of that", "optimizer", { items: ["TILL-5", "BLOW-X2"] }],
    ["the pole saw in addition", "optimizer", { items: ["TILL-5", "BLOW-X2", "SAW-7"] }],
  ]);
});

test("a filter is dropped, and two changes are undone at once", () => {
  converse([
    ["Check all prices against the rules", "policy", {}],
    ["only the violations", "policy", { only_violating: true }],
    ["for EMEA", "policy", { ...EMEA, only_violating: true }],
    ["drop the violations filter", "policy", EMEA],
    ["undo both", "policy", { only_violating: true }],
  ]);
});

test("what is selected is taken back by its opposite", () => {
  converse([
    ["If costs rise 6 % in EMEA, how robust is it?", "sensitivity", { ...EMEA, cost_move: 0.06 }],
    ["now with no cost change", "sensitivity", EMEA],
    ["Never mind EMEA, all regions again", "sensitivity", {}],
    [
      "with the leaf blower out",
      "sensitivity",
      { items: ["MOW-21", "MOW-30R", "SAW-7", "SAW-9C", "TRIM-4", "TILL-5"] },
    ],
    ["scrap that", "sensitivity", {}],
  ]);
});
