import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readable } from "./readable.ts";

const lines = (...text: string[]) => text.join("\n");
const rows = (count: number, row: (index: number) => unknown) =>
  Array.from({ length: count }, (_, n) => row(n));

test.each([
  ["a text", "two\nlines", lines("two", "  lines")],
  [
    "numbers as JSON has them",
    [0.1 + 0.2, 1e21, -0, 9007199254740991],
    "0.30000000000000004, 1e+21, 0, 9007199254740991",
  ],
  [
    "what is nothing, and what is empty",
    { a: null, b: [], c: {}, d: "" },
    lines("a: null", "b: (empty)", "c: (empty)", "d: (empty)"),
  ],
  ["members, one in another", { a: { b: true, c: [1, "x"] } }, lines("a:", "  b: true", "  c: 1, x")],
  [
    "a list of lists",
    { a: [[1, 2], [{ b: 1 }]] },
    lines("a: (2)", "  - 1, 2", "  - (1)", "    -", "      b: 1"),
  ],
  [
    "like objects, of which some lack a member",
    [
      { id: "A1", price: 10 },
      { id: "B22", price: 9.5, note: "new\nline" },
      { id: "C", price: [1, 2] },
    ],
    lines(
      "id  | price       | note",
      "A1  | 10          |",
      "B22 | 9.5         | new line",
      "C   | (2 entries) |",
    ),
  ],
  [
    "objects that are not alike",
    [{ a: 1 }, { b: 1 }, { c: 1 }],
    lines("-", "  a: 1", "-", "  b: 1", "-", "  c: 1"),
  ],
])("writes %s", (_what, value, text) => {
  expect(readable(value)).toBe(text);
});

test.each([
  ["a list", rows(115, (n) => n), /^0, 1, .*, 19, … 95 more$/],
  ["a list of texts", rows(115, (n) => `${n} ${"x".repeat(90)}`), /^- 0 x[\s\S]*\n- 19 x+\n- … 95 more$/],
  [
    "rows",
    { rows: rows(115, (n) => ({ n, m: n })) },
    /^rows: \(115\)\n {2}n {2}\| m\n[\s\S]*\n {2}19 \| 19\n {2}… 95 more$/,
  ],
  [
    "columns",
    rows(2, () => Object.fromEntries(rows(10, (n) => [`c${n}`, n]) as [string, number][])),
    /\n… 2 more columns$/,
  ],
  [
    "members",
    Object.fromEntries(rows(30, (n) => [`m${n}`, n]) as [string, number][]),
    /\nm19: 19\n… 10 more$/,
  ],
  ["characters", "x".repeat(1_001), /^x{1000}… \(1 more character\)$/],
  ["characters beyond the basic plane", "x".repeat(999) + "😀".repeat(2), /^x{999}… \(4 more characters\)$/],
  ["what is nested deeper", { a: { b: { c: { d: { e: { f: 1, g: 2 } } } } } }, / {8}e: \(2 members\)$/],
])("counts what it leaves out of %s", (_what, value, text) => {
  expect(readable(value)).toMatch(text);
});

test("takes little, whatever it is given, and says the same of the same", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = readable(value);
      expect(text.length).toBeLessThan(12_000);
      expect(readable(JSON.parse(JSON.stringify(value)))).toBe(text);
    }),
  );
  const wide = (depth: number): unknown =>
    depth === 0 ? "y".repeat(5_000) : rows(50, () => ({ a: wide(depth - 1) }));
  const large = readable({ first: wide(1), second: wide(2), third: "not reached" });
  expect(large.length).toBeLessThan(12_000);
  expect(large).toMatch(/… \d+ more/);
});
