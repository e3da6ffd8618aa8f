import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { JsonText } from "../../json-text.ts";
import { compileTemplate } from "./template.ts";

/** A value as a request holds it where it is large. */
const text = (value: unknown) => new JsonText(JSON.stringify(value));
const plain = (value: unknown) => (value instanceof JsonText ? value.value : value);
const resolve = async (source: unknown, context: Record<string, unknown>) =>
  plain(await compileTemplate(source).resolve(context));

const CONTEXT = {
  request: { language: "ko", inputs: { items: [1, 2, 3], currency: "EUR" } },
  steps: { "re-check": { outputs: { totals: { profit: 5 }, empty: [], none: null } } },
};

test.each([
  ["a reference", "request.inputs.currency", "EUR"],
  ["a step with a hyphen", "steps.re-check.outputs.totals.profit", 5],
  ["null", "steps.re-check.outputs.none", null],
  ["what leads nowhere", "steps.none.outputs.totals", undefined],
  ["an element of a list, which has no name", "request.inputs.items.0x", undefined],
  ["what every object inherits", "request.inputs.constructor", undefined],
  [
    "an object without what leads nowhere",
    { a: "request.inputs.items", b: "request.gone" },
    { a: [1, 2, 3] },
  ],
  [
    "an object without objects that nothing is left of",
    { a: { b: "request.gone" }, c: {}, d: { e: "request.inputs.currency", f: "request.gone" } },
    { c: {}, d: { e: "EUR" } },
  ],
  ["a list without what leads nowhere", ["request.gone", "request.inputs.currency", true], ["EUR", true]],
  [
    "members of another",
    { "...": "request.inputs", currency: { literal: "USD" } },
    { items: [1, 2, 3], currency: "USD" },
  ],
  [
    "members of several",
    { "...": ["request.inputs", "steps.re-check.outputs.totals"] },
    { items: [1, 2, 3], currency: "EUR", profit: 5 },
  ],
  ["the first that is there", { first: ["request.gone", "request.inputs.currency"] }, "EUR"],
  ["a count", { n: { count: "request.inputs.items" } }, { n: 3 }],
  ["a count of nothing", { count: "steps.re-check.outputs.empty" }, 0],
  ["a text", { text: "{request.inputs.currency}: {steps.re-check.outputs.totals}" }, 'EUR: {"profit":5}'],
  ["no text where one place leads nowhere", { first: [{ text: "{request.gone}" }, { literal: "-" }] }, "-"],
  [
    "a text of the request's language",
    { text: { en: "{request.inputs.currency}.", ko: "통화 {request.inputs.currency}" } },
    "통화 EUR",
  ],
  ["a text of another language", { text: { en: "Good." } }, "Good."],
  ["a member that is called text", { text: "request.inputs.currency" }, { text: "EUR" }],
  ["a member that is called count", { count: { count: "request.inputs.items" } }, { count: 3 }],
  [
    "members that are called like what templates know",
    { first: ["request.inputs.currency"], literal: "request.inputs.currency" },
    { first: ["EUR"], literal: "EUR" },
  ],
  ["numbers and truth", { a: 0.05, b: false, c: null }, { a: 0.05, b: false, c: null }],
])("gives %s, whether values are parsed or text", async (_what, source, value) => {
  // No name of a reference begins with a digit.
  if (source === "request.inputs.items.0x") {
    expect(() => compileTemplate(source)).toThrow(SyntaxError);
    return;
  }
  expect(await resolve(source, CONTEXT)).toEqual(value);
  const { request, steps } = CONTEXT;
  const asText = {
    request: { ...request, inputs: text(request.inputs) },
    steps: { "re-check": { outputs: text(steps["re-check"].outputs) } },
  };
  expect(await resolve(source, asText)).toEqual(value);
});

test.each(["$sum(steps)", "request.inputs[0]", "a b", "", "request..inputs"])(
  "%j is no reference",
  (source) => {
    expect(() => compileTemplate({ items: source })).toThrow(/^items: .* is not a reference/);
  },
);

test("the places of a text are references", () => {
  expect(() => compileTemplate({ text: "Mean {outputs mean}" })).toThrow(
    /^text: "outputs mean" is not a reference/,
  );
  const { references } = compileTemplate({ text: { en: "{a.b}.", ko: "{c}." } });
  expect(references).toEqual([["a", "b"], ["c"]]);
});

test("a large value goes through as it is written, and is not parsed", async () => {
  const items = `[${Array.from({ length: 30_000 }, (_, n) => `{"id":"i${n}" , "x":1.50}`).join(",")}]`;
  const inputs = new JsonText(`{"items": ${items}, "name": "n"}`);
  const made = await compileTemplate({ "...": "request.inputs", again: "request.inputs.items" }).resolve({
    request: { inputs },
  });
  expect(made).toBeInstanceOf(JsonText);
  // Written as it was, spaces and digits included.
  expect(Object(made).text).toBe(`{"items":${items},"name":"n","again":${items}}`);
});

test("members of text are those that parsing it gives", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), async (object, spaced) => {
      const json = JSON.stringify(object, null, spaced ? 2 : 0);
      const whole = await resolve({ "...": "a" }, { a: new JsonText(json) });
      expect(whole).toEqual(JSON.parse(json));
    }),
  );
});
