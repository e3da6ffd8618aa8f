import { describe, expect, test } from "@jest/globals";
import { begin, converse, ITEMS } from "./support/garden.ts";

const LAST = { about: "last proposal" };

describe("a limit in force", () => {
  test("is moved by a figure", () => {
    converse([
      ["Propose NA prices, moves of 3 % at most", "optimizer", { region: "NA", max_change_pct: 0.03 }],
      ["raise it to 9", "optimizer", { region: "NA", max_change_pct: 0.09 }],
      ["9 is too loose, 7", "optimizer", { region: "NA", max_change_pct: 0.07 }],
      ["5%로 낮춰 줘", "optimizer", { region: "NA", max_change_pct: 0.05 }],
      ["no limit any longer", "optimizer", { region: "NA" }],
    ]);
    converse([
      ["Optimise SAW-7 with a minimum margin of 20 %", "optimizer", { items: ["SAW-7"], min_margin: 0.2 }],
      ["lift the margin floor to 26 %", "optimizer", { items: ["SAW-7"], min_margin: 0.26 }],
      ["bring that floor down to 18 %", "optimizer", { items: ["SAW-7"], min_margin: 0.18 }],
    ]);
  });
});

describe("a number without a unit", () => {
  test("is another value of the amount that was said last", () => {
    converse([
      [
        "Optimise the saws, moves of 5 % at most",
        "optimizer",
        { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.05 },
      ],
      ["let's try 7", "optimizer", { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.07 }],
      ["that is too much, 6.5", "optimizer", { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.065 }],
      [
        "margin of at least 24 %",
        "optimizer",
        { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.065, min_margin: 0.24 },
      ],
      [
        "26 would be better",
        "optimizer",
        { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.065, min_margin: 0.26 },
      ],
      [
        "no less than 28",
        "optimizer",
        { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.065, min_margin: 0.28 },
      ],
      [
        "and no more than 5",
        "optimizer",
        { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.05, min_margin: 0.28 },
      ],
      ["drop the margin", "optimizer", { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.05 }],
      ["from 5 to 9", "optimizer", { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.09 }],
      ["undo", "optimizer", { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.05 }],
      ["9, no, 8", "optimizer", { items: ["SAW-7", "SAW-9C"], max_change_pct: 0.08 }],
    ]);
    converse([
      ["BLOW-X2 최적 가격, 최대 3%", "optimizer", { items: ["BLOW-X2"], max_change_pct: 0.03 }],
      ["5면 어때?", "optimizer", { items: ["BLOW-X2"], max_change_pct: 0.05 }],
      ["8로 바꿔 주세요", "optimizer", { items: ["BLOW-X2"], max_change_pct: 0.08 }],
    ]);
  });

  test("is in the unit of that amount, and goes on in its direction", () => {
    converse([
      ["Best prices for TILL-5, 240 euros or more", "optimizer", { items: ["TILL-5"], min_price: 240 }],
      ["260 instead", "optimizer", { items: ["TILL-5"], min_price: 260 }],
      ["and not above 480", "optimizer", { items: ["TILL-5"], min_price: 260, max_price: 480 }],
    ]);
    converse([
      ["What does it do to profit if costs fall 6 %?", "sensitivity", { cost_move: -0.06 }],
      ["and 9?", "sensitivity", { cost_move: -0.09 }],
      ["and with a rise of 4?", "sensitivity", { cost_move: 0.04 }],
    ]);
    converse([
      ["Which 2 items have the most upside?", "optimizer", { top: 2 }],
      ["make that 4", "optimizer", { top: 4 }],
    ]);
  });

  test("is another one than that which tells what is in force", () => {
    converse([
      [
        "Optimise SAW-7, 4 % at most, with a margin of at least 20 %",
        "optimizer",
        { items: ["SAW-7"], max_change_pct: 0.04, min_margin: 0.2 },
      ],
      ["4 is too strict, 8", "optimizer", { items: ["SAW-7"], max_change_pct: 0.08, min_margin: 0.2 }],
    ]);
  });

  test("is named where no amount is in force, and asks for nothing", () => {
    converse([
      ["Propose NA prices", "optimizer", { region: "NA" }],
      ["make that 7", "optimizer", { region: "NA" }, { unsupported: ["7"] }],
    ]);
  });

  test.each([["explain it in 4 sentences"], ["5 of them"], ["only this one"], ["raise it by 2"]])(
    "is none that counts, or says how much more: %s",
    (message) => {
      const conversation = begin({ items: ITEMS });
      conversation.say("Propose NA prices with at most 3 % change");
      expect(conversation.say(message).slots).toEqual({ region: "NA", max_change_pct: 0.03 });
    },
  );
});

test("two values are changed in a few words", () => {
  converse([
    [
      "Maximise revenue in NA, 3 % at most",
      "optimizer",
      { region: "NA", max_change_pct: 0.03, objective: "revenue" },
    ],
    ["make it profit, and 5 %", "optimizer", { region: "NA", max_change_pct: 0.05, objective: "profit" }],
    [
      "for that, 7 % and the premium segment",
      "optimizer",
      { region: "NA", max_change_pct: 0.07, objective: "profit", segment: "premium" },
    ],
    [
      "standard",
      "optimizer",
      { region: "NA", max_change_pct: 0.07, objective: "profit", segment: "standard" },
    ],
  ]);
});

describe("a terse message asks for what was asked for before", () => {
  test.each([
    ["Er, make it 5.5"],
    ["hehe fine, make it 5,5"],
    ["uh, 5.5"],
    ["ah well, make that 5.5"],
    ["음, 5.5로"],
  ])("%s", (message) => {
    converse([
      ["Propose prices for NA, check them and explain them", "plan", { region: "NA" }],
      ["limit moves to 7 percent", "plan", { region: "NA", max_change_pct: 0.07 }],
      [message, "plan", { region: "NA", max_change_pct: 0.055 }],
      ["publish it", "publish", { region: "NA", max_change_pct: 0.055 }, LAST],
    ]);
  });

  test("an interjection alone changes nothing", () => {
    converse([
      ["Best prices for NA", "optimizer", { region: "NA" }],
      ["hm", "general", { region: "NA" }],
    ]);
  });

  test.each([
    ["minus 4 instead", -0.04],
    ["plus 3 rather", 0.03],
    ["and by 2?", 0.02],
    ["마이너스 3으로", -0.03],
  ])("another value of a what-if: %s", (message, move) => {
    converse([
      ["Raise prices by 6 % and tell me what breaks", "policy", { price_move: 0.06 }],
      ["only the trimmer", "policy", { price_move: 0.06, items: ["TRIM-4"] }],
      [message, "policy", { price_move: move, items: ["TRIM-4"] }],
    ]);
  });

  test("a what-if of costs goes on as well", () => {
    converse([
      ["What happens if costs rise 10 %?", "sensitivity", { cost_move: 0.1 }],
      ["minus 3 instead", "sensitivity", { cost_move: -0.03 }],
    ]);
  });
});
