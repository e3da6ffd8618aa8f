import type { Redis } from "ioredis";
import { GatewayError } from "../errors.ts";
import { encodeEvent, eventAround, packEvents, type RunEventBody, type StoredEvent } from "../runs/events.ts";
import type { RunOrder, RunState, TurnEntry } from "../runs/record.ts";
import { GroupCall } from "./group.ts";
import { type Keys, TENANTS } from "./keys.ts";
import { type PageCursor, readPage } from "./page.ts";
import { guarded } from "./redis.ts";
import { Script, words } from "./script.ts";

export type RunRecord = {
  id: string;
  sessionId: string;
  subject: string;
  kind: "ask" | "plan" | "general";
  state: RunState;
  seq: number;
  fence: number;
  epoch: number;
  attempts: number;
  createdAt: number;
  finishedAt?: number;
  order: RunOrder;
  /** The run's latest approval. */
  approvalId?: string;
  /** The event that ended the run, as JSON; it outlives the log. */
  terminal?: string;
};

export type Acceptance = {
  runId: string;
  sessionId: string;
  kind: RunRecord["kind"];
  order: RunOrder;
  /** The first of the run's log; none where whoever executes the run writes them. */
  events: readonly RunEventBody[];
  /** Whether this replica executes the run at once; otherwise the queue brings it to whoever has room. */
  claim: boolean;
  whenBusy: "refuse" | "enqueue";
  idempotency?: IdempotencyKey;
};

/** A caller's Idempotency-Key, made the caller's own, and what it was sent with. */
export type IdempotencyKey = { digest: string; bodyDigest: string };

export type Accepted =
  | { state: "running"; fence: number; events: StoredEvent[] }
  | { state: "queued"; events: StoredEvent[] }
  | { state: "replay"; runId: string };

export type Claim = { outcome: "ok"; fence: number; seq: number } | { outcome: "busy" | "stale" | "parked" };

export const IDEMPOTENCY_TTL_S = 86_400;

/** See Config. */
export type RunStoreLimits = {
  sessionTtlS: number;
  logTtlS: number;
  runTtlS: number;
  leaseMs: number;
  maxAttempts: number;
};

/** What one acceptance adds to lua/accept.lua. */
type AcceptCall = { keys: Keys; run: string; more: readonly string[]; args: readonly (string | number)[] };

const ACCEPT_AT_ONCE = 128;

/** Characters of the first message that stand for its session in a list. */
const TITLE_LENGTH = 80;

/** The run records: everything that is not the log of events. */
export class RunStore {
  readonly #redis: Redis;
  readonly #limits: RunStoreLimits;
  readonly #tenants = new Set<string>();
  readonly #accept = new Script("accept");
  readonly #accepting = new GroupCall<AcceptCall, unknown>((calls) => this.#acceptAll(calls), ACCEPT_AT_ONCE);
  readonly #claim = new Script("claim");
  readonly #renew = new Script("renew");
  readonly #requeue = new Script("requeue");
  readonly #cancel = new Script("cancel");

  constructor(redis: Redis, limits: RunStoreLimits) {
    this.#redis = redis;
    this.#limits = limits;
  }

  /**
   * Creates a run, its first events and the user's turn, all at once.
   * @throws GatewayError session_busy, idempotency_mismatch, store_unavailable
   */
  async accept(keys: Keys, acceptance: Acceptance): Promise<Accepted> {
    const { runId, sessionId, kind, order, claim, whenBusy, idempotency } = acceptance;
    const at = new Date().toISOString();
    const events = acceptance.events.map((body, index) => encodeEvent(runId, index + 1, at, body));
    const turn: TurnEntry = { role: "user", run_id: runId, text: order.message, at };
    if (order.conversationId !== undefined) turn.conversation_id = order.conversationId;
    const more = [keys.session(sessionId)];
    if (events.length > 0) more.push(keys.events(runId));
    if (whenBusy === "enqueue") more.push(keys.waiting(sessionId));
    if (idempotency) more.push(keys.idempotency(idempotency.digest));
    const title = order.message.slice(0, TITLE_LENGTH);
    const args = [runId, sessionId, kind, JSON.stringify(order), JSON.stringify(turn), title, claim ? 1 : 0];
    args.push(events.length);
    if (events.length > 0) args.push(packEvents(events));
    args.push(whenBusy, idempotency?.bodyDigest ?? "");
    const call = { keys, run: keys.run(runId), more, args };
    const answer = await guarded(() =>
      this.#tenants.has(keys.tenant)
        ? this.#accepting.add(call)
        : this.#knowTenant(keys.tenant).then(() => this.#accepting.add(call)),
    );
    const [word, first, second] = words(answer);
    // A command that was sent again may find the run in the hands of whoever the queue brought it to.
    const ours = claim && first === "running" && Number(second) === 1;
    if (word === "OK" && ours) return { state: "running", fence: 1, events };
    if (word === "OK") return { state: "queued", events };
    if (word === "REPLAY") return { state: "replay", runId: String(first) };
    if (word === "MISMATCH") throw new GatewayError("idempotency_mismatch");
    if (word === "BUSY")
      throw new GatewayError("session_busy", undefined, { extra: { run_id: String(first) } });
    throw new GatewayError("internal");
  }

