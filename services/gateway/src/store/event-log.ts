import type { Redis } from "ioredis";
import { gathered } from "./group.ts";
import type { Keys } from "./keys.ts";
import { Script } from "./script.ts";

/** What one run has to write at once. */
export type LogWrite = {
  runId: string;
  keys: Keys;
  sessionId: string;
  /** Whether the run's steps are journaled at all. */
  journaled: boolean;
  fence: number;
  /** First and last seq of the packed events. */
  fromSeq: number;
  toSeq: number;
  packed: string;
  /** Journal: step id → result as JSON. */
  steps: readonly (readonly [step: string, result: string])[];
  /** Effects on the price book, by `run:step`; each is taken once, whatever happens. */
  effects: readonly (readonly [key: string, payload: string])[];
  /** Where the run goes with this write. Nothing comes after it. */
  turnTo?:
    | {
        state: "finished" | "failed" | "cancelled" /** The last of the packed events. */;
        terminal: string;
        turn: string;
      }
    | { state: "paused"; turn: string; approval: NewApproval }
    | { state: "needs_review"; turn: string };
};

/** An approval as it is written with the pause that asks for it. */
export type NewApproval = {
  id: string;
  fields: Readonly<Record<string, string | number>>;
  expiresInMs: number;
  auditEntry: string;
  auditDigest: string;
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
  /** Negative control of the chaos test: lets a holder that lost its run go on writing. */
  unsafeNoFencing: boolean;
};

const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_RUNS = 256;

/** What nobody waits for is written after this many milliseconds at the latest. */
const PATIENCE_MS = 200;

/**
 * Group commit across all runs of this replica: one write is in flight, and what gathers meanwhile goes with the next. A run hears of
 * its events only after the store has acknowledged them, so what a reader saw is what a replay gives.
 */
export class EventLog {
  readonly #redis: Redis;
  readonly #limits: EventLogLimits;
  readonly #commit = new Script("commit");
  readonly #waiting = new Set<LogSource>();
  /** Sources that may wait: they go with their next write, or after a while. */
  readonly #patient = new Set<LogSource>();
  #patience: NodeJS.Timeout | undefined;
  #flushing = false;

  constructor(redis: Redis, limits: EventLogLimits) {
    this.#redis = redis;
    this.#limits = limits;
  }

  /** Says that `source` has something to take. Cheap to call again before it was taken. */
  wake(source: LogSource): void {
    this.#patient.delete(source);
    this.#waiting.add(source);
    if (this.#flushing) return;
    this.#flushing = true;
    void this.#flush();
  }

  /** Like {@link wake}, for what nobody waits for: most often it goes with what follows, and costs no write of its own. */
  wakeLater(source: LogSource): void {
    if (this.#waiting.has(source)) return;
    this.#patient.add(source);
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      for (const late of this.#patient) this.wake(late);
    }, PATIENCE_MS).unref();
  }

  async #flush(): Promise<void> {
    while (this.#waiting.size > 0) {
      await gathered(() => this.#waiting.size);
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
    const tenant = first.write.keys;
    const keys = [
      tenant.leases,
      tenant.outbox,
      tenant.approvals,
      tenant.pending,
      tenant.audit,
      tenant.auditHead,
      tenant.priceBook,
      tenant.effects,
      tenant.parked,
    ];
    const { logTtlS, runTtlS, maxRunBytes } = this.#limits;
    const args: (string | number)[] = [group.length, logTtlS, runTtlS, maxRunBytes];
    for (const { write } of group) {
      pushKeys(keys, write);
      pushArguments(args, write, this.#limits.unsafeNoFencing);
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

/** See lua/commit.lua: what a write does not need it does not name. */
function pushKeys(keys: string[], { keys: k, runId, sessionId, journaled, steps, turnTo }: LogWrite): void {
  keys.push(k.run(runId), k.events(runId));
  if (steps.length > 0 || (turnTo && journaled)) keys.push(k.steps(runId));
  if (turnTo) keys.push(k.session(sessionId), k.waiting(sessionId));
  if (turnTo?.state === "paused")
    keys.push(k.approval(turnTo.approval.id), k.approvalAudit(turnTo.approval.id));
}

function pushArguments(args: (string | number)[], write: LogWrite, unfenced: boolean): void {
  const { runId, fence, fromSeq, toSeq, packed, journaled, steps, effects, turnTo } = write;
  args.push(unfenced ? "*" : fence, fromSeq, toSeq, packed);
  if (steps.length === 0 && effects.length === 0 && !turnTo) {
    args.push(0);
    return;
  }
  args.push(1, runId, steps.length > 0 || (turnTo && journaled) ? 1 : 0);
  args.push(steps.length, ...steps.flat(), effects.length, ...effects.flat());
  args.push(turnTo?.state ?? "");
  if (!turnTo) return;
  args.push("terminal" in turnTo ? Buffer.byteLength(turnTo.terminal) : 0, turnTo.turn);
  if (turnTo.state !== "paused") return;
  const { id, fields, expiresInMs, auditEntry, auditDigest } = turnTo.approval;
  const entries = Object.entries(fields);
  args.push(id, entries.length, ...entries.flat(), expiresInMs, auditEntry, auditDigest);
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
