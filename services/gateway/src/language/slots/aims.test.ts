import { expect, test } from "@jest/globals";
import type { Slots } from "../index.ts";
import { BOATS, expectHeard, GARDEN, HOME, items, KITCHEN } from "./test/catalogues.ts";

const GRILL = items("GRL-8");

expectHeard(GARDEN, {
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
});

expectHeard(BOATS, {
  "superlatives of an objective": [
    [
      "LATAM's premium range: biggest revenue you can get",
      { region: "LATAM", segment: "premium", objective: "revenue" },
    ],
    ["find me the most profitable prices", { objective: "profit" }],
    ["the prices should be as profitable as they can be", { objective: "profit" }],
    ["가장 높은 이익을 내는 가격을 찾아 줘", { objective: "profit" }],
  ],
});

expectHeard(KITCHEN, {
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
  ["we prefer profit to revenue", { objective: "profit" }, []],
  ["the boss prefers revenue over profit", { objective: "revenue" }, []],
  ["we'd rather have profit than revenue", { objective: "profit" }, []],
  ["profit is to be maximised", { objective: "profit" }, []],
  ["revenue to the max, NA only", { objective: "revenue", region: "NA" }, []],
  ["maximise long-term profit", { objective: "profit" }, []],
  [
    "optimise for the best utilisation of our workshop",
    {},
    ["optimise for the best utilisation of our workshop"],
  ],
  ["maximise the number of subscriptions", {}, ["maximise the number of subscriptions"]],
  ["optimise for maximum uptime in NA", { region: "NA" }, ["optimise for maximum uptime"]],
  ["optimise for the best possible result", {}, []],
  ["how do I maximise uptime?", {}, []],
];

test.each(AIMS)("what is aimed at: %s", (text, expected, named) => {
  const { slots: found, unsupported, asks } = HOME.read(text);
  expect({ found, unsupported, asks }).toEqual({ found: expected, unsupported: named, asks: [] });
});
