import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { loadMesh } from "../../mesh/index.ts";
import { indexEntities, readSlots, type SlotReader, type Slots } from "../index.ts";

const root = new URL("../../../../../", import.meta.url);
const mesh = loadMesh(new URL("mesh.yaml", root).pathname, {});
const pricing = readerOf("pricing");

function readerOf(name: string): SlotReader {
  const reader = mesh.flows.get(name)?.slots;
  if (!reader) throw new Error(`The flow ${name} has no slots.`);
  return reader;
}

const sample = JSON.parse(readFileSync(new URL("services/pricing/data/sample-catalogue.json", root), "utf8"));
const IDS: string[] = sample.items.map(({ item_id }: { item_id: string }) => item_id);
const without = (...ids: string[]): string[] => IDS.filter((id) => !ids.includes(id));
const index = indexEntities(pricing.slots, sample);
const read = (text: string) => {
  const { rest: _, ...reading } = readSlots(text, pricing, index);
  return reading;
};

const VALVE = { items: ["VALVE-V7"] };

const SAID: Record<string, readonly (readonly [string, Slots])[]> = {
  "which items": [
    ["Optimise VALVE-V7", VALVE],
    ["what should valve-v7 cost", VALVE],
    ["price for Valve V7 please", VALVE],
    ["prices for valvev7", VALVE],
    ["what is the best price for vlave-v7", VALVE],
    ["new price for VALV-V7?", VALVE],
    ["how about the valve", VALVE],
    ["valve and pump only", { items: ["PUMP-C3", "VALVE-V7"] }],
    ["Only MOTOR-M2 and the sensor", { items: ["MOTOR-M2", "SENSOR-S9"] }],
    ["VALVE-V7's price", VALVE],
    ["focus on the gearbox", { items: ["GEARBOX-A1"] }],
    ["everything except the valve", { items: without("VALVE-V7") }],
    ["all items but not VALVE-V7", { items: without("VALVE-V7") }],
    ["all products apart from pump-c3 and the bearing", { items: without("PUMP-C3", "BEARING-B5") }],
    ["propose prices, leave VALVE-V7 alone", { items: without("VALVE-V7") }],
    ["keep the valve unchanged", { items: without("VALVE-V7") }],
    ["don't touch DRIVE-D4", { items: without("DRIVE-D4") }],
    [
      "optimise the catalogue excluding GEARBOX-A1, PUMP-C3 and MOTOR-M2",
      { items: without("GEARBOX-A1", "PUMP-C3", "MOTOR-M2") },
    ],
    ["VALVE-V7 제외하고 제안해줘", { items: without("VALVE-V7") }],
    ["VALVE-V7 빼고 전부", { items: without("VALVE-V7") }],
    ["VALVE-V7만 최적화해줘", VALVE],
    ["VALVE-V7과 PUMP-C3의 가격을 제안해줘", { items: ["PUMP-C3", "VALVE-V7"] }],
    ["what drives the price of the motor?", { items: ["MOTOR-M2"] }],
    ["what drives prices?", {}],
    ["what is the value of this proposal", {}],
    ["Optimise all items", {}],
    ["check the prices", {}],
  ],
  "tiers, segments and regions": [
    ["only the new tier", { tiers: ["new"] }],
    ["restrict it to exchange and repair", { tiers: ["exchange", "repair"] }],
    ["propose new prices", {}],
    ["propose new prices for the usm tier", { tiers: ["usm"] }],
    ["everything but USM", { tiers: ["new", "exchange", "repair"] }],
    ["raise exchange prices by 3%", { tiers: ["exchange"], price_move: 0.03 }],
    ["for EMEA", { region: "EMEA" }],
    ["what about emea", { region: "EMEA" }],
    ["in Europe, Middle East and Africa", { region: "EMEA" }],
    ["for North America", { region: "NA" }],
    ["asia pacific only", { region: "APAC" }],
    ["EMEA and APAC", { region: ["EMEA", "APAC"] }],
    ["all regions except APAC", { region: ["EMEA", "NA"] }],
    ["premium items only", { segment: "premium" }],
    ["for the budget segment", { segment: "budget" }],
    ["only premium and standard", { segment: ["premium", "standard"] }],
    ["유럽 지역만", { region: "EMEA" }],
    ["프리미엄 세그먼트만 제안해줘", { segment: "premium" }],
    ["신품 등급만", { tiers: ["new"] }],
    ["repair the violations", {}],
    ["explain the standard deviation", {}],
  ],
  "the most that prices may change": [
    ["with a maximum change of 5%", { max_change_pct: 0.05 }],
    ["max 5%", { max_change_pct: 0.05 }],
    ["at most 5 percent", { max_change_pct: 0.05 }],
    ["no more than 5 pct", { max_change_pct: 0.05 }],
    ["within ±5%", { max_change_pct: 0.05 }],
    ["within +/- 5%", { max_change_pct: 0.05 }],
    ["limit changes to 5%", { max_change_pct: 0.05 }],
    ["cap it at five percent", { max_change_pct: 0.05 }],
    ["changes up to 7,5 %", { max_change_pct: 0.075 }],
    ["don't move prices more than 5%", { max_change_pct: 0.05 }],
    ["do not change anything by more than 5%", { max_change_pct: 0.05 }],
    ["prices must not move more than seven and a half percent", { max_change_pct: 0.075 }],
    ["price moves should stay below 4%", { max_change_pct: 0.04 }],
    ["keep changes under 3 percentage points", { max_change_pct: 0.03 }],
    ["a 5% cap", { max_change_pct: 0.05 }],
    ["5% max", { max_change_pct: 0.05 }],
    ["moves of 5% or less", { max_change_pct: 0.05 }],
    ["never more than a tenth", { max_change_pct: 0.1 }],
    ["raise prices by at most 5%", { max_change_pct: 0.05 }],
    ["at most 5%, no, at most 7%", { max_change_pct: 0.07 }],
    ["half a percent at most", { max_change_pct: 0.005 }],
    ["not exceeding 250 bps", { max_change_pct: 0.025 }],
    ["between -5% and +5%", { max_change_pct: 0.05 }],
    ["stay within 5% of today's prices", { max_change_pct: 0.05 }],
    ["no price should move by more than 12 percent", { max_change_pct: 0.12 }],
    ["최대 5%까지만 변경", { max_change_pct: 0.05 }],
    ["변동폭은 5퍼센트 이내로", { max_change_pct: 0.05 }],
    ["5% 이하로 제한해줘", { max_change_pct: 0.05 }],
    ["십오 퍼센트를 넘지 않게", { max_change_pct: 0.15 }],
    [
      "For VALVE-V7 in EMEA with at most 5% change",
      { items: ["VALVE-V7"], region: "EMEA", max_change_pct: 0.05 },
    ],
  ],
  "price moves": [
    ["raise prices 5%", { price_move: 0.05 }],
    ["increase prices by five percent and check the rules", { price_move: 0.05 }],
    ["what if we cut prices by 3.5%?", { price_move: -0.035 }],
    ["give a 10% discount on the valve", { ...VALVE, price_move: -0.1 }],
    ["prices up 5 percent", { price_move: 0.05 }],
    ["a 4% price hike", { price_move: 0.04 }],
    ["make everything 2% cheaper", { price_move: -0.02 }],
    ["raise by a tenth", { price_move: 0.1 }],
    ["double the price of the pump", { items: ["PUMP-C3"], price_move: 1 }],
    ["halve all prices", { price_move: -0.5 }],
    ["prices +5%", { price_move: 0.05 }],
    ["-3% on VALVE-V7", { ...VALVE, price_move: -0.03 }],
    ["what breaks at 5% higher prices", { price_move: 0.05 }],
    ["lower VALVE-V7 by twelve percent", { ...VALVE, price_move: -0.12 }],
    ["가격을 5% 인상하면?", { price_move: 0.05 }],
    ["가격을 3퍼센트 낮추면 위반이 생기나요", { price_move: -0.03 }],
    ["십 퍼센트 할인하면", { price_move: -0.1 }],
    ["explain the 15% increase for MOTOR-M2", { items: ["MOTOR-M2"] }],
    ["why is VALVE-V7 up 5%?", VALVE],
  ],
  "cost moves": [
    ["what happens to profit if cost rises 10%?", { cost_move: 0.1 }],
    ["what if unit costs fall by 5 percent", { cost_move: -0.05 }],
    ["assume 10% higher costs", { cost_move: 0.1 }],
    ["costs +8%", { cost_move: 0.08 }],
    ["with a cost increase of 10%", { cost_move: 0.1 }],
    ["원가가 10% 오르면 이익은?", { cost_move: 0.1 }],
    ["cost inflation of 3%", { cost_move: 0.03 }],
    ["raise prices 5% and costs go up 10%", { price_move: 0.05, cost_move: 0.1 }],
  ],
  "margins, floors and ceilings": [
    ["margin of at least 20%", { min_margin: 0.2 }],
    ["keep margins above 15 percent", { min_margin: 0.15 }],
    ["with a minimum margin of 25%", { min_margin: 0.25 }],
    ["the margin must not fall below 30%", { min_margin: 0.3 }],
    ["never below a 10% margin", { min_margin: 0.1 }],
    ["마진 20% 이상", { min_margin: 0.2 }],
    ["never sell below cost", { min_margin: 0 }],
    ["no price below 100 dollars", { min_price: 100 }],
    ["floor price of 1,234.50", { min_price: 1234.5 }],
    ["floor of 1.234,50 €", { min_price: 1234.5 }],
    ["prices not above $2,000", { max_price: 2000 }],
    ["ceiling of 3k", { max_price: 3000 }],
    ["price ceiling 2500", { max_price: 2500 }],
    ["cap prices at €1.500", { max_price: 1500 }],
    ["prices between 100 and 200 euros", { min_price: 100, max_price: 200 }],
    ["don't go below $90", { min_price: 90 }],
    ["at most 5% change and a margin of at least 20%", { max_change_pct: 0.05, min_margin: 0.2 }],
    ["가격은 10만 원 이상", { min_price: 100000 }],
  ],
  "the objective": [
    ["maximise revenue", { objective: "revenue" }],
    ["maximize profit for MOTOR-M2", { items: ["MOTOR-M2"], objective: "profit" }],
    ["optimise for turnover", { objective: "revenue" }],
    ["optimise prices for revenue instead of profit", { objective: "revenue" }],
    ["revenue instead", { objective: "revenue" }],
    ["go for sales", { objective: "revenue" }],
    ["profit-maximising prices", { objective: "profit" }],
    ["the objective is earnings", { objective: "profit" }],
    ["revenue rather than profit", { objective: "revenue" }],
    ["which prices give the highest revenue", { objective: "revenue" }],
    ["what happens to revenue?", {}],
    ["매출을 극대화해줘", { objective: "revenue" }],
    ["이익 기준으로 최적화", { objective: "profit" }],
  ],
  "which results": [
    ["top 3 violations", { top: 3 }],
    ["the five items with the most upside", { top: 5 }],
    ["which item has the most upside?", { top: 1 }],
    ["show the 10 best items", { top: 10 }],
    ["상위 3개 품목", { top: 3 }],
    ["only the violating items", { only_violating: true }],
    ["fix only what breaks the rules", { only_violating: true }],
    ["just the items that violate a rule", { only_violating: true }],
    ["위반 품목만", { only_violating: true }],
    ["only check for violations", {}],
    ["which items are violating?", {}],
  ],
  nothing: [
    ["What is the optimal price?", {}],
    ["Propose Q1 2026 prices that respect the hierarchy, then explain the drivers.", {}],
    ["Why was that price recommended?", {}],
    ["publish it", {}],
    ["how robust is it in 2025?", {}],
    ["check, but don't explain", {}],
    ["just tell me the drivers", {}],
    ["is there a risk in the first quarter", {}],
    ["1분기 가격을 제안해줘", {}],
    ["hello", {}],
  ],
};

