import { expect, test } from "@jest/globals";
import { timesInQuestion } from "./question.ts";

const SPAN = { first_day: "2025-09-01", last_day: "2026-09-18" };

test.each<[string, object]>([
  ["how much did Lambda cost on August 11?", { period: "2026-08-11" }],
  ["and on the 3rd of December", { period: "2025-12-03" }],
  ["cost of EC2 in 2026-03", { period: "2026-03" }],
  ["spend in March 2026 by team", { period: "2026-03" }],
  ["what was Q4 2025 like", { period: "2025-Q4" }],
  ["the past 45 days", { period: "last_45_days" }],
  ["from July 3 to July 9", { period: { from: "2026-07-03", to: "2026-07-09" } }],
  ["August 2026 against July 2026", { period: "2026-08", compare_to: "2026-07" }],
  ["compared with 2026-02", { compare_to: "2026-02" }],
  ["how much for EC2 in 2024?", { period: "2024" }],
  ["the next 45 days", { period: "next_45_days" }],
  ["지난달 비용을 3월과 비교해 줘", { compare_to: "march" }],
  ["8월 11일 비용", { period: "2026-08-11" }],
  ["2026년 3월 비용", { period: "2026-03" }],
  // Nothing says what two times are, and what slots hold is left to them.
  ["2026-03, 2026-05 and 2026-07", {}],
  ["last month by region", {}],
  ["top 5 in march", {}],
  ["on February 31", {}],
])("%s", (question, times) => {
  expect(timesInQuestion(question, SPAN)).toEqual(times);
});
