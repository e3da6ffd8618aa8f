import { type Frame, failure, type Outcome, plainError } from "./answer.ts";
import type { AbortCode, Leave } from "./watchable.ts";

/** Node fires a timer with a longer delay at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export type Caller = {
  readonly outcome: Promise<Outcome>;
  readonly leave: Leave;
  readonly frame: Frame;
  /** Aborts when the caller disconnects. */
  readonly client: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline?: number;
};

/** Callers waiting for runs. Several may share one run, each with its own deadline. */
export type Callers = {
  /** Resolves with the run's outcome, or with this caller's own failure if that comes first. */
  outcomeOf(caller: Caller): Promise<Outcome>;
  cancelAll(): void;
};

export function createCallers(): Callers {
  const open = new Set<(code: AbortCode) => void>();

  const outcomeOf = ({ outcome: runOutcome, leave, frame, client, deadline }: Caller): Promise<Outcome> =>
    new Promise((resolve) => {
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
      void runOutcome.then((outcome) => end(outcome, "CANCELLED"));
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
