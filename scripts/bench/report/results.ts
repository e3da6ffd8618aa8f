import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../lib/paths.ts";
import { median } from "../load/figures.ts";
import type { Values } from "../measures/measure.ts";
import type { Machine } from "../os/machine.ts";
import type { Noise } from "../os/noise.ts";
import type { PeersResult } from "../peers/peers.ts";
import type { ProfileResult } from "../profile/profile-paths.ts";
import type { SoakResult } from "../soak/soak.ts";

/** One measurement that stands: of several tries the least disturbed one. */
export type Repetition = { readonly values: Values; readonly noise: Noise };

/** One `npm run bench`. */
export type Run = {
  readonly at: string;
  readonly seconds: number;
  readonly repetitions: number;
  readonly machine: Machine;
};

export type MeasureResult = {
  /** The run that it comes from. */
  readonly run: string;
  readonly repetitions: readonly Repetition[];
  readonly failures: readonly string[];
};

/** Everything that docs/performance.md is made of. */
export type Results = {
  readonly runs: Readonly<Record<string, Run>>;
  readonly measures: Readonly<Record<string, MeasureResult>>;
  readonly profiles?: { readonly run: string; readonly paths: readonly ProfileResult[] };
  readonly peers?: { readonly run: string } & PeersResult;
  readonly soak?: { readonly run: string } & SoakResult;
};

const FILE = join(root, "docs/performance/results.json");

export function readResults(): Results {
  try {
    return JSON.parse(readFileSync(FILE, "utf8")) as Results;
  } catch {
    return { runs: {}, measures: {} };
  }
}

export function writeResults(results: Results): void {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(results, undefined, 1)}\n`);
}

/** What was measured now takes the place of what was measured before; everything else stays, with the run that it comes from. */
export function merge(old: Results, now: Results): Results {
  const merged = { ...old, ...now, measures: { ...old.measures, ...now.measures } };
  const used = new Set(
    [...Object.values(merged.measures), merged.profiles, merged.peers, merged.soak].map((part) => part?.run),
  );
  const runs = Object.entries({ ...old.runs, ...now.runs }).filter(([id]) => used.has(id));
  return { ...merged, runs: Object.fromEntries(runs) };
}

/** The middle of the repetitions, and how far they lie apart. */
export type Figure = { readonly median: number; readonly least: number; readonly most: number };

/** @returns undefined where the measure has no such figure */
export function figureOf(result: MeasureResult | undefined, value: string): Figure | undefined {
  const all = (result?.repetitions ?? [])
    .flatMap(({ values }) => values[value] ?? [])
    .filter(Number.isFinite);
  if (all.length === 0) return undefined;
  return { median: median(all), least: Math.min(...all), most: Math.max(...all) };
}
