import { describe, expect, test } from "@jest/globals";
import { loadMesh } from "../../mesh/index.ts";
import { indexEntities, readSlots, type SlotReader, type SlotReading, type Slots } from "../index.ts";

const mesh = loadMesh(
  new URL("../../../../../mesh.yaml", import.meta.url).pathname,
  {},
  {
    evaluate: async () => undefined,
  },
);
const reader = readerOf("pricing");

function readerOf(name: string): SlotReader {
  const found = mesh.flows.get(name)?.slots;
  if (!found) throw new Error(`The flow ${name} has no slots.`);
  return found;
}

const TIERS = Object.fromEntries(["new", "exchange", "repair", "usm"].map((tier) => [tier, {}]));

/** Names by ids; every item has one of the regions and segments in turn. */
function catalogue(
  names: Readonly<Record<string, string>>,
  regions: readonly string[],
  segments: readonly string[],
) {
  const items = Object.entries(names).map(([item_id, name], i) => ({
    item_id,
    name,
    region: regions[i % regions.length],
    segment: segments[i % segments.length],
    tiers: TIERS,
  }));
  const ids = items.map(({ item_id }) => item_id);
  const index = indexEntities(reader.slots, { items });
  return {
    read: (text: string): SlotReading => readSlots(text, reader, index),
    without: (...excluded: string[]) => ({ items: ids.filter((id) => !excluded.includes(id)) }),
  };
}

const GARDEN = catalogue(
  {
    "MOW-40": "Cordless mower",
    "MOW-55": "Petrol mower",
    "HEDGE-7": "Hedge trimmer",
    "TRIM-3": "Grass trimmer",
    "SAW-E1": "Electric chainsaw",
    "SAW-P2": "Petrol chainsaw",
    "BLOW-9": "Leaf blower",
    "SHRED-X": "Branch shredder",
    "HOSE-25": "Soaker hose",
    "PUMP-R1": "Rain barrel pump",
  },
  ["EMEA", "NA", "APAC", "LATAM"],
  ["professional", "hobby"],
);
const HOME = catalogue(
  {
    "SOFA-3": "Corner sofa",
    "SOFA-2": "Leather sofa",
    "DESK-10": "Standing desk",
    "DESK-12": "Writing desk",
    "CHR-77": "Office chair",
    "CHR-79": "Leather chair",
    "LVR-1": "Lever lamp",
    "TBL-R1": "Round coffee table",
    "TBL-S1": "Square coffee table",
    GX84: "Gas heater",
    GX95: "Oil heater",
  },
  ["EMEA", "NA", "LATAM"],
  ["premium", "standard", "budget"],
);
const BOATS = catalogue(
  {
    "ANC-10": "Plough anchor",
    "BAT-12": "Marine battery",
    "BAT-24": "Lithium battery",
    "WIN-5": "Electric winch",
    "WIN-7": "Manual winch",
    "KNF-1": "Rigging knife",
    "KNF-2": "Dive knife",
    "RUD-1": "Rudder blade",
    VST9: "Life vest",
  },
  ["EMEA", "NA", "APAC", "LATAM"],
  ["premium", "standard", "budget"],
);
const KITCHEN = catalogue(
  {
    "OVN-10": "Deck oven",
    "OVN-20": "Convection oven",
    "MIX-5": "Spiral mixer",
    "FRY-3": "Deep fryer",
    "GRL-8": "Contact grill",
    "ICE-4": "Ice maker",
    "TAP-2": "Bar tap",
    88213: "Dough sheeter",
  },
  ["EMEA", "NA", "APAC"],
  ["caterer", "bakery", "hotel"],
);
const items = (...ids: string[]): Slots => ({ items: ids });

type Case = readonly [text: string, slots: Slots];

