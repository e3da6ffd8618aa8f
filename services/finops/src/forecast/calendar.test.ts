import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { dayOfMonth, daysInMonth, periodOf, spanOf, textOf } from "./calendar.ts";

test("a period's text reads as that period", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40_000 }),
      fc.constantFrom("day" as const, "month" as const),
      (n, grain) => {
        const period = grain === "day" ? n : 12 * 1970 + (n % 1200);
        expect(periodOf(textOf(period, grain), grain)).toBe(period);
      },
    ),
  );
});

test.each(["2026-02-29", "2026-13-01", "2026-1-1", "2026-01", "2026-01-01T00:00:00Z", ""])(
  "%p is no day",
  (text) => expect(periodOf(text, "day")).toBeUndefined(),
);

test.each(["2026-00", "2026-13", "2026-01-01"])("%p is no month", (text) =>
  expect(periodOf(text, "month")).toBeUndefined(),
);

test("months and quarters span their days, leap years too", () => {
  const days = (text: string) => {
    const span = spanOf(text, "day");
    return span && [textOf(span.from, "day"), textOf(span.to, "day")];
  };
  expect(days("2028-02")).toEqual(["2028-02-01", "2028-02-29"]);
  expect(days("2026-Q4")).toEqual(["2026-10-01", "2026-12-31"]);
  expect(days("2026-Q5")).toBeUndefined();
  const quarter = spanOf("2026-Q1", "month");
  expect(quarter && [textOf(quarter.from, "month"), textOf(quarter.to, "month")]).toEqual([
    "2026-01",
    "2026-03",
  ]);
});

test("a day knows its place in its month", () => {
  const day = periodOf("2028-02-29", "day") ?? 0;
  expect([dayOfMonth(day), daysInMonth(day)]).toEqual([28, 29]);
});
