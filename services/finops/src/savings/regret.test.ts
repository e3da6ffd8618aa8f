import { describe, expect, test } from "@jest/globals";
import { makeRng } from "../stats/index.ts";
import { optimalCommitment } from "./commitment.ts";
import { type CommitmentRisk, commitmentRisk, type RiskOptions } from "./regret.ts";

const OPTIONS: RiskOptions = { block: 168, scenarios: 300, seed: 7, levelDeviation: 0 };

function risk(usage: readonly number[], level: number, options: Partial<RiskOptions> = {}): CommitmentRisk {
  const steps = commitmentRisk([{ onDemand: Float64Array.from(usage), discount: 0.3 }], level, {
    ...OPTIONS,
    ...options,
  });
  let next = steps.next();
  while (!next.done) next = steps.next();
  return next.value;
}

const random = makeRng(1);
const varied = Array.from({ length: 8 * 168 }, (_, i) => 10 + (i % 24 < 12 ? 5 : 0) + 4 * random());
const best = optimalCommitment([{ onDemand: Float64Array.from(varied), discount: 0.3 }]);

describe("the risk of a commitment", () => {
  test("to usage that never changes is none", () => {
    expect(risk(new Array(336).fill(10), 7)).toEqual({
      saving: { p5: expect.closeTo(3, 9), p50: expect.closeTo(3, 9), p95: expect.closeTo(3, 9) },
      chance_of_loss: 0,
      regret: { mean: expect.closeTo(0, 9), p95: expect.closeTo(0, 9) },
      scenarios: 300,
    });
  });

  test("is the same under the same seed", () => {
    expect(risk(varied, best)).toEqual(risk(varied, best));
    expect(risk(varied, best, { seed: 8 })).not.toEqual(risk(varied, best));
  });

  test("has no negative regret, and less at the optimum than far from it", () => {
    const regrets = [0, best / 2, best, 1.5 * best].map((level) => risk(varied, level).regret);
    for (const { mean, p95 } of regrets) {
      expect(mean).toBeGreaterThanOrEqual(-1e-9);
      expect(p95).toBeGreaterThanOrEqual(mean - 1e-9);
    }
    const [none, half, optimal, much] = regrets.map(({ mean }) => mean);
    expect(optimal).toBeLessThan(half ?? 0);
    expect(half).toBeLessThan(none ?? 0);
    expect(optimal).toBeLessThan(much ?? 0);
  });

  test("grows with the uncertainty of the level of usage", () => {
    const [sure, unsure] = [risk(varied, best), risk(varied, best, { levelDeviation: 0.5 })];
    expect(unsure.chance_of_loss).toBeGreaterThan(sure.chance_of_loss);
    expect(unsure.saving.p5).toBeLessThan(sure.saving.p5);
    expect(unsure.regret.mean).toBeGreaterThan(sure.regret.mean);
  });
});
