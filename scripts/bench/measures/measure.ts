import type { Mesh } from "../../lib/mesh.ts";
import type { Cores } from "../os/cores.ts";
import type { Rig } from "../sut/rig.ts";

/** What one measurement gives: figures by name, each name with its unit. */
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
  /** Absent where nothing is pinned. */
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  /** The gateway of this repetition, which its measures share. */
  rig(): Promise<Rig>;
  /** A Redis that holds 100,000 finished runs; filled once, and kept. */
  fullStore(): Promise<Mesh>;
};
