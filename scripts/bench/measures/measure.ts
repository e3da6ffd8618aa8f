import type { Mesh } from "../../lib/mesh.ts";
import type { Cores } from "../os/cores.ts";
import type { Rig } from "../sut/rig.ts";

/** Figures by name; each name ends with its unit. */
export type Values = Readonly<Record<string, number>>;

export type Measure = {
  /** The name for `--measure`. */
  readonly name: string;
  readonly title: string;
  /** Runs in the first repetition only, because it takes long. */
  readonly once?: boolean;
  run(bench: Bench): Promise<Values>;
};

export type Bench = {
  /** Absent if nothing is pinned. */
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  /** The gateway that the measures of a repetition share. */
  rig(): Promise<Rig>;
  /** A Redis with 100,000 finished runs, filled once per bench. */
  fullStore(): Promise<Mesh>;
};
