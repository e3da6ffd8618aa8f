import { sortedInPieces } from "@interlock/understanding";
import { expect, test } from "@jest/globals";
import { loadMesh } from "../../mesh/index.ts";
import {
  type EntityIndex,
  indexEntitiesInTurns,
  loadReader,
  readSlots,
  UnspeakableInputs,
} from "../index.ts";

const root = new URL("../../../../../", import.meta.url);
const mesh = loadMesh(new URL("mesh.yaml", root).pathname, {});
const reader = mesh.flows.get("pricing")?.slots;
if (!reader) throw new Error("The flow pricing has no slots.");
const { slots } = reader;
const { tagger } = loadReader();
const read = (text: string, index: EntityIndex) => readSlots(text, { slots: reader, index, tagger }).reading;
const itemsOf = (count: number, more: (n: number) => object) => ({
  items: Array.from({ length: count }, (_, n) => ({ item_id: `V${n}`, ...more(n) })),
});

/** How many turns of the event loop others had while the inputs were indexed. */
async function turnsOf(inputs: Record<string, unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const count = (): void => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await indexEntitiesInTurns(slots, inputs);
  done = true;
  return turns;
}

test("long names take more turns than short ones, however few there are", async () => {
  expect(await turnsOf(itemsOf(400, () => ({ name: "valve ".repeat(160) })))).toBeGreaterThan(20);
});

test("the look-up of misspelt names and of beginnings is made in turns, too, and finds what it found", async () => {
  const word = (n: number) => `z${[...String(n)].map((digit) => "brtlkmnpsg"[Number(digit)]).join("o")}`;
  const inputs = itemsOf(6_000, (n) => ({ item_id: `GASKET-${n}`, name: word(n) }));
  expect(await turnsOf(inputs)).toBeGreaterThan(20);
  const index = await indexEntitiesInTurns(slots, inputs);
  expect(read(`Propose prices for the ${word(4711)}x`, index).slots.items).toEqual(["GASKET-4711"]);
});

test.each([
  ["an id that is too long", itemsOf(1, () => ({ item_id: "a".repeat(1_001) }))],
  ["a name of marks alone", itemsOf(1, () => ({ name: `a${"\u0315\u0300".repeat(100_000)}` }))],
  ["too many items", itemsOf(100_001, () => ({}))],
  ["too many regions", itemsOf(10_001, (n) => ({ region: `R${n}` }))],
  ["a region that is too long", itemsOf(1, () => ({ region: "r".repeat(1_001) }))],
])("inputs with %s are refused", async (_, inputs) => {
  await expect(indexEntitiesInTurns(slots, inputs)).rejects.toThrow(UnspeakableInputs);
});

test("what a question keeps is small, however many items have the name", async () => {
  const index = await indexEntitiesInTurns(
    slots,
    itemsOf(60_000, (n) => ({ name: `red valve ${n}` })),
  );
  const { asks } = read("Propose prices for the red valve", index);
  expect(asks[0]?.options.map(({ label }) => label)).toEqual(["V0", "V1"]);
  // All of them can be asked for, but no selection keeps them.
  for (const text of ["Propose prices for the red valves", "Propose prices for everything except V1"]) {
    const { slots: said, unsupported } = read(text, index);
    expect(said.items).toBeUndefined();
    expect(unsupported.length).toBeGreaterThan(0);
  }
  const few = await indexEntitiesInTurns(
    slots,
    itemsOf(10_000, (n) => ({ name: `red valve ${n}` })),
  );
  expect(read("Propose prices for the red valves", few).slots.items).toHaveLength(10_000);
});

test("texts are sorted in pieces as they are at once", () => {
  const texts = Array.from({ length: 9_001 }, (_, n) => `t${(n * 7_919) % 5_003}`);
  const sorting = sortedInPieces(texts);
  let pauses = 0;
  let next = sorting.next();
  for (; !next.done; next = sorting.next()) pauses += 1;
  expect(next.value).toEqual([...texts].sort());
  expect(pauses).toBeGreaterThan(10);
  expect(sortedInPieces([]).next().value).toEqual([]);
});
