import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { formatRisk, loadRisk, riskOf } from "./risk.ts";

const model = {
  bias: -1,
  cut: 0.2,
  weights: new Map([
    ["differ", 2],
    ["agree", -1],
  ]),
};

test("each sign that is known moves the risk, and others do not", () => {
  const risk = (...signs: string[]) => riskOf(signs, model);
  expect(risk("differ")).toBeGreaterThan(risk());
  expect(risk("agree")).toBeLessThan(risk());
  expect(risk("agree", "never seen")).toBe(risk("agree"));
  expect(risk()).toBeCloseTo(1 / (1 + Math.E));
});

test("models are read as they were written", () => {
  const folder = mkdtempSync(join(tmpdir(), "risk-"));
  const file = join(folder, "risk.json");
  const models = { wrong: model, foreign: { ...model, cut: 0.5 } };
  writeFileSync(file, formatRisk(models));
  expect(loadRisk(file)).toEqual(models);
  rmSync(folder, { recursive: true });
});

test("the models that ship ask about a part of the readings", () => {
  const { wrong, foreign } = loadRisk();
  for (const { cut, weights } of [wrong, foreign]) {
    expect(cut).toBeGreaterThan(0);
    expect(cut).toBeLessThan(1);
    expect(weights.size).toBeGreaterThan(0);
  }
  // What was refused before is asked about once more rather than what both readers agree in.
  expect(riskOf(["refused"], wrong)).toBeGreaterThan(riskOf(["agreed 1"], wrong));
});
