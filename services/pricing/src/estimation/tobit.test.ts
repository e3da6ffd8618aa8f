import { expect, test } from "@jest/globals";
import { normalQuantile } from "../normal.ts";
import { makeRng } from "../rng.ts";
import { tobitSteps } from "./tobit.ts";

const TRUE = -2.5;

function estimate(x: Float64Array, q: Float64Array, limited: Uint8Array) {
  const steps = tobitSteps(q, limited, [x]);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** 4,000 rows, of which those that would sell more than 60 units sell 60. */
function rows(seed: number, toUnits: (value: number) => number = (value) => value) {
  const rng = makeRng(seed, "tobit");
  const normal = () => normalQuantile(rng());
  const x = Float64Array.from({ length: 4000 }, () => 0.2 * normal());
  const wanted = x.map((log) => toUnits(50 * Math.exp(TRUE * log + 0.3 * normal())));
  return {
    x,
    q: wanted.map((units) => Math.min(units, 60)),
    limited: Uint8Array.from(wanted, (units) => (units >= 60 ? 1 : 0)),
  };
}

test("the censored regression finds slope, level and spread of the demand, and maximises its likelihood", () => {
  const { x, q, limited } = rows(5);
  const { regression, linear, spread, converged } = estimate(x, q, limited);
  const [slope = 0] = regression.coefficients;
  expect(converged).toBe(true);
  expect(slope).toBeCloseTo(TRUE, 1);
  expect(spread).toBeCloseTo(0.3, 1);
  const level = (linear[0] ?? 0) - slope * (x[0] ?? 0);
  expect(level).toBeCloseTo(Math.log(50), 1);
  // The score of the slope, by the definition of the likelihood: Σ x·(residual, or σ·hazard) = 0.
  const score = regression.scaledResiduals.reduce(
    (sum, error, r) => sum + error * (regression.basis[0]?.[r] ?? 0),
    0,
  );
  expect(Math.abs(score)).toBeLessThan(1e-6);
});

test("rows that did not sell out alone give least squares", () => {
  const { x, q } = rows(6);
  const open = q.map((units) => units + 0.25);
  const { regression, demand } = estimate(x, open, new Uint8Array(4000));
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const logs = open.map(Math.log);
  const [mx, my] = [mean(x), mean(logs)];
  const slope =
    x.reduce((sum, value, r) => sum + (value - mx) * ((logs[r] ?? 0) - my), 0) /
    x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
  expect(regression.coefficients[0]).toBeCloseTo(slope, 8);
  expect([...demand]).toEqual([...open]);
});
