import { describe, expect, test } from "@jest/globals";
import { parseCsv } from "../csv.ts";
import { normalQuantile } from "../normal.ts";
import { itemResolver } from "../resolve.ts";
import { makeRng } from "../rng.ts";
import type { Fit } from "../types.ts";
import { priorOf } from "./partial-pooling.ts";

const ITEMS = 12;

/** Twelve items; `elasticity` of each, 40 weeks, and noise that leaves each of them unsure. */
function catalogue(elasticity: (item: number) => number, noise = 0.35) {
  const rng = makeRng(4, "pooling");
  const normal = () => normalQuantile(rng());
  const lines = Array.from({ length: ITEMS }, (_, item) =>
    Array.from({ length: 40 }, (_week, week) => {
      const price = 10 * Math.exp(0.12 * normal());
      const quantity = 100 * (price / 10) ** elasticity(item) * Math.exp(noise * normal());
      return [`i${item}`, week + 1, price, quantity].join(",");
    }),
  );
  return ["article,week,price,quantity", ...lines.flat()].join("\n");
}

async function fitOf(csv: string, article: string, rest: Partial<Fit> = {}) {
  const demand: Fit = {
    ...{ model: "fit", dataset: "sales", price: "price", quantity: "quantity", where: { article } },
    ...rest,
  };
  const resolve = itemResolver({ load: async (id) => parseCsv(csv, id) });
  const item = { item_id: article, tiers: { new: { current_price: 10, unit_cost: 6, demand } } };
  return (await resolve(item)).item.tiers.new;
}

describe("partial pooling", () => {
  test("draws an unsure elasticity towards those of the other items, narrows its interval, and says by how much", async () => {
    const csv = catalogue(() => -2.5);
    const [alone, pooled] = [await fitOf(csv, "i0", { pooling: "none" }), await fitOf(csv, "i0")];
    const [own, report] = [alone?.fit, pooled?.fit];
    expect(own?.pooling).toBeUndefined();
    expect(report?.pooling).toMatchObject({
      items: ITEMS - 1,
      own: { elasticity: own?.elasticity, elasticity_se: own?.elasticity_se },
    });
    const distance = (elasticity = 0) => Math.abs(elasticity - (report?.pooling?.mean ?? 0));
    expect(distance(report?.elasticity)).toBeLessThan(0.7 * distance(own?.elasticity));
    expect(report?.elasticity_se).toBeLessThan(0.8 * (own?.elasticity_se ?? 0));
    expect(report?.interval?.low).toBeLessThan(-2.5);
    expect(report?.interval?.high).toBeGreaterThan(-2.5);
    // What is recommended rests on it: demand, and every form of it.
    expect(pooled?.demand).toMatchObject({ elasticity: report?.elasticity });
    const constant = pooled?.forms?.find(({ form }) => form === "constant_elasticity");
    expect(constant?.elasticity_se).toBeLessThan(0.8 * (own?.elasticity_se ?? 0));
  });

  test("leaves an item alone whose own rows say all, or whose fellows differ widely", async () => {
    expect(
      (
        await fitOf(
          catalogue((item) => -2 - 0.3 * (item % 5), 0.02),
          "i0",
        )
      )?.fit?.pooling,
    ).toBeUndefined();
    const different = catalogue((item) => -1 - item);
    expect((await fitOf(different, "i0"))?.fit?.pooling?.weight ?? 0).toBeLessThan(0.2);
  });

  test("moves an item unlike the others by no more than its own standard error", async () => {
    const { fit } =
      (await fitOf(
        catalogue((item) => (item === 0 ? -7 : -2)),
        "i0",
      )) ?? {};
    const { own } = fit?.pooling ?? {};
    const moved = (fit?.elasticity ?? 0) - (own?.elasticity ?? 0);
    expect(Math.abs(moved)).toBeLessThanOrEqual((own?.elasticity_se ?? 0) * (1 + 1e-9));
  });

  test("needs eight others", () => {
    const some = Array.from({ length: 8 }, (_, k) => ({ elasticity: -2 - 0.1 * k, error: 0.2 }));
    expect(priorOf(some)).toBeDefined();
    expect(priorOf(some.slice(1))).toBeUndefined();
  });

  test("the prior is wide by what the items differ in, not by the errors of their estimates", () => {
    const rng = makeRng(9, "prior");
    const normal = () => normalQuantile(rng());
    const drawn = (between: number, error: number) =>
      priorOf(
        Array.from({ length: 200 }, () => ({
          elasticity: -2.5 + between * normal() + error * normal(),
          error,
        })),
      );
    expect(drawn(0.5, 0.1)?.between).toBeCloseTo(0.5, 1);
    expect(drawn(0.1, 0.5)?.between).toBeLessThan(0.25);
    expect(drawn(0.1, 0.5)?.mean).toBeCloseTo(-2.5, 1);
  });
});
