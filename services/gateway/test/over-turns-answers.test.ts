import { describe, test } from "@jest/globals";
import { converse } from "./support/garden.ts";

const LAST = { about: "last proposal" };

describe("answers", () => {
  test("a word of the name says which item was meant, and the ask goes on", () => {
    converse([
      ["Is the mower compliant?", "clarify", {}],
      ["the robotic one", "policy", { items: ["MOW-30R"] }],
      [
        "Find it a price with a margin of 30 % or more.",
        "optimizer",
        { items: ["MOW-30R"], min_margin: 0.3 },
      ],
    ]);
  });

  test("both of the items that were offered", () => {
    converse([
      ["What's the right price for the saw?", "clarify", {}],
      ["both of them", "optimizer", { items: ["SAW-7", "SAW-9C"] }],
      ["Explain them.", "explainer", { items: ["SAW-7", "SAW-9C"] }, LAST],
    ]);
  });

  test("a bare amount is one of what was asked for, beside other constraints too", () => {
    converse([
      ["Optimise LATAM with a cap on price changes.", "clarify", {}],
      ["make that 8.5%", "optimizer", { region: "LATAM", max_change_pct: 0.085 }],
    ]);
  });

  test("in Korean", () => {
    converse([
      ["TRIM-4 가격을 최적화해 줘, 최대 5% 변동", "optimizer", { items: ["TRIM-4"], max_change_pct: 0.05 }],
      ["4%로", "optimizer", { items: ["TRIM-4"], max_change_pct: 0.04 }],
      ["그 제안 얼마나 안정적이야?", "sensitivity", { items: ["TRIM-4"], max_change_pct: 0.04 }, LAST],
    ]);
  });
});

test.each([
  ["Rotary!", ["MOW-21"]],
  ['"robotic"', ["MOW-30R"]],
  ["the rotary one...", ["MOW-21"]],
])("%s is a word of a name with marks around it", (message, items) => {
  converse([
    ["A new price for the mower, please", "clarify", {}],
    [message, "optimizer", { items }],
  ]);
});

describe("a question that is open", () => {
  test("stays open while nothing else is asked for", () => {
    converse([
      ["What would be a fair price for the mower?", "clarify", {}],
      ["hm, no idea really", "general", {}],
      ["then the rotary one", "optimizer", { items: ["MOW-21"] }],
    ]);
  });

  test("is over where it is taken back", () => {
    converse([
      ["What would be a fair price for the mower?", "clarify", {}],
      ["cancel", "general", {}],
      ["the first one", "general", {}],
    ]);
  });
});

test.each([
  ["oh never mind, do the tiller", ["TILL-5"]],
  ["forget that, look at the trimmer instead", ["TRIM-4"]],
  ["ach, drop it. just use the leaf blower", ["BLOW-X2"]],
])("%s gives up the question and not what was asked for", (message, items) => {
  converse([
    ["How robust is the price of the saw?", "clarify", {}],
    [message, "sensitivity", { items }],
  ]);
});
