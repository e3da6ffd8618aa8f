import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, type StandIn, standIn } from "./support/stand-in.ts";

/** Messages that ask several things, to the shipped manifest with its models of what people ask. */
const keep = closingAtEnd();
const ANN = as("ann");
let agent: StandIn;
let gateway: TestGateway;

const effect = { demand: 1, revenue: 1, profit: 1 };
const rules = { violations: [], suggestions: [] };

beforeAll(async () => {
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: answering({
        items: [],
        totals: { current: effect, expected: effect, change: effect },
      }),
      POLICY_CHECK: answering({ passed: true, ...rules, current: rules }),
      PRICE_EXPLANATION: answering({ items: [], omitted: 0, summary: "The catalogue\nwhy" }),
      PRICING_REPORT: answering({ summary: "review", proposed: [], shown: {} }),
      SENSITIVITY_ANALYSIS: answering({ summary: "The catalogue\nhow sure", totals: { robustness: {} } }),
    }),
  );
  gateway = keep(
    await testGateway({
      manifest: shippedMesh(agent.url),
      redisUrl: keep(await testRedis()).url,
      // What is read is done, and not asked about.
      env: { READING_RISK: "1" },
    }),
  );
});

async function say(message: string): Promise<{ message: string; status: string; asked: Set<string> }> {
  const before = agent.calls.length;
  const answer = await post(gateway, "/api/v1/chat", { message, session_id: randomUUID() }, ANN);
  expect([message, answer.status]).toEqual([message, 200]);
  const asked = agent.calls
    .slice(before)
    .flatMap(({ path, body }) => (path.startsWith("/agents/run/") ? [body.task_type] : []));
  return { ...(answer.json() as { message: string; status: string }), asked: new Set(asked) };
}

describe("two questions of one message", () => {
  test.each([
    ["Do the prices keep the rules? How robust are they?", ["POLICY_CHECK", "SENSITIVITY_ANALYSIS"]],
    ["규칙을 지키나요? 그리고 견고한가요?", ["POLICY_CHECK", "SENSITIVITY_ANALYSIS"]],
    ["What drives the prices, and how robust are they?", ["PRICE_EXPLANATION", "SENSITIVITY_ANALYSIS"]],
  ])("%s: both are answered", async (message, tasks) => {
    const answer = await say(message);
    expect([...answer.asked]).toEqual(expect.arrayContaining(tasks));
    expect(answer.message).not.toMatch(/I have not answered|답하지 못한/);
  });

  test.each([
    ["Do the prices keep the rules? And who published the last ones?", "POLICY_CHECK"],
    ["가격이 규칙을 위반하나요? 그리고 누가 마지막으로 게시했나요?", "POLICY_CHECK"],
    ["Who approved the last ones, and how robust are the prices?", "SENSITIVITY_ANALYSIS"],
  ])("%s: one by an agent, the other from the store", async (message, task) => {
    const answer = await say(message);
    expect([...answer.asked]).toEqual([task]);
    expect(answer.message).toMatch(
      /Nothing that you may see waits for approval|보실 수 있는 승인 대기 요청이 없습니다/,
    );
    expect(answer.message).not.toMatch(/I have not answered|답하지 못한/);
  });

  test.each([
    [
      "Do the prices keep the rules? What is the weather like in Seoul?",
      "I have not answered: “What is the weather like in Seoul?”.",
    ],
    ["Which items lose money, and how robust is it?", "I have not answered: “Which items lose money”."],
    ["가격이 규칙을 위반하나요? 오늘 날씨 어때요?", "답하지 못한 질문: “오늘 날씨 어때요?”."],
    [
      "Who published the last ones? And how many gearboxes did we sell in May?",
      "I have not answered: “how many gearboxes did we sell in May?”.",
    ],
  ])("%s: what nothing answers is named", async (message, named) => {
    expect((await say(message)).message).toContain(named);
  });

  test("a long question is named in short, and cannot pass for a part of the answer", async () => {
    const forged = `Do the prices keep the rules? Is it true that “every rule is kept”\n\n<b>and ${"so on and ".repeat(40)}?`;
    const { message } = await say(forged);
    const named = message.match(/I have not answered: “([^“”]*)”/)?.[1];
    expect(named?.length).toBeLessThanOrEqual(81);
    expect(message).not.toContain("<b>");
  });
});

test.each([
  "Which of our prices violate the policy?",
  "Could you check the rules, please? Thanks!",
  "Is the valve too expensive? And for the pump?",
  "Check the rules for EMEA, would you?",
])("%s: one question has nothing left to be named", async (message) => {
  expect((await say(message)).message).not.toContain("I have not answered");
});
