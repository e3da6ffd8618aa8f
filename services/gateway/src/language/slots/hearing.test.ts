import { expect, test } from "@jest/globals";
import type { Slots } from "../index.ts";
import { campingReader } from "./test/camping.ts";

const IDS = ["TNT-2", "TNT-4", "STV-1", "BAG-7", "MAT-3", "LMP-5"];
const read = campingReader(IDS);
const items = (...ids: string[]): Slots => ({ items: ids });
const without = (...ids: string[]): Slots => ({ items: IDS.filter((id) => !ids.includes(id)) });
const tiers = (...names: string[]): Slots => ({ tiers: names });

type Case = readonly [text: string, slots: Slots];

/** A code that is a word of the language too. */
const CODES: readonly Case[] = [
  ["please tell us what the stove should cost", items("STV-1")],
  ["give us prices for the stove", items("STV-1")],
  ["what would 3 % more on the lantern do for us?", { ...items("LMP-5"), price_move: 0.03 }],
  ["let us raise the mat by 2 %", { ...items("MAT-3"), price_move: 0.02 }],
  ["for us, DACH comes first", { region: "DACH" }],
  ["price it in us dollars", {}],
  ["optimise the tents in the us", { ...items("TNT-2", "TNT-4"), region: "US" }],
  ["us only, 4 % at most", { region: "US", max_change_pct: 0.04 }],
  ["us, family, 4 % at most", { region: "US", segment: "family", max_change_pct: 0.04 }],
  ["DACH and us please", { region: ["DACH", "US"] }],
  ["the us market, 4 % at most", { region: "US", max_change_pct: 0.04 }],
  ["Prices for US", { region: "US" }],
  ["I'm in the US until Friday and need prices for DACH", { region: "DACH" }],
  ["our UK colleagues asked for US prices", { region: "US" }],
];

