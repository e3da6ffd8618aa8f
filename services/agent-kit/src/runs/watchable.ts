import type { Outcome } from "./answer.ts";

/** Why a run is ended from outside. */
export type AbortCode = "DEADLINE_EXCEEDED" | "CANCELLED";

/** A run that any number of callers wait for. When the last one leaves, nobody needs it any more. */
export type Watchable = {
  readonly outcome: Promise<Outcome>;
  /** Returns how to leave, and why. */
  readonly watch: () => (code: AbortCode) => void;
};

export function createWatchers(onEmpty: (code: AbortCode) => void): Watchable["watch"] {
  let watchers = 0;
  return () => {
    watchers += 1;
    let left = false;
    return (code) => {
      if (left) return;
      left = true;
      watchers -= 1;
      if (watchers === 0) onEmpty(code);
    };
  };
}

export function finishedRun(outcome: Outcome): Watchable {
  return {
    outcome: Promise.resolve(outcome),
    watch: () => () => {},
  };
}
