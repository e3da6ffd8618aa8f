import { expect, test } from "@jest/globals";
import type { Slots } from "../index.ts";
import { campingReader } from "./test/camping.ts";

const IDS = ["CMP-3120", "CMP-3240", "CMP-1180", "CMP-7701", "CMP-6054", "CMP-5533"];
const read = campingReader(IDS);
const idsOf = (numbers: readonly number[]): string[] => numbers.map((number) => `CMP-${number}`);
const items = (...numbers: number[]): Slots => ({ items: idsOf(numbers) });
const without = (...numbers: number[]): Slots => ({
  items: IDS.filter((id) => !idsOf(numbers).includes(id)),
});

const tiers = (...names: string[]): Slots => ({ tiers: names });

type Case = readonly [text: string, slots: Slots];

const PRONOUNS: readonly Case[] = [
  [
    "Everyone is fine with what the stove costs, so leave that one as it is and price the others",
    without(1180),
  ],
  ["The tents are being negotiated, so leave them out and price the rest", without(3120, 3240)],
  [
    "The lantern and the mat had their turn, those stay as they are, reprice everything else",
    without(5533, 6054),
  ],
  ["the stove was repriced last week, skip it", without(1180)],
  [
    "The tents in DACH are under negotiation. Exclude those please.",
    { ...without(3120, 3240), region: "DACH" },
  ],
  ["The repair tier is the workshop's own, so take it out.", { tiers: ["new", "exchange"] }],
  ["The mat and the lantern had their turn. Price the catalogue without them", without(6054, 5533)],
  ["Don't touch the others, reprice the stove", items(1180)],
];

test.each(PRONOUNS)("a pronoun that is left out is what was named before it: %s", (text, expected) => {
  expect(read(text)).toMatchObject({ slots: expected, unsupported: [], asks: [] });
});

const NOT_LEFT_OUT: readonly Case[] = [
  ["What happens if we raise the stove by 3% and leave it there?", { ...items(1180), price_move: 0.03 }],
  ["raise the stove by 5% and leave it at that", { ...items(1180), price_move: 0.05 }],
  ["reprice the lantern, but don't change it by more than 4%", { ...items(5533), max_change_pct: 0.04 }],
  ["reprice the lantern and keep it below 90 euros", { ...items(5533), max_price: 90 }],
  ["The stove is dear: what if we leave it as it is?", items(1180)],
];

