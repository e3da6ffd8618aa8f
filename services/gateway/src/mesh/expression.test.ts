import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import jsonata from "jsonata";
import { compileExpression, ExpressionError } from "./expression.ts";

describe("an expression", () => {
  test("is JSONata over what it is given", async () => {
    const expression = compileExpression("$sum(items.price) > 10 ? 'much' : 'little'");
    expect(await expression({ items: [{ price: 6 }, { price: 7 }] })).toBe("much");
  });

  test("that does not parse says where, without its source", () => {
    expect(() => compileExpression("$sum(")).toThrow(ExpressionError);
    expect(() => compileExpression("$sum(")).toThrow(/^JSONata S0\d{3} at character \d+$/);
  });

  test("that cannot be evaluated says why, without any value", async () => {
    const expression = compileExpression("$number(secret)");
    await expect(expression({ secret: "canary" })).rejects.toMatchObject({
      code: expect.stringMatching(/^D3030/),
    });
    await expect(expression({ secret: "canary" })).rejects.not.toThrow(/canary/);
  });
});

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
      const settled = (promise: Promise<unknown>) =>
        promise.then(
          (result) => JSON.stringify(result),
          () => "fails",
        );
      const ours = async () => await compileExpression(source)(context);
      const plain = async () => await jsonata(source).evaluate(context);
      expect(await settled(ours())).toBe(await settled(plain()));
    }),
    { numRuns: 300 },
  );
});
