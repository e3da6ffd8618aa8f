import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "../../test/support/closing.ts";
import { testRedis } from "../../test/support/redis.ts";
import { connect, type RedisClient, TokenUsage } from "../store/index.ts";
import { TokenBudget } from "./token-budget.ts";

const keep = closingAtEnd();
const EVENING = Date.parse("2026-11-22T23:59:30.500Z");
const MORNING = Date.parse("2026-11-23T00:00:00.000Z");

let redis: RedisClient;

beforeAll(async () => {
  const { url } = keep(await testRedis());
  const connections = connect(url, () => undefined);
  keep({ stop: () => connections.close() });
  redis = connections.commands;
});

const budget = (perDay: number | undefined): TokenBudget =>
  new TokenBudget({
    usage: new TokenUsage(redis),
    perDay,
    onTrouble: (_, error) => {
      throw error;
    },
  });

const refusal = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
};

test("a day's tokens end at midnight UTC, on every replica", async () => {
  const [one, other] = [budget(100), budget(100)];
  await one.charge("acme", { input_tokens: 60, output_tokens: 39 }, EVENING);
  expect(await refusal(() => other.admit("acme", EVENING))).toBeUndefined();
  await other.charge("acme", { total_tokens: 1, input_tokens: 1_000 }, EVENING);
  for (const replica of [one, other, other])
    expect(await refusal(() => replica.admit("acme", EVENING))).toMatchObject({
      code: "quota_exceeded",
      headers: { "retry-after": "30" },
    });
  expect(await refusal(() => one.admit("other", EVENING))).toBeUndefined();
  for (const replica of [one, other])
    expect(await refusal(() => replica.admit("acme", MORNING))).toBeUndefined();
});

test("without a budget nothing is charged", async () => {
  const none = budget(undefined);
  await none.charge("unlimited", { total_tokens: 5 }, EVENING);
  expect(none.admit("unlimited", EVENING)).toBeUndefined();
  expect(await redis.exists("il:{unlimited}:tokens:2026-11-22")).toBe(0);
});

test("a counter is kept for a while after its day", async () => {
  await budget(100).charge("kept", { total_tokens: 5 }, EVENING);
  expect(await redis.ttl("il:{kept}:tokens:2026-11-22")).toBeGreaterThan(86_400);
});
