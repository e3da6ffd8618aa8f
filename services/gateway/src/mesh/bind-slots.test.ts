import { afterAll, expect, test } from "@jest/globals";
import { JsonText, plainValue } from "../json-text.ts";
import type { Slots } from "../language/index.ts";
import { bindSlots, splitSlots } from "./bind-slots.ts";
import { ExpressionPool } from "./expression-pool.ts";
import { loadMesh } from "./load.ts";

const root = new URL("../../../../", import.meta.url);
const pool = new ExpressionPool({ expressionTimeoutMs: 10_000, expressionMemoryMb: 512 });
const mesh = loadMesh(new URL("mesh.yaml", root).pathname, {}, pool);
const flow = mesh.flows.get("pricing");
if (!flow) throw new Error("There is no flow pricing.");

afterAll(() => pool.close());

const tier = { current_price: 100, unit_cost: 60 };
const bounded = { current_price: 200, unit_cost: 120, bounds: { min: 150, max: 260 } };
const inputs = {
  objective: "profit",
  items: [
    { item_id: "A", region: "EMEA", segment: "premium", tiers: { new: bounded, repair: tier } },
    { item_id: "B", region: "NA", tiers: { new: bounded } },
    { item_id: "C", tiers: { new: tier } },
  ],
};

const bind = async (slots: Slots, goals: readonly string[] = ["optimizer"]) =>
  JSON.parse(JSON.stringify(await bindSlots(flow, slots, inputs, { goals })));
const idsOf = ({ items }: { items: { item_id: string }[] }): string[] => items.map(({ item_id }) => item_id);

test("items are selected by id, and by a region or segment only where they have one", async () => {
  expect(idsOf(await bind({ items: ["C", "A"] }))).toEqual(["A", "C"]);
  expect(idsOf(await bind({ region: "EMEA" }))).toEqual(["A", "C"]);
  expect(idsOf(await bind({ segment: ["budget", "standard"] }))).toEqual(["B", "C"]);
  expect((await bind({ region: "EMEA" })).items[1].region).toBe("EMEA");
});

test("tiers that are not meant keep their prices", async () => {
  const [first] = (await bind({ tiers: ["repair"] })).items;
  expect(first.tiers.new.bounds).toEqual({ min: 200, max: 200 });
  expect(first.tiers.repair).toEqual(tier);
});

test.each<[slots: Slots, name: "new" | "repair", bounds: object]>([
  [{ min_price: 100 }, "new", { min: 150, max: 260 }],
  [{ min_price: 180 }, "new", { min: 180, max: 260 }],
  [{ max_price: 300 }, "new", { min: 150, max: 260 }],
  [{ max_price: 240 }, "new", { min: 150, max: 240 }],
  [{ min_price: 90, max_price: 110 }, "repair", { min: 90, max: 110 }],
  [{ min_margin: 0.1 }, "new", { min: 150, max: 260 }],
  [{ min_margin: 0.4 }, "new", { min: 200, max: 260 }],
])("%j never loosens bounds that are given", async (slots, name, bounds) => {
  expect((await bind(slots)).items[0].tiers[name].bounds).toEqual(bounds);
});

test("the most that prices may change, the objective and moves are shown by the inputs", async () => {
  expect(await bind({ max_change_pct: 0.05, objective: "revenue" })).toEqual({
    ...inputs,
    max_change_pct: 0.05,
    objective: "revenue",
  });
  expect((await bind({ price_move: 0.1, items: ["C"] }, ["policy"])).proposed).toEqual([
    { item_id: "C", tiers: { new: { price: expect.closeTo(110) } } },
  ]);
  expect((await bind({ cost_move: 0.5 })).items[2].tiers.new.unit_cost).toBeCloseTo(90);
});

test("inputs take a value as it is, large or small, whatever else is bound", async () => {
  const large = new JsonText(JSON.stringify(inputs));
  for (const slots of [{ max_change_pct: 0.05 }, { max_change_pct: 0.05, items: ["A"] }]) {
    const [small, text] = await Promise.all(
      [inputs, large].map(async (given) =>
        plainValue(await bindSlots(flow, slots, given, { goals: ["optimizer"] })),
      ),
    );
    expect(text).toEqual(small);
    expect(small).toMatchObject({ objective: "profit", max_change_pct: 0.05 });
    expect(Object(small).items).toHaveLength("items" in slots ? 1 : 3);
  }
  expect(inputs).not.toHaveProperty("max_change_pct");
});

test("slots that leave nothing of the inputs are refused", async () => {
  await expect(bind({ items: ["B"], region: "EMEA" })).rejects.toMatchObject({ code: "invalid_inputs" });
});

test("a slot is applied, answered from the results, or listed as not applied", () => {
  const said: Slots = { max_change_pct: 0.05, price_move: 0.1, top: 3, colour: "red" };
  expect(splitSlots(flow, said, ["optimizer"])).toEqual({
    applied: ["max_change_pct"],
    fromResults: ["top"],
    notApplied: ["price_move", "colour"],
  });
  expect(splitSlots(flow, said, ["explainer"])).toEqual({
    applied: ["max_change_pct", "price_move"],
    fromResults: [],
    notApplied: ["top", "colour"],
  });
  expect(splitSlots({}, said, ["optimizer"]).notApplied).toEqual(Object.keys(said));
});

test("a slot that is not applied leaves the inputs as they are", async () => {
  expect(await bindSlots(flow, { price_move: 0.1 }, inputs, { goals: ["optimizer"] })).toBe(inputs);
});
