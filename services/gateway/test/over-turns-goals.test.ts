import { describe, expect, test } from "@jest/globals";
import { begin, converse, ITEMS } from "./support/garden.ts";

const NA = { region: "NA" };

describe("a goal that is dropped", () => {
  test.each([
    ["leave out the robustness", ["optimizer", "policy"]],
    ["Skip the stability part", ["optimizer", "policy"]],
    ["we no longer need the rule check", ["optimizer", "sensitivity"]],
    ["the check can wait", ["optimizer", "sensitivity"]],
    ["no risk analysis this time, please", ["optimizer", "policy"]],
    ["안정성은 생략해 줘", ["optimizer", "policy"]],
  ])("%s: the others are done", (message, goals) => {
    converse([
      [
        "Propose prices for NA, check them and test how robust they are",
        "plan",
        NA,
        { goals: ["optimizer", "policy", "sensitivity"] },
      ],
      [message, "plan", NA, { goals }],
      ["at most 6 %", "plan", { ...NA, max_change_pct: 0.06 }, { goals }],
    ]);
  });

  test("beside a constraint, and taken back", () => {
    converse([
      ["Propose prices for NA and explain them", "plan", NA, { goals: ["optimizer", "explainer"] }],
      ["without the reasons, and at most 3 %", "optimizer", { ...NA, max_change_pct: 0.03 }],
      ["undo", "optimizer", NA],
    ]);
  });

  test.each([["forget the explanation"]])("%s: what nobody has asked for is not done either", (message) => {
    converse([
      ["Best prices for NA", "optimizer", NA],
      [message, "general", NA],
    ]);
  });

  test("a constraint is dropped by the same words", () => {
    converse([
      ["Check the saws, margins of at least 20 %", "policy", { items: ["SAW-7", "SAW-9C"], min_margin: 0.2 }],
      ["leave out the chain saw", "policy", { items: ["SAW-7"], min_margin: 0.2 }],
      ["drop the margin", "policy", { items: ["SAW-7"] }],
    ]);
  });
});

test.each([
  ["Maximise profit for TILL-5 and MOW-21 and tell me whether they break a rule", ["optimizer", "policy"]],
  [
    "Check MOW-21 and TILL-5 against the rules, and say how sensitive the result is",
    ["policy", "sensitivity"],
  ],
])("%s: two orders are two goals", (message, goals) => {
  const { route, goals: heard, slots } = begin({ items: ITEMS }).say(message);
  expect({ route, heard, slots }).toMatchObject({
    route: "plan",
    heard: goals,
    slots: { items: ["MOW-21", "TILL-5"] },
  });
});

test.each([
  ["could you release the latest version", "publish"],
  ["why does this version have such high prices?", "explainer"],
])("%s: a version is the proposal", (message, route) => {
  converse([
    ["Best prices for NA", "optimizer", NA],
    [message, route, NA, { about: "last proposal" }],
  ]);
});

test.each([["I am new here, by the way. No price above 450 euros", { max_price: 450 }]])(
  "%s: a constraint that is said first holds, whatever is told beside it",
  (message, slots) => {
    const conversation = begin({ items: ITEMS });
    const asked = conversation.say(message);
    expect(asked).toMatchObject({ route: "clarify" });
    expect(conversation.say("propose the best prices")).toMatchObject({ route: "optimizer", slots });
  },
);

test.each([
  [
    "The auditors are coming. Optimise the premium segment, check it against the rules and tell me how robust it is",
  ],
  [
    "We have visitors from the board. Optimise the premium segment, check it for violations and test how robust it is",
  ],
])("%s: what is told first takes no goal away", (message) => {
  const goals = ["optimizer", "policy", "sensitivity"];
  converse([[message, "plan", { segment: "premium" }, { goals }]]);
});

describe("one ask at a time", () => {
  test("a constraint behind what is asked for belongs to it", () => {
    converse([
      ["Best prices for NA", "optimizer", NA],
      ["Check the rules now, with a margin of at least 12 %", "policy", { ...NA, min_margin: 0.12 }],
      ["15 is better, and why?", "plan", { ...NA, min_margin: 0.15 }, { goals: ["policy", "explainer"] }],
    ]);
  });

  test("a question that goes on is one of its own", () => {
    converse([
      ["Best prices for NA, nothing above 300 euros", "optimizer", { ...NA, max_price: 300 }],
      ["300 is too low, 420", "optimizer", { ...NA, max_price: 420 }],
      ["why?", "explainer", { ...NA, max_price: 420 }],
      ["and how safe is that?", "sensitivity", { ...NA, max_price: 420 }],
    ]);
  });
});

describe("nothing is published that was not asked for", () => {
  test.each([["let's not publish before Friday"], ["we shouldn't go live with that yet"]])(
    "%s",
    (message) => {
      const conversation = begin({ items: ITEMS });
      conversation.say("Best prices for NA");
      const { route, goals = [] } = conversation.say(message);
      expect([route, ...goals].filter((one) => !["general", "optimizer"].includes(one))).toEqual([]);
    },
  );

  test.each([["why not publish it right away?"], ["don't wait, publish it"]])("%s asks for it", (message) => {
    converse([
      ["Best prices for NA", "optimizer", NA],
      [message, "publish", NA, { about: "last proposal" }],
    ]);
  });

  test("nor once more by taking something back", () => {
    converse([
      ["Best prices for NA, at most 4 %", "optimizer", { ...NA, max_change_pct: 0.04 }],
      ["Publish it", "publish", { ...NA, max_change_pct: 0.04 }],
      ["at most 6 %", "optimizer", { ...NA, max_change_pct: 0.06 }],
      ["undo", "optimizer", { ...NA, max_change_pct: 0.04 }],
    ]);
    converse([
      ["Best prices for NA, at most 4 %", "optimizer", { ...NA, max_change_pct: 0.04 }],
      ["why?", "explainer", { ...NA, max_change_pct: 0.04 }],
      ["at most 6 %", "explainer", { ...NA, max_change_pct: 0.06 }],
      ["Publish it", "publish", { ...NA, max_change_pct: 0.06 }],
      ["undo", "explainer", { ...NA, max_change_pct: 0.04 }],
    ]);
  });
});

test.each([
  "What do you need from me to recommend a price?",
  "My boss said you can publish prices as well?",
  "I heard that you could check our rules too?",
])("%s asks what can be done, and for nothing", (message) => {
  converse([
    ["Optimise LATAM.", "optimizer", { region: "LATAM" }],
    [message, "general", { region: "LATAM" }],
    ["Then publish it.", "publish", { region: "LATAM" }],
  ]);
});
