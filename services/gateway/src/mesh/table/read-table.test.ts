import type { MeshTable } from "@interlock/contracts";
import { describe, expect, test } from "@jest/globals";
import { atOnce } from "../turns.ts";
import { readTable } from "./index.ts";

const read = (text: string, table?: MeshTable) => atOnce(readTable(text, "stock.csv", table));
const inputsOf = (text: string, table?: MeshTable) => {
  const reading = read(text, table);
  if ("problems" in reading) throw new Error(JSON.stringify(reading.problems));
  return reading.inputs;
};
const problemsOf = (text: string, table?: MeshTable) => {
  const reading = read(text, table);
  if (!("problems" in reading)) return [];
  // Each is said in Korean, too.
  for (const { text } of reading.problems) expect(text.ko).toMatch(/[가-힣]/);
  return reading.problems.map(({ line, column, text: { en } }) => `${line}:${column}: ${en}`);
};

test("each row is an element, each column a field of what its cells are, and the note says so", () => {
  const reading = read("Item No,In stock,Sold out\nA-1,12,false\nA-2,0.5,TRUE\n");
  expect(reading).toEqual({
    columns: [
      { field: "item_no", column: "Item No", kind: "text" },
      { field: "in_stock", column: "In stock", kind: "number" },
      { field: "sold_out", column: "Sold out", kind: "flag" },
    ],
    unused: [],
    rows: 2,
    inputs: {
      rows: [
        { item_no: "A-1", in_stock: 12, sold_out: false },
        { item_no: "A-2", in_stock: 0.5, sold_out: true },
      ],
    },
    note: {
      en: "stock.csv: 2 rows: Item No → item_no (text), In stock → in_stock (number), Sold out → sold_out (flag).",
      ko: expect.stringContaining("In stock → in_stock (숫자)"),
    },
  });
});

test("a column of texts and numbers stays text, so does one with leading zeros, and an empty cell is no field", () => {
  expect(inputsOf("a,b,c\n1,007,\nx,008,2\n")).toEqual({
    rows: [
      { a: "1", b: "007" },
      { a: "x", b: "008", c: 2 },
    ],
  });
});

test("rows of separators alone are blank, as spreadsheets leave them", () => {
  expect(inputsOf("a;b\n;\n1;x\n ; ;;\n", { fields: { a: { needed: true }, b: {} } })).toEqual({
    rows: [{ a: 1, b: "x" }],
  });
});

test("quotes, line breaks in them, semicolons, decimal commas and a BOM are read", () => {
  expect(inputsOf('\uFEFFname;price\r\n"a ""b""; c\nd";1,5\r\n\r\n e ;2\r\n')).toEqual({
    rows: [
      { name: 'a "b"; c\nd', price: 1.5 },
      { name: "e", price: 2 },
    ],
  });
});

test("the values of a field are a list, by the mean of another one, unless the manifest has it", () => {
  const fields = { id: {}, tier: { order: { as: "tiers", by: "price" }, otherwise: "one" }, price: {} };
  const text = "id,tier,price\nA,low,5\nA,high,9\nB,low,7\nB,mid,6.5\nC,high,8\n";
  expect(inputsOf(text, { fields })).toMatchObject({ tiers: ["high", "mid", "low"] });
  expect(inputsOf(text, { fields, with: { tiers: ["low"] } })).toMatchObject({ tiers: ["low"] });
  expect(read("id,price\nA,1\n", { fields })).toMatchObject({
    inputs: { tiers: ["one"] },
    note: { en: expect.stringMatching(/from the manifest: tier: one; tiers: one\.$/) },
  });
});

test("columns are found by names that the manifest gives, or as somebody says, and what is not used is named", () => {
  const fields = { id: { columns: ["sku"], needed: true }, count: { kind: "number" as const } };
  const table = { rows: "items", fields, columns: { count: "Anzahl" }, with: { currency: "EUR" } };
  const reading = read("S.K.U.,Anzahl,Remark\nA,3,x\n", table);
  expect(reading).toMatchObject({
    inputs: { items: [{ id: "A", count: 3 }], currency: "EUR" },
    note: {
      en: "stock.csv: 1 row as items: S.K.U. → id (text), Anzahl → count (number); not used: Remark; from the manifest: currency.",
    },
  });
});

describe("rows of one key", () => {
  const to = (path: string) => ({ to: `tiers.{tier}.${path}`, kind: "number" as const, needed: true });
  const table = {
    rows: "items",
    key: "id",
    fields: {
      id: {},
      tier: { otherwise: "one", to: [] },
      price: to("price"),
      cost: { ...to("cost"), needed: false },
    },
  };

  test("make one element", () => {
    expect(inputsOf("id,tier,price,cost\nA,new,2,1\nA,old,1,\nB,__proto__,3,\n", table)).toEqual({
      items: [
        { id: "A", tiers: { new: { price: 2, cost: 1 }, old: { price: 1 } } },
        { id: "B", tiers: Object.fromEntries([["__proto__", { price: 3 }]]) },
      ],
    });
    expect(inputsOf("id,price\nA,2\n", table)).toEqual({
      items: [{ id: "A", tiers: { one: { price: 2 } } }],
    });
  });

  test("do not say one thing twice", () => {
    expect(problemsOf("id,tier,price\nA,new,2\nA,new,2\n", table)).toEqual([
      "3:7: price: an earlier row has it for the same id",
    ]);
  });
});

describe("it is refused with line, column and kind, and no value", () => {
  const fields = { id: { needed: true }, price: { kind: "number" as const, needed: true } };
  test.each<[string, string, MeshTable | undefined, string[]]>([
    [
      "a text",
      "id,price\nA,1\nB,cheap\n,2\nC,\n",
      { fields },
      [
        "3:3: price (price) is a text, and must be a number such as 12.50",
        "4:1: id (id) is empty",
        "5:3: price (price) is empty",
      ],
    ],
    [
      "a decimal comma in a quoted cell",
      'id,price\nA,"1,5"\n',
      { fields },
      ["2:3: price (price) is a number with a decimal comma, and must be a number such as 12.50"],
    ],
    ["no column", "id,cost\nA,1\n", { fields }, ["1:1: no column is for price; the columns are id, cost"]],
    [
      "a column that is not there",
      "id,cost\nA,1\n",
      { columns: { price: "Preis" } },
      ['1:1: there is no column "Preis" for price; the columns are id, cost'],
    ],
    ["a short row", "a,b\n1\n", undefined, ["2:1: the row has 1 cells, the header has 2"]],
    ["a name that is there twice", "a,a\n1,2\n", undefined, ["1:3: an earlier column has the same name"]],
    ["a column without a name", "a,\n1,2\n", undefined, ["1:3: the column has no name"]],
    ["no rows", "a,b\n", undefined, ["1:1: there are no rows below the header"]],
    ["nothing", "", undefined, ["1:1: there are no rows below the header"]],
    ["an open quote", 'a,b\n1,"2\n', undefined, ["2:3: a quote is not closed"]],
    ["text behind a quote", 'a,b\n"1"x,2\n', undefined, ["2:4: there is text behind a closed quote"]],
  ])("%s", (_what, text, table, problems) => {
    expect(problemsOf(text, table)).toEqual(problems);
  });

  test("at most twenty times", () => {
    const problems = problemsOf(`id,price\n${"A,x\n".repeat(104)}`, { fields });
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe("1:1: and 84 more problems in 104 rows");
  });
});
