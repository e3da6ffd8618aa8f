import { expect, test } from "@jest/globals";
import type { Slots } from "../index.ts";
import { BOATS, type Case, expectHeard, HOME, items, KITCHEN, SHOP } from "./test/catalogues.ts";

const GRILL = items("GRL-8");

expectHeard(BOATS, {
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
});

expectHeard(KITCHEN, {
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
  "counts in Korean": [
    ["상승 여력이 가장 큰 품목 세 개만", { top: 3 }],
    ["기회가 가장 큰 세 가지만", { top: 3 }],
  ],
});

expectHeard(SHOP, {
  "limits of the past, and those of today": [
    ["at first I said 10 % but the boss protested, so 6 % as the limit for moves", { max_change_pct: 0.06 }],
    ["Two weeks ago the cap was 9 %, make it 11 % for Iberia", { region: "Iberia", max_change_pct: 0.11 }],
    ["so far the margin had to be at least 20 %, from now on 25 %", { min_margin: 0.25 }],
    ["until now the floor was 60 €, make it 75 €", { min_price: 75 }],
    ["the 15 % floor is history, we need 18 % now", { min_margin: 0.18 }],
    ["last year the cap was 8 %", {}],
    ["yesterday we agreed on at most 6 % change for Iberia", { region: "Iberia", max_change_pct: 0.06 }],
  ],
  "limits of prices": [
    ["lower price limit 40 euro, upper price limit 900 euro", { min_price: 40, max_price: 900 }],
    ["the lower limit for prices is 80 euros", { min_price: 80 }],
    [
      "no more than 150 euros for either lamp, no less than 40",
      { ...items("LMP-3", "LMP-5"), min_price: 40, max_price: 150 },
    ],
    ["minimum price limit 45 €", { min_price: 45 }],
    ["lower the price limit to 300 euros", { max_price: 300 }],
  ],
  "a margin that is moved up": [
    ["take the margin up to 20 %", { min_margin: 0.2 }],
    ["drive our gross margin up to 30 %, changes of at most 5 %", { min_margin: 0.3, max_change_pct: 0.05 }],
  ],
  "what a pronoun says the change of": [
    ["as long as costs stay flat I'm happy, but what if they climb by 6 %?", { cost_move: 0.06 }],
    ["Material got expensive again. How robust are we if it climbs another 3 %?", { cost_move: 0.03 }],
    ["Costs are a topic. What if the lamps go up by 4 %?", { ...items("LMP-3", "LMP-5"), price_move: 0.04 }],
    ["Prices are low. What if they rise by 4 %?", { price_move: 0.04 }],
  ],
  "where a sentence about an amount ends": [
    ["Iberia, 5% max. The dealers keep asking me about it.", { region: "Iberia", max_change_pct: 0.05 }],
    ["margin min. 20 %, change max. 5 %", { min_margin: 0.2, max_change_pct: 0.05 }],
    ["Three percent. At most.", { max_change_pct: 0.03 }],
  ],
  "comparatives without than": [
    ["make the prices for Iberia, the change not bigger as 5%", { region: "Iberia", max_change_pct: 0.05 }],
    ["margin not lower as 20 %", { min_margin: 0.2 }],
  ],
  "a limit behind what it is said for": [
    [
      "with the exchange rate going mad we'd rather not change any price by more than 3 %",
      { max_change_pct: 0.03 },
    ],
    ["as stock is low I'd keep changes within 4 %", { max_change_pct: 0.04 }],
    ["I don't want more than 5 % change", { max_change_pct: 0.05 }],
    ["we don't want less than 20 % margin", { min_margin: 0.2 }],
  ],
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

test.each<[string, string]>([
  ["limit the changes for EMEA, could you?", "max_change_pct"],
  ["raise prices, would you?", "price_move"],
])("“%s” is a request, whose figure is asked for", (text, slot) => {
  expect(HOME.read(text).asks.map((asked) => asked.slot)).toEqual([slot]);
});

test.each<[string, string]>([
  ["there should be an upper price limit", "max_price"],
  ["we need a lower price limit", "min_price"],
])("of “%s” the figure is asked for", (text, slot) => {
  expect(SHOP.read(text)).toMatchObject({ slots: {}, unsupported: [], asks: [{ slot }] });
});
