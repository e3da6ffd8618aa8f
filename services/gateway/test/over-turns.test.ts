import { describe, expect, test } from "@jest/globals";
import { begin, converse, ITEMS } from "./support/garden.ts";

const LAST = { about: "last proposal" };
const FIRST = { about: "first proposal" };

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
      [
        "rather 6 %, and the new tier alone",
        "optimizer",
        { region: "LATAM", max_change_pct: 0.06, tiers: ["new"] },
      ],
      ["undo please", "optimizer", { region: "LATAM", max_change_pct: 0.085 }],
    ]);
  });

  test("in Korean", () => {
    converse([
      ["TRIM-4 가격을 최적화하되 변동폭을 제한해 줘.", "clarify", {}],
      ["4%로", "optimizer", { items: ["TRIM-4"], max_change_pct: 0.04 }],
      ["TILL-5는?", "optimizer", { items: ["TILL-5"], max_change_pct: 0.04 }],
      ["그 제안 얼마나 안정적이야?", "sensitivity", { items: ["TILL-5"], max_change_pct: 0.04 }, LAST],
    ]);
  });
});

describe("what goes on", () => {
  test("constraints alone keep the ask", () => {
    converse([
      ["Which price suits SAW-7?", "optimizer", { items: ["SAW-7"] }],
      ["Only its new tier.", "optimizer", { items: ["SAW-7"], tiers: ["new"] }],
      [
        "Nothing may move further than 3.5 %.",
        "optimizer",
        { items: ["SAW-7"], tiers: ["new"], max_change_pct: 0.035 },
      ],
      ["One step back.", "optimizer", { items: ["SAW-7"], tiers: ["new"] }],
    ]);
  });

  test("a what-if goes on with costs", () => {
    converse([
      [
        "What would a 6 % increase of unit costs do to profit in NA?",
        "sensitivity",
        { cost_move: 0.06, region: "NA" },
      ],
      ["And if they drop by 4 %?", "sensitivity", { cost_move: -0.04, region: "NA" }],
      ["Now for all the regions.", "sensitivity", { cost_move: -0.04 }],
    ]);
  });

  test("a selection is added to, and exchanged", () => {
    converse([
      ["What would you charge for SAW-7?", "optimizer", { items: ["SAW-7"] }],
      ["Add TILL-5 as well.", "optimizer", { items: ["SAW-7", "TILL-5"] }],
      ["Swap SAW-7 for MOW-21.", "optimizer", { items: ["TILL-5", "MOW-21"] }],
      ["Go back.", "optimizer", { items: ["SAW-7", "TILL-5"] }],
    ]);
  });

  test("a message that only points at a proposal asks the same of it", () => {
    converse([
      ["Suggest prices for the standard segment.", "optimizer", { segment: "standard" }],
      ["Now at most 3 %.", "optimizer", { segment: "standard", max_change_pct: 0.03 }],
      [
        "Why did the initial proposal come out like that?",
        "explainer",
        { segment: "standard", max_change_pct: 0.03 },
        FIRST,
      ],
      ["And the current one?", "explainer", { segment: "standard", max_change_pct: 0.03 }, LAST],
    ]);
    converse([
      ["BLOW-X2 가격 제안해 줘.", "optimizer", { items: ["BLOW-X2"] }],
      ["신품만 해 줘.", "optimizer", { items: ["BLOW-X2"], tiers: ["new"] }],
      ["처음 제안은 얼마나 견고했어?", "sensitivity", { items: ["BLOW-X2"], tiers: ["new"] }, FIRST],
      ["최신 제안은?", "sensitivity", { items: ["BLOW-X2"], tiers: ["new"] }, LAST],
    ]);
  });

  test("what is put off is not done", () => {
    converse([
      [
        "Propose NA prices and check the rules; the explanation can wait.",
        "plan",
        { region: "NA" },
        { goals: ["optimizer", "policy"] },
      ],
      ["and APAC?", "plan", { region: "APAC" }, { goals: ["optimizer", "policy"] }],
      ["Publishing is for later; only explain the proposal.", "explainer", { region: "APAC" }, LAST],
      ["견고성은 나중에 보고, 정책만 확인해 줘.", "policy", { region: "APAC" }],
    ]);
  });
});

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
      ["Which NA and EMEA prices break a rule?", "policy", { region: ["NA", "EMEA"] }],
      ["lose NA", "policy", { region: "EMEA" }],
      ["get NA back in, please", "policy", { region: ["EMEA", "NA"] }],
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
      ["all but the saws", "policy", { items: without("SAW-7", "SAW-9C") }],
    ]);
  });

  test("has its values named by ordinary words", () => {
    converse([
      ["Optimise the new tier", "optimizer", { tiers: ["new"] }],
      ["include exchange", "optimizer", { tiers: ["new", "exchange"] }],
      ["swap new for repair", "optimizer", { tiers: ["exchange", "repair"] }],
      ["new instead", "optimizer", { tiers: ["new"] }],
    ]);
    converse([
      ["Best prices for the premium segment", "optimizer", { segment: "premium" }],
      ["make that budget, and at most 6 %", "optimizer", { segment: "budget", max_change_pct: 0.06 }],
    ]);
  });

  test("tells which is the other one", () => {
    converse([
      ["Find the best price for MOW-21", "optimizer", { items: ["MOW-21"] }],
      ["and the other mower?", "optimizer", { items: ["MOW-30R"] }],
    ]);
  });
});

