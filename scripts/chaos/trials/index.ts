import { Api } from "../api.ts";
import { checkInvariants } from "../checks/invariants.ts";
import { settle } from "../checks/settle.ts";
import type { Scope } from "../round.ts";
import { agentsThatComeBack } from "./agents.ts";
import { clusterFailover } from "./cluster.ts";
import { crowd } from "./crowd.ts";
import { largePlans } from "./large.ts";
import { lostJobs } from "./lost-jobs.ts";
import { stalledStore } from "./obedient.ts";
import { idleTenants } from "./tenants.ts";
import type { Trial } from "./trial.ts";

/** The crowd first: it compares times, which the other trials would disturb. */
const TRIALS: readonly Trial[] = [
  crowd,
  largePlans,
  agentsThatComeBack,
  stalledStore,
  lostJobs,
  idleTenants,
  clusterFailover,
];

export type TrialReport = readonly (readonly [what: string, figure: string])[];

/** Plays all trials, one after another. Each ends with all runs, and the invariants hold. */
export async function playTrials(
  scope: Scope,
  { size, say }: { size: number; say: (text: string) => void },
): Promise<TrialReport> {
  const { world, ledger, random, signal } = scope;
  const report: (readonly [string, string])[] = [];
  for (const trial of TRIALS) {
    if (signal.aborted) break;
    say(`${trial.name}…`);
    const api = new Api(world.gateways, ledger, random.fork());
    report.push(...(await trial.run({ ...scope, api, size })));
    await settle(world, api, ledger);
    await checkInvariants(scope);
  }
  return report;
}
