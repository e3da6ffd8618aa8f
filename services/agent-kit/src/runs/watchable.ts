import type { Outcome } from "./answer.ts";

/** Why a run is aborted. */
export type AbortCode = "DEADLINE_EXCEEDED" | "CANCELLED";

/** To be called once by a caller that leaves, or has its answer. */
export type Leave = (code: AbortCode) => void;

/** A run that any number of callers may wait for. It is aborted when the last of them leaves. */
export type Watchable = {
  readonly outcome: Promise<Outcome>;
  /** Adds a caller. @returns how it leaves; undefined: the last caller has left, so that the run has nothing for this one */
  readonly watch: () => Leave | undefined;
};

export function createWatchers(onEmpty: (code: AbortCode) => void): Watchable["watch"] {
  let watchers = 0;
  let abandoned = false;
  return () => {
    if (abandoned) return undefined;
    watchers += 1;
    let left = false;
    return (code) => {
      if (left) return;
      left = true;
      watchers -= 1;
      abandoned = watchers === 0;
      if (abandoned) onEmpty(code);
    };
  };
}

export function finishedRun(outcome: Outcome): Watchable {
  return {
    outcome: Promise.resolve(outcome),
    watch: () => () => {},
  };
}
