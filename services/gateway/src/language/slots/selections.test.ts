import { expect, test } from "@jest/globals";
import { BOATS, type Case, expectHeard, GARDEN, HOME, items, KITCHEN, SHOP } from "./test/catalogues.ts";

expectHeard(GARDEN, {
  exclusions: [
    ["Everything apart from the mowers, new tier", { ...GARDEN.without("MOW-40", "MOW-55"), tiers: ["new"] }],
    ["Everything but the hose, NA region", { ...GARDEN.without("HOSE-25"), region: "NA" }],
    ["all regions except NA, petrol mower", { items: ["MOW-55"], region: ["EMEA", "APAC", "LATAM"] }],
    ["Nothing for the shredder, everything else please", GARDEN.without("SHRED-X")],
    ["The shredder can stay as it is", GARDEN.without("SHRED-X")],
    ["MOW-40 must remain unchanged", GARDEN.without("MOW-40")],
    ["Leave the hose out and price the rest", GARDEN.without("HOSE-25")],
    ["BLOW-9는 그대로 두고 나머지를 최적화해 줘", GARDEN.without("BLOW-9")],
  ],
  "the items that break a rule": [
    ["Only fix the ones that break a rule", { only_violating: true }],
    ["Just repair whatever violates policy today", { only_violating: true }],
    ["Fix the offenders, leave the rest", { only_violating: true }],
    ["Leave the compliant items alone", { only_violating: true }],
    ["skip the items that already comply", { only_violating: true }],
    ["fix what breaks a rule and nothing else", { only_violating: true }],
  ],
});

expectHeard(HOME, {
  "names in part": [
    ["the coffee tables", items("TBL-R1", "TBL-S1")],
    ["the leather products", items("SOFA-2", "CHR-79")],
    ["both leather models", items("SOFA-2", "CHR-79")],
    ["leather and corner sofas", items("SOFA-3", "SOFA-2")],
    ["office and leather chairs, repair tier", { items: ["CHR-77", "CHR-79"], tiers: ["repair"] }],
    ["the square one", items("TBL-S1")],
    ["the lever lamp", items("LVR-1")],
    ["price the lever lamps", items("LVR-1")],
    ["optimise standing", items("DESK-10")],
    ["the standign desk", items("DESK-10")],
    ["desks please", items("DESK-10", "DESK-12")],
    ["exchange tier of the writing desk", { items: ["DESK-12"], tiers: ["exchange"] }],
    ["new and used", { tiers: ["new", "usm"] }],
    ["every segment but budget", { segment: ["premium", "standard"] }],
  ],
});

expectHeard(BOATS, {
  "irregular plurals": [
    ["Take 6 % off the batteries", { items: ["BAT-12", "BAT-24"], price_move: -0.06 }],
    ["reprice the winches, at most 3 %", { items: ["WIN-5", "WIN-7"], max_change_pct: 0.03 }],
    ["optimise the knives", items("KNF-1", "KNF-2")],
    ["reprice everything, sparing the knives", BOATS.without("KNF-1", "KNF-2")],
    ["whole catalogue without the batteries", BOATS.without("BAT-12", "BAT-24")],
  ],
  "only what breaks a rule": [
    ["I only care about the violators", { only_violating: true }],
    ["just deal with the items that break rules today", { only_violating: true }],
  ],
});

