import type { Language } from "../wording.ts";
import type { Comparison } from "./query.ts";

/** What an answer from results says. Names and values are put in as they are shown. */
type ResultTexts = {
  before: string;
  after: string;
  previous: string;
  first: string;
  difference: string;
  /** Which proposal the values are of. @param limits the constraints that it was made under; empty: none */
  ofProposal: (limits: string) => string;
  most: (label: string) => string;
  least: (label: string) => string;
  largest: (label: string) => string;
  smallest: (label: string) => string;
  sum: (label: string) => string;
  /** @param of values that it is of; absent: each is of its own */
  mean: (label: string, of: number | undefined) => string;
  where: (is: Comparison, value: string) => string;
  /** A value of one side. */
  at: (value: string, side: string) => string;
  holds: (what: string, count: number, of: number) => string;
  none: (label: string) => string;
  missing: (label: string, ask: string) => string;
  /** Where a step works out values, too, and has not. */
  fromInputs: string;
  onlyOne: string;
  same: (count: number, of: number) => string;
  more: (count: number) => string;
};

export const RESULT_TEXTS: Readonly<Record<Language, ResultTexts>> = {
  en: {
    before: "today",
    after: "proposed",
    previous: "proposal before",
    first: "first proposal",
    difference: "difference",
    ofProposal: (limits) => (limits === "" ? "Of the last proposal." : `Of the last proposal (${limits}).`),
    most: (label) => `Highest ${label}`,
    least: (label) => `Lowest ${label}`,
    largest: (label) => `Largest ${label}`,
    smallest: (label) => `Smallest ${label}`,
    sum: (label) => `Total ${label}`,
    mean: (label, of) => `Average ${label} (${of === undefined ? "" : `of ${of} values, `}unweighted)`,
    where: (is, value) =>
      ({
        "<": `below ${value}`,
        "<=": `at most ${value}`,
        ">": `above ${value}`,
        ">=": `at least ${value}`,
        "=": value,
        "!=": `other than ${value}`,
      })[is],
    at: (value, side) => `${value} ${side}`,
    holds: (what, count, of) => `${what}: ${count === 0 ? "none" : count} of ${of}`,
    none: (label) => `There is no ${label} for that.`,
    missing: (label, ask) =>
      `There is no ${label} yet: no result of this conversation has it. Ask for “${ask}” first.`,
    fromInputs:
      "These are the values that the inputs have; no others have been worked out in this conversation.",
    onlyOne: "There is only one proposal in this conversation, so there is nothing to compare it with.",
    same: (count, of) => (count === of ? "All values are the same." : `The same in both: ${count} of ${of}.`),
    more: (count) => `… and ${count} more`,
  },
  ko: {
    before: "현재",
    after: "제안",
    previous: "이전 제안",
    first: "첫 제안",
    difference: "차이",
    ofProposal: (limits) => (limits === "" ? "마지막 제안 기준." : `마지막 제안 기준 (${limits}).`),
    most: (label) => `가장 높은 ${label}`,
    least: (label) => `가장 낮은 ${label}`,
    largest: (label) => `가장 큰 ${label}`,
    smallest: (label) => `가장 작은 ${label}`,
    sum: (label) => `${label} 합계`,
    mean: (label, of) => `평균 ${label} (${of === undefined ? "" : `값 ${of}개, `}단순 평균)`,
    where: (is, value) =>
      ({
        "<": `${value} 미만`,
        "<=": `${value} 이하`,
        ">": `${value} 초과`,
        ">=": `${value} 이상`,
        "=": value,
        "!=": `${value} 아님`,
      })[is],
    at: (value, side) => `${side} ${value}`,
    holds: (what, count, of) => `${what}: ${of}개 중 ${count}개`,
    none: (label) => `해당하는 ${label} 값이 없습니다.`,
    missing: (label, ask) =>
      `아직 ${label} 값이 없습니다. 이 대화의 결과 중에 없습니다. 먼저 “${ask}”을(를) 요청해 주세요.`,
    fromInputs: "입력 데이터에 있는 값만 보여 드립니다. 이 대화에서 계산한 값은 아직 없습니다.",
    onlyOne: "이 대화에는 제안이 하나뿐이라 비교할 것이 없습니다.",
    same: (count, of) => (count === of ? "모든 값이 같습니다." : `같은 값: ${of}개 중 ${count}개.`),
    more: (count) => `… 외 ${count}개`,
  },
};
