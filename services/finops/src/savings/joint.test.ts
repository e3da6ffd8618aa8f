import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Bill, type JointSaving, jointSaving, type Reduction } from "./joint.ts";
import { poolOf } from "./pool.ts";
import type { CommitmentPool } from "./types.ts";

function jointly(bill: Bill, reductions: readonly Reduction[]): JointSaving {
  const steps = jointSaving(bill, reductions);
  let next = steps.next();
  while (!next.done) next = steps.next();
  return next.value;
}

/** Two groups of usage, ordered alike by the discounts of what exists and of what can be bought. */
const DISCOUNTS = { a: 0.5, b: 0.25 };

const caseArbitrary = fc.integer({ min: 1, max: 4 }).chain((periods) => {
  const series = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: periods, maxLength: periods });
  return fc.record({
    costs: fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 2, maxLength: 2 }),
    usage: fc.array(fc.record({ group: fc.constantFrom("a", "b"), resource: fc.nat({ max: 3 }), series }), {
      minLength: 1,
      maxLength: 4,
    }),
    existing: fc.constantFrom(0, 1, 2.5),
    second: fc.constantFrom(0.1, 0.5, 0.6),
    reductions: fc.array(
      fc.record({ resource: fc.nat({ max: 5 }), factor: fc.constantFrom(0, 0.25, 0.5, 1) }),
      { maxLength: 4 },
    ),
  });
});

type Case = typeof caseArbitrary extends fc.Arbitrary<infer C> ? C : never;

/** Resources 0 to 3 have usage in the pool, 4 and 5 have a cost of their own. */
function problemOf({ costs, usage, existing, second, reductions }: Case) {
  const pool: CommitmentPool = {
    name: "pool",
    grain: "hour",
    usage: usage.map(({ group, resource, series }) => ({
      group,
      resource_id: `r${resource}`,
      on_demand: series,
    })),
    existing: { per_period: existing, discounts: DISCOUNTS },
    options: [
      { name: "one year", term_months: 12, discounts: DISCOUNTS },
      { name: "only a", term_months: 12, discounts: { a: second } },
    ],
  };
  return {
    pool,
    bill: { costs: new Map(costs.map((cost, i) => [`r${i + 4}`, cost])), pools: [poolOf(pool)] },
    reductions: reductions.map(({ resource, factor }) => ({ resource: `r${resource}`, factor })),
  };
}

/** The bill of a month, by its definition: hour by hour, for some reductions and one commitment. */
function monthlyCost(
  { pool, bill }: ReturnType<typeof problemOf>,
  chosen: readonly Reduction[],
  option: number,
  level: number,
): number {
  const left = (resource: string) =>
    chosen.filter((one) => one.resource === resource).reduce((share, { factor }) => share * factor, 1);
  let month = 0;
  for (const [resource, cost] of bill.costs) month += cost * left(resource);
  const hours = pool.usage[0]?.on_demand.length ?? 0;
  for (let t = 0; t < hours; t++) {
    const demand = { a: 0, b: 0 };
    for (const { group, resource_id = "", on_demand } of pool.usage)
      demand[group === "a" ? "a" : "b"] += (on_demand[t] ?? 0) * left(resource_id);
    const cover = (money: number, discounts: Readonly<Record<string, number>>) => {
      let rest = money;
      for (const group of ["a", "b"] as const) {
        const discount = discounts[group];
        if (discount === undefined) continue;
        const paid = Math.min(rest, demand[group] * (1 - discount));
        demand[group] -= paid / (1 - discount);
        rest -= paid;
      }
    };
    cover(pool.existing?.per_period ?? 0, DISCOUNTS);
    cover(level, pool.options[option]?.discounts ?? {});
    month += ((pool.existing?.per_period ?? 0) + level + demand.a + demand.b) * (730 / hours);
  }
  return month;
}

/** The largest saving of any set of reductions, any option and any level at which an hour's usage can end. */
function bruteForce(problem: ReturnType<typeof problemOf>): number {
  const { reductions, pool } = problem;
  const today = monthlyCost(problem, [], 0, 0);
  let best = 0;
  for (let mask = 0; mask < 2 ** reductions.length; mask++) {
    const chosen = reductions.filter((_, i) => mask & (1 << i));
    for (const [option] of pool.options.entries()) {
      // All of these ends are multiples of 1/160 below 19, most of 1/8; the search narrows in on a convex cost.
      let [low, high] = [0, 40];
      while (high - low > 1e-7) {
        const [third, twoThirds] = [low + (high - low) / 3, high - (high - low) / 3];
        if (monthlyCost(problem, chosen, option, third) <= monthlyCost(problem, chosen, option, twoThirds))
          high = twoThirds;
        else low = third;
      }
      best = Math.max(best, today - monthlyCost(problem, chosen, option, low));
    }
  }
  return best;
}

describe("the joint saving", () => {
  test("is that of brute force over all sets of changes and all levels", () => {
    fc.assert(
      fc.property(caseArbitrary, (given) => {
        const problem = problemOf(given);
        expect(jointly(problem.bill, problem.reductions).joint).toBeCloseTo(bruteForce(problem), 2);
      }),
      { numRuns: 150 },
    );
  });

  test("is at most the sum, and the sum of its parts", () => {
    fc.assert(
      fc.property(caseArbitrary, (given) => {
        const { bill, reductions } = problemOf(given);
        const { sum, joint, reductions: each, commitments } = jointly(bill, reductions);
        expect(joint).toBeLessThanOrEqual(sum + 1e-6);
        const parts = [...each, ...commitments];
        expect(parts.reduce((total, one) => total + one.joint, 0)).toBeCloseTo(joint, 6);
        for (const one of parts) {
          expect(one.joint).toBeGreaterThanOrEqual(-1e-6);
          expect(one.joint).toBeLessThanOrEqual(one.alone + 1e-6);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("counts a resource that is deleted and made smaller once", () => {
    const { sum, joint } = jointly({ costs: new Map([["r", 100]]), pools: [] }, [
      { resource: "r", factor: 0 },
      { resource: "r", factor: 0.5 },
    ]);
    expect([sum, joint]).toEqual([150, 100]);
  });

  test("commits to what is left after the reductions", () => {
    const pool = poolOf({
      name: "pool",
      grain: "hour",
      usage: ["keep", "stop"].map((resource_id) => ({ group: "a", resource_id, on_demand: [10, 10] })),
      options: [{ name: "one year", term_months: 12, discounts: { a: 0.4 } }],
    });
    const { sum, joint, commitments } = jointly({ costs: new Map(), pools: [pool] }, [
      { resource: "stop", factor: 0 },
    ]);
    expect(commitments[0]).toMatchObject({ bestNow: { level: 12 }, bestAfter: { level: 6 } });
    expect(sum).toBeCloseTo(730 * (10 + 8), 6);
    expect(joint).toBeCloseTo(730 * (10 + 4), 6);
  });

  test("of stopping what a commitment has paid for already is nothing", () => {
    const pool = poolOf({
      name: "pool",
      grain: "hour",
      usage: [{ group: "a", resource_id: "covered", on_demand: [10] }],
      existing: { per_period: 6, discounts: { a: 0.4 } },
      options: [],
    });
    expect(jointly({ costs: new Map(), pools: [pool] }, [{ resource: "covered", factor: 0 }])).toMatchObject({
      sum: 0,
      joint: 0,
    });
  });
});