const GARDEN_SAID: Record<string, readonly Case[]> = {
  corrections: [
    ["Price the hedge trimmer, sorry, the leaf blower", items("BLOW-9")],
    ["Optimise the petrol mower, no, the cordless one", items("MOW-40")],
    ["Best price for MOW-40 ... no wait, MOW-55", items("MOW-55")],
    ["The trimmer, er, the hedge trimmer", items("HEDGE-7")],
    ["Prices for NA, I mean EMEA, please", { region: "EMEA" }],
    ["EMEA please. Actually, make that APAC.", { region: "APAC" }],
    ["In LATAM - no, wait, in NA - what would you charge?", { region: "NA" }],
    ["Only the repair tier, sorry, the exchange tier", { tiers: ["exchange"] }],
    ["professional segment, no, hobby", { segment: "hobby" }],
    ["Maximise revenue, sorry, profit", { objective: "profit" }],
    ["Go for profit. On second thought, revenue matters more.", { objective: "revenue" }],
    [
      "Optimise for revenue, no, let's say profit, on the leaf blower",
      { items: ["BLOW-9"], objective: "profit" },
    ],
    ["maximise profit for the shredder, no, for the hose", { items: ["HOSE-25"], objective: "profit" }],
    ["Everything except the shredder, sorry, except the hose", GARDEN.without("HOSE-25")],
    ["All but the shredder, I mean the hose", GARDEN.without("HOSE-25")],
    ["new and exchange rather than repair", { tiers: ["new", "exchange"] }],
    ["Not NA but EMEA", { region: "EMEA" }],
    ["LATAM instead of APAC please", { region: "LATAM" }],
    ["NA 아니 EMEA 가격을 제안해 줘", { region: "EMEA" }],
    ["NA가 아니라 EMEA로 해 줘", { region: "EMEA" }],
    ["APAC 대신 LATAM으로", { region: "LATAM" }],
    ["매출 말고 이익 기준으로", { objective: "profit" }],
    ["매출을 극대화해 줘, 아니 이익을 극대화해 줘", { objective: "profit" }],
  ],
  objectives: [
    ["Revenue first, the leaf blower", { items: ["BLOW-9"], objective: "revenue" }],
    ["Profit above all", { objective: "profit" }],
    ["with revenue as the goal, price the hose", { items: ["HOSE-25"], objective: "revenue" }],
    ["our target should be revenue", { objective: "revenue" }],
    ["Revenue is what we're after in NA", { region: "NA", objective: "revenue" }],
    ["we're after profit here, not turnover", { objective: "profit" }],
    ["it is earnings that matter, not sales", { objective: "profit" }],
    ["What would you charge for MOW-40 for maximum revenue?", { items: ["MOW-40"], objective: "revenue" }],
    ["for the highest possible profit", { objective: "profit" }],
    ["squeeze out as much profit as possible", { objective: "profit" }],
    ["profit over revenue", { objective: "profit" }],
    ["hobby, revenue, at most 5%", { segment: "hobby", objective: "revenue", max_change_pct: 0.05 }],
    ["매출이 최대가 되는 MOW-40 가격", { items: ["MOW-40"], objective: "revenue" }],
    ["이익을 가장 크게 하는 가격은?", { objective: "profit" }],
  ],
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
};

const HOME_SAID: Record<string, readonly Case[]> = {
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
};

