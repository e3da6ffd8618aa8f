import type { Api } from "../api.ts";
import type { Scope } from "../round.ts";

/** What a trial has to work with. */
export type TrialScope = Scope & {
  api: Api;
  /** How much of everything: 1 in the short version. */
  size: number;
};

/** One kind of pressure on the mesh, which has to hold. What does not hold is a violation. */
export type Trial = {
  readonly name: string;
  /** @returns what was measured, for the report */
  run(scope: TrialScope): Promise<readonly (readonly [what: string, figure: string])[]>;
};