expectHeard(KITCHEN, {
  "what is to be mended": [
    ["repair everything that breaks a rule", { only_violating: true }],
    ["fix whatever is out of line, but not the fryer", { ...KITCHEN.without("FRY-3"), only_violating: true }],
    ["clean up the non-compliant prices", { only_violating: true }],
    ["Some prices break a rule; reprice just those.", { only_violating: true }],
    ["some things are against the rules; only those in NA", { region: "NA", only_violating: true }],
    ["규칙을 어긴 품목만 손봐 줘", { only_violating: true }],
    ["위반 품목이 있다던데 그것만 고쳐 줘", { only_violating: true }],
    ["how do I fix what breaks a rule?", {}],
    ["위반하지 않는 품목은?", {}],
  ],
  "values in other words": [
    ["what if caterers pay 4 % less?", { segment: "caterer", price_move: -0.04 }],
    ["prices for hotels and bakeries", { segment: ["hotel", "bakery"] }],
    ["Used sells badly. Reprice that grade.", { tiers: ["usm"] }],
    ["may I add 5 percent to repair items?", { tiers: ["repair"], price_move: 0.05 }],
  ],
  "ids of digits": [
    ["88213: new price please", items("88213")],
    ["88213 at most 5 %", { items: ["88213"], max_change_pct: 0.05 }],
    ["88213만 빼고 전부", KITCHEN.without("88213")],
    ["no price above 88213", { max_price: 88213 }],
    ["we sold 88213 units", {}],
  ],
});

expectHeard(SHOP, {
  "segments as the inputs call them": [
    ["Economy segment, top 4 items please", { segment: "economy", top: 4 }],
    [
      "what would 3 % more on the luxury lamps do?",
      { ...items("LMP-3", "LMP-5"), segment: "luxury", price_move: 0.03 },
    ],
    [
      "Exchange tier only. Economy. 8 percent max.",
      { tiers: ["exchange"], segment: "economy", max_change_pct: 0.08 },
    ],
    ["is our economy range fine with the rules in Iberia?", { segment: "economy", region: "Iberia" }],
    ["everything but the luxury segment", { segment: ["economy", "dealer"] }],
    ["optimise the dealer segment for profit", { segment: "dealer", objective: "profit" }],
  ],
  "a name by what it is for": [
    ["the lamp for the desk, what would 4 % less do?", { ...items("LMP-3"), price_move: -0.04 }],
    ["the bike for cargo please", items("BIKE-7")],
  ],
  "how many of the most important": [
    ["List the four most urgent changes for the luxury segment", { segment: "luxury", top: 4 }],
    ["give me the 3 most drastic changes in Iberia", { region: "Iberia", top: 3 }],
    ["show me the six most important price moves", { top: 6 }],
  ],
  "what those who talk have to do": [
    ["I present it to the board on Monday. The lamps please.", items("LMP-3", "LMP-5")],
    ["Optimise the desk lamp. I only have five minutes.", items("LMP-3")],
    ["My flight leaves on Sunday. Reprice the cargo bike.", items("BIKE-7")],
    ["The customer calls me at 3 on Friday. Best prices for the cargo bike?", items("BIKE-7")],
    ["we only sell to schools anyway, so optimise the desk lamp", items("LMP-3")],
    ["our reps only visit customers twice a year. Price the desk lamp.", items("LMP-3")],
    ["I have half an hour. The desk lamp for maximum revenue.", { ...items("LMP-3"), objective: "revenue" }],
  ],
  "what stays out": [
    [
      "Optimise for profit. Repair stays out. Margin of at least 20 %.",
      { tiers: ["new", "exchange", "usm"], objective: "profit", min_margin: 0.2 },
    ],
    ["The exchange tier can stay out, Tom does it", { tiers: ["new", "repair", "usm"] }],
    ["the cargo bike should stay out", SHOP.without("BIKE-7")],
    ["the desk lamp has to stay out too, revenue", { ...SHOP.without("LMP-3"), objective: "revenue" }],
    [
      "Nordics remains out of it, the rest for profit",
      { region: ["Benelux", "Iberia"], objective: "profit" },
    ],
  ],
  "a tier as a business": [
    ["for the repair business: price floor of 60 euro", { tiers: ["repair"], min_price: 60 }],
    ["how is the new business doing against the rules?", {}],
  ],
  "what is spoken of, and then left out": [
    ["Tom has a deal for the drum solvent, so price everything bar the solvent", SHOP.without("SOLV-2")],
    ["the folding bike is sold out, so do everything except the folding bike", SHOP.without("BIKE-9")],
    ["new ones are gone anyway, so every tier but new", { tiers: ["exchange", "repair", "usm"] }],
  ],
});

