import { setTimeout as delay } from "node:timers/promises";
import type { Usage } from "../os/proc.ts";

/** The measured time span, and the processes whose CPU is measured during it. */
export type Counting = {
  readonly warmS: number;
  readonly seconds: number;
  readonly usages?: readonly (() => Usage)[];
  readonly signal: AbortSignal;
};

/** The actual length of the span, and the CPU seconds of each of `usages` during it. */
export type Counted = { readonly seconds: number; readonly cpuS: readonly number[] };

export type Phase = "warming up" | "counting" | "over";

const GRACE_MS = 10_000;

/**
 * Runs clients concurrently through warm-up and measurement. Rejects as soon as one client fails: a measurement with failures is not
 * reported.
 *
 * @param options.client loops until the phase is "over"
 * @param options.lastsMs expected duration of one request
 */
export async function drive(options: {
  readonly counting: Counting;
  readonly clients: number;
  readonly lastsMs?: number;
  client(phase: () => Phase, index: number): Promise<void>;
}): Promise<Counted> {
  const { counting, clients, lastsMs = 0, client } = options;
  const { warmS, seconds, usages = [] } = counting;
  const stop = new AbortController();
  const signal = AbortSignal.any([counting.signal, stop.signal]);
  let phase: Phase = "warming up";
  const phaseNow = () => (signal.aborted ? "over" : phase);
  const all = Promise.all(Array.from({ length: clients }, (_, index) => client(phaseNow, index)));
  const count = async (): Promise<Counted> => {
    await delay(warmS * 1000, undefined, { signal });
    const before = usages.map((usage) => usage().cpuS);
    const since = performance.now();
    phase = "counting";
    await delay(seconds * 1000, undefined, { signal });
    phase = "over";
    const took = (performance.now() - since) / 1000;
    return { seconds: took, cpuS: usages.map((usage, index) => usage().cpuS - (before[index] ?? 0)) };
  };
  const counted = count();
  try {
    await Promise.race([counted, all]);
    await within(GRACE_MS + lastsMs, all);
    return await counted;
  } finally {
    stop.abort();
  }
}

/** @throws Error if the work takes longer */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`nothing came back within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the work for every entry, `concurrency` at a time. */
export async function forEach<T>(
  entries: readonly T[],
  concurrency: number,
  work: (entry: T) => Promise<void>,
): Promise<void> {
  const left = entries.values();
  const worker = async () => {
    for (const entry of left) await work(entry);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