describe.each(Object.entries(SAID))("%s", (_, cases) => {
  test.each(cases)("%s", (text, slots) => {
    expect(read(text)).toMatchObject({ slots, unsupported: [], asks: [] });
    expect(read(text).slots).toEqual(slots);
  });
});

test.each<[string, string[]]>([
  ["no limit any more", ["max_change_pct"]],
  ["forget the 5% cap", ["max_change_pct"]],
  ["without a limit", ["max_change_pct"]],
  ["lift the cap", ["max_change_pct"]],
  ["remove the limit on changes", ["max_change_pct"]],
  ["all items again", ["items"]],
  ["for every product", ["items"]],
  ["both regions", ["region"]],
  ["all tiers please", ["tiers"]],
  ["drop the floor price", ["min_price"]],
  ["forget the margin requirement", ["min_margin"]],
  ["cancel the price increase", ["price_move"]],
  ["제한 없이", ["max_change_pct"]],
  ["모든 품목으로", ["items"]],
])("%s takes back", (text, cleared) => {
  expect(read(text)).toEqual({ slots: {}, cleared, unsupported: [], asks: [] });
});

test.each<[string, RegExp]>([
  ["keep volume above 95% of today", /volume above 95%/],
  ["match competitor prices", /match competitor prices/],
  ["only for existing customers", /existing customers/],
  ["not on weekends", /weekends/],
  ["stay within a budget of 10k", /budget of 10k/],
  ["don't raise prices", /don't raise prices/],
  ["at least a 5% change", /at least a 5% change/],
  ["for the gold segment", /gold segment/],
  ["set the price to $120", /price to \$120/],
  ["unless the board objects", /unless the board objects/],
  ["prices must end in .99", /must end in/],
  ["raise profit by 5%", /profit by 5%/],
  ["maximise market share", /market share/],
  ["for LATAM only", /LATAM/],
  ["재고를 고려하고 경쟁사보다 낮게", /경쟁사/],
  ["if demand drops 10%", /demand drops 10%/],
  ["only in Q2", /only in Q2/],
])("%s is named as not supported", (text, phrase) => {
  expect(read(text).unsupported.join("; ")).toMatch(phrase);
  expect(read(text).slots).toEqual({});
});

test.each<[string, string]>([
  ["cap the change", "max_change_pct"],
  ["now with 5%", "max_change_pct"],
  ["prices for VALVE-V8", "items"],
  ["at most 5%, and at most 7%", "max_change_pct"],
  ["keep the margin healthy", "min_margin"],
  ["raise prices", "price_move"],
  ["please lower our prices and tell me what breaks", "price_move"],
  ["make everything cheaper", "price_move"],
  ["check the rules, then push prices up", "price_move"],
  ["reduce costs", "cost_move"],
  ["가격을 올려줘", "price_move"],
])("%s is asked about", (text, slot) => {
  const { asks, unsupported } = read(text);
  expect(asks.map((question) => question.slot)).toEqual([slot]);
  expect(unsupported).toEqual([]);
  expect(asks[0]?.options.length).toBeGreaterThan(0);
});

test.each([
  "should we raise prices?",
  "why did prices go up",
  "if we raise prices, what breaks",
  "what made you lower the price",
  "raise revenue",
])("%s asks for no amount", (text) => {
  expect(read(text).asks).toEqual([]);
});

test("a request to lower something suggests changes down", () => {
  const { asks } = readSlots("lower VALVE-V7", pricing, index);
  expect(asks[0]?.options.map(({ sets }) => sets.price_move)).toEqual([-0.03, -0.05, -0.1]);
});

test("a second name that could be several items is named, because one question is about one name", () => {
  const items = ["VALVE-V7", "VALVE-V8", "PUMP-C3", "PUMP-C4"].map((item_id) => ({
    ...sample.items[0],
    item_id,
  }));
  const many = indexEntities(pricing.slots, { ...sample, items });
  const { asks, unsupported } = readSlots("prices for the valve and the pump", pricing, many);
  expect(asks).toHaveLength(1);
  expect(unsupported).toEqual(["pump"]);
});

test("what is left of a message is what it says of no slot", () => {
  expect(readSlots("now with at most 5 % for VALVE-V7", pricing, index).rest).toBe("now with for");
  expect(readSlots("how robust is it", pricing, index).rest).toBe("how robust is it");
});

test("a bare share is another value of the one that was said before, with its sign", () => {
  const after = (before: Slots) => readSlots("and 3 %?", pricing, index, before);
  expect(after({ cost_move: 0.1 }).slots).toEqual({ cost_move: 0.03 });
  expect(after({ price_move: -0.05 }).slots).toEqual({ price_move: -0.03 });
  expect(after({ max_change_pct: 0.05 }).slots).toEqual({ max_change_pct: 0.03 });
  expect(after({})).toMatchObject({ slots: {}, asks: [{ slot: "max_change_pct" }] });
});

test.each([
  "Propose the best prices for the items that break a rule only if costs rise by 7%",
  "Show the prices that break a rule only when costs rise by 7%",
])("a condition that begins with “only” leaves the selection before it: %s", (message) => {
  const { slots, unsupported } = readSlots(message, pricing, index);
  expect(slots).toEqual({ only_violating: true, cost_move: 0.07 });
  expect(unsupported).toEqual([expect.stringMatching(/^only (?:if|when) costs rise by 7%$/)]);
});

test("the amount of a condition is not that of what depends on it", () => {
  const { slots, asks } = readSlots("Raise prices only if costs rise by 7%", pricing, index);
  expect(slots).toEqual({ cost_move: 0.07 });
  expect(asks).toMatchObject([{ slot: "price_move" }]);
  expect(readSlots("Raise prices by 3% only if costs rise by 7%", pricing, index)).toMatchObject({
    slots: { price_move: 0.03, cost_move: 0.07 },
    asks: [],
  });
});
