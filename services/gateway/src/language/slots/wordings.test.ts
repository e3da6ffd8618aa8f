import { expect, test } from "@jest/globals";
import { BOATS, type Case, expectHeard, GARDEN, HOME, items, KITCHEN, SHOP } from "./test/catalogues.ts";

const GRILL = items("GRL-8");

expectHeard(GARDEN, {
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
});

expectHeard(BOATS, {
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
});

expectHeard(KITCHEN, {
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

expectHeard(SHOP, {
  "reasons, and what they lead to": [
    [
      "As you may know we moved to a new warehouse, which cost us quite a bit, so what happens if unit costs rise by 6 percent for the lamps in the Nordics?",
      { ...items("LMP-3", "LMP-5"), region: "Nordics", cost_move: 0.06 },
    ],
    [
      "My colleague, who has been here for 20 years, says that customers never accept more than 3 % in one go, so that should be the limit for both lamps.",
      { ...items("LMP-3", "LMP-5"), max_change_pct: 0.03 },
    ],
    [
      "The desk lamp costs 89 euros today; it must not go above 95 euros because that is the price on the shelf of our neighbour.",
      { ...items("LMP-3"), max_price: 95 },
    ],
    [
      "Given that the drum solvent is dangerous to ship, please do not touch its price, but reprice the rest with 5 % at most.",
      { ...SHOP.without("SOLV-2"), max_change_pct: 0.05 },
    ],
    [
      "Last spring we raised the lamps by 8 %, and demand dropped by 12 %, so this time be careful: 3 % at most.",
      { ...items("LMP-3", "LMP-5"), max_change_pct: 0.03 },
    ],
    [
      "We had a 15 % minimum margin for years, which the new CFO finds too low, he wants 18 %, so please run Benelux with that.",
      { region: "Benelux", min_margin: 0.18 },
    ],
    [
      "The customer asked for 10 % off on both lamps, which I cannot give, but what would 4 % less do to us?",
      { ...items("LMP-3", "LMP-5"), price_move: -0.04 },
    ],
    [
      "Inflation is at 3 % and wages went up by 4 % this year. What would 2 % more on the cargo bike do?",
      { ...items("BIKE-7"), price_move: 0.02 },
    ],
    [
      "The desk lamp sells 500 pieces a month, the floor lamp only 80, so concentrate on the desk lamp and keep it between 70 and 95 euros.",
      { ...items("LMP-3"), min_price: 70, max_price: 95 },
    ],
    [
      "If I remember correctly you proposed 10 % last time and I was told off for it, therefore stay within 5 % now.",
      { max_change_pct: 0.05 },
    ],
    [
      "18 % margin is the minimum, although I personally would be fine with 15 %, and none should end up with less.",
      { min_margin: 0.18 },
    ],
    [
      "what we need after two bad quarters is profit, with changes under 6 %",
      { objective: "profit", max_change_pct: 0.06 },
    ],
    ["Normally we allow 5 %, but this is a special year and I'd like to allow 8 %", { max_change_pct: 0.08 }],
    ["Our rule says 10 % at most, still I'd feel better with 6 %", { max_change_pct: 0.06 }],
    [
      "In the past we always optimised for revenue, but today profit is more important.",
      { objective: "profit" },
    ],
    ["We tested a 9 % increase in one shop. What would 4 % more do?", { price_move: 0.04 }],
    ["The floor lamp has a margin of 12 % at the moment.", items("LMP-5")],
    [
      "the new models arrive in autumn, bring the bikes down by 4 %",
      { ...items("BIKE-7", "BIKE-9"), price_move: -0.04 },
    ],
    ["exchange and repair only, the new tier is done by headquarters", { tiers: ["exchange", "repair"] }],
    ["we talked about it and need at least 20 % margin", { min_margin: 0.2 }],
    ["I checked with finance last week, 6 % is the cap", { max_change_pct: 0.06 }],
    ["are we allowed to add 6 % to the desk lamp?", { ...items("LMP-3"), price_move: 0.06 }],
    ["The desk lamp costs 90 euros. What if it cost 5 % more?", { ...items("LMP-3"), price_move: 0.05 }],
    ["Iberia only. Benelux is done by Tom.", { region: "Iberia" }],
    ["the cargo bike, with revenue in mind", { ...items("BIKE-7"), objective: "revenue" }],
    [
      "the lamps have been at the same price for years, 4 % at most",
      { ...items("LMP-3", "LMP-5"), max_change_pct: 0.04 },
    ],
  ],
});

test.each<[string, readonly string[]]>([
  ["both bikes at the same price", ["at the same price"]],
  ["the two bikes should end up at one price", ["at one price"]],
  ["one price for all dealers please, and max profit", ["one price for all dealers please"]],
  ["can both lamps have the same price?", ["have the same price"]],
  ["publish it on Monday", ["on Monday"]],
  ["our prices must not move on Fridays", ["must not move on Fridays"]],
  ["we want the new prices to start on Monday", ["to start on Monday"]],
  ["we only raise prices for schools", ["only raise prices for schools"]],
  ["prices in full tens only", ["in full tens"]],
  ["should both lamps end up with one common price?", ["with one common price"]],
  ["the dealers want round prices", ["round prices"]],
  ["all prices rounded up to whole fives", ["rounded up to whole fives"]],
  ["the same prices for Iberia please", []],
  ["do both lamps have the same price?", []],
  ["show me one price at a time", []],
])("what is named of: %s", (text, phrases) => {
  expect(SHOP.read(text).unsupported).toEqual(phrases);
});
