import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { unusualRuns } from "./detect.ts";
import { driversOf, type Item, mainDriver } from "./drivers.ts";

/** A hundred on weekdays and sixty at weekends, from a Monday on, with a ripple. */
const usual = (days: number) =>
  Array.from({ length: days }, (_, index) => (index % 7 > 4 ? 60 : 100) * (1 + 0.01 * Math.sin(index * 1.7)));
const seriesOf = (values: readonly number[]) => ({ first: "2026-01-05", values });
const changed = (days: number, change: (value: number, index: number) => number) =>
  seriesOf(usual(days).map(change));

describe("unusual is", () => {
  test("nothing of what weekends, ripples and slow growth explain", () => {
    expect(unusualRuns(changed(300, (value, index) => value * (1 + index / 1000)))).toEqual([]);
  });

  test("nothing before there is a history", () => {
    expect(unusualRuns(changed(20, (value, index) => (index === 10 ? 900 : value)))).toEqual([]);
  });

  test("a day that costs a third more, even if weekdays do anyway", () => {
    const runs = unusualRuns(changed(120, (value, index) => (index === 89 ? value * 1.34 : value)));
    expect(runs).toMatchObject([
      { kind: "spike", direction: "up", first_day: "2026-04-04", last_day: "2026-04-04", lasting: false },
    ]);
    expect(runs[0]?.days[0]?.expected).toBeCloseTo(60, 0);
  });

  test("another level, from its first day on until it is the usual one", () => {
    const runs = unusualRuns(changed(200, (value, index) => (index >= 100 ? value * 1.5 : value)));
    expect(runs).toMatchObject([{ kind: "step", first_day: "2026-04-15", lasting: true }]);
  });

  test("a rise by the day, once it can be told, and not its end", () => {
    const runs = unusualRuns(
      changed(200, (value, index) =>
        index >= 100 && index < 118 ? value * (1 + 0.06 * (index - 99)) : value,
      ),
    );
    expect(runs).toMatchObject([{ kind: "ramp", direction: "up", last_day: "2026-05-02" }]);
    expect(runs[0]?.first_day).toMatch(/^2026-04-1[567]$/);
  });

  test("an outage, and a level that has fallen", () => {
    expect(
      unusualRuns(changed(150, (value, index) => (index === 60 || index === 61 ? 0 : value))),
    ).toMatchObject([{ kind: "dip", direction: "down", first_day: "2026-03-06", last_day: "2026-03-07" }]);
    expect(unusualRuns(changed(150, (value, index) => (index >= 60 ? 0.4 * value : value)))).toMatchObject([
      { kind: "fall", direction: "down", lasting: true },
    ]);
  });
});

describe("why", () => {
  const item = (more: Partial<Item>): Item => ({
    unit: "Hours",
    quantity: 10,
    cost: 20,
    quantityBefore: 10,
    costBefore: 20,
    ...more,
  });

  test("a price alone, a quantity alone, a mix alone", () => {
    expect(driversOf([item({ cost: 30 })])).toEqual({ price: 10, quantity: 0, mix: 0, other: 0 });
    expect(driversOf([item({ quantity: 15, cost: 30 })])).toEqual({
      price: 0,
      quantity: 10,
      mix: 0,
      other: 0,
    });
    const dear = { cost: 100, costBefore: 50, quantity: 10, quantityBefore: 5 };
    expect(mainDriver(driversOf([item({ quantity: 5, cost: 10 }), item(dear)]))).toBe("mix");
  });

  test("units of different kinds are not added up, and charges without usage are told apart", () => {
    const found = driversOf([
      item({ quantity: 20, cost: 40 }),
      item({ unit: "GB", quantity: 1000, quantityBefore: 2000, cost: 10 }),
      item({ unit: null, cost: 7, costBefore: 0, quantity: 0, quantityBefore: 0 }),
    ]);
    expect(found).toEqual({ quantity: 20 - 10, price: 0, mix: 0, other: 7 });
  });

  test("whatever happened, the drivers add up to the change", () => {
    const amount = fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 1e6, noNaN: true }));
    const items = fc.array(
      fc.record({
        unit: fc.constantFrom("Hours", "GB", null),
        quantity: amount,
        cost: amount,
        quantityBefore: amount,
        costBefore: amount,
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(items, (all) => {
        const { quantity, mix, price, other } = driversOf(all);
        const change = all.reduce((sum, { cost, costBefore }) => sum + cost - costBefore, 0);
        const size = Math.max(...[quantity, mix, price, other, change, 1].map(Math.abs));
        return Math.abs(quantity + mix + price + other - change) <= 1e-9 * size;
      }),
    );
  });
});
