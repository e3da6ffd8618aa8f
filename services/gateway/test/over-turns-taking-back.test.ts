import { describe, test } from "@jest/globals";
import { converse } from "./support/garden.ts";

const LAST = { about: "last proposal" };

describe("taking back", () => {
  test("undo goes back over the changes of constraints, one for each time that it is said", () => {
    converse([
      ["Best prices for NA please", "optimizer", { region: "NA" }],
      ["Standard segment only.", "optimizer", { region: "NA", segment: "standard" }],
      ["limit moves to 6%", "optimizer", { region: "NA", segment: "standard", max_change_pct: 0.06 }],
      ["Revert that.", "optimizer", { region: "NA", segment: "standard" }],
      ["Once more.", "optimizer", { region: "NA" }],
    ]);
  });

  test("undo keeps what is asked for where a question came between", () => {
    converse([
      ["TRIM-4 적정 가격은?", "optimizer", { items: ["TRIM-4"] }],
      ["왜 그렇게 나왔어?", "explainer", { items: ["TRIM-4"] }, LAST],
      ["최대 6% 변동으로 다시 제안해 줘.", "optimizer", { items: ["TRIM-4"], max_change_pct: 0.06 }],
      ["방금 한 거 되돌려 줘.", "optimizer", { items: ["TRIM-4"] }],
    ]);
  });

  test("a limit is taken back and nothing else is", () => {
    converse([
      [
        "Recommend prices for the leaf blower, at most 8 % change",
        "optimizer",
        { items: ["BLOW-X2"], max_change_pct: 0.08 },
      ],
      ["only the new tier", "optimizer", { items: ["BLOW-X2"], max_change_pct: 0.08, tiers: ["new"] }],
      ["Drop that cap again.", "optimizer", { items: ["BLOW-X2"], tiers: ["new"] }],
    ]);
  });

  test.each([["Wipe all the settings, we begin anew."], ["조건 전부 초기화하고 새로 시작하자."]])(
    "%s: nothing is in force",
    (message) => {
      converse([
        [
          "Set the best prices in APAC, no change above 7 %.",
          "optimizer",
          { region: "APAC", max_change_pct: 0.07 },
        ],
        [message, "general", {}],
        ["Are the prices in NA within the rules?", "policy", { region: "NA" }],
      ]);
    },
  );
});

describe("taking back more", () => {
  test("the last change is whatever was changed last, and a limit is one by its name", () => {
    converse([
      ["Optimise APAC", "optimizer", { region: "APAC" }],
      ["5 % at most", "optimizer", { region: "APAC", max_change_pct: 0.05 }],
      ["budget segment", "optimizer", { region: "APAC", max_change_pct: 0.05, segment: "budget" }],
      ["remove my latest constraint", "optimizer", { region: "APAC", max_change_pct: 0.05 }],
      ["also the one before", "optimizer", { region: "APAC" }],
    ]);
    converse([
      ["Optimise APAC, 5 % at most", "optimizer", { region: "APAC", max_change_pct: 0.05 }],
      ["budget segment", "optimizer", { region: "APAC", max_change_pct: 0.05, segment: "budget" }],
      ["cancel the change limit", "optimizer", { region: "APAC", segment: "budget" }],
      ["like before", "optimizer", { region: "APAC", max_change_pct: 0.05, segment: "budget" }],
    ]);
  });

  test("several changes at once", () => {
    converse([
      ["Optimise SAW-9C, 6 % at most", "optimizer", { items: ["SAW-9C"], max_change_pct: 0.06 }],
      ["8", "optimizer", { items: ["SAW-9C"], max_change_pct: 0.08 }],
      ["10", "optimizer", { items: ["SAW-9C"], max_change_pct: 0.1 }],
      ["the repair tier", "optimizer", { items: ["SAW-9C"], max_change_pct: 0.1, tiers: ["repair"] }],
      ["undo the last two changes", "optimizer", { items: ["SAW-9C"], max_change_pct: 0.08 }],
      ["12", "optimizer", { items: ["SAW-9C"], max_change_pct: 0.12 }],
      ["두 단계 뒤로", "optimizer", { items: ["SAW-9C"], max_change_pct: 0.06 }],
    ]);
  });

  test("a question between does not keep a limit", () => {
    converse([
      ["SAW-9C 가격 제안해 줘", "optimizer", { items: ["SAW-9C"] }],
      ["최대 3%로 제한해 줘", "optimizer", { items: ["SAW-9C"], max_change_pct: 0.03 }],
      ["이유가 뭐야?", "explainer", { items: ["SAW-9C"], max_change_pct: 0.03 }],
      ["아까 정한 한도는 취소해 주세요", "explainer", { items: ["SAW-9C"] }],
    ]);
  });

  test.each([["Wipe all that we agreed on until now."], ["지금까지 말했던 거 전부 잊어 줘"]])(
    "%s: nothing is in force",
    (message) => {
      converse([
        ["Optimise LATAM, 6 % at most", "optimizer", { region: "LATAM", max_change_pct: 0.06 }],
        [message, "general", {}],
        ["Is TRIM-4 compliant?", "policy", { items: ["TRIM-4"] }],
      ]);
    },
  );

  test("one thing is dropped, and another one added", () => {
    converse([
      ["Optimise the new tier in NA", "optimizer", { tiers: ["new"], region: "NA" }],
      ["include exchange and remove the region", "optimizer", { tiers: ["new", "exchange"] }],
      ["APAC, and drop the tiers", "optimizer", { region: "APAC" }],
    ]);
  });
});

