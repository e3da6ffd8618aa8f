import type { ServerResponse } from "node:http";

/** Counts the responses in progress. */
export type InFlight = {
  add(res: ServerResponse): void;
  /** Resolves with true once there are none, or with false when the time is up. */
  isEmptyWithin(ms: number): Promise<boolean>;
};

export function createInFlight(): InFlight {
  let count = 0;
  const waiting = new Set<() => void>();

  return {
    add(res) {
      count += 1;
      res.once("close", () => {
        count -= 1;
        if (count === 0) for (const wake of [...waiting]) wake();
      });
    },
    isEmptyWithin: (ms) =>
      new Promise((resolve) => {
        if (count === 0) return resolve(true);
        const settle = (empty: boolean): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve(empty);
        };
        const wake = (): void => settle(true);
        const timer = setTimeout(settle, ms, false);
        waiting.add(wake);
      }),
  };
}
