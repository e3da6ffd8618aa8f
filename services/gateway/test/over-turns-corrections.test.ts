import { describe, test } from "@jest/globals";
import { converse } from "./support/garden.ts";

const LAST = { about: "last proposal" };

test.each([
  ["Check and publish the NA prices? No, just check them.", "policy"],
  ["publish the NA prices - actually, only propose them", "optimizer"],
  ["explain and publish the NA prices - sorry, just explain", "explainer"],
  ["NA 가격을 제안하고 게시해 줘. 아 아니, 제안만", "optimizer"],
])("%s: what is taken back is not asked for", (message, route) => {
  converse([[message, route, { region: "NA" }]]);
});

test("the proposal that is denied is not the one that is meant", () => {
  converse([
    ["Propose prices for the mowers", "optimizer", { items: ["MOW-21", "MOW-30R"] }],
    ["at most 3 %", "optimizer", { items: ["MOW-21", "MOW-30R"], max_change_pct: 0.03 }],
    [
      "첫 번째 말고 마지막 제안을 설명해 줘",
      "explainer",
      { items: ["MOW-21", "MOW-30R"], max_change_pct: 0.03 },
      LAST,
    ],
    [
      "publish the newer one, not the original",
      "publish",
      { items: ["MOW-21", "MOW-30R"], max_change_pct: 0.03 },
      LAST,
    ],
  ]);
});

test.each([
  ["propose prices for SAW-7, but hold off publishing", "optimizer"],
  ["how sure are we about SAW-7, before we release it?", "sensitivity"],
])("%s: what only comes later is not asked for", (message, route) => {
  converse([[message, route, { items: ["SAW-7"] }]]);
});

describe("a correction of a constraint leaves the goals", () => {
  test.each([
    ["Propose prices for the trimmer, no, the tiller, within 3 % of today", "optimizer", 0.03],
    ["Optimise the trimmer, sorry, the tiller, at most 4 %", "optimizer", 0.04],
    ["Check the trimmer, wait, the tiller, with at most 6 % change", "policy", 0.06],
  ])("%s", (message, route, most) => {
    converse([
      [message, route, { items: ["TILL-5"], max_change_pct: most }],
      ["add the leaf blower too", route, { items: ["TILL-5", "BLOW-X2"], max_change_pct: most }],
    ]);
  });

  test("and one of the goals changes them", () => {
    converse([["Check and publish the tiller? No, just check the tiller", "policy", { items: ["TILL-5"] }]]);
  });
});
