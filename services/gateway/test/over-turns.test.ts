import { describe, expect, test } from "@jest/globals";
import { offlineUnderstanding } from "../src/understanding.ts";
import { SHIPPED_MESH } from "./support/shipped-mesh.ts";

/** What the shipped manifest and its models make of conversations about a catalogue of garden tools. */
const item = (item_id: string, name: string, segment: string, region: string, tiers: readonly string[]) => ({
  item_id,
  name,
  segment,
  region,
  tiers: Object.fromEntries(tiers.map((tier) => [tier, { current_price: 300, unit_cost: 180 }])),
});
const ITEMS = [
  item("MOW-21", "Rotary mower", "standard", "EMEA", ["new", "exchange", "repair"]),
  item("MOW-30R", "Robotic mower", "premium", "NA", ["new", "exchange", "repair"]),
  item("SAW-7", "Pole saw", "budget", "EMEA", ["new", "repair"]),
  item("SAW-9C", "Chain saw", "premium", "APAC", ["new", "exchange", "repair"]),
  item("TRIM-4", "Hedge trimmer", "standard", "NA", ["new", "exchange", "repair", "usm"]),
  item("BLOW-X2", "Leaf blower", "budget", "APAC", ["new", "repair"]),
  item("TILL-5", "Soil tiller", "standard", "LATAM", ["new", "exchange", "repair"]),
];

const begin = offlineUnderstanding("pricing", { MESH_FILE: SHIPPED_MESH });

type Slots = Readonly<Record<string, unknown>>;
/** What is said, the route that follows, all constraints in force then, and what else is evident. */
type Said = readonly [message: string, route: string, slots: Slots, more?: Slots];

function converse(turns: readonly Said[]): void {
  const conversation = begin({ items: ITEMS });
  for (const [message, route, slots, more] of turns) {
    const heard = conversation.say(message);
    expect([message, heard]).toEqual([message, expect.objectContaining({ route, slots, ...more })]);
  }
}

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
      ["back to the prices: at most 5 % change", "explainer", { region: "NA", max_change_pct: 0.05 }],
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

test("which items have the most to gain is asked of the proposal, whatever was done before", () => {
  converse([
    ["What happens to profit if costs go up 5 percent?", "sensitivity", { cost_move: 0.05 }],
    ["which two items have the most upside?", "optimizer", { top: 2 }],
  ]);
});
