import { setTimeout as delay } from "node:timers/promises";
import type { Mesh } from "../../lib/mesh.ts";
import type { Load } from "../load/load.ts";
import type { Cores } from "../os/cores.ts";
import type { Usage } from "../os/proc.ts";
import type { Rig } from "../sut/rig.ts";

/** What one measurement gives: figures by name. Milliseconds, seconds, microseconds and so on stand in the names. */
export type Values = Readonly<Record<string, number>>;

export type Measure = {
  /** As `--measure` names it. */
  readonly name: string;
  readonly title: string;
  /** Takes so long that a run does it once. */
  readonly once?: boolean;
  run(bench: Bench): Promise<Values>;
};

/** What measures measure with. */
export type Bench = {
  readonly load: Load;
  /** Absent where nothing is pinned. */
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  /** The gateway of this repetition, which its measures share. */
  rig(): Promise<Rig>;
  /** A Redis that holds 100,000 finished runs; filled once, and kept. */
  fullStore(): Promise<Mesh>;
};

/** Everything that a measurement counted, and that the processes cost meanwhile. */
export type Counted<Result> = {
  readonly result: Result;
  readonly seconds: number;
  /** In the order of the usages asked for: seconds on a core. */
  readonly cpuS: readonly number[];
};

/** Lets a job warm up, then counts for `seconds`. */
export async function count<Result>(
  { load, signal }: Pick<Bench, "load" | "signal">,
  job: { begin(): Promise<void>; finish(): Promise<Result>; warmS: number },
  seconds: number,
  usages: readonly (() => Usage)[],
): Promise<Counted<Result>> {
  await job.begin();
  await delay(job.warmS * 1000, undefined, { signal });
  const before = usages.map((usage) => usage().cpuS);
  const since = performance.now();
  await load.call("record");
  await delay(seconds * 1000, undefined, { signal });
  const after = usages.map((usage) => usage().cpuS);
  const took = (performance.now() - since) / 1000;
  const result = await job.finish();
  return { result, seconds: took, cpuS: after.map((cpuS, index) => cpuS - (before[index] ?? 0)) };
}

/** Failures are no figures: a measurement that has any of them is none. */
export function refuseTroubles({ bad, trouble }: { readonly bad: number; readonly trouble: string }): void {
  if (bad > 0) throw new Error(`${bad} went wrong, the first: ${trouble}`);
}
