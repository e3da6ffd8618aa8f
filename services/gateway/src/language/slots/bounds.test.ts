import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { loadMesh } from "../../mesh/index.ts";
import { indexEntities, loadReader, readSlots } from "../index.ts";

const root = new URL("../../../../../", import.meta.url);
const mesh = loadMesh(new URL("mesh.yaml", root).pathname, {});
const reader = mesh.flows.get("pricing")?.slots;
if (!reader) throw new Error("The flow pricing has no slots.");
const sample = JSON.parse(readFileSync(new URL("services/pricing/data/sample-catalogue.json", root), "utf8"));

/** Ten words that a thousand items each have. */
const WORDS = [
  "gasket",
  "valve",
  "rotor",
  "flange",
  "piston",
  "filter",
  "clutch",
  "stator",
  "damper",
  "nozzle",
];
const items = Array.from({ length: 10_000 }, (_, i) => ({
  ...sample.items[0],
  item_id: `${WORDS[i % 10]?.toUpperCase()}-X${i}`,
  name: `${WORDS[Math.floor(i / 10) % 10]} ${WORDS[i % 10]} ${i}`,
}));
const index = indexEntities(reader.slots, { ...sample, items });
const { tagger } = loadReader();
const read = (text: string) => readSlots(text, { slots: reader, index, tagger }).reading;

function cost(text: string): number {
  const since = performance.now();
  read(text);
  return performance.now() - since;
}

/** Readings of each text; work that grows too fast fails in all of them. */
const MOST_ROUNDS = 300;

/** The least times of two texts, as soon as they are as wanted: a busy machine needs more readings to give one undisturbed. */
function leastCosts(short: string, long: string, isAsWanted: (short: number, long: number) => boolean) {
  let [one, other] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    one = Math.min(one, cost(short));
    other = Math.min(other, cost(long));
    // The first readings of the short text are slow, since its code is not compiled.
    if (round >= 15 && isAsWanted(one, other)) break;
  }
  return { short: one, long: other };
}

test.each([
  "except the gasket, ",
  "gaskets ",
  "valves and rotors ",
  "the gasket valve ",
  "gaskte ",
  "GASKET-X99999 ",
  "raise 5% and ",
  "top 3 ",
  "for revenue ",
  "must ",
  "not on weekends, ",
  "a-",
  "no wait, the valve, ",
  "swap the valve for the rotor ",
  "valve and rotor gaskets ",
  "also the valve as well ",
  "profit is the goal, not revenue, ",
  "leave the compliant ones, ",
  "유지 ",
  "가격을 5% 인상 ",
  "I asked for the valve last week, ",
  "no valve under 60, ",
  "raise it 12 and ",
  "EMEA + new + ",
  "sell as many valves as we can ",
  "as long as it moves by at most 5 %, ",
])("eight times the text of %j is far from sixty-four times the work", (phrase) => {
  const short = phrase.repeat(Math.ceil(1000 / phrase.length));
  const long = phrase.repeat(Math.ceil(8000 / phrase.length));
  read(long);
  // Work in proportion is 8 times as much, and quadratic work 64 times. The addition is for texts that cost next to nothing.
  const most = (ofShort: number): number => 36 * ofShort + 1;
  const costs = leastCosts(short, long, (ofShort, ofLong) => ofLong < most(ofShort));
  expect(costs.long).toBeLessThan(most(costs.short));
});

test("a misspelt name is either found or named, however many a message has", () => {
  const numbers = Array.from({ length: 60 }, (_, i) => 1000 + 10 * i);
  const { slots, unsupported } = read(numbers.map((n) => `GASKET-Y${n}`).join(", "));
  const found = new Set(Array.isArray(slots.items) ? slots.items : []);
  for (const n of numbers)
    expect(found.has(`GASKET-X${n}`) || unsupported.includes(`GASKET-Y${n}`)).toBe(true);
  expect(unsupported.length).toBeGreaterThan(0);
  expect(found.size).toBeGreaterThan(0);
});