describe("a message that begins with a command", () => {
  test("has the rest done with what the command leaves", () => {
    converse([
      ["Are our APAC prices compliant?", "policy", { region: "APAC" }],
      ["Let's begin anew: find the best prices for the tiller", "optimizer", { items: ["TILL-5"] }],
      ["at most 4 %", "optimizer", { items: ["TILL-5"], max_change_pct: 0.04 }],
      ["Throw away all those conditions and check the rules for everything", "policy", {}],
    ]);
    converse([
      ["Optimise the new tier of SAW-9C", "optimizer", { items: ["SAW-9C"], tiers: ["new"] }],
      ["make it exchange", "optimizer", { items: ["SAW-9C"], tiers: ["exchange"] }],
      ["Undo, and check the rules", "policy", { items: ["SAW-9C"], tiers: ["new"] }],
    ]);
    converse([
      ["EMEA 가격을 점검해 줘", "policy", { region: "EMEA" }],
      ["초기화하고 SAW-7 가격을 제안해 줘", "optimizer", { items: ["SAW-7"] }],
    ]);
  });

  test("and only comments on it says no more", () => {
    converse([
      ["Best prices for NA", "optimizer", { region: "NA" }],
      ["for revenue", "optimizer", { region: "NA", objective: "revenue" }],
      ["ok undo that please, that was hasty of me", "optimizer", { region: "NA" }],
    ]);
  });

  test("another topic is no command", () => {
    converse([
      ["Best prices for NA", "optimizer", { region: "NA" }],
      ["why?", "explainer", { region: "NA" }],
      ["back to the prices: at most 5 % change", "optimizer", { region: "NA", max_change_pct: 0.05 }],
    ]);
  });
});

test.each([
  ["undo this too"],
  ["revert that one also, please"],
  ["this one as well"],
  ["그것도 취소해 줘"],
  ["그것도"],
])("%s behind an undo takes back more", (message) => {
  converse([
    ["Best prices for NA", "optimizer", { region: "NA" }],
    ["standard only", "optimizer", { region: "NA", segment: "standard" }],
    ["limit moves to 6%", "optimizer", { region: "NA", segment: "standard", max_change_pct: 0.06 }],
    ["undo", "optimizer", { region: "NA", segment: "standard" }],
    [message, "optimizer", { region: "NA" }],
  ]);
});

test.each(["this is a mess, let's start over", "I don't like where this is going. Start from scratch"])(
  "%s takes everything back",
  (message) => {
    converse([
      ["Optimise LATAM, at most 5 %.", "optimizer", { region: "LATAM", max_change_pct: 0.05 }],
      [message, "general", {}],
      ["Optimise EMEA.", "optimizer", { region: "EMEA" }],
    ]);
  },
);