  /** Takes a run for this replica. @param epoch of the job that asks for it; undefined takes whichever is current */
  async claim(keys: Keys, runId: string, sessionId: string, epoch: number | undefined): Promise<Claim> {
    const { leaseMs, maxAttempts } = this.#limits;
    const message = `The run was begun ${maxAttempts} times and never ended: it needs a person.`;
    const parked = eventAround(
      runId,
      { type: "run_parked", data: { status: "needs_review", message, code: "too_many_attempts" } },
      new Date().toISOString(),
    );
    const answer = await this.#claim.run(
      this.#redis,
      [
        keys.run(runId),
        keys.events(runId),
        keys.leases,
        keys.parked,
        keys.session(sessionId),
        keys.waiting(sessionId),
        keys.outbox,
      ],
      [runId, epoch ?? "", leaseMs, maxAttempts, ...parked],
    );
    const [word, fence, seq] = words(answer);
    if (word === "OK") return { outcome: "ok", fence: Number(fence), seq: Number(seq) };
    return { outcome: word === "BUSY" ? "busy" : word === "PARKED" ? "parked" : "stale" };
  }

  /** How many runs of the tenant were taken from their holders so far. */
  async taken(keys: Keys): Promise<number> {
    return Number(await this.#redis.get(keys.taken));
  }

  /** Which of these runs nobody holds any more, as far as the leases say: cancelled, or put back to the queue. */
  async unheld(keys: Keys, runIds: readonly string[]): Promise<string[]> {
    const leases = await this.#redis.zmscore(keys.leases, ...runIds);
    return runIds.filter((_, index) => leases[index] === null);
  }

  /** Renews the leases of the tenant's runs that this replica holds. @returns the ids of those that it does not hold any more */
  async renew(keys: Keys, runs: readonly { id: string; fence: number }[]): Promise<string[]> {
    const answer = await this.#renew.run(
      this.#redis,
      [keys.leases, ...runs.map((run) => keys.run(run.id))],
      [this.#limits.leaseMs, ...runs.flatMap((run) => [run.id, run.fence])],
    );
    return words(answer).map(String);
  }

  /** Puts a run back to the queue. @param fence the caller's; undefined where the holder's lease must have run out */
  async requeue(keys: Keys, runId: string, fence?: number): Promise<boolean> {
    const answer = await this.#requeue.run(
      this.#redis,
      [keys.run(runId), keys.leases, keys.outbox, keys.taken],
      [runId, fence ?? ""],
    );
    return words(answer)[0] === "OK";
  }

  /**
   * Cancels a run, wherever it is; its holder is fenced at once.
   * @param first the run's first events, for a log that has none yet
   * @returns the state that the run is in after it: `cancelled`, or how it had ended before
   */
  async cancel(
    keys: Keys,
    record: RunRecord,
    first: readonly RunEventBody[],
    event: RunEventBody,
    turn: TurnEntry,
    approval: { winner: string; auditEntry: string; auditDigest: string },
  ): Promise<RunState | "retry"> {
    const { id, sessionId, approvalId = "" } = record;
    const begin = first.map((body, index) => encodeEvent(id, index + 1, turn.at, body));
    const answer = await guarded(() =>
      this.#cancel.run(
        this.#redis,
        [
          keys.run(id),
          keys.events(id),
          keys.steps(id),
          keys.session(sessionId),
          keys.waiting(sessionId),
          keys.leases,
          keys.outbox,
          keys.pending,
          keys.approval(approvalId || id),
          keys.audit,
          keys.auditHead,
          keys.approvalAudit(approvalId || id),
          keys.parked,
          keys.taken,
        ],
        [
          id,
          ...eventAround(id, event, turn.at),
          JSON.stringify(turn),
          this.#limits.logTtlS,
          this.#limits.runTtlS,
          approvalId,
          approval.winner,
          approval.auditEntry,
          approval.auditDigest,
          begin.length,
          packEvents(begin),
        ],
      ),
    );
    const [word, state] = words(answer);
    if (word === "OK") return "cancelled";
    if (word === "OVER") return String(state) as RunState;
    if (word === "RETRY") return "retry";
    throw new GatewayError("not_found");
  }

  async find(keys: Keys, runId: string): Promise<RunRecord | undefined> {
    return toRecord(runId, await guarded(() => this.#redis.hgetall(keys.run(runId))));
  }

  async journal(keys: Keys, runId: string): Promise<Record<string, string>> {
    return await guarded(() => this.#redis.hgetall(keys.steps(runId)));
  }

  /** Runs by creation, or parked ones by when they were parked; latest first. */
  async list(
    keys: Keys,
    limit: number,
    before: PageCursor | undefined,
    parked = false,
  ): Promise<{ runs: RunRecord[]; next?: PageCursor }> {
    return await guarded(async () => {
      const { ids, ...next } = await readPage(this.#redis, parked ? keys.parked : keys.runs, limit, before);
      const all = await Promise.all(ids.map((id) => this.#redis.hgetall(keys.run(id))));
      return { runs: all.flatMap((fields, index) => toRecord(ids[index] ?? "", fields) ?? []), ...next };
    });
  }

  /** Every tenant that a run was ever accepted for. */
  async tenants(): Promise<string[]> {
    return await this.#redis.smembers(TENANTS);
  }

  /** Runs whose holder let the lease run out, by the store's clock. */
  async expired(keys: Keys, limit: number): Promise<string[]> {
    const [seconds, micros] = await this.#redis.time();
    const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    return await this.#redis.zrangebyscore(keys.leases, "-inf", now, "LIMIT", 0, limit);
  }

  /** Forgets index entries of runs and sessions whose records are gone by now. */
  async trim(keys: Keys): Promise<void> {
    const [seconds] = await this.#redis.time();
    const now = Number(seconds) * 1000;
    await this.#redis.zremrangebyscore(keys.sessions, "-inf", now - this.#limits.sessionTtlS * 1000);
    const old = await this.#redis.zrangebyscore(
      keys.runs,
      "-inf",
      now - this.#limits.runTtlS * 1000,
      "LIMIT",
      0,
      500,
    );
    for (const id of old)
      if ((await this.#redis.exists(keys.run(id))) === 0) await this.#redis.zrem(keys.runs, id);
  }

  async #acceptAll(calls: readonly AcceptCall[]): Promise<unknown[]> {
    const answers = new Map<AcceptCall, unknown>();
    const { leaseMs, sessionTtlS } = this.#limits;
    const byTenant = Map.groupBy(calls, (call) => call.keys.tenant);
    await Promise.all(
      [...byTenant.values()].map(async (group) => {
        const keys = group[0]?.keys;
        if (!keys) return;
        const answer = await this.#accept.run(
          this.#redis,
          [
            ...[keys.sessions, keys.runs, keys.leases, keys.outbox],
            ...group.map((call) => call.run),
            ...group.flatMap((call) => call.more),
          ],
          [group.length, leaseMs, sessionTtlS, IDEMPOTENCY_TTL_S, ...group.flatMap((call) => call.args)],
        );
        for (const [index, call] of group.entries()) answers.set(call, words(answer)[index]);
      }),
    );
    return calls.map((call) => answers.get(call));
  }

  async #knowTenant(tenant: string): Promise<void> {
    await this.#redis.sadd(TENANTS, tenant);
    this.#tenants.add(tenant);
  }
}

function toRecord(id: string, fields: Record<string, string>): RunRecord | undefined {
  if (fields.order === undefined) return undefined;
  const order = JSON.parse(fields.order) as RunOrder;
  const record: RunRecord = {
    id,
    sessionId: fields.session ?? "",
    subject: order.subject,
    kind: fields.kind as RunRecord["kind"],
    state: fields.state as RunState,
    seq: Number(fields.seq),
    fence: Number(fields.fence),
    epoch: Number(fields.epoch),
    attempts: Number(fields.attempts),
    createdAt: Number(fields.created),
    order,
  };
  if (fields.finished !== undefined) record.finishedAt = Number(fields.finished);
  if (fields.approval !== undefined) record.approvalId = fields.approval;
  if (fields.terminal !== undefined) record.terminal = fields.terminal;
  return record;
}
