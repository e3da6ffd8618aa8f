import { expect, test } from "@jest/globals";
import { runStudy, SEED } from "./study.ts";
import { WORLDS } from "./worlds.ts";

test.each(WORLDS.filter(({ row }) => row === 2))(
  "95% intervals hold the true elasticity in at least 93% of the worlds: $name",
  async (kind) => {
    const scale = 200 / kind.worlds;
    const [after] = await runStudy(SEED, { kinds: [kind], scale, methods: ["after"] });
    expect(after?.coverage).toBeGreaterThanOrEqual(0.93);
  },
  120_000,
);

test("proposals without a warning lose against today's prices in at most 5% of the worlds of any kind", async () => {
  const kinds = WORLDS.filter(({ row }) => row !== 2);
  const figures = await runStudy(SEED + 1, { kinds, scale: 0.1, methods: ["after"] });
  expect(figures.filter(({ losing }) => losing > 0.05)).toEqual([]);
  // Warnings that every proposal has would say nothing.
  expect(figures.filter(({ unwarned }) => unwarned > 0.5).length).toBeGreaterThanOrEqual(3);
}, 120_000);
