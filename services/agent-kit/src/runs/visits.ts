import { type Frame, failure, type Outcome, plainError } from "./answer.ts";
import type { AbortCode, Watchable } from "./watchable.ts";

/** The longest delay that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export type Visit = {
  readonly run: Watchable;
  readonly frame: Frame;
  /** Fires when the caller is gone. */
  readonly client: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline?: number;
};

/** Callers that wait for a run, each with its own deadline; the run itself may be shared. */
export type Visits = {
  /** The run's outcome, or the failure that came before it for this caller. */
  outcomeOf(visit: Visit): Promise<Outcome>;
  cancelAll(): void;
};

export function createVisits(): Visits {
  const open = new Set<(code: AbortCode) => void>();

  const outcomeOf = ({ run, frame, client, deadline }: Visit): Promise<Outcome> =>
    new Promise((resolve) => {
      const leave = run.watch();
      const end = (outcome: Outcome, code: AbortCode): void => {
        clearTimeout(timer);
        client.removeEventListener("abort", gone);
        open.delete(giveUp);
        leave(code);
        resolve(outcome);
      };
      const giveUp = (code: AbortCode): void => end(failure(frame, plainError(code)), code);
      const gone = (): void => giveUp("CANCELLED");
      const timer =
        deadline === undefined
          ? undefined
          : setTimeout(
              giveUp,
              Math.min(Math.max(deadline - Date.now(), 0), MAX_TIMER_MS),
              "DEADLINE_EXCEEDED",
            );
      open.add(giveUp);
      void run.outcome.then((outcome) => end(outcome, "CANCELLED"));
      if (client.aborted) gone();
      else client.addEventListener("abort", gone);
    });

  return {
    outcomeOf,
    cancelAll: () => {
      for (const giveUp of [...open]) giveUp("CANCELLED");
    },
  };
}
