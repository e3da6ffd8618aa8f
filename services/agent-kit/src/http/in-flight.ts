import type { ServerResponse } from "node:http";

/** The answers that are being worked on. */
export type InFlight = {
  add(res: ServerResponse): void;
  /** Whether there were none at some moment within the time. */
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
