import { describe, expect, test } from "@jest/globals";
import { comparedPeriod, type PeriodAsked, periodOf } from "./period.ts";

const SPAN = { first_day: "2025-09-01", last_day: "2026-09-18" };

describe("a period is", () => {
  test.each<[PeriodAsked, string, string]>([
    ["today", "2026-09-18", "2026-09-18"],
    ["yesterday", "2026-09-17", "2026-09-17"],
    ["this_week", "2026-09-14", "2026-09-18"],
    ["last_week", "2026-09-07", "2026-09-13"],
    ["mtd", "2026-09-01", "2026-09-18"],
    ["last_month", "2026-08-01", "2026-08-31"],
    ["qtd", "2026-07-01", "2026-09-18"],
    ["last_quarter", "2026-04-01", "2026-06-30"],
    ["this_year", "2026-01-01", "2026-09-18"],
    ["last_year", "2025-09-01", "2025-12-31"],
    ["last_7_days", "2026-09-12", "2026-09-18"],
    ["last_2_weeks", "2026-09-05", "2026-09-18"],
    ["last_3_months", "2026-06-01", "2026-08-31"],
    ["march", "2026-03-01", "2026-03-31"],
    ["november", "2025-11-01", "2025-11-30"],
    ["q3", "2026-07-01", "2026-09-18"],
    ["q4", "2025-10-01", "2025-12-31"],
    ["2026-Q1", "2026-01-01", "2026-03-31"],
    ["2026-02", "2026-02-01", "2026-02-28"],
    ["2026", "2026-01-01", "2026-09-18"],
    ["2026-08-11", "2026-08-11", "2026-08-11"],
    ["all", "2025-09-01", "2026-09-18"],
    [{ from: "2026-01-15", to: "2026-02-14" }, "2026-01-15", "2026-02-14"],
  ])("%j", (asked, from, to) => {
    expect(periodOf(asked, SPAN)).toMatchObject({ from, to });
  });

  test("told to be relative to the data's last day, cut off by them, or neither", () => {
    expect(periodOf("last_month", SPAN)).toEqual({
      ...{ name: "last_month", from: "2026-08-01", to: "2026-08-31", days: 31, relative_to: "2026-09-18" },
    });
    expect(periodOf("2026-Q3", SPAN)).toMatchObject({ to_date: true });
    expect(periodOf("2025-Q3", SPAN)).toMatchObject({ from: "2025-09-01", begins_late: true });
  });
});

describe("is compared with", () => {
  test.each<[PeriodAsked, PeriodAsked, string, string]>([
    ["last_month", "previous", "2026-07-01", "2026-07-31"],
    ["march", "previous", "2026-02-01", "2026-02-28"],
    // The same days, as long as the month is not over.
    ["mtd", "previous", "2026-08-01", "2026-08-18"],
    ["mtd", "year_ago", "2025-09-01", "2025-09-18"],
    ["qtd", "previous", "2026-04-01", "2026-06-19"],
    ["last_7_days", "previous", "2026-09-05", "2026-09-11"],
    ["last_3_months", "previous", "2026-03-01", "2026-05-31"],
    [{ from: "2026-05-01", to: "2026-06-30" }, "previous", "2026-03-01", "2026-04-30"],
    [{ from: "2026-05-03", to: "2026-05-05" }, "previous", "2026-04-30", "2026-05-02"],
    ["last_month", "2026-03", "2026-03-01", "2026-03-31"],
  ])("%j, %j", (asked, compareTo, from, to) => {
    expect(comparedPeriod(compareTo, asked, SPAN)).toMatchObject({ from, to });
  });
});

test.each<[PeriodAsked, string]>([
  ["some_month", "UNKNOWN_PERIOD"],
  ["2026-02-30", "UNKNOWN_PERIOD"],
  [{ from: "2026-05-05", to: "2026-05-01" }, "UNKNOWN_PERIOD"],
  ["2027", "PERIOD_WITHOUT_DATA"],
  ["2025-07", "PERIOD_WITHOUT_DATA"],
])("refuses %j", (asked, code) => {
  expect(() => periodOf(asked, SPAN)).toThrow(expect.objectContaining({ code }));
});
