import { encoded, LARGE_TEXT } from "../json-text.ts";
import { pushFields, type SessionFields } from "./dialogue-fields.ts";
import { gathered } from "./group.ts";
import type { Keys } from "./keys.ts";
import type { Wants } from "./outbox.ts";
import type { NewAudit } from "./records.ts";
import type { RedisClient } from "./redis-url.ts";
import type { Retention, RetentionOf } from "./retention.ts";
import { Script, type ScriptArgument } from "./script.ts";

/** One write of a run. */
export type LogWrite = {
  runId: string;
  keys: Keys;
  sessionId: string;
  /** The principal whose run it is. */
  owner: string;
  /** Whether the run's steps are journaled at all. */
  journaled: boolean;
  fence: number;
  /** First and last seq of the packed events. */
  fromSeq: number;
  toSeq: number;
  packed: string;
  /** Journal: step id → result as JSON. */
  steps: readonly (readonly [step: string, result: string | Buffer])[];
  /** What publish steps write to books; each `id` (`run:step`) takes effect once, whatever happens. */
  effects: readonly Effect[];
  /** The run's next state; this is then its last write. */
  turnTo?:
    | {
        state: "finished" | "failed" | "cancelled" /** The last of the packed events. */;
        terminal: string;
        turn: string;
        /** Of the error, where it failed. */
        code?: string | undefined;
        /** What the session keeps besides the turn. */
        kept?: SessionFields | undefined;
      }
    | { state: "paused"; turn: string; approval: NewApproval }
    | { state: "needs_review"; turn: string };
};

export type Effect = { id: string; book: string; payload: string | Buffer };

/** An approval as it is written with the pause that asks for it. */
export type NewApproval = {
  id: string;
  fields: Readonly<Record<string, ScriptArgument>>;
  expiresInMs: number;
  audit: NewAudit;
};

export type WriteOutcome = "ok" | "fenced" | "limit";

/** A run that writes to the log. The log takes what has gathered and reports what became of it. */
export type LogSource = {
  take(): LogWrite | undefined;
  /** @param rawTurns how many entries of its session are not summarised, where the write has appended a turn */
  settled(write: LogWrite, outcome: WriteOutcome, rawTurns?: number): void;
  /** The store answered with an error: whether the write took effect is unknown. */
  failed(error: unknown): void;
};

export type EventLogLimits = Retention & {
  /** Bytes of events a run may write. */
  maxRunBytes: number;
  /** Negative control of the chaos test: a holder that lost its run goes on writing. */
  unsafeNoFencing: boolean;
};

const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_RUNS = 256;

/** Longest delay of events that nobody waits for. */
const PATIENCE_MS = 200;

/**
 * Group commit across all runs of this replica: one write is in flight, and what gathers meanwhile goes with the next. A run forwards
 * its events only after the store has acknowledged them, so that a replay gives what a reader saw.
 */
export class EventLog {
  readonly #redis: RedisClient;
  readonly #limits: EventLogLimits;
  readonly #retentionOf: RetentionOf;
  readonly #wants: Wants;
  readonly #onTold: (tenant: string) => void;
  readonly #commit = new Script("commit");
  readonly #waiting = new Set<LogSource>();
  /** Sources whose events may wait: they go with the source's next write, or after PATIENCE_MS. */
  readonly #patient = new Set<LogSource>();
  #patience: NodeJS.Timeout | undefined;
  #flushing = false;

  /** @param onTold called where a write has put something into the tenant's outbox */
  constructor(
    redis: RedisClient,
    limits: EventLogLimits,
    wants: Wants = () => false,
    retentionOf: RetentionOf = () => limits,
    onTold: (tenant: string) => void = () => undefined,
  ) {
    this.#redis = redis;
    this.#onTold = onTold;
    this.#wants = wants;
    this.#limits = limits;
    this.#retentionOf = retentionOf;
  }

