import type { Journal } from "../store/index.ts";
import type { LiveRun } from "./live-run.ts";

type WarnedRun = {
  run: Pick<LiveRun, "warn">;
  journal: Journal;
  /** Milliseconds for which the run had been under way before. */
  waitedMs?: number | undefined;
};

/**
 * Warns once, in the run's log, when a turn has taken `afterMs` without its end. The time for which the run waits for a person does not
 * count: each decision starts it anew. A run that another replica carries on is journaled, and so is the warning.
 * @returns stops waiting
 */
export function warnWhenSlow({ run, journal, waitedMs = 0 }: WarnedRun, afterMs: number): () => void {
  if (journal.warned) return () => undefined;
  // The length of an earlier pause is not recorded.
  const waited = Object.keys(journal.decisions).length > 0 ? 0 : waitedMs;
  const timer = setTimeout(() => void run.warn(SLOW), Math.max(0, afterMs - waited));
  return () => clearTimeout(timer);
}

const SLOW = { code: "slow", message: "This takes longer than usual. The run goes on." } as const;