test.each(CODES)("a code is a region in capitals or in a frame: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});

test("a code goes on from the region in force", () => {
  expect(read("and us?", { region: "UK" }).slots).toEqual({ region: "US" });
});

const AIMS: readonly Case[] = [
  ["rerun both tents for revenue", { ...items("TNT-2", "TNT-4"), objective: "revenue" }],
  ["work through the others for profit, ±3 %", { objective: "profit", max_change_pct: 0.03 }],
  ["could you do the lantern for turnover?", { ...items("LMP-5"), objective: "revenue" }],
  ["run the whole catalogue for the highest profit", { objective: "profit" }],
  ["i want turnover maxed out", { objective: "revenue" }],
  ["profit at its max, DACH", { objective: "profit", region: "DACH" }],
  ["make as much money as you can on the mat", { ...items("MAT-3"), objective: "profit" }],
  ["family segment, repair tier, revenue.", { segment: "family", ...tiers("repair"), objective: "revenue" }],
  ["profit, exchange tier, 4 % max", { ...tiers("exchange"), objective: "profit", max_change_pct: 0.04 }],
  ["revenue please cap changes at 3 percent", { objective: "revenue", max_change_pct: 0.03 }],
  ["then profit, trekking, UK", { objective: "profit", segment: "trekking", region: "UK" }],
  ["our priority: revenue", { objective: "revenue" }],
  ["forget revenue, profit", { objective: "profit" }],
  ["revenue for UK: at most 6 %", { objective: "revenue", region: "UK", max_change_pct: 0.06 }],
  ["optimise the stove for porfit", { ...items("STV-1"), objective: "profit" }],
  ["the lantern is cheap, maximise its profit", { ...items("LMP-5"), objective: "profit" }],
  ["instead of profit do revenue, max 4 %", { objective: "revenue", max_change_pct: 0.04 }],
  ["we want more profit", { objective: "profit" }],
  ["increase our revenue, at most 5 %", { objective: "revenue", max_change_pct: 0.05 }],
  ["what would profit be at +3 %", { price_move: 0.03 }],
  ["that gives more profit than we had", {}],
  ["is that good for profit?", {}],
  ["this would be bad for revenue", {}],
  ["show me the numbers for revenue", {}],
  ["what does 4 % less mean for profit", { price_move: -0.04 }],
  ["revenue, cost and demand please", {}],
  ["what is our goal: profit or revenue?", {}],
];

test.each(AIMS)("an aim is what a request is for: %s", (text, expected) => {
  const { slots, unsupported, asks } = read(text);
  expect({ slots, unsupported, asks }).toEqual({ slots: expected, unsupported: [], asks: [] });
});

test.each<readonly [text: string, slots: Slots, phrase: string]>([
  ["run the tents for volume", items("TNT-2", "TNT-4"), "for volume"],
  [
    "The stove is old. Optimise that one for volume, 5 % at most",
    { ...items("STV-1"), max_change_pct: 0.05 },
    "for volume",
  ],
  ["UK, best volume, 4 % max", { region: "UK", max_change_pct: 0.04 }, "best volume"],
  ["UK, volume, 4 % max", { region: "UK", max_change_pct: 0.04 }, "volume"],
  ["maximise unit sales of the mat", items("MAT-3"), "maximise unit sales"],
  ["sell as much as possible in DACH", { region: "DACH" }, "sell as much as possible"],
  ["volume is what counts", {}, "volume is what counts"],
])("an objective that the flow does not have is named: %s", (text, slots, phrase) => {
  const reading = read(text);
  expect(reading.slots).toEqual(slots);
  expect(reading.unsupported).toEqual([phrase]);
});

const REMOVALS: readonly Case[] = [
  ["I don't want exchange in there, optimise the rest", tiers("new", "repair")],
  ["we don't need repair, 5 % max", { ...tiers("new", "exchange"), max_change_pct: 0.05 }],
  ["no repair, no exchange, go", tiers("new")],
  ["leaving repair aside, 3 % max", { ...tiers("new", "exchange"), max_change_pct: 0.03 }],
  ["disregard the exchange tier and only look at what is left", tiers("new", "repair")],
  ["I want the repair tier left untouched", tiers("new", "exchange")],
  ["the stove but only the new ones, not repair and not exchange", { ...items("STV-1"), ...tiers("new") }],
  ["neither repair nor exchange; optimise", tiers("new")],
  ["any tier but repair", tiers("new", "exchange")],
  ["don't price repair", tiers("new", "exchange")],
  ["don't do the stove, the rest for profit", { ...without("STV-1"), objective: "profit" }],
  ["I do not need the mat or the lantern", without("MAT-3", "LMP-5")],
  [
    "profit for new and exchange, repair stays as it is",
    { objective: "profit", ...tiers("new", "exchange") },
  ],
  ["margin at least 15 %, repair out", { min_margin: 0.15, ...tiers("new", "exchange") }],
  ["the stove is out, 3 % max", { ...without("STV-1"), max_change_pct: 0.03 }],
  ["just the stove, new ones only", { ...items("STV-1"), ...tiers("new") }],
  ["suggest new ones for the stove", items("STV-1")],
  ["drop the mat, max 5 %", { ...without("MAT-3"), max_change_pct: 0.05 }],
  ["I don't want repair prices to go up", tiers("repair")],
  ["don't run the mat above 50", { ...items("MAT-3"), max_price: 50 }],
];

test.each(REMOVALS)("what is not wanted is left out: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});

const AMOUNTS: readonly Case[] = [
  ["a margin of at least a quarter", { min_margin: 0.25 }],
  ["margin not below 1/5", { min_margin: 0.2 }],
  ["take a third off the mat", { ...items("MAT-3"), price_move: -1 / 3 }],
  ["prices for the end of a quarter", {}],
  ["margin 25 percent or better", { min_margin: 0.25 }],
  ["I mean max. margin 25 % or better", { min_margin: 0.25 }],
  ["we raised the mat by 5 % last year; what would another 3 % do?", { ...items("MAT-3"), price_move: 0.03 }],
  ["we cut the mat by 5 % in 2024, how about a further 2 %?", { ...items("MAT-3"), price_move: -0.02 }],
  ["Contoso raised theirs by 8 %. what if we raise the mat by 3 %?", { ...items("MAT-3"), price_move: 0.03 }],
  ["5 % is too much, so 3 % at most", { max_change_pct: 0.03 }],
  ["take prices up 2 %, what do we lose in volume?", { price_move: 0.02 }],
  ["our supplier raised prices by 6 %", { cost_move: 0.06 }],
  ["I believe the stove costs 90 euros now, optimise it", items("STV-1")],
  ["I believe the change is 3 % now, at most 5 % please", { max_change_pct: 0.05 }],
  ["why did the dome one go up so much", items("TNT-2")],
  ["raise the dome one by 3 %", { ...items("TNT-2"), price_move: 0.03 }],
  ["which three items gain the most", { top: 3 }],
  ["only the top four of the price changes in the UK", { top: 4, region: "UK" }],
  ["which prices violate the policy? i only need to see these", { only_violating: true }],
  [
    "are there offenders among the repair prices in DACH? list only those",
    { ...tiers("repair"), region: "DACH", only_violating: true },
  ],
  ["raise prices by 3 %, what would that do to volume", { price_move: 0.03 }],
  ["can we do 3 % more without breaking a rule?", { price_move: 0.03 }],
  ["check the repair tier, the rest was reviewed by Anna last Monday", tiers("repair")],
  ["we have to fill the warehouse, optimise the stove", items("STV-1")],
  ["should our estimates of demand be off, how robust is DACH?", { region: "DACH" }],
];

test.each(AMOUNTS)("what is told, and what is asked for: %s", (text, expected) => {
  const { slots, unsupported, asks } = read(text);
  expect(slots).toEqual(
    Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [
        name,
        typeof value === "number" ? expect.closeTo(value, 6) : value,
      ]),
    ),
  );
  expect({ unsupported, asks }).toEqual({ unsupported: [], asks: [] });
});

test.each<[string, string]>([
  ["never above the Contoso list price", "above the Contoso list price"],
  ["prices for village schools only", "for village schools only"],
  ["can you give it to me in pounds", "in pounds"],
  ["prices that end in ,95 please", "end in ,95"],
  ["no price may go up, profit please", "no price may go up"],
  ["don't undercut our own shop", "undercut our own shop"],
  ["profit, but not on weekends", "not on weekends"],
])("nothing takes what is said in “%s”, so that it is named", (text, phrase) => {
  const { unsupported, asks } = read(text);
  expect(asks).toEqual([]);
  expect(unsupported.join("; ")).toContain(phrase);
});

test.each(["limit how far prices can move", "do optimise the mat, but limit how much prices change, please"])(
  "“%s” says no figure, which is asked for",
  (text) => {
    const { asks, unsupported } = read(text);
    expect(unsupported).toEqual([]);
    expect(asks.map(({ slot }) => slot)).toEqual(["max_change_pct"]);
  },
);
