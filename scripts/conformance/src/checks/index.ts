import type { Check } from "./check.ts";
import { describeChecks } from "./describe.ts";
import { httpChecks } from "./http.ts";
import { leakChecks } from "./leak.ts";
import { refuseChecks } from "./refuse.ts";
import { runChecks } from "./run.ts";
import { streamChecks } from "./stream.ts";
import { syncChecks } from "./sync.ts";

export type { Check } from "./check.ts";

/** One check for each rule of the contract. */
export const checks: readonly Check[] = [
  ...httpChecks,
  ...runChecks,
  ...syncChecks,
  ...streamChecks,
  ...refuseChecks,
  ...leakChecks,
  ...describeChecks,
];