test.each(NOT_LEFT_OUT)("a pronoun of which something is said is not left out: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});

const TIERS: readonly Case[] = [
  ["A proposal for family. Not the repair side though.", { segment: "family", tiers: ["new", "exchange"] }],
  ["reprice repair without the tents", { ...without(3120, 3240), tiers: ["repair"] }],
  ["Why is the stove dearer in exchange?", { ...items(1180), tiers: ["exchange"] }],
  ["check the exchange tents", { ...items(3120, 3240), tiers: ["exchange"] }],
  ["check the new tents", items(3120, 3240)],
  ["the stove and the mat, both only in repair pls", { ...items(1180, 6054), tiers: ["repair"] }],
  ["In exchange, we would like the stove", items(1180)],
  ["repair only, max 3%", { tiers: ["repair"], max_change_pct: 0.03 }],
  ["could you repair only the prices in DACH that break a rule", { region: "DACH", only_violating: true }],
  [
    "I told Anna new and repair but she wants: exchange only. So exchange only, in DACH.",
    { tiers: ["exchange"], region: "DACH" },
  ],
  [
    "new and exchange for the stove, but repair only for the lantern",
    { ...items(1180, 5533), tiers: ["new", "exchange", "repair"] },
  ],
];

test.each(TIERS)("a tier is a noun by its article or its place: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});

const FLAGS: readonly Case[] = [
  ["list only the ones that really violate something", { only_violating: true }],
  ["just show me the violations", { only_violating: true }],
  ["I only want to see the offenders", { only_violating: true }],
  ["show the rule breakers among the tents", { ...items(3120, 3240), only_violating: true }],
  ["which ones are the offenders?", {}],
  ["just explain the violations", {}],
  ["I just want to know why the stove is in violation", items(1180)],
];

test.each(FLAGS)("what is shown alone selects: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});

const LIMITS: readonly Case[] = [
  ["we should not move prices more then 7%", { max_change_pct: 0.07 }],
  [
    "let's allow 9 % for the stove and the mat; everything else stays put",
    { ...items(1180, 6054), max_change_pct: 0.09 },
  ],
  ["allow a margin of 20%", { min_margin: 0.2 }],
  ["allow price rises of 4%", { price_move: 0.04 }],
  ["The 8% cap of last spring is history. We work with 5% now.", { max_change_pct: 0.05 }],
  ["the 8% limit is gone, we use 5% now", { max_change_pct: 0.05 }],
  ["the cap could be 7 %", { max_change_pct: 0.07 }],
  ["Nothing cheaper than 95 for family", { min_price: 95, segment: "family" }],
  ["nothing dearer than 900 in DACH please", { max_price: 900, region: "DACH" }],
  ["upper limit for the prices 700 €, no wait, 650 €", { max_price: 650 }],
  ["Never let it fall below 90 quid or below a 12% margin", { min_price: 90, min_margin: 0.12 }],
  ["no price under 90 euros or under 12% margin", { min_price: 90, min_margin: 0.12 }],
  ["prices between 60 and 900 euros, nothing outside that range", { min_price: 60, max_price: 900 }],
];

test.each(LIMITS)("a limit by what it is compared with, or by the one beside it: %s", (text, expected) => {
  expect(read(text)).toMatchObject({ unsupported: [], asks: [] });
  expect(read(text).slots).toEqual(expected);
});

const AIMS: readonly Case[] = [
  ["the stove, profit, change limited to 4%", { ...items(1180), objective: "profit", max_change_pct: 0.04 }],
  ["profit is what counts this year", { objective: "profit" }],
  [
    "What's the best price for the stove if revenue is all we care about?",
    { ...items(1180), objective: "revenue" },
  ],
  ["profit-wise the best one for the stove", { ...items(1180), objective: "profit" }],
];

test.each(AIMS)("an aim by what is said of it: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});

const COUNTS: readonly Case[] = [
  ["which three tents need the largest adjustment", { ...items(3120, 3240), top: 3 }],
  ["tell me which four items require the biggest changes", { top: 4 }],
  ["Which items violate? Only those, and at most 3 of them.", { only_violating: true, top: 3 }],
];

test.each(COUNTS)("a number of items is how many are shown: %s", (text, expected) => {
  expect(read(text)).toMatchObject({ slots: expected, unsupported: [] });
});

const NAMED: readonly (readonly [text: string, named: RegExp])[] = [
  ["do family, but the new prices should not apply before May", /apply before May/],
  ["Reprice both tents, but they need to have the same price, and 4% change max", /have the same price/],
  ["the tents must cost the same", /cost the same/],
  ["Prices in Swiss francs for the stove please, max 2% change", /in Swiss francs/],
  ["prices in Danish kroner for the mat", /in Danish kroner/],
];

test.each(NAMED)("what no slot takes is named: %s", (text, named) => {
  const { unsupported, asks } = read(text);
  expect(unsupported).toEqual([expect.stringMatching(named)]);
  expect(asks).toEqual([]);
});

const ASKED: readonly (readonly [text: string, slot: string])[] = [
  ["There must be a price ceiling for the family parts", "max_price"],
  ["Set up a price floor for the stove, then optimise", "min_price"],
  ["prices with some price floor", "min_price"],
  ["put a ceiling on the prices", "max_price"],
];

test.each(ASKED)("a limit of prices without a figure is asked for: %s", (text, slot) => {
  const { unsupported, asks } = read(text);
  expect(asks).toMatchObject([{ slot }]);
  expect(unsupported).toEqual([]);
});

const REASONS: readonly Case[] = [
  ["family except the stove, it's on promotion until September", { ...without(1180), segment: "family" }],
  ["The lantern and the mat are under contract, those stay as they are", without(5533, 6054)],
  ["the stove and mat, same as every month", items(1180, 6054)],
];

test.each(REASONS)("how things are is a reason, and no constraint: %s", (text, expected) => {
  expect(read(text)).toMatchObject({ slots: expected, unsupported: [], asks: [] });
});

const PARTS_OF_NAMES: readonly Case[] = [
  ["stoev and latern, both in repair", { ...items(1180, 5533), tiers: ["repair"] }],
  [
    "3120 and 3240 please, max 5%, profit",
    { ...items(3120, 3240), max_change_pct: 0.05, objective: "profit" },
  ],
  ["7701 at most 4%", { ...items(7701), max_change_pct: 0.04 }],
  ["skip 6054 and 5533", without(6054, 5533)],
  ["what about 6054?", items(6054)],
  ["prices up to 1180", { max_price: 1180 }],
  ["in 2025 we sold 6054 units", {}],
  ["we sold 3120 of them", {}],
];

test.each(PARTS_OF_NAMES)("the number of an id, and two misspelt names: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});

const PAIRS: readonly Case[] = [
  ["ceiling 500, wait, 550", { max_price: 550 }],
  ["nothing below 40 or above 600", { min_price: 40, max_price: 600 }],
  ["no cheaper than 45 and no more expensive than 300", { min_price: 45, max_price: 300 }],
  ["Don't do the exchange prices, the rest yes", tiers("new", "repair")],
];

test.each(PAIRS)("what is denied, or corrected, reaches its numbers and prices: %s", (text, expected) => {
  expect(read(text).slots).toEqual(expected);
});