test.each<[string, string]>([
  ["GX85, best price?", "There is no item GX85."],
  ["price for GX94 please", "There is no item GX94."],
  ["DESK-11", "There is no item DESK-11."],
  ["the leather one", 'Which item do you mean by "leather"?'],
])("%s is asked about", (text, question) => {
  const { slots: found, asks, unsupported } = HOME.read(text);
  expect({ found, unsupported }).toEqual({ found: {}, unsupported: [] });
  expect(asks).toEqual([expect.objectContaining({ question: expect.stringContaining(question) })]);
});

test.each([
  "Don't limit it to the violating items",
  "not just the offenders, all of them",
  "don't just fix the violators",
  "violators or not, price everything",
  "Include the compliant items too",
  "the compliant ones as well, please",
  "위반 품목만 말고 전부",
])("%s takes the flag back", (text) => {
  expect(GARDEN.read(text)).toMatchObject({ slots: {}, cleared: ["only_violating"], unsupported: [] });
});

test.each<[string, string, string[], string[]]>([
  ["Add the leaf blower to that", "items", ["BLOW-9"], []],
  ["also MOW-40", "items", ["MOW-40"], []],
  ["the hose as well", "items", ["HOSE-25"], []],
  ["hobby too, please", "segment", ["hobby"], []],
  ["include NA", "region", ["NA"], []],
  ["MOW-40도 추가해 줘", "items", ["MOW-40"], []],
  ["swap NA for EMEA", "region", ["EMEA"], ["NA"]],
  ["replace the trimmers by the hose", "items", ["HOSE-25"], ["HEDGE-7", "TRIM-3"]],
  ["switch from NA to LATAM", "region", ["LATAM"], ["NA"]],
  ["MOW-40 instead of MOW-55", "items", ["MOW-40"], ["MOW-55"]],
  ["NA를 EMEA로 바꿔 줘", "region", ["EMEA"], ["NA"]],
])("%s goes on from what is in force", (text, slot, adds, drops) => {
  const { slots: found, edits, asks } = GARDEN.read(text);
  expect(edits).toMatchObject({ [slot]: { adds, drops } });
  expect([found[slot]].flat()).toEqual(adds);
  expect(asks).toEqual([]);
});

/** Names that are taken back or asked about, and requests with a question mark. */
const NAMES: readonly Case[] = [
  ["Price SOFA-3 plus the lamp. Sorry, not the lamp, the office chair.", items("SOFA-3", "CHR-77")],
  ["Not the corner sofa, the lamp one.", items("LVR-1")],
  ["Not the lamp but the office chair", items("CHR-77")],
  ["not the lamp, GX84 or GX95", HOME.without("LVR-1", "GX84", "GX95")],
  ["everything except the lamp, the office chair", HOME.without("LVR-1", "CHR-77")],
  ["Why did the lamp stay as it is?", items("LVR-1")],
  ["is the lamp unchanged?", items("LVR-1")],
  ["can the lamp stay as is", HOME.without("LVR-1")],
  ["all items w/o the lamp", HOME.without("LVR-1")],
  ["SOFA-3 n LVR-1, 5% max", { ...items("SOFA-3", "LVR-1"), max_change_pct: 0.05 }],
  ["These prices are stale, suggest a new one", {}],
  ["규칙 위반 항목만 정리해줘", { only_violating: true }],
  ["I'd like the prices that violate a rule fixed and the others left alone", { only_violating: true }],
  ["the supplier asks 3 % more for each unit", { cost_move: 0.03 }],
  ["at most 40 euros per unit", { max_price: 40 }],
  ["sell GX84 for at least 300", { ...items("GX84"), min_price: 300 }],
  ["just for fun", {}],
  ["we published it on the 3rd of May", {}],
];

test.each(NAMES)("who and what is meant: %s", (text, expected) => {
  const { slots: found, unsupported, asks } = HOME.read(text);
  expect({ found, unsupported, asks }).toEqual({ found: expected, unsupported: [], asks: [] });
});
