import { principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import {
  encodeEvent,
  eventAround,
  packEvents,
  type RunEventBody,
  type StoredEvent,
} from "../events/index.ts";
import { encoded, JsonText, LARGE_TEXT } from "../json-text.ts";
import type { DueIndex, StoreParts } from "./due-index.ts";
import { GroupCall } from "./group.ts";
import type { Keys } from "./keys.ts";
import type { PageCursor } from "./page.ts";
import type {
  EarlierResult,
  IdempotencyKey,
  Inputs,
  NewAudit,
  RunOrder,
  RunRecord,
  RunState,
  TurnEntry,
  Winner,
} from "./records.ts";
import { guarded, storeTime, unavailable } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import type { Retention, RetentionOf } from "./retention.ts";
import { RECORD, toRecord } from "./run-record.ts";
import { type RunPage, searchRuns } from "./run-search.ts";
import { Script, type ScriptArgument, words } from "./script.ts";
import type { StoreClock } from "./store-clock.ts";
import { connected, TimedWrite } from "./timed-write.ts";

export type Acceptance = {
  runId: string;
  sessionId: string;
  kind: RunRecord["kind"];
  order: RunOrder;
  /** The first events of the run's log; none where the holder writes them with its first own write. */
  events: readonly RunEventBody[];
  /** Whether this replica executes the run at once; otherwise the queue brings it to whoever has room. */
  claim: boolean;
  whenBusy: "refuse" | "enqueue";
  /** The run of the same session whose inputs this one has too: they are copied within the store. */
  inputsOf?: string | undefined;
  /** The indexes that the run is found by: `flow:<name>`, `service:<name>`, `agent:<name>`. */
  indexes?: readonly string[];
  /** What the session works with from this turn on, as JSON; absent: as before. */
  working?: string | undefined;
  idempotency?: IdempotencyKey;
  /** The task whose receivers hear of the run, and a first receiver of it, as it is stored. */
  notify?: { task: string; receiver?: { id: string; text: string } | undefined } | undefined;
};

export type Accepted =
  | { state: "running"; fence: number; events: StoredEvent[] }
  | { state: "queued"; events: StoredEvent[] }
  | { state: "replay"; runId: string };

export const IDEMPOTENCY_TTL_S = 86_400;

/** See Config. */
export type RunStoreLimits = Retention & {
  leaseMs: number;
  maxSubjectSessions: number;
  maxSubjectRuns: number;
  maxSubjectBytes: number;
};

/** What an owner can have too much of, what it is told then, and when to come back (s). */
const QUOTAS: Readonly<Record<string, readonly [message: string, retryAfterS: number]>> = {
  runs: ["The caller has as many runs that are not over as it may have.", 5],
  sessions: ["The caller has as many sessions as it may have.", 3_600],
  bytes: ["The caller's runs have written as much as they may.", 3_600],
};

/** How an approval ends whose run is cancelled. */
export type CancelledApproval = {
  /** JSON: what those who decide later are told. */
  winner: string;
  audit: NewAudit;
};

/** A run that is not cancelled, since an effect of it is approved, begun or in its book. */
export type TookEffect = {
  state: RunState;
  step: string;
  /** Of its approval, where it has one. */
  winner?: Winner;
};

/** The keys and arguments of one acceptance; see lua/accept.lua. */
type AcceptCall = {
  keys: Keys;
  run: string;
  more: readonly string[];
  args: readonly ScriptArgument[];
  indexes: readonly string[];
  write: TimedWrite;
};

const ACCEPT_AT_ONCE = 128;

/** Entries of an index, and owners, that are looked at in one trim. */
const TRIM_AT_ONCE = 500;
/** Of them, in one index. */
const TRIM_BATCHES = 20;

/** Characters of a session's first message that serve as its title. */
const TITLE_LENGTH = 80;

/** Accepts, cancels and reads runs. LeaseStore holds them, EventLog writes what they do. */
export class RunStore {
  readonly #redis: RedisClient;
  readonly #due: DueIndex;
  readonly #clock: StoreClock;
  readonly #limits: RunStoreLimits;
  readonly #retentionOf: RetentionOf;
  readonly #accept = new Script("accept");
  readonly #accepting = new GroupCall<AcceptCall, unknown>((calls) => this.#acceptAll(calls), ACCEPT_AT_ONCE);
  readonly #cancel = new Script("cancel");

  constructor(
    { redis, due, clock }: StoreParts,
    limits: RunStoreLimits,
    retentionOf: RetentionOf = () => limits,
  ) {
    this.#redis = redis;
    this.#due = due;
    this.#clock = clock;
    this.#limits = limits;
    this.#retentionOf = retentionOf;
  }

  /**
   * Creates a run, its first events and the user's turn, all at once.
   * @throws GatewayError not_found (the session is somebody else's), quota_exceeded, session_busy, result_gone, idempotency_mismatch, store_unavailable, outcome_unknown
   */
  async accept(keys: Keys, acceptance: Acceptance): Promise<Accepted> {
    const {
      runId,
      sessionId,
      kind,
      claim,
      whenBusy,
      inputsOf,
      working,
      idempotency,
      notify,
      indexes = [],
    } = acceptance;
    const { inputs, ...order } = acceptance.order;
    const at = new Date().toISOString();
    const events = acceptance.events.map((body, index) => encodeEvent(runId, index + 1, at, body));
    const turn: TurnEntry = { role: "user", run_id: runId, text: order.message, at };
    if (order.conversationId !== undefined) turn.conversation_id = order.conversationId;
    const owner = principalOf(order);
    const more = [keys.session(sessionId), keys.sessionsOf(owner), keys.runsOf(owner)];
    more.push(keys.openRunsOf(owner), keys.storedOf(owner));
    if (inputsOf !== undefined) more.push(keys.run(inputsOf));
    if (events.length > 0) more.push(keys.events(runId));
    if (whenBusy === "enqueue") more.push(keys.waiting(sessionId));
    if (idempotency) more.push(keys.idempotency(idempotency.digest));
    const title = order.message.slice(0, TITLE_LENGTH);
    const args: ScriptArgument[] = [runId, sessionId, owner, kind, JSON.stringify(order)];
    if (inputsOf !== undefined) args.push("of");
    else args.push(inputs instanceof JsonText ? await encoded(inputs.text) : (JSON.stringify(inputs) ?? ""));
    args.push(JSON.stringify(turn), title, claim ? 1 : 0, events.length);
    if (events.length > 0) args.push(packEvents(events));
    args.push(whenBusy, working ?? "", idempotency?.bodyDigest ?? "", notify?.task ?? "");
    if (notify) args.push(notify.receiver?.id ?? "", notify.receiver?.text ?? "");
    const write = new TimedWrite();
    const call = { keys, run: keys.run(runId), more, args, indexes, write };
    const unknown = { retryable: idempotency !== undefined, extra: { thread_id: runId } };
    const [word, first, second] = words(await write.outcomeOf(this.#acceptInTime(call), unknown));
    // A command that the client library sent again may find that another replica holds the run by now.
    const ours = claim && first === "running" && Number(second) === 1;
    if (word === "OK" && ours) return { state: "running", fence: 1, events };
    if (word === "OK") return { state: "queued", events };
    if (word === "REPLAY") return { state: "replay", runId: String(first) };
    // It looks like one that does not exist.
    if (word === "FOREIGN") throw new GatewayError("not_found");
    if (word === "QUOTA") throw quotaExceeded(String(first));
    if (word === "GONE") throw new GatewayError("result_gone");
    if (word === "MISMATCH") throw new GatewayError("idempotency_mismatch");
    if (word === "BUSY")
      throw new GatewayError("session_busy", undefined, { extra: { run_id: String(first) } });
    throw new GatewayError("internal");
  }

  /**
   * Cancels a run, whoever holds it; the holder's later writes are fenced.
   * @returns the state that the run is in afterwards: `cancelled`, or how it had ended before; `retry` where it has another approval than
   *   `record` says; what took effect, where the run goes on
   */
  async cancel(
    keys: Keys,
    record: RunRecord,
    cancellation: {
      /** The run's first events, for a log that has none yet. */
      first: readonly RunEventBody[];
      /** As text before and after its seq, where another gateway has written it. */
      event: RunEventBody | readonly [before: string, after: string];
      turn: TurnEntry;
      approval: CancelledApproval;
    },
  ): Promise<RunState | "retry" | TookEffect> {
    const { id, sessionId, approvalId = "" } = record;
    const { event, turn, approval } = cancellation;
    const { logTtlS, runTtlS } = this.#retentionOf(keys.tenant);
    const first = cancellation.first.map((body, index) => encodeEvent(id, index + 1, turn.at, body));
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
          keys.queued,
          keys.openRunsOf(record.owner),
          keys.storedOf(record.owner),
          keys.openRuns,
          keys.runIndexes,
          keys.runsBy("state:cancelled"),
        ],
        [
          id,
          ...("type" in event ? eventAround(id, event, turn.at) : event),
          JSON.stringify(turn),
          logTtlS,
          runTtlS,
          approvalId,
          approval.winner,
          approval.audit.text,
          approval.audit.digest,
          first.length,
          packEvents(first),
        ],
      ),
    );
    const [word, state, step, winner] = words(answer);
    if (word === "OK") return "cancelled";
    if (word === "OVER") return String(state) as RunState;
    if (word === "RETRY") return "retry";
    if (word === "EFFECT")
      return {
        state: String(state) as RunState,
        step: String(step),
        ...(winner ? { winner: JSON.parse(String(winner)) as Winner } : {}),
      };
    throw new GatewayError("not_found");
  }

  /** The run that an idempotency key has started. */
  async runOfKey(keys: Keys, digest: string): Promise<string | undefined> {
    return (await guarded(() => this.#redis.hget(keys.idempotency(digest), "run"))) ?? undefined;
  }

  async find(keys: Keys, runId: string): Promise<RunRecord | undefined> {
    return toRecord(runId, await guarded(() => this.#redis.hmget(keys.run(runId), ...RECORD)));
  }

  /** The whole order of a run, for whoever executes it. */
  async order(keys: Keys, { id, order }: RunRecord): Promise<RunOrder> {
    const inputs = await guarded(() => this.#redis.hget(keys.run(id), "inputs"));
    return inputs === null ? order : { ...order, inputs: readInputs(inputs) };
  }

  /** The result of one step of a run, as JSON; undefined where the run is not kept any more or has no such result. */
  async result(keys: Keys, { run, step }: EarlierResult): Promise<string | undefined> {
    return (await guarded(() => this.#redis.hget(keys.steps(run), step))) ?? undefined;
  }

  /** One entry of a run's journal, as it was written. */
  async entry(keys: Keys, runId: string, field: string): Promise<string | undefined> {
    return (await guarded(() => this.#redis.hget(keys.steps(runId), field))) ?? undefined;
  }

  async hasResult(keys: Keys, { run, step }: EarlierResult): Promise<boolean> {
    return (await guarded(() => this.#redis.hexists(keys.steps(run), step))) === 1;
  }

  /** The inputs that a run was accepted with; undefined where it had none or is not kept any more. */
  async inputs(keys: Keys, runId: string): Promise<Inputs | undefined> {
    const text = await guarded(() => this.#redis.hget(keys.run(runId), "inputs"));
    return text === null ? undefined : readInputs(text);
  }

  async journal(keys: Keys, runId: string): Promise<Record<string, string>> {
    return await guarded(() => this.#redis.hgetall(keys.steps(runId)));
  }

  /** Those that match, by creation, latest first. */
  async list(keys: Keys, page: RunPage): Promise<{ runs: RunRecord[]; next?: PageCursor }> {
    return await guarded(() => searchRuns(this.#redis, keys, page));
  }

  /** Removes the index entries of runs and sessions whose records have expired: the tenant's, and those of owners whose turn it is. */
  async trim(keys: Keys): Promise<void> {
    const now = await storeTime(this.#redis);
    const { sessionTtlS, runTtlS } = this.#retentionOf(keys.tenant);
    await this.#trimIndexes(keys, keys, now);
    await this.#trimRuns(keys, keys.openRuns, now);
    // An owner who is trimmed once in the shorter of both times has no more entries than are made in twice the time.
    const before = now - Math.min(sessionTtlS, runTtlS) * 1000;
    const names = await this.#redis.zrangebyscore(keys.runIndexes, "-inf", before, "LIMIT", 0, TRIM_AT_ONCE);
    for (const name of names) {
      const key = keys.runsBy(name);
      if (!(await this.#trimRuns(keys, key, now))) continue;
      if ((await this.#redis.exists(key)) === 0) await this.#redis.zrem(keys.runIndexes, name);
      else await this.#redis.zadd(keys.runIndexes, "XX", now, name);
    }
    const owners = await this.#redis.zrangebyscore(keys.owners, "-inf", before, "LIMIT", 0, TRIM_AT_ONCE);
    for (const owner of owners) {
      const own = { sessions: keys.sessionsOf(owner), runs: keys.runsOf(owner) };
      await this.#trimIndexes(keys, own, now);
      // None is open whose record is gone: a gateway that did not know of open runs may have ended it.
      await this.#trimIndexes(keys, { ...own, runs: keys.openRunsOf(owner) }, now);
      const left = await this.#redis.exists(own.sessions, own.runs);
      // Whoever begins something in between is added again with his next run.
      if (left === 0) await this.#redis.zrem(keys.owners, owner);
      else await this.#redis.zadd(keys.owners, "XX", now, owner);
    }
  }

  async #trimIndexes(
    keys: Keys,
    { sessions, runs }: Pick<Keys, "sessions" | "runs">,
    now: number,
  ): Promise<void> {
    await this.#redis.zremrangebyscore(
      sessions,
      "-inf",
      now - this.#retentionOf(keys.tenant).sessionTtlS * 1000,
    );
    await this.#trimRuns(keys, runs, now);
  }

  /** @returns whether all entries whose records are gone are gone, too; false: there was more than one trim takes */
  async #trimRuns(keys: Keys, index: string, now: number): Promise<boolean> {
    const oldest = now - this.#retentionOf(keys.tenant).runTtlS * 1000;
    // Old runs that are not over stay, and are passed over.
    let kept = 0;
    for (let batches = 0; batches < TRIM_BATCHES; batches += 1) {
      const old = await this.#redis.zrangebyscore(index, "-inf", oldest, "LIMIT", kept, TRIM_AT_ONCE);
      const there = await Promise.all(old.map((id) => this.#redis.exists(keys.run(id))));
      const gone = old.filter((_, at) => there[at] === 0);
      if (gone.length > 0) await this.#redis.zrem(index, ...gone);
      kept += old.length - gone.length;
      if (old.length < TRIM_AT_ONCE) return true;
    }
    return false;
  }

  async #acceptInTime(call: AcceptCall): Promise<unknown> {
    const marking = this.#due.mark(call.keys.tenant);
    if (marking) await marking;
    for (;;) {
      const answer = await this.#accepting.add(call);
      const [word, now] = words(answer);
      if (word !== "LATE") return answer;
      call.write.sent = false;
      if (call.write.isLate) throw unavailable();
      // The store's clock is ahead of what its last replies showed.
      this.#clock.reset(Number(now));
    }
  }

  async #acceptAll(group: readonly AcceptCall[]): Promise<unknown[]> {
    const answers = new Map<AcceptCall, unknown>();
    await connected(this.#redis);
    const calls = group.filter(({ write }) => !write.isLate);
    const { leaseMs, maxSubjectSessions, maxSubjectRuns, maxSubjectBytes } = this.#limits;
    const byTenant = Map.groupBy(calls, (call) => call.keys.tenant);
    await Promise.all(
      [...byTenant.values()].map(async (own) => {
        const keys = own[0]?.keys;
        if (!keys) return;
        const { sessionTtlS, runTtlS } = this.#retentionOf(keys.tenant);
        for (const { write } of own) write.sent = true;
        const indexes = [...new Set(own.flatMap((call) => call.indexes))];
        const answer = await this.#accept.run(
          this.#redis,
          [
            ...[keys.sessions, keys.runs, keys.leases, keys.outbox, keys.queued, keys.owners],
            ...[keys.openRuns, keys.runIndexes],
            ...indexes.map((index) => keys.runsBy(index)),
            ...own.map((call) => call.run),
            ...own.flatMap((call) => call.more),
          ],
          [
            own.length,
            leaseMs,
            sessionTtlS,
            IDEMPOTENCY_TTL_S,
            runTtlS,
            maxSubjectSessions,
            maxSubjectRuns,
            maxSubjectBytes,
            indexes.length,
            ...indexes,
            ...own.flatMap((call) =>
              call.args.concat(placesIn(indexes, call.indexes), this.#clock.at(call.write.endsAt)),
            ),
          ],
        );
        for (const [index, call] of own.entries()) answers.set(call, words(answer)[index]);
      }),
    );
    return group.map((call) => answers.get(call) ?? ["LATE"]);
  }
}

/** Where the names stand in the list, counted from 1: `1 3`. */
function placesIn(list: readonly string[], names: readonly string[]): string {
  return names.map((name) => list.indexOf(name) + 1).join(" ");
}

function quotaExceeded(quota: string): GatewayError {
  const [message, seconds] = QUOTAS[quota] ?? [undefined, 5];
  const headers = { "retry-after": String(seconds) };
  return new GatewayError("quota_exceeded", message, { headers, extra: { quota } });
}

/** Large inputs stay text. */
function readInputs(text: string): Inputs {
  return text.length > LARGE_TEXT ? new JsonText(text) : JSON.parse(text);
}
