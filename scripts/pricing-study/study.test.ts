import { wilsonInterval } from "@interlock/pricing";
import { expect, test } from "@jest/globals";
import { FAMILIES } from "./families/index.ts";
import { verdictOf } from "./goals.ts";
import { type Figures, runStudy, type StudyOptions } from "./study.ts";

/** Not the report's, which is drawn anew with each method. */
const SEED = 20261122;

async function study(options: StudyOptions): Promise<Figures[]> {
  const figures: Figures[] = [];
  for await (const one of runStudy({ seed: SEED, methods: ["shipped"], ...options })) figures.push(one);
  return figures;
}

const family = (name: string) => FAMILIES.filter((one) => one.name === name);

test("every family that has no stated reason reaches its goals, as far as 20 worlds can tell", async () => {
  const families = FAMILIES.filter(({ open }) => open === undefined);
  const figures = await study({ families, worlds: 20, seed: SEED + 1 });
  expect(figures.map(verdictOf).filter(({ met }) => !met)).toEqual([]);
  expect(families.length).toBeGreaterThan(20);
}, 300_000);

test.each(["independent rows", "104 weeks, AR(0.8)", "season, ISO weeks"])(
  "95% intervals hold the true elasticity in at least 92% of the worlds: %s",
  async (name) => {
    const [figures] = await study({ families: family(name), worlds: 150 });
    expect(figures?.coverage).toBeGreaterThanOrEqual(0.92);
  },
  300_000,
);

test("losing is a share of the unwarned moves, so that a method that always warns has none", async () => {
  const [plain] = await study({
    families: family("a kink at today's price"),
    worlds: 20,
    methods: ["plain"],
  });
  // Log-log least squares overlooks the kink and never warns: nearly all that it moves loses.
  expect(plain?.unwarned.share).toBe(plain?.moved);
  expect(plain?.losing?.low).toBeGreaterThan(0.5);
});

test("scores of the sensitivity analysis are frequencies: a 90% wins in 85 to 95% of the worlds", async () => {
  const families = FAMILIES.filter(({ kind }) => kind === "well-behaved");
  const figures = await study({ families, worlds: 60, seed: SEED + 2 });
  const sure = figures.flatMap(({ scored }) => scored).filter(({ score }) => score > 0.85 && score <= 0.95);
  const won = sure.filter(({ wins }) => wins).length;
  expect(sure.length).toBeGreaterThan(50);
  const { low, high } = wilsonInterval(won, sure.length, 0.95);
  expect(high).toBeGreaterThan(0.85);
  expect(low).toBeLessThan(0.95);
  expect(won / sure.length).toBeGreaterThan(0.8);
}, 300_000);

test("intervals and bands count in every family whose prices move, and in no other", () => {
  const [some] = family("inflation");
  if (some === undefined) throw new Error("no such family");
  const figures = {
    ...{ family: some, worlds: 200, coverage: 0.5, band: 0.5, regret: 0, idle: 0 },
    unwarned: { count: 0, share: 0 },
  };
  expect(verdictOf({ ...figures, moved: 0.5 }).text).toBe("**missed: coverage, band**");
  expect(verdictOf({ ...figures, moved: 0.01 }).met).toBe(true);
  const losing = { share: 0.06, low: 0.045, high: 0.082 };
  const many = { ...figures, coverage: 0.95, band: 0.9, moved: 0.5, losing };
  expect(verdictOf({ ...many, unwarned: { count: 700, share: 0.5 } }).text).toBe("**missed: bound**");
  expect(verdictOf({ ...many, unwarned: { count: 100, share: 0.5 } }).met).toBe(true);
});

test("worlds are simulated until enough moves came without a warning", async () => {
  const [figures] = await study({
    families: family("a store column that is not named so"),
    worlds: 5,
    unwarned: 8,
  });
  expect(figures?.unwarned.count).toBeGreaterThanOrEqual(8);
  expect(figures?.worlds).toBeLessThanOrEqual(20);
  expect((figures?.worlds ?? 0) % 5).toBe(0);
});

test("a family is drawn anew by its seed alone", async () => {
  const run = () => study({ families: family("inflation"), worlds: 3, seed: 5 });
  expect(await run()).toEqual(await run());
});
