import { formatFor } from "@interlock/contracts/format";
import { afterAll, expect, test } from "@jest/globals";
import { compileExpression } from "./expression.ts";
import { ExpressionPool } from "./expression-pool.ts";

const pool = new ExpressionPool({ expressionTimeoutMs: 30_000, expressionMemoryMb: 128 });
afterAll(() => pool.close());

const print = (source: string, inputs?: object) => compileExpression(source, pool)({ request: { inputs } });

test("numbers are printed in the currency and locale of the inputs, as the agents print them", async () => {
  const german = { currency: "EUR", locale: "de-DE" };
  const format = formatFor(german);
  expect(await print("$price(1480.5)", german)).toBe(format.price(1480.5));
  expect(await print("$money(-1480.5) & $signedMoney(3)", german)).toBe(
    format.money(-1480.5) + format.signedMoney(3),
  );
  expect(await print("$share(0.125) & ' ' & $signedShare(0.0963)", german)).toBe("12,5\u00a0% +9,63\u00a0%");
  expect(await print("$price(1480.5) & ' ' & $wholeMoney(1480.5)")).toBe("1,480.50 1,481");
});

test("an expression may have functions of its own by the same names, and what is missing prints as nothing", async () => {
  expect(await print("($money := function($a) { $a & '!' }; $money(1))")).toBe("1!");
  expect(await print("'a' & $money(request.inputs.none) & 'b'", {})).toBe("ab");
});

test("a locale that nobody knows is an error of the expression", async () => {
  await expect(print("$money(1)", { locale: "zz" })).rejects.toMatchObject({ name: "ExpressionError" });
});

test("$pick takes what a shape names, of each value of an array, and leaves out what is not there", async () => {
  const items = [
    { id: "A", cost: 1, tiers: { new: { price: 2, cost: 1 }, old: { price: 1 } } },
    { id: "B", tiers: 3 },
  ];
  const pick = (source: string) => compileExpression(source, pool)({ items });
  expect(await pick('$pick(items, { "id": true, "tiers": { "*": { "price": true } } })')).toEqual([
    { id: "A", tiers: { new: { price: 2 }, old: { price: 1 } } },
    { id: "B" },
  ]);
  expect(await pick('$pick(items[0], { "tiers": { "*": true, "new": { "cost": true } } })')).toEqual({
    tiers: { new: { cost: 1 }, old: { price: 1 } },
  });
  expect(await pick('$pick([items[1]], { "cost": true })')).toEqual([{}]);
  expect(await pick('$pick(nothing, { "id": true })')).toBeUndefined();
});
