import { expect, test } from "@jest/globals";
import { periodsOf } from "./columns.ts";
import { readTime } from "./time.ts";

const YEAR = 365.25 * 86_400_000;
const years = (date: string) => Date.parse(date) / YEAR;

test.each([
  ["date", ["2024-01-29", "2024-02-05"], undefined],
  ["date", ["2024/01/29", "2024/02/05"], undefined],
  ["date", ["29 Jan 2024", "5 February 2024"], undefined],
  ["date", ["2024년 1월 29일", "2024년 2월 5일"], undefined],
  ["iso_week", ["2024-W05", "2024-W06"], undefined],
  ["iso_week", ["KW 5 2024", "KW 6 2024"], undefined],
  ["yyyymmdd", ["20240129", "20240205"], undefined],
  ["yyyyww", ["202405", "202406"], "week"],
  ["day_month_year", ["29.01.2024", "05.02.2024"], undefined],
  ["day_month_year", ["29/01/2024", "05/02/2024"], undefined],
  ["month_day_year", ["01/29/2024", "02/05/2024"], undefined],
  ["epoch_days", ["19751", "19758"], "day"],
  ["spreadsheet_days", ["45320", "45327"], "day"],
  ["epoch_seconds", ["1706486400", "1707091200"], undefined],
] as const)("%s: %j", (form, cells, step) => {
  const reading = readTime(cells, step);
  expect(reading).toMatchObject({ form, dated: true });
  expect(reading?.position[0]).toBeCloseTo(years("2024-01-29"), 9);
  expect(reading?.position[1]).toBeCloseTo(years("2024-02-05"), 9);
});

test.each([
  ["quarter", ["2024-Q1", "2024-Q2"]],
  ["quarter", ["Q1 2024", "Q2 2024"]],
  ["month", ["2024-01", "2024-04"]],
  ["month", ["Jan-24", "Apr-24"]],
  ["yyyymm", ["202401", "202404"]],
] as const)("%s: %j", (form, cells) => {
  const reading = readTime(cells);
  expect(reading?.form).toBe(form);
  expect(reading?.position[1]).toBeCloseTo(years("2024-04-01"), 9);
});

test("the first weeks of a year may begin in the year before", () => {
  expect(readTime(["2025-W01"])?.position[0]).toBeCloseTo(years("2024-12-30"), 9);
});

test("of day and month the order with even steps is taken, and the other one is named if it is as even", () => {
  const monthly = ["01/01/2024", "01/02/2024", "01/03/2024", "01/04/2024"];
  expect(readTime(monthly)).toMatchObject({ instead: expect.anything() });
  const weekly = ["01/01/2024", "08/01/2024", "03/01/2024", "05/02/2024", "12/02/2024"];
  expect(readTime(weekly)?.dated).toBe(true);
});

test("what is in no known form is not read, and dates that do not exist are none", () => {
  expect(readTime(["soon", "later"])).toBeUndefined();
  expect(readTime(["2024-02-30", "2024-03-01"])).toBeUndefined();
  expect(readTime(["2024-W54"])).toBeUndefined();
});

test("periods are in the order of time, whatever the order of the rows and of the text", () => {
  expect([...periodsOf(["05.02.2024", "29.01.2024", "05.02.2024"]).codes]).toEqual([1, 0, 1]);
  expect([...periodsOf(["10", "9"]).codes]).toEqual([1, 0]);
});
