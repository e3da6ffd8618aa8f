import { afterAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import jsonata from "jsonata";
import { JsonText, plainValue } from "../json-text.ts";
import { compileExpression } from "./expression.ts";
import { ExpressionError } from "./expression-error.ts";
import { ExpressionPool } from "./expression-pool.ts";

const pool = new ExpressionPool({ expressionTimeoutMs: 10_000, expressionMemoryMb: 512 });
afterAll(() => pool.close());

const compile = (source: string) => compileExpression(source, pool);

/** Not linear on the face of it, so that the pool evaluates it. */
const TOTAL =
  "($price := function($item) { $item.price }; $sum($map(items, $price)) > 10 ? 'much' : 'little')";

describe.each([
  ["in the event loop", "$sum(items.price) > 10 ? 'much' : 'little'", "$number(secret)"],
  ["by the pool", TOTAL, "($f := function() { $number(secret) }; $f())"],
])("an expression that is evaluated %s", (_, total, number) => {
  test("is JSONata over what it is given", async () => {
    expect(await compile(total)({ items: [{ price: 6 }, { price: 7 }] })).toBe("much");
  });

  test("says why it cannot be evaluated, without any value", async () => {
    await expect(compile(number)({ secret: "canary" })).rejects.toThrow(ExpressionError);
    await expect(compile(number)({ secret: "canary" })).rejects.toThrow(/^JSONata D3030 at character \d+$/);
  });
});

test.each([
  ["$sum(", 'JSONata S0203 at line 1, character 5: ")" is expected, but the expression ends'],
  ['{\n  "a": "b\n}', "JSONata S0101 at line 3, character 1: a string is not closed"],
  ["items[0", 'JSONata S0203 at line 1, character 7: "]" is expected, but the expression ends'],
  ["1 ? 2 : )", 'JSONata S0211 at line 1, character 9: ")" cannot begin an expression'],
])("an expression that does not parse says where, and what is wrong: %j", (source, message) => {
  expect(() => compile(source)).toThrow(ExpressionError);
  expect(() => compile(source)).toThrow(message);
});

/** JSON of what comes of it, so that functions and failures can be compared too. */
const settled = (promise: Promise<unknown>) =>
  promise.then(
    (result) => JSON.stringify(plainValue(result)),
    () => "fails",
  );

test("a bare path gives what JSONata gives for it", async () => {
  const name = fc.constantFrom("a", "b", "true", "in", "constructor", "length");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("."));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(1, "x", null, true),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "in"), tie("value"), { maxKeys: 3 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(path, value, async (source, context) => {
      const ours = async () => await compile(source)(context);
      const plain = async () => await jsonata(source).evaluate(context);
      expect(await settled(ours())).toBe(await settled(plain()));
    }),
    { numRuns: 300 },
  );
});

/** As contexts are: small and large values beside and within each other. */
const CONTEXT = {
  request: {
    message: "all",
    inputs: { items: Array.from({ length: 10_000 }, (_, id) => ({ id })), few: [1] },
  },
  steps: { check: { outputs: { passed: true, rows: ["x".repeat(100_000)] }, kept: new JsonText("[1,2]") } },
  rounds: 2,
};
const PLAIN = JSON.parse(JSON.stringify(CONTEXT));

/** Longer than one message to a process. */
const LONG = "✓\n".repeat(250_000);
const MERGED = `$merge([given, { "rows": [given.few, 1], "same": again.answer.few, "one": [again.answer][0], "mine": [more, given.long & "!"] }])`;

test.each([
  "$$",
  "request.inputs",
  "steps.*.outputs",
  "steps.check.kept",
  "$map(request.inputs.items, function($item) { $item.id + rounds })",
  "request.inputs.items[id in $$.steps.check.kept].id",
  "$merge([request.inputs, { 'kept': steps.check.kept }])",
  "$each(steps.check, function($v, $k) { $k })",
  "$keys(request.inputs)",
  "steps.check.outputs{passed: rows}",
  "request.inputs.nothing",
  "**.passed",
  "{ 'rows': steps.check.outputs.rows, 'same': request.inputs.items, 'few': request.inputs.few[] }",
])("a context with large values is what %s sees", async (source) => {
  expect(await settled(compile(source)(CONTEXT))).toBe(await settled(jsonata(source).evaluate(PLAIN)));
  // The pool's processes know its large values by now.
  expect(await settled(compile(source)(CONTEXT))).toBe(await settled(jsonata(source).evaluate(PLAIN)));
});

