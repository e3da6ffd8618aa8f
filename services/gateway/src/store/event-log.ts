import type { Redis } from "ioredis";
import type { Keys } from "./keys.ts";
import { Script } from "./script.ts";

/** What one run has to write at once. */
export type LogWrite = {
  runId: string;
  keys: Keys;
  sessionId: string;
  fence: number;
  /** First and last seq of the packed events. */
  fromSeq: number;
  toSeq: number;
  packed: string;
  /** Journal: step id → result as JSON. */
  steps: readonly (readonly [step: string, result: string])[];
  end?: { state: "finished" | "failed" | "cancelled"; terminal: string; turn: string };
};

export type WriteOutcome = "ok" | "fenced" | "limit";

/** A run as the log sees it: it hands over what has gathered, and hears what became of it. */
export type LogSource = {
  readonly keys: Keys;
  take(): LogWrite | undefined;
  settled(write: LogWrite, outcome: WriteOutcome): void;
  /** The store answered the write with an error: what became of it is unknown. */
  lost(write: LogWrite, error: unknown): void;
};

export type EventLogLimits = {
  /** Seconds that a finished run's log is kept. */
  logTtlS: number;
  /** Seconds that a finished run's record is kept. */
  runTtlS: number;
  /** Bytes of events a run may write. */
  maxRunBytes: number;
};

const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_RUNS = 256;

/**
 * Group commit across all runs of this replica: one write is in flight, and what gathers meanwhile goes with the next. A run hears of
 * its events only after the store has acknowledged them, so what a reader saw is what a replay gives.
 */
export class EventLog {
  readonly #redis: Redis;
  readonly #limits: EventLogLimits;
  readonly #commit = new Script("commit");
  readonly #waiting = new Set<LogSource>();
  #flushing = false;

  constructor(redis: Redis, limits: EventLogLimits) {
    this.#redis = redis;
    this.#limits = limits;
  }

  /** Says that `source` has something to take. Cheap to call again before it was taken. */
  wake(source: LogSource): void {
    this.#waiting.add(source);
    if (this.#flushing) return;
    this.#flushing = true;
    // Everything that one parsed chunk or one tick of several runs yields goes together.
    queueMicrotask(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      await Promise.all(byTenant(batch).map((group) => this.#write(group)));
    }
    this.#flushing = false;
  }

  #nextBatch(): { source: LogSource; write: LogWrite }[] {
    const batch: { source: LogSource; write: LogWrite }[] = [];
    let bytes = 0;
    for (const source of this.#waiting) {
      this.#waiting.delete(source);
      const write = source.take();
      if (!write) continue;
      batch.push({ source, write });
      bytes += write.packed.length;
      for (const [, result] of write.steps) bytes += result.length;
      if (bytes >= BATCH_BYTES || batch.length >= BATCH_RUNS) break;
    }
    return batch;
  }

  async #write(group: readonly { source: LogSource; write: LogWrite }[]): Promise<void> {
    const first = group[0];
    if (!first) return;
    const keys: string[] = [first.write.keys.leases];
    const args: (string | number)[] = [
      group.length,
      this.#limits.logTtlS,
      this.#limits.runTtlS,
      this.#limits.maxRunBytes,
    ];
    for (const { write } of group) {
      const { keys: k, runId, sessionId, end } = write;
      keys.push(k.run(runId), k.events(runId), k.steps(runId), k.session(sessionId), k.turns(sessionId));
      args.push(runId, write.fence, write.fromSeq, write.toSeq, write.packed, write.steps.length);
      for (const [step, result] of write.steps) args.push(step, result);
      args.push(end?.state ?? "", end?.terminal ?? "", end?.turn ?? "");
    }
    let words: unknown;
    try {
      words = await this.#commit.run(this.#redis, keys, args);
    } catch (error) {
      for (const { source, write } of group) source.lost(write, error);
      return;
    }
    group.forEach(({ source, write }, index) => {
      const word = Array.isArray(words) ? words[index] : undefined;
      source.settled(write, word === "OK" ? "ok" : word === "LIMIT" ? "limit" : "fenced");
    });
  }
}

function byTenant<T extends { write: LogWrite }>(batch: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const entry of batch) {
    const group = groups.get(entry.write.keys.tenant);
    if (group) group.push(entry);
    else groups.set(entry.write.keys.tenant, [entry]);
  }
  return [...groups.values()];
}
