import { setTimeout as wait } from "node:timers/promises";

/** A line that a process logs of a stall of its event loop: when it was over, and how long the thread itself was at work. */
const STALL = '"msg":"the event loop was held"';
const TIME = /"time":"([^"]+)"/;
const OWN_MS = /"own_ms":(\d+)/;

/** Longer than lines of the log are gathered. */
const FLUSHED_MS = 700;

/** Longer than a tick of the watch: a stall is noticed by the one behind it. */
const NOTICED_MS = 25;

/** When something was tried. */
export type Span = { readonly from: number; readonly to: number };

/** Tries something and waits until the process has noticed what it did to its event loop. @param idle resolves once the process answers */
export async function timed(work: () => Promise<unknown>, idle: () => Promise<unknown>): Promise<Span> {
  const from = Date.now();
  await work();
  await idle();
  await wait(NOTICED_MS);
  return { from, to: Date.now() };
}

/** The longest stall within each span (ms at work). */
export async function longestIn(spans: readonly Span[], log: () => string): Promise<number[]> {
  await wait(FLUSHED_MS);
  const lines = log()
    .split("\n")
    .filter((line) => line.includes(STALL));
  const stalls = lines.map((line) => ({
    at: Date.parse(TIME.exec(line)?.[1] ?? ""),
    ms: Number(OWN_MS.exec(line)?.[1]),
  }));
  return spans.map(({ from, to }) =>
    Math.max(0, ...stalls.filter(({ at }) => at >= from && at <= to).map(({ ms }) => ms)),
  );
}
