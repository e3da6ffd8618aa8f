import { expect, test } from "@jest/globals";
import { formatFor } from "./format.ts";
import { priceTable, reasonsIn, whyOf } from "./price-table.ts";

const english = formatFor({ language: "en" });
const about = { tier: "exchange", objective: "profit" } as const;
const move = { item_id: "A", tier: "exchange", from: 10, to: 11 };

test.each([
  [[], "most profit a period"],
  [["gap:new>exchange"], "as near to new as the minimum gap allows"],
  [["ordering:exchange>repair"], "just above repair"],
  [["max_change_up"], "at the maximum change upwards"],
  [["held"], "stays: the data do not tell how demand answers to it"],
])("rules %j, in words: %s", (binding, said) => expect(whyOf(binding, about, english)).toBe(said));

test("a table counts the rows that it does not have, and no share is of nothing", () => {
  const rows = Array.from({ length: 1_001 }, () => ({ ...move, why: "" }));
  const { rows: kept, total_rows } = priceTable(rows, english);
  expect([kept.length, total_rows, kept[0]?.[4]]).toEqual([1_000, 1_001, 0.1]);
  expect(priceTable([{ ...move, from: 0, why: "" }], english).rows[0]?.[4]).toBeNull();
});

test("a price that a repair has changed has that reason, in the answer's language", () => {
  const korean = formatFor({ language: "ko" });
  const table = priceTable([{ ...move, why: whyOf([], about, korean) }], korean);
  const why = reasonsIn(table, korean);
  expect([why(move), why({ ...move, to: 12 }), why({ ...move, tier: "new" })]).toEqual([
    "기간당 이익 최대",
    "규칙을 지키도록 조정",
    "",
  ]);
});
