import { describe, expect, test } from "@jest/globals";
import { extendSummary, readSummary, type SaidTurn } from "./summary.ts";

const summarise = (...said: SaidTurn[]) => extendSummary(undefined, said).text;
/** The line of a summary under this heading. */
const line = (text: string, heading: RegExp): string =>
  text.split("\n").find((one) => heading.test(one)) ?? "";
const constraints = (...messages: string[]) =>
  line(summarise(...messages.map((user) => ({ user }))), /^(Constraints|조건)/);

describe("a summary quotes", () => {
  const text = summarise({
    user: "Propose prices for VALVE-V7 in EMEA, premium tier, at most 5 % change",
    answer:
      "Revenue rises from 1,200 to 1,290.\n- VALVE-V7: 12.50 -> 13.10\nThe proposal was approved by lee.",
  });

  test.each([
    [/^Constraints/, "at most 5 % change"],
    [/^Decisions/, "The proposal was approved by lee."],
    [/^Numbers/, "Revenue rises from 1,200 to 1,290."],
    [/^Numbers/, "VALVE-V7: 12.50 -> 13.10"],
    [/^Names/, "VALVE-V7"],
    [/^Names/, "EMEA"],
    [/^Names/, "premium"],
    [/^Asked/, "Propose prices for VALVE-V7"],
  ])("%s: %s", (heading, quoted) => {
    expect(line(text, heading)).toContain(quoted);
  });
});

describe("constraints in force:", () => {
  test.each([
    ["at most 5 percent", "no more than five percent please"],
    ["a floor", "keep every price above 12.50 EUR"],
    ["a margin", "margin at least 20%"],
    ["only", "look only at the premium items"],
    ["except", "everything except MOTOR-M2"],
    ["an objective", "maximise revenue"],
    ["Korean, at most", "가격 변동은 5% 이하로 해줘"],
    ["Korean, only", "EMEA만 보여줘"],
    ["Korean, except", "모터는 제외하고 다시"],
  ])("%s", (_what, message) => {
    expect(constraints(message).length).toBeGreaterThan(0);
  });

  test("a later one takes the place of an earlier one of its kind, and of no other", () => {
    const said = constraints("at most 5 % change, margin at least 20 %", "now with max 8 %");
    expect(said).not.toContain("5 %");
    expect(said).toContain("max 8 %");
    expect(said).toContain("margin at least 20 %");
  });

  test("what is undone is not in force, and what it had replaced is again", () => {
    const said = constraints("at most 5 %", "at most 8 %", "undo that");
    expect(said).toContain("at most 5 %");
    expect(said).not.toContain("8 %");
  });

  test("to start over lifts all", () => {
    expect(constraints("at most 5 %", "only premium", "Let's start over")).toBe("");
    expect(constraints("최대 5%로", "처음부터 다시 하자")).toBe("");
  });

  test.each([
    "Why did the margin rise?",
    "What is the optimal price?",
    "하지만 왜 올랐지?",
    "Explain the drivers",
  ])("a question says none: %s", (message) => {
    expect(constraints(message)).toBe("");
  });
});

test("a waiting approval is no decision", () => {
  const answer = 'The step "publish" waits for approval ap1.';
  expect(line(summarise({ user: "publish it", answer }), /^Decisions/)).toBe("");
});

test("a summary speaks the language of the user", () => {
  const text = summarise({
    user: "밸브 가격을 5% 이하로 올려줘",
    answer: "제안이 승인되었습니다. 매출은 1,200만 원입니다.",
  });
  expect(text).toMatch(/^이전 대화 1턴 요약/);
  expect(line(text, /^결정/)).toContain("승인되었습니다");
  expect(line(text, /^수치/)).toContain("1,200만");
});

test("a summary is extended, and stands for all turns", () => {
  const first = extendSummary(undefined, [{ user: "at most 5 %" }, { user: "Why?" }]);
  const stored = readSummary(JSON.stringify(first));
  const second = extendSummary(stored, [{ user: "what about EMEA?", answer: "No change." }]);
  expect(second.turns).toBe(3);
  expect(second.text).toContain("at most 5 %");
  expect(second.text).toContain("EMEA");
});

test("a summary is bounded: the oldest details give way, constraints and decisions stay", () => {
  const long = Array.from({ length: 200 }, (_, turn) => ({
    user: `Question number ${turn} about ITEM-${turn} ${"word ".repeat(30)}`,
    answer: `The value of ITEM-${turn} is ${turn}.5 ${"and so on ".repeat(30)}`,
  }));
  const { text, turns } = extendSummary(undefined, [
    { user: "at most 5 % change", answer: "The first proposal was rejected." },
    ...long,
  ]);
  expect(turns).toBe(201);
  expect(text.length).toBeLessThanOrEqual(2_400);
  expect(text).toContain("at most 5 % change");
  expect(text).toContain("The first proposal was rejected.");
  expect(text).toContain("ITEM-199");
  expect(text).not.toContain("ITEM-20 ");
});

test.each([
  ["one long word", "a".repeat(200_000)],
  ["digits", "1,".repeat(100_000)],
  ["capitals and hyphens", "A-".repeat(100_000)],
  ["spaces", " ".repeat(200_000)],
  ["only, again and again", "only ".repeat(40_000)],
  ["drop, again and again", "drop ".repeat(40_000)],
  ["제외 nearly", "제".repeat(200_000)],
])("a hostile text takes time in proportion to its bounded length: %s", (_what, text) => {
  const before = process.cpuUsage();
  extendSummary(undefined, [{ user: text, answer: text }]);
  const { user } = process.cpuUsage(before);
  // A generous bound on CPU time: what is quadratic takes many times as much.
  expect(user / 1000).toBeLessThan(1_000);
});
