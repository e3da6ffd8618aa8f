import { describe, expect, test } from "@jest/globals";
import type { Measure } from "../../mesh/index.ts";
import { type Cells, cellsOf, type Data, isSided } from "./cells.ts";
import { answerQuery, type Query } from "./query.ts";

const LABEL = { en: "", ko: "" };
const measure = (name: string, more: Partial<Measure>): Measure => ({
  ...{ name, kind: "money", label: LABEL, nouns: [], phrases: [], before: [], from: [] },
  ...{ sums: false, bySize: false, ordered: false, ...more },
});
const path = (...names: readonly (string | [string, string])[]) =>
  names.map((name) => (typeof name === "string" ? { name } : { name: name[0], by: name[1] }));
const inputs = (last: string) => ({ path: path(["bikes", "bikes"], ["sizes", "sizes"], last) });

const RENT = measure("rent", {
  before: [inputs("rent")],
  from: [
    { step: "plan", path: path("kept", ["bikes", "bikes"], ["sizes", "sizes"], "rent") },
    { step: "plan", path: path("outputs", ["bikes", "bikes"], ["sizes", "sizes"], "rent") },
  ],
});
const COST = measure("cost", { from: [inputs("cost")] });
const GAIN = measure("gain", { derived: { is: "difference", of: ["rent", "cost"] }, sums: true });
const SHARE = measure("share", { derived: { is: "ratio", of: ["gain", "rent"] } });
const MOVE = measure("move", { derived: { is: "change", of: "rent" }, bySize: true });
const measures = new Map([RENT, COST, GAIN, SHARE, MOVE].map((one) => [one.name, one]));

const bike = (id: string, sizes: object) => ({ id, sizes });
const DATA: Data = {
  inputs: {
    bikes: [
      bike("roadster", { s: { rent: 10, cost: 4 }, l: { rent: 20, cost: 25 } }),
      bike("tandem", { s: { rent: 40, cost: 10 } }),
    ],
  },
  steps: new Map([
    [
      "plan",
      {
        outputs: {
          bikes: [
            bike("roadster", { s: { rent: 11 }, l: { rent: 16 } }),
            bike("tandem", { s: { rent: 40 } }),
          ],
        },
      },
    ],
  ]),
  measures,
  idOf: (slot) => (slot === "bikes" ? "id" : undefined),
};

const plain = (cells: Cells) =>
  Object.fromEntries([...cells.values()].map(({ keys, value }) => [Object.values(keys).join(" "), value]));

test("values are told apart by the ids of a list and the names of members", async () => {
  expect(plain(await cellsOf(RENT, "before", DATA))).toEqual({
    "roadster s": 10,
    "roadster l": 20,
    "tandem s": 40,
  });
  expect(plain(await cellsOf(RENT, "after", DATA))).toEqual({
    "roadster s": 11,
    "roadster l": 16,
    "tandem s": 40,
  });
});

test("what is made of others has the sides that they have", async () => {
  expect([RENT, COST, GAIN, SHARE, MOVE].map((one) => isSided(one, measures))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(plain(await cellsOf(SHARE, "before", DATA))).toEqual({
    "roadster s": 0.6,
    "roadster l": -0.25,
    "tandem s": 0.75,
  });
  expect(plain(await cellsOf(GAIN, "after", DATA))).toEqual({
    "roadster s": 7,
    "roadster l": -9,
    "tandem s": 30,
  });
});

test("without results there is nothing after, and nothing of a share of nothing", async () => {
  const bare = { ...DATA, steps: new Map() };
  expect((await cellsOf(RENT, "after", bare)).size).toBe(0);
  expect((await cellsOf(MOVE, "after", bare)).size).toBe(0);
  const free = { ...bare, inputs: { bikes: [bike("gift", { s: { rent: 0, cost: 0 } })] } };
  expect((await cellsOf(SHARE, "before", free)).size).toBe(0);
});

describe("a query", () => {
  const ask = async (
    one: Measure,
    query: Partial<Query>,
    attributes?: (keys: Record<string, string>) => Record<string, string>,
  ) => {
    const values = {
      ...(isSided(one, measures) ? { before: await cellsOf(one, "before", DATA) } : {}),
      after: await cellsOf(one, "after", DATA),
    };
    const { rows, of } = await answerQuery({ measure: one, only: {}, ...query }, values, attributes);
    return { rows: rows.map(({ keys, values: own }) => [Object.values(keys).join(" "), own]), of };
  };

  test("selects by keys, whatever their case, and by what else is known of them", async () => {
    expect((await ask(RENT, { only: { bikes: ["TANDEM"] } })).rows).toEqual([
      ["tandem s", { before: 40, after: 40 }],
    ]);
    const withShop = (keys: Record<string, string>) => ({
      ...keys,
      shop: keys.bikes === "tandem" ? "north" : "south",
    });
    expect((await ask(RENT, { only: { shop: ["north"] } }, withShop)).of).toBe(1);
    // What nothing tells is not what is looked for.
    expect((await ask(RENT, { only: { shop: ["north"] } })).of).toBe(0);
  });

  test("holds conditions against the value after, or the one that is asked for", async () => {
    const below = { where: { is: "<", value: 0 } } as const;
    expect((await ask(GAIN, below)).rows).toEqual([["roadster l", { before: -5, after: -9 }]]);
    expect(
      (await ask(RENT, { where: { is: ">=", value: 20 }, side: "before" })).rows.map(([name]) => name),
    ).toEqual(["roadster l", "tandem s"]);
    expect((await ask(RENT, { where: { is: ">=", value: 20 } })).rows.map(([name]) => name)).toEqual([
      "tandem s",
    ]);
  });

  test("orders, by size where that counts, and keeps what is equal to the last", async () => {
    expect((await ask(MOVE, { order: "most", top: 1 })).rows[0]?.[0]).toBe("roadster l");
    expect(
      (await ask(MOVE, { where: { is: ">", value: 0 }, order: "most", top: 1 })).rows.map(([name]) => name),
    ).toEqual(["roadster s"]);
    expect((await ask(SHARE, { order: "least", top: 2 })).rows.map(([name]) => name)).toEqual([
      "roadster l",
      "roadster s",
    ]);
    expect(
      (await ask(COST, { order: "most", top: 1, only: { sizes: ["s"] } })).rows.map(([name]) => name),
    ).toEqual(["tandem s"]);
  });

  test("groups and adds up what can be added up", async () => {
    expect((await ask(GAIN, { by: "bikes" })).rows).toEqual([
      ["roadster", { before: 1, after: -2 }],
      ["tandem", { before: 30, after: 30 }],
    ]);
    expect((await ask(GAIN, { aggregate: "sum" })).rows).toEqual([["", { before: 31, after: 28 }]]);
    expect((await ask(RENT, { by: "sizes" })).rows).toEqual([
      ["s", { before: 25, after: 25.5 }],
      ["l", { before: 20, after: 16 }],
    ]);
  });
});
