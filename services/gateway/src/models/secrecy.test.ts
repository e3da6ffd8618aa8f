import { beforeAll, expect, test } from "@jest/globals";
import { modelLine } from "./model-line.ts";
import { Prompts } from "./prompts/index.ts";
import { callOf, drained, fresh, modelTests } from "./test/support.ts";

const shared = modelTests();
beforeAll(() => shared.start());

const CANARY = "canary-4711";

test.each([
  "ok",
  "400",
  "503",
  "malformed",
  "empty",
  "slow-10+cut-after-4",
  "error-after-2",
  "tool-broken+tool-price",
])("neither the question nor the answer is in what is logged, nor in an error: %s", async (does) => {
  const { gateway, attempts, reports } = shared.open({ only: { does: fresh(does) } });
  const messages = [{ role: "user" as const, content: `${CANARY} one two three four` }];
  const prompt = new Prompts().get("repair");
  const { error } = await drained(gateway.stream(callOf({ messages, prompt })));
  const whole = await gateway.generate(callOf({ messages, prompt })).catch((thrown: unknown) => thrown);
  const lines = reports.map(modelLine);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    prompt: "repair.v1",
    prompt_hash: prompt.hash,
    chosen: "only",
    hint: null,
  });
  const errors = [error, whole].filter((one) => Error.isError(one));
  const told = JSON.stringify([lines, attempts, errors.map((one) => [one.message, one.stack, one.cause])]);
  expect(told).not.toContain(CANARY);
});
