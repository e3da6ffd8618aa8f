import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { partsOf } from "../src/conversation/questions-in.ts";
import { readAgain, readQuestion } from "../src/conversation/results/read-question.ts";
import { talkOf } from "../src/conversation/talk.ts";
import { loadMesh } from "../src/mesh/index.ts";

/** What the pricing domain's measures make of questions, and what they leave alone. */
const mesh = loadMesh(fileURLToPath(new URL("../../../mesh.yaml", import.meta.url)), {});
const flow = mesh.flows.get("pricing");
const talk = flow && talkOf(flow, mesh);
if (!flow || !talk?.results) throw new Error("pricing has no measures");
const { results, narrowing } = talk;
await talk.prepare(flow.defaultInputs ?? {});
const readNames = (text: string) => talk.readNames(text, undefined);

/** In short: `margin before [VALVE-V7] < 0.2 most 3 by tiers mean`. */
function read(message: string): string | undefined {
  const asked = partsOf(message).map((part) => readQuestion(part, results, { readNames, narrowing }));
  const said = asked.map((one) => {
    if (!one) return undefined;
    const { measure, side, only, where, order, top, by, aggregate } = one.query;
    const names = Object.values(only).flat();
    return [
      measure.name,
      side,
      names.length > 0 ? `[${names.join(",")}]` : undefined,
      where && `${where.is} ${where.value}`,
      order && `${order} ${top}`,
      by && `by ${by}`,
      aggregate,
      one.against && `against ${one.against}`,
    ]
      .filter((part) => part !== undefined)
      .join(" ");
  });
  return said.includes(undefined) || said.length === 0 ? undefined : said.join(" + ");
}

describe("questions of the results", () => {
  test.each([
    ["What is the elasticity of the valve?", "elasticity [VALVE-V7]"],
    ["what's the price elasticity of PUMP-C3?", "elasticity [PUMP-C3]"],
    ["How many weeks of data are there for the gearbox?", "periods [GEARBOX-A1]"],
    ["how many weeks of data do we have", "periods"],
    ["Which items lose money today?", "unit_profit before < 0"],
    ["which parts are sold below cost right now?", "unit_profit before < 0"],
    ["What is the margin of the valve?", "margin [VALVE-V7]"],
    ["What's the current margin of the pump and the motor?", "margin before [PUMP-C3,MOTOR-M2]"],
    ["which item has the lowest margin?", "margin least 1"],
    ["Which three items have the highest margin?", "margin most 3"],
    ["which items have a margin below 35 %?", "margin < 0.35"],
    ["How many prices have a margin of at least 40%?", "margin >= 0.4 count"],
    ["Which prices moved most?", "change != 0 most 5"],
    ["which moved most?", "change != 0 most 5"],
    ["Which item has the biggest price change?", "change most 1"],
    ["which prices fell most?", "change < 0 most 5"],
    ["how many prices go up?", "change > 0 count"],
    ["which prices stay the same?", "change = 0"],
    ["how much did the price of the valve change?", "change [VALVE-V7]"],
    ["What was the price before?", "price before"],
    ["what was the price of the sensor before?", "price before [SENSOR-S9]"],
    ["What is the current price of the drive in EMEA?", "price before [DRIVE-D4,EMEA]"],
    ["what are today's prices?", "price before"],
    ["What's the proposed price of the bearing?", "price after [BEARING-B5]"],
    ["Show me the margins of the premium items", "margin [premium]"],
    ["What is the total profit?", "profit sum"],
    ["what is the average margin?", "margin mean"],
    ["which item makes the most profit?", "profit most 1 by items"],
    ["whats the valve's margin atm", "margin before [VALVE-V7]"],
    ["give me the elasticities of all items", "elasticity"],
    ["how much profit does the gearbox make?", "profit [GEARBOX-A1]"],
    ["which tier has the lowest margin for the drive?", "margin [DRIVE-D4] least 1"],
    ["do we lose money on anything right now?", "unit_profit before < 0"],
    ["what are the five biggest price increases?", "change > 0 most 5"],
    ["what changed compared to the last proposal?", "price against previous"],
    ["what is the profit of the proposal?", "profit after"],
    ["on how many weeks of sales is this based?", "periods"],
    ["which prices went up the most in North America?", "change [NA] > 0 most 5"],
    ["what is the margin by item?", "margin"],
    ["what is the margin by tier?", "margin by tiers mean"],
    ["what is the average margin by region?", "margin by region mean"],
    ["Which item has the highest revenue?", "revenue most 1 by items"],
    ["What is the revenue by tier?", "revenue by tiers"],
    ["compare with the last proposal", "price against previous"],
    ["How does this proposal differ from the previous one?", "price against previous"],
    ["How does this compare to the first proposal?", "price against first"],
    ["What is the margin of the valve? And what is its elasticity?", "margin [VALVE-V7] + elasticity"],
    ["밸브의 탄력성은 얼마야?", "elasticity [VALVE-V7]"],
    ["밸브 마진이 얼마인가요?", "margin [VALVE-V7]"],
    ["지금 적자인 품목이 있나요?", "unit_profit before < 0"],
    ["가격이 가장 많이 오른 품목은?", "change > 0 most 1"],
    ["마진이 가장 낮은 품목은 뭐야?", "margin least 1"],
    ["현재 가격은 얼마인가요?", "price before"],
    ["펌프의 이전 가격이 얼마였나요?", "price before [PUMP-C3]"],
    ["마진이 30% 이하인 품목은?", "margin <= 0.3"],
    ["데이터가 몇 주치야?", "periods"],
    ["등급별 매출을 보여줘", "revenue by tiers"],
    ["총 이익은 얼마야?", "profit sum"],
    ["지금 손해 보는 품목 있어?", "unit_profit before < 0"],
    ["가장 많이 오른 가격 세 개 알려줘", "change > 0 most 3"],
    ["가장 마진이 높은 품목 3개는?", "margin most 3"],
    ["데이터 몇 주치 썼어?", "periods"],
    ["품목별 마진을 표로 보여줘", "margin"],
    ["신품 등급의 평균 마진은?", "margin [new] mean"],
    ["가격이 내려가는 품목은 몇 개야?", "change < 0 count"],
    ["바뀌기 전 가격은 얼마였어?", "price before"],
    ["직전 제안과 차이가 뭐야?", "price against previous"],
    ["이전 제안과 비교해 줘", "price against previous"],
  ])("%s", (message, wanted) => {
    expect(read(message)).toBe(wanted);
  });
});