  /** Announces that `source` has something to write. Cheap to call again before it was taken. */
  wake(source: LogSource): void {
    this.#patient.delete(source);
    this.#waiting.add(source);
    if (this.#flushing) return;
    this.#flushing = true;
    void this.#flush();
  }

  /** Like {@link wake}, for events that nobody waits for: most of them share a write with what follows. */
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
      tenant.effects,
      tenant.parked,
      tenant.queued,
      tenant.openRuns,
      tenant.runIndexes,
    ];
    const { logTtlS, runTtlS } = this.#retentionOf(tenant.tenant);
    const args: ScriptArgument[] = [group.length, logTtlS, runTtlS, this.#limits.maxRunBytes];
    for (const { write } of group) {
      pushKeys(keys, write);
      const { packed } = write;
      const events = packed.length > LARGE_TEXT ? await encoded(packed) : packed;
      pushArguments(args, { write, events, unfenced: this.#limits.unsafeNoFencing, wants: this.#wants });
    }
    let words: unknown;
    try {
      words = await this.#commit.run(this.#redis, keys, args);
    } catch (error) {
      for (const { source } of group) source.failed(error);
      return;
    }
    group.forEach(({ source, write }, index) => {
      const word = Array.isArray(words) ? words[index] : undefined;
      if (typeof word === "string" && word.startsWith("OK"))
        source.settled(write, "ok", Number(word.slice("OK".length)));
      else if (typeof word === "string" && word.startsWith("TOLD")) {
        source.settled(write, "ok", Number(word.slice("TOLD".length)));
        this.#onTold(tenant.tenant);
      } else source.settled(write, word === "LIMIT" ? "limit" : "fenced");
    });
  }
}

/** Whether it is more than events. */
function hasMore({ steps, effects, turnTo }: LogWrite): boolean {
  return steps.length > 0 || effects.length > 0 || turnTo !== undefined;
}

/** In the order of lua/commit.lua, which gets only the keys that a write needs. */
function pushKeys(keys: string[], write: LogWrite): void {
  const { keys: k, runId, sessionId, owner, journaled, steps, effects, turnTo } = write;
  keys.push(k.run(runId), k.events(runId));
  if (steps.length > 0 || (turnTo && journaled)) keys.push(k.steps(runId));
  for (const { book } of effects) keys.push(k.book(book));
  if (hasMore(write)) keys.push(k.storedOf(owner));
  if (turnTo) keys.push(k.session(sessionId), k.waiting(sessionId), k.openRunsOf(owner));
  if (turnTo?.state === "failed" || turnTo?.state === "cancelled") {
    keys.push(k.runsBy(`state:${turnTo.state}`));
    if (turnTo.code) keys.push(k.runsBy(`code:${turnTo.code}`));
  }
  if (turnTo?.state === "paused")
    keys.push(k.approval(turnTo.approval.id), k.approvalAudit(turnTo.approval.id));
}

function pushArguments(
  args: ScriptArgument[],
  about: { write: LogWrite; events: string | Buffer; unfenced: boolean; wants: Wants },
): void {
  const { write, events, unfenced, wants } = about;
  const { runId, fence, fromSeq, toSeq, journaled, steps, effects, turnTo } = write;
  args.push(unfenced ? "*" : fence, fromSeq, toSeq, events);
  if (!hasMore(write)) {
    args.push(0);
    return;
  }
  args.push(1, runId, steps.length > 0 || (turnTo && journaled) ? 1 : 0);
  args.push(steps.length, ...steps.flat());
  args.push(effects.length, ...effects.flatMap(({ id, payload }) => [id, payload]));
  args.push(turnTo?.state ?? "");
  if (!turnTo) return;
  const isEnd = "terminal" in turnTo;
  args.push(isEnd ? Buffer.byteLength(turnTo.terminal) : 0, turnTo.turn);
  pushFields(args, isEnd ? turnTo.kept : undefined);
  if (isEnd && turnTo.state !== "finished") args.push(turnTo.code ?? "");
  if (turnTo.state === "failed" || turnTo.state === "needs_review")
    args.push(wants(write.keys.tenant, `run.${turnTo.state}`) ? 1 : 0);
  if (turnTo.state !== "paused") return;
  const { id, fields, expiresInMs, audit } = turnTo.approval;
  const entries = Object.entries(fields);
  args.push(id, entries.length, ...entries.flat(), expiresInMs, audit.text, audit.digest);
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
