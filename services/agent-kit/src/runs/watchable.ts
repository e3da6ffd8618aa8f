import type { Outcome } from "./answer.ts";

/** Why a run is aborted. */
export type AbortCode = "DEADLINE_EXCEEDED" | "CANCELLED";

/** A run that any number of callers may wait for. It is aborted when the last of them leaves. */
export type Watchable = {
  readonly outcome: Promise<Outcome>;
  /** Adds a caller, and returns the function by which it leaves. */
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
