import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { numberOf, percentages, unitsOf } from "./decimal.ts";

test("decimals of the database are exact, and become the nearest double", () => {
  expect(unitsOf("0.1") + unitsOf("0.2")).toBe(unitsOf("0.300000000000"));
  expect(numberOf(unitsOf("-12.5"))).toBe(-12.5);
  expect(numberOf(unitsOf("-0.000000000001"))).toBe(-1e-12);
  expect(numberOf(unitsOf("123456789012.34"))).toBe(123456789012.34);
});

describe("percentages", () => {
  test("add up to 100.0, within a tenth of what each is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 18n }), { minLength: 1, maxLength: 30 }),
        (parts) => {
          const total = parts.reduce((sum, part) => sum + part, 0n);
          const found = percentages(parts);
          if (total === 0n) return found === undefined;
          const tenths = found?.reduce((sum, one) => sum + Math.round(one * 10), 0);
          const isNear = found?.every(
            (one, index) =>
              Math.abs(one - (100 * Number(parts[index])) / Number(total)) <= 0.1 + 1e-9 * Math.abs(one),
          );
          return tenths === 1000 && isNear === true;
        },
      ),
    );
  });

  test("of thirds", () => {
    expect(percentages([1n, 1n, 1n])).toEqual([33.4, 33.3, 33.3]);
  });
});