test("everything again is no selection", () => {
  converse([
    ["Do the APAC prices of the saws comply?", "policy", { region: "APAC", items: ["SAW-7", "SAW-9C"] }],
    ["and now for everything", "policy", {}],
  ]);
});

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
      ["get rid of the floor", "optimizer", { items: ["SAW-7"] }],
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

  test("is one beside another ask, too", () => {
    converse([
      ["Propose NA prices with at most 3 % change", "optimizer", { region: "NA", max_change_pct: 0.03 }],
      [
        "take 5, and why?",
        "plan",
        { region: "NA", max_change_pct: 0.05 },
        { goals: ["optimizer", "explainer"] },
      ],
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

  test.each([
    ["the other 2?"],
    ["explain it in 4 sentences"],
    ["5 of them"],
    ["only this one"],
    ["raise it by 2"],
  ])("is none that counts, or says how much more: %s", (message) => {
    const conversation = begin({ items: ITEMS });
    conversation.say("Propose NA prices with at most 3 % change");
    expect(conversation.say(message).slots).toEqual({ region: "NA", max_change_pct: 0.03 });
  });

  test("answers what was asked, with the likeliest of what was offered", () => {
    const conversation = begin({ items: ITEMS });
    const asked = conversation.say("for the tiller, at most 4 %, please");
    expect(asked).toEqual(expect.objectContaining({ route: "clarify", slots: {} }));
    const heard = conversation.say("rather 6");
    expect(heard.slots).toEqual({ items: ["TILL-5"], max_change_pct: 0.06 });
    expect(heard.route).not.toBe("publish");
  });
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

describe("what-ifs over turns", () => {
  test("the same move goes on for other items", () => {
    converse([
      ["Lift every price by 5 % and tell me which rules break", "policy", { price_move: 0.05 }],
      ["Same exercise for the APAC products?", "policy", { price_move: 0.05, region: "APAC" }],
      ["now a drop of 2 % instead", "policy", { price_move: -0.02, region: "APAC" }],
      ["Same drop, but in NA", "policy", { price_move: -0.02, region: "NA" }],
    ]);
    converse([
      ["가격을 6% 올리면 규칙에 어긋나는 게 있어?", "policy", { price_move: 0.06 }],
      ["같은 인상을 EMEA에만 하면?", "policy", { price_move: 0.06, region: "EMEA" }],
    ]);
  });

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
      ["forget the price change", "policy", { items: ["SAW-9C"] }],
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

test("an ask of its own beside a limit is not what was done before", () => {
  converse([
    ["Check MOW-21 and TRIM-4 against the rules", "policy", { items: ["MOW-21", "TRIM-4"] }],
    [
      "Fine. We'd like a proposal for both, at most 4 % change",
      "optimizer",
      { items: ["MOW-21", "TRIM-4"], max_change_pct: 0.04 },
    ],
  ]);
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

test.each([
  ["Check and publish the NA prices? No, just check them.", "policy"],
  ["publish the NA prices - actually, only propose them", "optimizer"],
  ["Test and publish the NA prices? No, just test them", "sensitivity"],
  ["explain and publish the NA prices - sorry, just explain", "explainer"],
  ["NA 가격을 설명하고 게시해 줘. 아니, 설명만 해 줘", "explainer"],
  ["NA 가격을 제안하고 게시해 줘. 아 아니, 제안만", "optimizer"],
])("%s: what is taken back is not asked for", (message, route) => {
  converse([[message, route, { region: "NA" }]]);
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

test.each([
  ["well then, suggest prices for the budget segment", "optimizer", { segment: "budget" }],
  ["Recommend prices and list the top 3 for me", "optimizer", { top: 3 }],
  ["check the prices, then explain the top 2", "plan", { top: 2 }],
])("%s: neither going on nor a clause that only constrains is a second goal", (message, route, slots) => {
  converse([[message, route, slots]]);
});

test("a what-if goes on for a part of what there is", () => {
  converse([
    ["원가가 7% 오르면 이익이 어떻게 되나요?", "sensitivity", { cost_move: 0.07 }],
    ["NA만 따지면요?", "sensitivity", { cost_move: 0.07, region: "NA" }],
  ]);
});

test("which items have the most to gain is asked of the proposal, whatever was done before", () => {
  converse([
    ["What happens to profit if costs go up 5 percent?", "sensitivity", { cost_move: 0.05 }],
    ["which two items have the most upside?", "optimizer", { top: 2 }],
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

  test("an amount alone publishes nothing, and what asks for it does", () => {
    converse([
      ["make it 6.5", "general", {}],
      ["Propose prices for NA", "optimizer", { region: "NA" }],
      ["there, 6.5", "optimizer", { region: "NA" }],
      ["put the standard segment live", "publish", { region: "NA", segment: "standard" }],
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
    ["what about minus 2?", -0.02],
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

  test("names are added to the selection of an ask whose limit was asked for", () => {
    converse([
      ["Propose prices for the tiller and limit the moves", "clarify", {}],
      ["5 %", "optimizer", { items: ["TILL-5"], max_change_pct: 0.05 }],
      ["and the leaf blower too", "optimizer", { items: ["TILL-5", "BLOW-X2"], max_change_pct: 0.05 }],
      ["remove the tiller", "optimizer", { items: ["BLOW-X2"], max_change_pct: 0.05 }],
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

test("a goal beside a selection is another goal", () => {
  converse([
    ["Check all prices against the rules", "policy", {}],
    [
      "Recommend new prices only for those that violate it and publish them",
      "plan",
      { only_violating: true },
      { goals: ["optimizer", "publish"] },
    ],
  ]);
});

describe("going back to an ask of before", () => {
  test.each([
    ["back to the proposal: limit 3 percent"],
    ["Ok, let's go back to prices, at most 3 %"],
    ["가격으로 돌아가서, 변동폭 3% 이내로"],
  ])("%s", (message) => {
    converse([
      ["Propose prices for the trimmer and the tiller", "optimizer", { items: ["TRIM-4", "TILL-5"] }],
      ["Publish them", "publish", { items: ["TRIM-4", "TILL-5"] }, LAST],
      [message, "optimizer", { items: ["TRIM-4", "TILL-5"], max_change_pct: 0.03 }],
      [
        "swap the tiller for the leaf blower",
        "optimizer",
        { items: ["TRIM-4", "BLOW-X2"], max_change_pct: 0.03 },
      ],
    ]);
  });

  test("without anything else", () => {
    converse([
      ["Check the prices in NA", "policy", { region: "NA" }],
      ["Propose prices for the standard segment", "optimizer", { region: "NA", segment: "standard" }],
      ["back to the check", "policy", { region: "NA", segment: "standard" }],
      ["Back to EMEA", "policy", { region: "EMEA", segment: "standard" }],
    ]);
  });

  test("what was selected for it goes on with it", () => {
    converse([
      ["Which prices break a rule?", "policy", {}],
      ["Reprice only those", "optimizer", { only_violating: true }],
      ["Who are you?", "general", { only_violating: true }],
      ["back to the prices: just for NA", "optimizer", { only_violating: true, region: "NA" }],
    ]);
  });

  test("the prices of before are no ask", () => {
    converse([
      ["Best prices for NA", "optimizer", { region: "NA" }],
      ["standard only", "optimizer", { region: "NA", segment: "standard" }],
      ["back to the old prices", "optimizer", { region: "NA" }],
    ]);
  });
});

test.each([
  ["Suggest new prices just for those that break it"],
  ["Reprice only the ones that fail"],
  ["Recommend new prices only for those that violate it"],
  ["Recommend new prices only for items that violate the policy"],
  ["New prices only for those breaking it"],
])("%s behind a check is one goal", (message) => {
  converse([
    ["Check all prices against the rules", "policy", {}],
    [message, "optimizer", { only_violating: true }],
    ["max 5%", "optimizer", { only_violating: true, max_change_pct: 0.05 }],
  ]);
});