const BOATS_SAID: Record<string, readonly Case[]> = {
  "irregular plurals": [
    ["Take 6 % off the batteries", { items: ["BAT-12", "BAT-24"], price_move: -0.06 }],
    ["reprice the winches, at most 3 %", { items: ["WIN-5", "WIN-7"], max_change_pct: 0.03 }],
    ["optimise the knives", items("KNF-1", "KNF-2")],
    ["reprice everything, sparing the knives", BOATS.without("KNF-1", "KNF-2")],
    ["whole catalogue without the batteries", BOATS.without("BAT-12", "BAT-24")],
  ],
  "bounds on prices": [
    ["No price above 1,500 and none below 40", { max_price: 1500, min_price: 40 }],
    ["nothing under 30 and nothing over 900", { min_price: 30, max_price: 900 }],
    ["with a €60 floor and a €900 ceiling", { min_price: 60, max_price: 900 }],
    ["reprice the anchor, but never below 200", { items: ["ANC-10"], min_price: 200 }],
    ["No rudder for less than 60, the rest is up to you", { items: ["RUD-1"], min_price: 60 }],
    ["no winch under 500, please", { items: ["WIN-5", "WIN-7"], min_price: 500 }],
    ["가격은 50달러 이상 900달러 이하로", { min_price: 50, max_price: 900 }],
  ],
  "whose price or cost moves": [
    ["what if the vest got 8 percent cheaper for our customers?", { items: ["VST9"], price_move: -0.08 }],
    ["buyers would pay 6 % less for the anchor", { items: ["ANC-10"], price_move: -0.06 }],
    ["say the rudder got 9 % more expensive to produce", { items: ["RUD-1"], cost_move: 0.09 }],
    ["the vest costs us 11 % more to make", { items: ["VST9"], cost_move: 0.11 }],
    ["manufacturing the vest is 12 % dearer now", { items: ["VST9"], cost_move: 0.12 }],
    ["raise prices for all 2 knives by 5 %", { items: ["KNF-1", "KNF-2"], price_move: 0.05 }],
    ["Is a 0.08 price increase fine for the anchor?", { items: ["ANC-10"], price_move: 0.08 }],
    ["input costs drop by 0.07", { cost_move: -0.07 }],
    ["Cut prices by 4 % - where do the rules object?", { price_move: -0.04 }],
    ["let the vest move by 2.5 %, not a bit more", { items: ["VST9"], max_change_pct: 0.025 }],
    ["RUD-1 가격을 8% 낮췄을 때", { items: ["RUD-1"], price_move: -0.08 }],
    ["원가가 7% 올랐을 때 이익은?", { cost_move: 0.07 }],
  ],
  "parts of a list": [
    ["APAC + budget + repair + usm", { region: "APAC", segment: "budget", tiers: ["repair", "usm"] }],
    ["premium gear in EMEA, for revenue", { segment: "premium", region: "EMEA", objective: "revenue" }],
    ["a price drop of 2 % on new units in NA", { price_move: -0.02, tiers: ["new"], region: "NA" }],
    ["make it standard, and at most 7 %", { segment: "standard", max_change_pct: 0.07 }],
    ["nothing on the usm tier; the other tiers get prices", { tiers: ["new", "exchange", "repair"] }],
    ["vst 9 please", items("VST9")],
    ["the standard vest", { items: ["VST9"], segment: "standard" }],
    ["check anchor", items("ANC-10")],
    ["is anchor compliant?", items("ANC-10")],
    ["reprice anchor, within 3 %", { items: ["ANC-10"], max_change_pct: 0.03 }],
  ],
  "superlatives of an objective": [
    [
      "LATAM's premium range: biggest revenue you can get",
      { region: "LATAM", segment: "premium", objective: "revenue" },
    ],
    ["find me the most profitable prices", { objective: "profit" }],
    ["the prices should be as profitable as they can be", { objective: "profit" }],
    ["가장 높은 이익을 내는 가격을 찾아 줘", { objective: "profit" }],
  ],
  "only what breaks a rule": [
    ["I only care about the violators", { only_violating: true }],
    ["just deal with the items that break rules today", { only_violating: true }],
  ],
  "long sentences": [
    [
      "The team is fine with new prices for the vest provided that no change exceeds 4 % and the margin stays above 20 %, thanks!",
      { items: ["VST9"], max_change_pct: 0.04, min_margin: 0.2 },
    ],
    [
      "nobody wants trouble, so only tiny steps of 2 % or less, and only repair",
      { max_change_pct: 0.02, tiers: ["repair"] },
    ],
    ["I know I asked about the rudder last week, and now my boss wants prices for the vest", items("VST9")],
  ],
  "no more than it says": [
    ["the anchor and the vest, as I said last week", items("ANC-10", "VST9")],
    ["I asked for the anchor last week", items("ANC-10")],
    ["no anchor please", BOATS.without("ANC-10")],
    ["the costs of the vest up 10 %", { items: ["VST9"], cost_move: 0.1 }],
    ["make the anchor 10 % more expensive", { items: ["ANC-10"], price_move: 0.1 }],
    ["which item is the most profitable?", {}],
    ["is the vest as profitable as the anchor?", items("ANC-10", "VST9")],
    ["what's the highest revenue we had?", {}],
    ["does profit improve?", {}],
    ["I need a premium answer, this is our standard process", {}],
    ["what is the margin floor?", {}],
  ],
};