test.each([
  "What is the optimal price?",
  "What is the best price for the valve?",
  "What should we charge for the pump?",
  "What price do you recommend for the motor?",
  "Which item has the most upside?",
  "Why is the margin of the valve so low?",
  "why did the price of the pump move most?",
  "What would the margin be if costs rise 5 %?",
  "what happens to profit if cost rises 10 %?",
  "How would the margin change with a 3 % price increase?",
  "Raise the margin to 30 %",
  "raise the margin",
  "Propose prices with a margin of at least 20 %",
  "Show me prices with a margin of at least 20 %",
  "Can you keep the margin above 20 %?",
  "could we get a better margin on the valve?",
  "What margin can we reach?",
  "What is the maximum change I can allow?",
  "Which of our prices violate the policy?",
  "which two items break the rules worst?",
  "do the prices keep the minimum gaps?",
  "How robust is the margin?",
  "how sure is the elasticity?",
  "Explain the price change of the valve",
  "What drives the price change of the valve?",
  "publish the prices that moved most",
  "Publish it and tell me the margin",
  "Who has to approve the price change?",
  "has the price change been approved?",
  "don't change the price of the valve",
  "Which prices should fall?",
  "Should the price of the pump go up?",
  "Forecast next quarter's revenue",
  "What will our revenue be next quarter?",
  "What was last year's margin?",
  "What is our competitor's price?",
  "How many gearboxes are left in the Rotterdam warehouse?",
  "What does elasticity mean?",
  "How is the margin computed?",
  "What is the margin of the flange?",
  "what moved the number",
  "what is the increase for",
  "it's the elasticity, right?",
  "was it demand?",
  "elasticity -3?",
  "range of profit?",
  "하한 밑으로 내려간 게 있나요",
  "밸브가 하한 밑으로 내려갔나요?",
  "and with the costs we have today?",
  "How can we make more profit?",
  "Can you make the margin the highest?",
  "What profit can we make?",
  "get me the highest profit",
  "find the prices with the highest margin",
  "which price makes the highest profit?",
  "what price gets the most profit?",
  "Is the price the highest we can get?",
  "Optimise for profit, not revenue",
  "원가가 8% 오르면 이익이 얼마나 줄어들까요?",
  "밸브의 최적 가격은 얼마야?",
  "마진을 20% 이상으로 유지해 줘",
  "왜 밸브 가격이 가장 많이 올랐어?",
  "가격을 내려 줘",
  "밸브 가격을 올리면 마진이 어떻게 되나요?",
  "다음 분기 매출은 얼마일까요?",
  "탄력성이 뭐예요?",
  "마진이 가장 높은 가격을 제안해 줘",
])("is none of the results: %s", (message) => {
  expect(read(message)).toBeUndefined();
});

const again = (message: string) =>
  readAgain(message, "What is the margin of the pump?", results, { readNames, narrowing });

test.each(["and the valve?", "what about the valve", "and for VALVE-V7?", "밸브는?", "그럼 밸브는?"])(
  "goes on with the question before: %s",
  (message) => {
    expect(again(message)?.query).toMatchObject({
      measure: { name: "margin" },
      only: { items: ["VALVE-V7"] },
    });
  },
);

test.each([
  "now for the valve",
  "for the valve, at most 5 %",
  "and for the valve at most 5 %?",
  "and why?",
  "and publish the valve?",
  "and the flange?",
  "and now?",
  "only the valve",
  "밸브만 제안해 줘",
])("does not go on with the question before: %s", (message) => {
  expect(again(message)).toBeUndefined();
});

test("hardly any of the sentences that ask the domain for something is taken for one", () => {
  const folder = new URL("../../pricing/intents/utterances/", import.meta.url);
  const said = readdirSync(folder).flatMap((name) =>
    readFileSync(new URL(name, folder), "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { text: string }).text),
  );
  const taken = said.filter((text) => read(text) !== undefined);
  expect(said.length).toBeGreaterThan(5_000);
  expect(taken.length / said.length).toBeLessThanOrEqual(0.002);
});
