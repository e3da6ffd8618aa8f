/** The part of a step that the scheduler needs. */
export type Scheduled = {
  readonly id: string;
  readonly needs: readonly string[];
  readonly after: readonly string[];
};

/** What came of executing a step: `gated` waits for a decision, or was refused one; `skipped` failed without stopping the rest. */
export type StepOutcome = "done" | "gated" | "skipped";

export type ScheduleOptions<S extends Scheduled> = {
  /** Steps that already have results. */
  isDone: (step: S) => boolean;
  mayStart: (step: S) => boolean;
  /** A rejection stops the schedule: no further step starts, and the signals of running ones fire. */
  execute: (step: S, signal: AbortSignal) => Promise<StepOutcome>;
  /** No step starts once it has fired. */
  signal: AbortSignal;
  /** The reason that running steps get when another one fails. */
  stopReason: () => Error;
};

export type ScheduleResult<S extends Scheduled> = {
  /** In the order in which they happened; empty where nothing stopped the schedule. */
  failures: unknown[];
  gated: S[];
  /** Steps that did not start. */
  unstarted: S[];
};

/**
 * Executes every step as soon as those it waits for are over. A step that needs a skipped one is skipped; a step that only comes
 * `after` it is not. A gated step is never over.
 */
export async function schedule<S extends Scheduled>(
  steps: readonly S[],
  { isDone, mayStart, execute, signal, stopReason }: ScheduleOptions<S>,
): Promise<ScheduleResult<S>> {
  const stop = new AbortController();
  const stepSignal = AbortSignal.any([signal, stop.signal]);
  const done = new Set(steps.filter(isDone).map(({ id }) => id));
  const skipped = new Set<string>();
  const waiting = new Set(steps.filter(({ id }) => !done.has(id)));
  const running = new Set<Promise<void>>();
  const gated: S[] = [];
  const failures: unknown[] = [];

  const start = async (step: S): Promise<void> => {
    try {
      const outcome = await execute(step, stepSignal);
      if (outcome === "done") done.add(step.id);
      else if (outcome === "skipped") skipped.add(step.id);
      else gated.push(step);
    } catch (error) {
      failures.push(error);
      stop.abort(stopReason());
    }
  };
  const isOver = (id: string): boolean => done.has(id) || skipped.has(id);

  for (;;) {
    if (!stepSignal.aborted) {
      for (const step of waiting) {
        if (step.needs.some((id) => skipped.has(id))) {
          waiting.delete(step);
          skipped.add(step.id);
        } else if (step.needs.every(isOver) && step.after.every(isOver) && mayStart(step)) {
          waiting.delete(step);
          const promise: Promise<void> = start(step).finally(() => running.delete(promise));
          running.add(promise);
        }
      }
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  return { failures, gated, unstarted: [...waiting] };
}
