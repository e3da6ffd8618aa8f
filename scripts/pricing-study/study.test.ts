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

test("a family is drawn anew by its seed alone", async () => {
  const run = () => study({ families: family("inflation"), worlds: 3, seed: 5 });
  expect(await run()).toEqual(await run());
});