const GRILL = items("GRL-8");
const KITCHEN_SAID: Record<string, readonly Case[]> = {
  "shares without a sign": [
    ["stay inside 0.05", { max_change_pct: 0.05 }],
    ["a corridor of plus/minus 0.05 for prices", { max_change_pct: 0.05 }],
    ["give or take five percent", { max_change_pct: 0.05 }],
    ["+-3 %", { max_change_pct: 0.03 }],
    ["플러스마이너스 5%", { max_change_pct: 0.05 }],
    ["price at most 0.9", { max_price: 0.9 }],
    ["prices times 1.05", { price_move: 0.05 }],
    ["prices x 1.1", { price_move: 0.1 }],
    ["prices go up by a factor of 1.3", { price_move: 0.3 }],
    ["cut the grill by a factor of 2", { ...GRILL, price_move: -0.5 }],
    ["원가가 1.2배가 되면", { cost_move: 0.2 }],
    ["가격을 두 배로", { price_move: 1 }],
  ],
  "fractions and halves": [
    ["up to 1 1/2 percent", { max_change_pct: 0.015 }],
    ["1½ % at most", { max_change_pct: 0.015 }],
    ["up to a percent and a half", { max_change_pct: 0.015 }],
    ["steps of two and a half percent at the outside", { max_change_pct: 0.025 }],
  ],
  "what is denied of a bound": [
    ["at most 5 % but not below 100 euros", { max_change_pct: 0.05, min_price: 100 }],
    ["reprice but not more than 3 %", { max_change_pct: 0.03 }],
    ["5% 넘게 바꾸지 말고 마진은 20% 이상", { max_change_pct: 0.05, min_margin: 0.2 }],
    ["900을 넘으면 안 돼", { max_price: 900 }],
    ["100 밑으로는 안 돼", { min_price: 100 }],
  ],
  "amounts that the next sentence is about": [
    ["Two percent. That is the most the grill can take.", { ...GRILL, max_change_pct: 0.02 }],
    ["For the fryer: 4 %. Not a bit more than that.", { items: ["FRY-3"], max_change_pct: 0.04 }],
    ["5%. 그게 한도야.", { max_change_pct: 0.05 }],
  ],
  "bounds on both sides": [
    ["at least 50, at most 900", { min_price: 50, max_price: 900 }],
    ["between 50 and 900 for the grill", { ...GRILL, min_price: 50, max_price: 900 }],
    ["가격은 최저 50, 최고 900", { min_price: 50, max_price: 900 }],
    ["최소 50 최대 900으로 GRL-8", { ...GRILL, min_price: 50, max_price: 900 }],
  ],
  "prices and costs": [
    ["The fryer ought to cost 12 % less", { items: ["FRY-3"], price_move: -0.12 }],
    ["I want the grill to cost 10 % less", { ...GRILL, price_move: -0.1 }],
    ["the fryer will cost us 6 % more to build", { items: ["FRY-3"], cost_move: 0.06 }],
    ["the manufacturer of the grill asks 7 % more", { ...GRILL, cost_move: 0.07 }],
    ["our vendor's prices rise by 4 %", { cost_move: 0.04 }],
    ["supplier prices may rise 4 %, cap our moves at 2 %", { cost_move: 0.04, max_change_pct: 0.02 }],
    ["it would be 7 % dearer for us to source the grill", { ...GRILL, cost_move: 0.07 }],
    ["steel gets 9 % dearer for us", { cost_move: 0.09 }],
    ["GRL-8 매입가가 7% 오르면?", { ...GRILL, cost_move: 0.07 }],
    ["공급업체가 GRL-8에 7% 더 달라고 해", { ...GRILL, cost_move: 0.07 }],
    ["customers in EMEA pay 4 % more for the grill", { ...GRILL, region: "EMEA", price_move: 0.04 }],
  ],
  "superlatives and aims": [
    ["profit-maximal prices for the grill", { ...GRILL, objective: "profit" }],
    ["price the grill for as much turnover as possible", { ...GRILL, objective: "revenue" }],
    ["the grill with revenue as high as possible", { ...GRILL, objective: "revenue" }],
    ["make the most money with the grill", { ...GRILL, objective: "profit" }],
    ["the grill for profit, please", { ...GRILL, objective: "profit" }],
    ["it's all about revenue, price the grill", { ...GRILL, objective: "revenue" }],
    ["not profit but revenue", { objective: "revenue" }],
    ["the highest profit, 2 % at most", { objective: "profit", max_change_pct: 0.02 }],
    ["in it for the money", { objective: "profit" }],
    ["is it worth the money?", {}],
    ["이익 최대로 하되 5% 이내로", { objective: "profit", max_change_pct: 0.05 }],
    ["what was our best revenue last year?", {}],
    ["which region has the highest revenue", {}],
  ],
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
  "counts in Korean": [
    ["상승 여력이 가장 큰 품목 세 개만", { top: 3 }],
    ["기회가 가장 큰 세 가지만", { top: 3 }],
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
  "no more than it says": [
    ["over 40 people depend on these prices", {}],
    ["the margin report went to more than 40 people", {}],
    ["we have over 40 dealers, price the grill", GRILL],
    ["마진 회의에 40명 이상 왔어", {}],
    ["there's ice in it; price the fryer", items("FRY-3")],
    ["It's under discussion with the dealers; cut the grill by 3 %", { ...GRILL, price_move: -0.03 }],
    ["up to 2.5 %, or I look bad in front of our distributors", { max_change_pct: 0.025 }],
    ["we agreed with the dealers on changes of at most 4 %", { max_change_pct: 0.04 }],
    ["over the last year the grill sold well", GRILL],
    ["as far as I know the grill is fine", GRILL],
    ["just the fryer until I'm back", items("FRY-3")],
    ["within the team we discussed the fryer", items("FRY-3")],
    ["You must be busy, but could you price the fryer?", items("FRY-3")],
    ["I only have one question: is the grill priced right?", GRILL],
    ["without further ado, the grill", GRILL],
    ["provided you have time, price the grill", GRILL],
    ["as long as we're at it, price the grill", GRILL],
    ["most of our customers buy the grill", GRILL],
    ["the fryer could go up 4 %, somebody from sales said", { items: ["FRY-3"], price_move: 0.04 }],
    ["why did no price fall?", {}],
  ],
};

for (const [{ read }, said] of [
  [GARDEN, GARDEN_SAID],
  [HOME, HOME_SAID],
  [BOATS, BOATS_SAID],
  [KITCHEN, KITCHEN_SAID],
] as const) {
  describe.each(Object.entries(said))("%s", (_, cases) => {
    test.each(cases)("%s", (text, expected) => {
      const { slots: found, unsupported, asks } = read(text);
      expect({ slots: found, unsupported, asks }).toEqual({ slots: expected, unsupported: [], asks: [] });
    });
  });
}

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

test.each<[string, RegExp]>([
  ["Best prices for NA, valid from 1 May", /^valid from 1 May$/],
  ["Price the mowers, to be in force by September", /by September/],
  ["starting in July, what should the hose cost?", /starting in July/],
  ["clear the shredder stock before winter", /stock/],
  ["sell as many units as possible", /^as many units as possible$/],
  ["price the leaf blower below what Contoso asks", /below what Contoso asks/],
  ["optimise SAW-E1 but stay under Contoso", /under Contoso/],
  ["price the hose to match Contoso", /match Contoso/],
  ["all prices ending in 9, for the hose", /ending in 9/],
  ["round every price to whole euros", /round every price/],
  ["EMEA prices in steps of 5 dollars", /in steps of 5 dollars/],
  ["3월까지 유효한 EMEA 가격", /유효/],
  ["재고를 소진하도록 HOSE-25 가격을 정해 줘", /재고/],
])("%s is named as not applied", (text, phrase) => {
  expect(GARDEN.read(text).unsupported.join("; ")).toMatch(phrase);
});

test.each<[string, RegExp]>([
  ["raise prices by 5", /by 5/],
  ["lift the anchor 12 and check", /12/],
  ["set the vest to 250", /to 250/],
  ["20 off the vest", /20 off/],
  ["costs rise by 12", /12/],
  ["the price is 20", /price is 20/],
  ["add 3 to everything", /add 3/],
  ["raise it 12 and check", /12/],
  ["anchors from 30 to 90", /30 to 90/],
  ["reprice, unless costs move by more than 5 %", /unless costs move/],
  ["sell as many winches as we can", /^sell as many winches as we can$/],
  ["가격을 5 올리면", /5 올리면/],
  ["최대 5", /최대 5/],
])("%s holds an amount that no slot takes, and is named", (text, phrase) => {
  const { slots: found, unsupported } = BOATS.read(text);
  expect(unsupported.join("; ")).toMatch(phrase);
  expect(Object.keys(found).filter((slot) => slot !== "items")).toEqual([]);
});

test.each([
  "let's talk at two about the prices",
  "the 3 of us need prices",
  "see page 12, section 0.3",
  "room 5, 3 o'clock",
  "version 2.0 of the proposal",
  "run it 2 times",
  "2 out of 3 said so",
  "5 people want it",
  "my question 2: is it robust?",
  "we have been at it for 3 hours",
  "between 10 and 20 people",
])("the numbers of %s constrain nothing", (text) => {
  expect(BOATS.read(text)).toMatchObject({ slots: {}, unsupported: [], asks: [] });
});

test.each([
  "Propose prices with a margin floor",
  "a healthy margin floor, please",
  "keep some minimum margin",
])("%s is asked for its figure", (text) => {
  expect(BOATS.read(text)).toMatchObject({ slots: {}, unsupported: [], asks: [{ slot: "min_margin" }] });
});

test.each<[string, string, Slots]>([
  ["at most 3 % on the ovens and 5 % on the fryer", "max_change_pct", items("OVN-10", "OVN-20", "FRY-3")],
  [
    "raise the grill by 3 %, the fryer by 5 % and the mixer by 7 %",
    "price_move",
    items("MIX-5", "FRY-3", "GRL-8"),
  ],
  ["margin 30 % on the grill, 20 % on the fryer", "min_margin", items("FRY-3", "GRL-8")],
  ["floor of 100 for the grill and 200 for the fryer", "min_price", items("FRY-3", "GRL-8")],
  ["maximise profit in EMEA and revenue in NA", "objective", { region: ["EMEA", "NA"] }],
  ["at most 5 % up and 3 % down for the grill", "max_change_pct", GRILL],
  ["top 3 in EMEA and top 5 in NA", "top", { region: ["EMEA", "NA"] }],
  ["GRL-8은 3%, FRY-3은 5% 인상하면?", "price_move", items("FRY-3", "GRL-8")],
  ["GRL-8은 마진 30%, FRY-3은 20% 이상", "min_margin", items("FRY-3", "GRL-8")],
])("%s says two values for two subjects, and neither is for both", (text, slot, expected) => {
  expect(KITCHEN.read(text)).toMatchObject({ slots: expected, unsupported: [], asks: [{ slot }] });
  expect(KITCHEN.read(text).slots).toEqual(expected);
});

test.each([
  "don't worry about limits, price the grill",
  "price the grill as far as you like",
  "the grill, the sky is the limit",
  "you have a free hand with the grill",
  "no matter how far the grill moves",
  "there needn't be a cap on the grill",
  "GRL-8은 제한 두지 말고 최적화해 줘",
  "GRL-8은 얼마든지 바꿔도 돼",
  "GRL-8 한도는 신경 쓰지 마",
])("%s takes the limit back", (text) => {
  expect(KITCHEN.read(text)).toMatchObject({
    slots: GRILL,
    cleared: ["max_change_pct"],
    unsupported: [],
    asks: [],
  });
});

test.each([
  "is there no limit?",
  "isn't there a cap?",
  "so there's no limit?",
  "has the limit been dropped?",
  "why was the limit removed?",
  "한도는 없어?",
  "5% 제한을 어기지 마",
])("%s takes nothing back", (text) => {
  const { cleared, unsupported, asks } = KITCHEN.read(text);
  expect({ cleared, unsupported, asks }).toEqual({ cleared: [], unsupported: [], asks: [] });
});

test.each<[string, string]>([
  ["prices plus 3", "prices plus 3"],
  ["make the grill cost 400", "grill cost 400"],
  ["the price can go up 3 % but not down", "but not down"],
  ["no price may fall", "no price may fall"],
  ["prices must be round numbers", "must be round numbers"],
  ["the grill without bulk discounts", "without bulk discounts"],
  ["only in the second quarter", "only in the second quarter"],
  ["grill: 30 days' notice is required", "notice"],
  ["only items that don't break a rule", "only items that don't break a rule"],
  ["sell at least 20 boxes", "sell at least 20 boxes"],
  ["stay under the market price for the fryer", "under the market price"],
])("of %s, “%s” is named", (text, phrase) => {
  expect(KITCHEN.read(text).unsupported.join("; ")).toContain(phrase);
});

/** What sounds like one of the kinds above, and is none. */
const HARMLESS: readonly Case[] = [
  ["Sorry to bother you, price the mowers and the hose", items("MOW-40", "MOW-55", "HOSE-25")],
  ["Sorry for the late ask: NA and EMEA please", { region: ["NA", "EMEA"] }],
  ["Sorry about yesterday. Price EMEA and NA.", { region: ["EMEA", "NA"] }],
  ["I actually need MOW-40 and MOW-55", items("MOW-40", "MOW-55")],
  ["MOW-40 and, actually, also MOW-55", items("MOW-40", "MOW-55")],
  ["No, I'm not sure. What is the best price of the hose?", items("HOSE-25")],
  ["Wait a minute. Price the leaf blower.", items("BLOW-9")],
  ["Wait, why is MOW-40 cheaper than MOW-55?", items("MOW-40", "MOW-55")],
  ["Make it quick: prices for NA", { region: "NA" }],
  ["MOW-40, MOW-55 and HOSE-25", items("MOW-40", "MOW-55", "HOSE-25")],
  ["Check NA. Then APAC.", { region: ["NA", "APAC"] }],
  ["Actually, what is EMEA?", { region: "EMEA" }],
  ["아니, 괜찮아", {}],
  ["what does it do to our profit?", {}],
  ["What happens to profit and revenue in NA?", { region: "NA" }],
  ["How much profit did we make first quarter?", {}],
  ["Is revenue up first half?", {}],
  ["Did revenue go up?", {}],
  ["show me the profit of each item", {}],
  ["I want to see the profit", {}],
  ["explain first why revenue fell", {}],
  ["is profit what drives the price?", {}],
  ["is profit the goal?", {}],
  ["how is revenue calculated?", {}],
  ["profit went down, why?", {}],
  ["what happened to cost, revenue, and demand?", {}],
  ["tell me the profit after the change", {}],
  ["이익은 얼마나 변하나요?", {}],
  ["매출이 왜 떨어졌어?", {}],
  ["이익이 가장 큰 품목은?", {}],
  ["Coffee's on me", {}],
  ["my boss will ask at two", {}],
  ["Can you be done by lunch?", {}],
  ["I have a meeting at 3, so be quick: price the hose", items("HOSE-25")],
  ["Thanks, see you in June!", {}],
  ["before I forget, price the hose", items("HOSE-25")],
  ["The sales team has been asking since yesterday: best price for HOSE-25?", items("HOSE-25")],
  ["I read it over Christmas", {}],
  ["Anna will be in at nine", {}],
  ["thanks, that was above and beyond", {}],
  ["Are we cheaper than Contoso?", {}],
  ["How do we compare with Contoso?", {}],
  ["leave a note why", {}],
  ["Leave it at that, thanks", {}],
  ["nothing for now", {}],
  ["Nothing else", {}],
  ["everything is fine", {}],
  ["are all items compliant?", {}],
  ["Is MOW-40 compliant?", items("MOW-40")],
  ["which ones are compliant?", {}],
  ["do the prices comply?", {}],
  ["make sure the result is compliant", {}],
  ["don't break any rules", {}],
  ["how many violations are there?", {}],
  ["just tell me what violates the policy", {}],
  ["add an explanation", {}],
  ["also explain the drivers", {}],
  ["that's good as well", {}],
  ["as well as can be expected", {}],
  ["too high for my taste", {}],
  ["please replace the chart", {}],
  ["price MOW-40 and also check it", items("MOW-40")],
  ["what about the hose?", items("HOSE-25")],
  ["and EMEA?", { region: "EMEA" }],
  ["the hose instead", items("HOSE-25")],
  ["exchange tier for NA", { tiers: ["exchange"], region: "NA" }],
  ["Is the petrol mower more expensive than the cordless mower?", items("MOW-40", "MOW-55")],
  ["first, price the mowers", items("MOW-40", "MOW-55")],
];

test.each(HARMLESS)("no more than it says: %s", (text, expected) => {
  const { slots: found, cleared, edits, unsupported, asks } = GARDEN.read(text);
  expect(cleared).not.toContain("only_violating");
  expect({ found, edits, unsupported, asks }).toEqual({
    found: expected,
    edits: undefined,
    unsupported: [],
    asks: [],
  });
});

/** Lists of constraints, and how many of the moves are shown. */
const LISTS: readonly Case[] = [
  [
    "NA budget repair tier, 6% cap",
    { region: "NA", segment: "budget", tiers: ["repair"], max_change_pct: 0.06 },
  ],
  ["EMEA standard usm tier", { region: "EMEA", segment: "standard", tiers: ["usm"] }],
  ["standard and the repair tier only", { segment: "standard", tiers: ["repair"] }],
  ["premium exchange", { segment: "premium", tiers: ["exchange"] }],
  ["for our premium clients, at most 4 %", { segment: "premium", max_change_pct: 0.04 }],
  ["the standard user interface", {}],
  ["premium, EMEA", { segment: "premium", region: "EMEA" }],
  ["프리미엄 교환 등급만", { segment: "premium", tiers: ["exchange"] }],
  ["the EMEA budget is tight", { region: "EMEA" }],
  ["show the five biggest changes", { top: 5 }],
  ["the 4 largest moves in NA", { top: 4, region: "NA" }],
  ["list the 3 best", { top: 3 }],
  ["four worst violations", { top: 4 }],
  ["the five products that change most", { top: 5 }],
  ["the three items with the biggest price change", { top: 3 }],
  ["just the single biggest change", { top: 1 }],
  ["the ten highest price increases", { top: 10 }],
  ["가장 큰 변동 4개만 보여줘", { top: 4 }],
  ["the biggest change is 4 %", { max_change_pct: 0.04 }],
  ["no single biggest move above 4 %", { max_change_pct: 0.04 }],
];

test.each(LISTS)("all that a list says: %s", (text, expected) => {
  const { slots: found, unsupported, asks } = HOME.read(text);
  expect({ found, unsupported, asks }).toEqual({ found: expected, unsupported: [], asks: [] });
});

/** An amount that is corrected, set against another one, or past. */
const AMOUNTS_TAKEN_BACK: readonly Case[] = [
  ["limit it to 6, no wait, 3 percent", { max_change_pct: 0.03 }],
  ["raise prices by 3, no, 4 percent", { price_move: 0.04 }],
  ["what if costs rise by 8, no, 6 percent", { cost_move: 0.06 }],
  ["cap at four rather than six per cent", { max_change_pct: 0.04 }],
  ["cap at 4 % instead of 6 %", { max_change_pct: 0.04 }],
  ["변동은 최대 7, 아니 2%까지", { max_change_pct: 0.02 }],
  ["show 5 items, no, at most 4 %", { max_change_pct: 0.04 }],
  ["We lifted GX84 by 6 % last year. Now at most 3 %.", { ...items("GX84"), max_change_pct: 0.03 }],
  ["During 2024 purchasing costs climbed 9 %. Prices for GX84.", items("GX84")],
  ["We shrank 8 % in 2022. Are prices fine?", {}],
  ["Last quarter, costs fell 4 %. Propose prices.", {}],
  ["작년에 원가가 6% 올랐어. 이제 최대 3%로 제안해줘", { max_change_pct: 0.03 }],
  ["last year costs fell, now raise prices by 4 %", { price_move: 0.04 }],
  ["prices rose by 4 % in 2024 and I want at most 2 % now", { max_change_pct: 0.02 }],
  ["What if costs rose 7 % in 2025?", { cost_move: 0.07 }],
  ["costs rise 5 % compared to last year", { cost_move: 0.05 }],
  ["change at most 5 %, last year's 8 % was too much", { max_change_pct: 0.05 }],
  ["we agreed on at most 5 % yesterday", { max_change_pct: 0.05 }],
];

test.each(AMOUNTS_TAKEN_BACK)("what is meant of the amounts in: %s", (text, expected) => {
  const { slots: found, unsupported, asks } = HOME.read(text);
  expect({ found, unsupported, asks }).toEqual({ found: expected, unsupported: [], asks: [] });
});

/** What a message is after, and an aim that the flow does not have. */
const AIMS: readonly (readonly [text: string, slots: Slots, named: readonly string[]])[] = [
  ["maximise the gross margin", {}, ["maximise the gross margin"]],
  ["go for margin instead of revenue", {}, ["go for margin"]],
  ["the best possible margin for GX84", items("GX84"), ["best possible margin"]],
  ["margin-maximising prices", {}, ["margin-maximising"]],
  ["마진 극대화해줘", {}, ["마진 극대화"]],
  ["margin is what counts", {}, ["margin is what counts"]],
  ["maximise profit with a margin of at least 20 %", { objective: "profit", min_margin: 0.2 }, []],
  ["maximise margin to at least 30 %", { min_margin: 0.3 }, []],
  ["which item has the highest margin?", {}, []],
  ["what drives the margin?", {}, []],
  ["propose revenue-maximising prices for EMEA", { objective: "revenue", region: "EMEA" }, []],
  ["propose profit-optimal prices", { objective: "profit" }, []],
  [
    "as much revenue as possible in EMEA, or well, profit rather",
    { objective: "profit", region: "EMEA" },
    [],
  ],
  ["revenue rather than profit", { objective: "revenue" }, []],
];

test.each(AIMS)("what is aimed at: %s", (text, expected, named) => {
  const { slots: found, unsupported, asks } = HOME.read(text);
  expect({ found, unsupported, asks }).toEqual({ found: expected, unsupported: named, asks: [] });
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

test.each<[string, string]>([
  ["we round everything to multiples of ten", "round everything to multiples of ten"],
  ["just for regional hospitals", "just for regional hospitals"],
  ["please publish the result on the 3rd of May", "on the 3rd of May"],
  ["publish the prices by 1 March", "by 1 March"],
  ["5월 3일에 게시해줘", "5월 3일"],
  ["what price lets us sell at least 300", "sell at least 300"],
  ["a price at which we sell more than 80 lamps", "sell more than 80 lamps"],
])("nothing takes what is said in “%s”, so that it is named", (text, phrase) => {
  const { slots: found, unsupported } = HOME.read(text);
  expect(Object.keys(found).filter((name) => name !== "items")).toEqual([]);
  expect(unsupported.join("; ")).toContain(phrase);
});

test.each<[string, string]>([
  ["limit the changes for EMEA, could you?", "max_change_pct"],
  ["raise prices, would you?", "price_move"],
])("“%s” is a request, whose figure is asked for", (text, slot) => {
  expect(HOME.read(text).asks.map((asked) => asked.slot)).toEqual([slot]);
});
