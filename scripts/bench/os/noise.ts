import { closeSync, openSync, readSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { machineBusyS, usageOf } from "./proc.ts";

/** What the rest of the machine did while something was measured. */
export type Noise = {
  /** Share of one core that other processes used. */
  readonly foreign: number;
  /** Milliseconds of a fixed piece of arithmetic just before: a slower clock or a busy sibling shows here. */
  readonly loopMs: number;
  /** Milliseconds of a fixed number of system calls just before. */
  readonly callsMs: number;
};

const WINDOW_MS = 500;

/** A share of one core that disturbs nothing. */
const QUIET = 0.1;

/** Waits until other processes leave the machine alone, or until `limitMs` has passed. */
export async function untilQuiet(limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    const watch = watchForeign();
    await delay(WINDOW_MS);
    if (watch() < QUIET) return;
  }
}

/** Call the result for the share of one core that other processes have used since. */
export function watchForeign(): () => number {
  // Everything that this program starts stays its child, so that what is left over is others'.
  const foreignS = () => machineBusyS() - usageOf([process.pid]).cpuS;
  const before = foreignS();
  const since = performance.now();
  return () => Math.max(0, (foreignS() - before) / ((performance.now() - since) / 1000));
}

export function calibrate(): Pick<Noise, "loopMs" | "callsMs"> {
  return { loopMs: timed(arithmetic), callsMs: timed(systemCalls) };
}

function arithmetic(): number {
  let value = 0;
  for (let index = 0; index < 2e7; index++) value = (value * 31 + index) | 0;
  return value;
}

function systemCalls(): void {
  const file = openSync("/dev/zero", "r");
  const byte = Buffer.alloc(1);
  for (let index = 0; index < 20_000; index++) readSync(file, byte);
  closeSync(file);
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return Math.round((performance.now() - started) * 10) / 10;
}
