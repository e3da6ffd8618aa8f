import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/paths.ts";
import { median } from "../load/figures.ts";
import type { Values } from "../measures/measure.ts";
import type { Machine } from "../os/machine.ts";

/** One measurement, and the share of a core that other programs used during it. */
export type Repetition = { readonly values: Values; readonly foreign: number };

/** One `npm run bench`. */
export type Run = {
  readonly at: string;
  readonly seconds: number;
  readonly repetitions: number;
  readonly machine: Machine;
};

export type MeasureResult = {
  /** Key of the run in `Results.runs`. */
  readonly run: string;
  readonly repetitions: readonly Repetition[];
  readonly failures: readonly string[];
};

/** The source of the generated sections of docs/performance.md. */
export type Results = {
  readonly runs: Readonly<Record<string, Run>>;
  readonly measures: Readonly<Record<string, MeasureResult>>;
};

const FILE = join(root, "docs/performance/results.json");

export function readResults(): Results {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : { runs: {}, measures: {} };
}

export function writeResults(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, undefined, 1)}\n`);
}

/** New measures replace their earlier results; the others stay, together with the runs they come from. */
export function merge(old: Results, now: Results): Results {
  const measures = { ...old.measures, ...now.measures };
  const used = new Set(Object.values(measures).map(({ run }) => run));
  const runs = Object.entries({ ...old.runs, ...now.runs }).filter(([id]) => used.has(id));
  return { runs: Object.fromEntries(runs), measures };
}

/** Median and range of the repetitions. */
export type Figure = { readonly median: number; readonly least: number; readonly most: number };

/** @returns undefined if the measure has no such figure */
export function figureOf(result: MeasureResult | undefined, value: string): Figure | undefined {
  const all = (result?.repetitions ?? [])
    .flatMap(({ values }) => values[value] ?? [])
    .filter(Number.isFinite);
  if (all.length === 0) return undefined;
  return { median: median(all), least: Math.min(...all), most: Math.max(...all) };
}