test("a large result stays text", async () => {
  const result = await compile("request.inputs.items.{ 'id': id }")(CONTEXT);
  expect(result).toBeInstanceOf(JsonText);
  expect(plainValue(result)).toEqual(PLAIN.request.inputs.items);
});

test("a large result is right, whatever of it stood in the context already, and so is what is made of it", async () => {
  const member = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.string({ minLength: 1_500 }));
  const name = fc.oneof(fc.constantFrom("a", "b", "__proto__"), fc.string());
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, member),
      fc.constantFrom(0, 1),
      fc.jsonValue(),
      async (members, indent, more) => {
        // Long enough to be a part, and to be kept as a result.
        const text = JSON.stringify({ ...members, long: LONG, few: [[1]] }, null, indent);
        const first = { given: new JsonText(text), again: { answer: new JsonText(text) }, more };
        const plain = JSON.parse(JSON.stringify(first));
        const made = await compile(MERGED)(first);
        const wanted = JSON.parse(JSON.stringify(await jsonata(MERGED).evaluate(plain)));
        expect(made).toBeInstanceOf(JsonText);
        expect(plainValue(made)).toEqual(wanted);
        const [second, plainSecond] = [
          { made, given: first.given },
          { made: wanted, given: plain.given },
        ];
        for (const source of [
          "$merge([given, made, { 'x': made.rows }])",
          "$map(made.rows, $string)",
          "$count(made.mine)",
        ])
          expect(await settled(compile(source)(second))).toBe(
            await settled(jsonata(source).evaluate(plainSecond)),
          );
      },
    ),
    { numRuns: 30 },
  );
});

describe("a large object that is read outside of the event loop", () => {
  test("has its lazy members as text, where they are objects", async () => {
    const members = { ok: true, outputs: { rows: [1, '"}'] }, data: [2], "out\\": { outputs: 3 } };
    const read = await pool.readObject(JSON.stringify(members, null, 1), ["outputs", "data"], 5);
    const object = read.ok ? read.object : {};
    expect(object).toEqual({ ...members, outputs: expect.any(JsonText) });
    expect(plainValue(object.outputs)).toEqual(members.outputs);
    // Expressions see it like any other value.
    expect(await compile("outputs")(object)).toBe(object.outputs);
    expect(await compile("$count(outputs.rows)")(object)).toBe(2);
  });

  test("is the same object as bytes, however long", async () => {
    const outputs = { rows: ["é→😀".repeat(200_000)] };
    const text = JSON.stringify({ "→": 1, outputs });
    for (const json of [text, Buffer.from(text)]) {
      const read = await pool.readObject(json, ["outputs"], 5);
      const object = read.ok ? read.object : {};
      expect(object).toEqual({ "→": 1, outputs: expect.any(JsonText) });
      expect(plainValue(object.outputs)).toEqual(outputs);
      expect(await compile("$length(outputs.rows[0])")(object)).toBe(600_000);
    }
  });

  test.each([
    ["not_json", '{"outputs":{}'],
    ["not_an_object", "[{}]"],
    ["too_deep", '{"outputs":{"a":[[[]]]}}'],
  ])("is refused as %s", async (problem, json) => {
    expect(await pool.readObject(json, ["outputs"], 4)).toEqual({ ok: false, problem });
  });
});

test("evaluations beyond the pool's processes wait for one", async () => {
  const doubled = compile("$map(list, function($n) { $n * 2 })");
  const results = await Promise.all(Array.from({ length: 20 }, (_, n) => doubled({ list: [n, n] })));
  expect(results).toEqual(Array.from({ length: 20 }, (_, n) => [2 * n, 2 * n]));
});
