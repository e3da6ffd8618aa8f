import { describe, test } from "@jest/globals";
import { converse } from "./support/garden.ts";

describe("what-ifs over turns", () => {
  test("are what another question supposes", () => {
    converse([
      ["What happens to profit if prices go up by 4 %?", "sensitivity", { price_move: 0.04 }],
      ["and which rules would that break?", "policy", { price_move: 0.04 }],
      ["the same for TILL-5", "policy", { price_move: 0.04, items: ["TILL-5"] }],
      ["Is it compliant today?", "policy", { items: ["TILL-5"] }],
    ]);
    converse([
      ["Lift all prices by 3 % and tell me which rules break", "policy", { price_move: 0.03 }],
      ["SAW-9C alone", "policy", { price_move: 0.03, items: ["SAW-9C"] }],
    ]);
    converse([
      ["What if costs fall 4 %?", "sensitivity", { cost_move: -0.04 }],
      ["and prices by 2 % instead?", "sensitivity", { price_move: -0.02 }],
    ]);
  });

  test("another question leaves them behind", () => {
    converse([
      ["What if costs climb 7 %?", "sensitivity", { cost_move: 0.07 }],
      ["and for the mowers alone?", "sensitivity", { cost_move: 0.07, items: ["MOW-21", "MOW-30R"] }],
      ["Different topic: do all our prices keep to the rules?", "policy", {}],
      ["and those of TRIM-4?", "policy", { items: ["TRIM-4"] }],
    ]);
    converse([
      ["원가가 5% 오르면 이익은 어떻게 되나요?", "sensitivity", { cost_move: 0.05 }],
      ["TILL-5만 보면요?", "sensitivity", { cost_move: 0.05, items: ["TILL-5"] }],
      ["새로운 질문인데요, 모든 품목이 규칙을 지키는지 점검해 주세요", "policy", {}],
    ]);
  });
});

test("a what-if goes on for a part of what there is", () => {
  converse([
    ["원가가 7% 오르면 이익이 어떻게 되나요?", "sensitivity", { cost_move: 0.07 }],
    ["NA만 따지면요?", "sensitivity", { cost_move: 0.07, region: "NA" }],
  ]);
});

test("a what-if of prices is held to no limit of before, which holds again after it", () => {
  converse([
    [
      "Best prices for the tiller, at most 4 % change",
      "optimizer",
      { items: ["TILL-5"], max_change_pct: 0.04 },
    ],
    ["what if its prices fell by 6 %?", "sensitivity", { items: ["TILL-5"], price_move: -0.06 }],
    ["best prices, please", "optimizer", { items: ["TILL-5"], max_change_pct: 0.04 }],
  ]);
});
