import { describe, expect, test } from "@jest/globals";
import { parseCsv } from "../csv.ts";
import { changeUnder } from "../demand-form.ts";
import { fitDemand } from "../fit.ts";
import { normalQuantile } from "../normal.ts";
import { makeRng } from "../rng.ts";
import type { DemandForm, Fit } from "../types.ts";

const SPEC: Fit = { model: "fit", dataset: "sales", price: "price", quantity: "quantity" };

/** Forms found in 160 rows at prices around 100 under a demand. */
function formsOf(demand: (price: number) => number, { noise = 0.1, name = "forms", today = 100 } = {}) {
  const rng = makeRng(5, name);
  const normal = () => normalQuantile(rng());
  const lines = ["price,quantity"];
  for (let row = 0; row < 160; row++) {
    const price = 100 * Math.exp(0.15 * normal());
    lines.push(`${price},${demand(price) * Math.exp(noise * normal())}`);
  }
  const dataset = parseCsv(lines.join("\n"), "sales");
  return fitDemand(
    SPEC,
    dataset,
    lines.slice(1).map((_, row) => row),
  ).formsAt(today);
}

const elastic = (price: number) => 50 * (price / 100) ** -2.4;
const linear = (price: number) => Math.max(1, 120 * (1 - price / 160));
const logit = (price: number) => 200 / (1 + Math.exp(0.06 * (price - 95)));
const kinked = (price: number) => 50 * (price / 100) ** (price > 100 ? -4.5 : -1.6);
const plausible = (forms: ReturnType<typeof formsOf>) =>
  forms.filter((form) => form.plausible).map(({ form }) => form);

describe("forms of demand", () => {
  test.each([
    ["constant_elasticity", elastic, ["linear"]],
    ["linear", linear, ["constant_elasticity", "semi_log"]],
    ["logit", logit, ["constant_elasticity", "semi_log"]],
    ["kinked", kinked, ["constant_elasticity"]],
  ] as const)("rows of a demand that is %s do not reject it, and reject others", (form, demand, rejected) => {
    const found = plausible(formsOf(demand));
    expect(found).toContain(form);
    for (const other of rejected) expect(found).not.toContain(other);
  });

  test("the logit is followed far from the middle of the prices, where a quadratic is not it", () => {
    const own = formsOf(logit, { noise: 0.01, name: "far" }).find(({ form }) => form === "logit");
    if (own === undefined) throw new Error("no logit");
    for (const price of [65, 75, 130, 140]) {
      const truth = Math.log(logit(price) / logit(100));
      expect(Math.abs(changeUnder(own, 100, price).expected - truth)).toBeLessThan(0.03);
    }
  });

  test("the true change of demand lies in the interval of the true form", () => {
    const cases: [DemandForm, (price: number) => number][] = [
      ["constant_elasticity", elastic],
      ["linear", linear],
      ["logit", logit],
      ["kinked", kinked],
    ];
    for (const [form, demand] of cases) {
      const own = formsOf(demand, { name: form }).find((one) => one.form === form);
      if (own === undefined) throw new Error(`no ${form}`);
      for (const price of [88, 96, 104, 112]) {
        const truth = Math.log(demand(price) / demand(100));
        const { low, expected, high } = changeUnder(own, 100, price);
        expect(low).toBeLessThan(truth + 0.01);
        expect(high).toBeGreaterThan(truth - 0.01);
        expect(expected).toBeCloseTo(truth, 1);
      }
    }
  });

  test("few noisy rows leave the form open", () => {
    expect(plausible(formsOf(elastic, { noise: 1.5 }))).toEqual(
      expect.arrayContaining(["constant_elasticity", "semi_log", "linear"]),
    );
  });

  test("a kink needs prices on both sides", () => {
    expect(formsOf(kinked, { today: 180 }).map(({ form }) => form)).not.toContain("kinked");
  });

  test("each form has a score on blocks that it was not fitted to", () => {
    const scores = new Map(formsOf(linear).map(({ form, held_out }) => [form, held_out ?? 0]));
    expect(scores.get("linear")).toBeGreaterThan(scores.get("constant_elasticity") ?? 1);
    expect(scores.get("linear")).toBeLessThan(1);
  });
});
