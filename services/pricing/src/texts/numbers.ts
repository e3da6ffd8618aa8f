import type { Format as Numbers } from "@interlock/contracts/format";
import type { Factor } from "../explanation-types.ts";
import type { ViolationType } from "../policy-types.ts";
import type { Objective } from "../types.ts";

export type { Factor, Numbers, Objective, ViolationType };

/** A move of an amount: both ends, and its share where there is one, all as they are printed. */
export type PrintedMove = {
  readonly from: string;
  readonly to: string;
  readonly share?: string | undefined;
};
