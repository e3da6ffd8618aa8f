import { beforeAll, describe, expect, test } from "@jest/globals";
import { callOf, drained, errorOf, fresh, modelTests } from "./test/support.ts";
import { costOf } from "./usage.ts";

const shared = modelTests();
beforeAll(() => shared.start());

const PRICES = { input: 2, cachedInput: 0.5, output: 10, reasoning: 20 };

const one = (does: string, deps: object = {}) =>
  shared.open({ only: { does: fresh(does), prices: PRICES } }, deps);

describe("what a call used is", () => {
  test.each([true, false])(
    "as the provider reports it, cached and thought tokens at their prices (streamed: %s)",
    async (streamed) => {
      const { gateway } = one("usage-cached");
      const answer = streamed
        ? (await drained(gateway.stream(callOf()))).answer
        : await gateway.generate(callOf());
      const used = answer?.used;
      expect(used).toMatchObject({
        calls: 1,
        failed: 0,
        estimated: 0,
        reasoningTokens: 7,
        outputTokens: 10 + 7,
      });
      const { inputTokens = 0, cachedInputTokens = 0 } = used ?? {};
      expect(cachedInputTokens).toBe(Math.floor(inputTokens / 2));
      const usd = ((inputTokens - cachedInputTokens) * 2 + cachedInputTokens * 0.5 + 10 * 10 + 7 * 20) / 1e6;
      expect((used?.nanoUsd ?? 0) / 1e9).toBeCloseTo(usd, 9);
    },
  );

  test.each([
    ["usage-none", true],
    ["usage-none", false],
    ["usage-zero", true],
    ["usage-zero", false],
    ["usage-negative", true],
    ["usage-negative", false],
    ["usage-huge", true],
    ["usage-huge", false],
  ])("estimated and marked, never nothing, with %s (streamed: %s)", async (does, streamed) => {
    const { gateway } = one(does);
    const call = callOf();
    const answer = streamed ? (await drained(gateway.stream(call))).answer : await gateway.generate(call);
    expect(answer?.used).toMatchObject({ calls: 1, failed: 0, estimated: 1 });
    // The tokenizer of the tests takes four characters for a token.
    expect(answer?.used.inputTokens).toBe(10);
    expect(answer?.used.outputTokens).toBe(Math.ceil((answer?.text.length ?? 0) / 4));
    expect(answer?.used.nanoUsd).toBeGreaterThan(0);
  });

  test("as the provider reports it after the end of its stream", async () => {
    const { answer } = await drained(one("usage-late").gateway.stream(callOf()));
    expect(answer?.used).toMatchObject({ calls: 1, estimated: 0, outputTokens: 10 });
  });

  test("estimated by length where the tokenizer fails", async () => {
    const countTokens = () => Promise.reject(new Error("no thread"));
    const { gateway } = one("usage-none", { countTokens });
    expect((await gateway.generate(callOf())).used).toMatchObject({ estimated: 1, inputTokens: 10 });
  });

  test("the sum of all attempts, failed ones too", async () => {
    const { gateway } = shared.open({
      first: { does: fresh("503~cut-after-0"), settings: { retries: 1, fallbacks: ["second"] } },
      second: { does: "ok" },
    });
    const { answer } = await drained(gateway.stream(callOf()));
    expect(answer?.attempts.map(({ used }) => [used.calls, used.failed, used.estimated])).toEqual([
      // Nobody worked for it.
      [1, 1, 0],
      // It may have worked: the request was taken.
      [1, 1, 1],
      [1, 0, 0],
    ]);
    expect(answer?.used).toMatchObject({ calls: 3, failed: 2, estimated: 1 });
  });

  test("told with an error, too", async () => {
    const { gateway, reports } = one("stall-after-2", {});
    const call = callOf({ signal: AbortSignal.timeout(150) });
    const { error } = await drained(gateway.stream(call));
    expect(error).toMatchObject({
      attempts: [{ model: "only", used: { calls: 1, failed: 1, estimated: 1 } }],
    });
    expect(reports).toHaveLength(1);
  });
});

describe("an answer of a form", () => {
  const schema = {
    type: "object",
    properties: { price: { type: "number" } },
    required: ["price"],
    additionalProperties: false,
  };
  const say = (value: string): string => `say-${Buffer.from(value).toString("base64url")}`;

  test("is checked", async () => {
    const { gateway } = one(say('{"price": 12.5}'));
    expect((await gateway.generate(callOf({ schema }))).object).toEqual({ price: 12.5 });
    const sent = JSON.parse(shared.server.requests.at(-1)?.body ?? "{}");
    expect(sent.response_format).toMatchObject({ type: "json_schema", json_schema: { schema } });
  });

  test("may stand in a fence", async () => {
    const { gateway } = one(say('```json\n{"price": 1}\n```'));
    expect((await gateway.generate(callOf({ schema }))).object).toEqual({ price: 1 });
  });

  test.each([
    ["no JSON", "the price is 12"],
    ["of another form", '{"price": "12"}'],
    ["cut", '{"price": 1'],
  ])("is asked for once more where it is %s", async (_, wrong) => {
    const { gateway, attempts } = one(`${say(wrong)}~${say('{"price": 12}')}`);
    const answer = await gateway.generate(callOf({ schema }));
    expect(answer.object).toEqual({ price: 12 });
    expect(attempts).toHaveLength(2);
    const sent = JSON.parse(shared.server.requests.at(-1)?.body ?? "{}");
    expect(sent.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user"]);
    expect(sent.messages[1].content).toBe(wrong);
    expect(sent.messages[2].content).toContain("does not have the form");
  });

  test("that is wrong twice is an error, and no other model is asked", async () => {
    const { gateway, attempts } = shared.open({
      only: { does: fresh(say("no")), settings: { fallbacks: ["other"] } },
      other: { does: "ok" },
    });
    expect(await errorOf(gateway.generate(callOf({ schema })))).toMatchObject({
      code: "model_output_invalid",
      retryable: true,
    });
    expect(attempts).toHaveLength(2);
  });
});

test("costs are whole billionths of a dollar, rounded up once", () => {
  const tokens = { input: 3, cachedInput: 1, output: 2, reasoning: 1 };
  expect(costOf(tokens, { input: 0.15, cachedInput: 0.0755, output: 0.6, reasoning: 0.6 })).toBe(
    Math.ceil((2 * 0.15 + 0.0755 + 2 * 0.6) * 1000),
  );
  expect(costOf(tokens, { input: 1, cachedInput: 1, output: 1, reasoning: 1 })).toBe(5_000);
  expect(costOf(tokens, undefined)).toBe(0);
});
