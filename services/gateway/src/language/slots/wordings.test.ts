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

for (const [{ read }, said] of [
  [GARDEN, GARDEN_SAID],
  [HOME, HOME_SAID],
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
  expect(edits).toEqual({ [slot]: { adds, drops } });
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
