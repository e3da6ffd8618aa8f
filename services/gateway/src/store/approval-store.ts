import { GatewayError } from "../errors.ts";
import {
  APPROVAL_HEAD,
  type ApprovalAddress,
  type ApprovalHead,
  readAddress,
  readApproval,
  readApprovalHead,
} from "./approval-fields.ts";
import type { DueIndex, StoreParts } from "./due-index.ts";
import type { Keys } from "./keys.ts";
import type { Wants } from "./outbox.ts";
import { type PageCursor, readPage } from "./page.ts";
import type { Approval, AuditEntry, AuditRecord, IdempotencyKey, NewAudit } from "./records.ts";
import { guarded, storeTime, unavailable } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { IDEMPOTENCY_TTL_S } from "./run-store.ts";
import { Script, type ScriptArgument, words } from "./script.ts";
import type { StoreClock } from "./store-clock.ts";
import { connected, TimedWrite } from "./timed-write.ts";

/** One operation on an approval; see lua/decide.lua. */
export type ApprovalOperation = {
  /** The same operation, sent again, gets the same answer again. */
  id: string;
  /** JSON: what the caller is told, and told again where the operation is repeated. */
  answer: string;
  event: readonly [before: string, after: string];
  audit: NewAudit;
  /** Another gateway has decided, so that it is only written down: neither the hash nor the expiry is looked at. */
  told?: boolean;
} & (Settle | Edit | Escalate | { action: "warn" });

/** Decides the approval. The run goes on. */
type Settle = {
  action: "approve" | "reject" | "withdraw" | "expire";
  /** JSON: what those who come later are told. */
  winner: string;
  journal: readonly [field: string, value: string | Buffer];
  /** Whether this replica carries the run on. */
  claim: boolean;
} & Partial<AskedFor>;

/** Changes the proposal. The approval stays pending. */
type Edit = {
  action: "edit";
  proposal: string | Buffer;
  newHash: string;
  editors: readonly string[];
} & Partial<AskedFor>;

/** Escalates to other roles, once the approval is due. */
type Escalate = { action: "escalate"; roles: readonly string[]; expiresInMs: number };

/** What an operation that a caller asked for is bound to. */
type AskedFor = {
  /** The hash of the proposal that the caller saw. */
  hash: string;
  idempotency?: IdempotencyKey | undefined;
};

export type OperationOutcome =
  /** `fence` is 0 where this replica does not hold the run. */
  | { outcome: "ok"; fence: number; seq: number }
  | { outcome: "replay"; answer: string }
  | { outcome: "conflict"; winner: string }
  | { outcome: "stale_hash"; hash: string }
  | { outcome: "expired" | "early" | "mismatch" | "none" };

/** As lua/decide.lua has them. */
const SETTLED = {
  approve: "approved",
  reject: "rejected",
  withdraw: "withdrawn",
  expire: "expired",
} as const;

/** Reads and changes approvals; they are created together with the pause that asks for them (EventLog). */
export class ApprovalStore {
  readonly #redis: RedisClient;
  readonly #due: DueIndex;
  readonly #clock: StoreClock;
  readonly #leaseMs: number;
  readonly #wants: Wants;
  readonly #decide = new Script("decide");

  /** @param leaseMs of a run that is claimed together with its decision */
  constructor({ redis, due, clock }: StoreParts, leaseMs: number, wants: Wants = () => false) {
    this.#redis = redis;
    this.#due = due;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#wants = wants;
  }

  /** Read only these fields to decide who may see an approval: the rest may be large, and its latency would reveal it to others. */
  async address(keys: Keys, id: string): Promise<ApprovalAddress | undefined> {
    const names = ["flow", "step", "roles", "owner"] as const;
    return readAddress(await guarded(() => this.#redis.hmget(keys.approval(id), ...names)));
  }

  async find(keys: Keys, id: string): Promise<Approval | undefined> {
    return readApproval(await guarded(() => this.#redis.hgetall(keys.approval(id))));
  }

  /** The proposal as the canonical JSON that was hashed, unless it is longer. @param most characters */
  async proposalText(
    keys: Keys,
    id: string,
    most: number,
  ): Promise<{ proposal?: string; hash: string } | undefined> {
    return await guarded(async () => {
      const key = keys.approval(id);
      const [length, hash] = await Promise.all([
        this.#redis.hstrlen(key, "proposal"),
        this.#redis.hget(key, "hash"),
      ]);
      if (!hash) return undefined;
      if (length > most) return { hash };
      const [proposal, same] = await this.#redis.hmget(key, "proposal", "hash");
      return proposal && same ? { proposal, hash: same } : undefined;
    });
  }

  /** All by creation, latest first; pending ones by expiry, soonest first. */
  async list(
    keys: Keys,
    options: { pending: boolean; limit: number; cursor: PageCursor | undefined },
  ): Promise<{ approvals: Approval[]; next?: PageCursor }> {
    const { pending, limit, cursor } = options;
    return await guarded(async () => {
      const key = pending ? keys.pending : keys.approvals;
      const order = pending ? "ascending" : "descending";
      const { ids, ...next } = await readPage(this.#redis, { key, limit, behind: cursor, order });
      const all = await Promise.all(ids.map((id) => this.#redis.hgetall(keys.approval(id))));
      return { approvals: all.flatMap((fields) => readApproval(fields) ?? []), ...next };
    });
  }

  /** The latest ones that a session has asked for, in their order. */
  async ofSession(keys: Keys, sessionId: string): Promise<ApprovalHead[]> {
    return await guarded(async () => {
      const ids = await this.#redis.hget(keys.session(sessionId), "approvals");
      return await this.#headsOf(keys, ids?.split(" ") ?? []);
    });
  }

  /** The pending ones that expire soonest, and the latest of all, each once, at most `limit` of either. */
  async heads(keys: Keys, limit: number): Promise<ApprovalHead[]> {
    return await guarded(async () => {
      const [pending, latest] = await Promise.all([
        readPage(this.#redis, { key: keys.pending, limit, order: "ascending" }),
        readPage(this.#redis, { key: keys.approvals, limit }),
      ]);
      return await this.#headsOf(keys, [...new Set([...pending.ids, ...latest.ids])]);
    });
  }

  async #headsOf(keys: Keys, ids: readonly string[]): Promise<ApprovalHead[]> {
    const found = await Promise.all(ids.map((id) => this.#redis.hmget(keys.approval(id), ...APPROVAL_HEAD)));
    return found.flatMap((values) => readApprovalHead(values) ?? []);
  }

  async apply(keys: Keys, approval: Approval, operation: ApprovalOperation): Promise<OperationOutcome> {
    const idempotency = "idempotency" in operation ? operation.idempotency : undefined;
    const write = new TimedWrite();
    const answer = await write.outcomeOf(this.#applyInTime(keys, approval, operation, write), {
      retryable: idempotency !== undefined,
      extra: { approval_id: approval.id, thread_id: approval.runId },
    });
    return toOutcome(words(answer));
  }

  async #applyInTime(
    keys: Keys,
    approval: Approval,
    operation: ApprovalOperation,
    write: TimedWrite,
  ): Promise<unknown> {
    const idempotency = "idempotency" in operation ? operation.idempotency : undefined;
    await this.#due.mark(keys.tenant);
    for (;;) {
      await connected(this.#redis);
      if (write.isLate) throw unavailable();
      write.sent = true;
      const named = {
        ...this.#namedArguments(approval, operation),
        ...this.#webhook(keys.tenant, operation),
        deadline: this.#clock.at(write.endsAt),
      };
      const answer = await this.#decide.run(
        this.#redis,
        [
          keys.approval(approval.id),
          keys.run(approval.runId),
          keys.events(approval.runId),
          keys.steps(approval.runId),
          keys.leases,
          keys.outbox,
          keys.pending,
          keys.audit,
          keys.auditHead,
          keys.approvalAudit(approval.id),
          keys.queued,
          ...(idempotency ? [keys.idempotency(idempotency.digest)] : []),
        ],
        Object.entries(named).flat(),
      );
      const [word, now] = words(answer);
      if (word !== "LATE") return answer;
      write.sent = false;
      if (write.isLate) throw unavailable();
      this.#clock.reset(Number(now));
    }
  }

  #webhook(tenant: string, { action }: ApprovalOperation): Record<string, string> {
    const type = action === "warn" ? "approval.expiring" : "approval.decided";
    if (action === "edit" || action === "escalate" || !this.#wants(tenant, type)) return {};
    return { webhook: type, ...(action === "warn" ? {} : { webhook_state: SETTLED[action] }) };
  }

  #namedArguments(approval: Approval, operation: ApprovalOperation): Record<string, ScriptArgument> {
    const named: Record<string, ScriptArgument> = {
      action: operation.action,
      operation: operation.id,
      answer: operation.answer,
      event_before: operation.event[0],
      event_after: operation.event[1],
      audit_entry: operation.audit.text,
      audit_digest: operation.audit.digest,
    };
    if (operation.told) named.told = 1;
    if ("hash" in operation && operation.hash !== undefined) {
      named.hash = operation.hash;
      named.seen_roles = JSON.stringify(approval.roles);
    }
    if ("idempotency" in operation && operation.idempotency) {
      named.body_digest = operation.idempotency.bodyDigest;
      named.idempotency_ttl_s = IDEMPOTENCY_TTL_S;
    }
    switch (operation.action) {
      case "approve":
      case "reject":
      case "withdraw":
      case "expire":
        named.winner = operation.winner;
        named.journal_field = operation.journal[0];
        named.journal_value = operation.journal[1];
        named.lease_ms = operation.claim ? this.#leaseMs : 0;
        return named;
      case "edit":
        named.new_proposal = operation.proposal;
        named.new_hash = operation.newHash;
        named.editors = JSON.stringify(operation.editors);
        return named;
      case "escalate":
        named.roles = JSON.stringify(operation.roles);
        named.expires_in_ms = operation.expiresInMs;
        return named;
      case "warn":
        return named;
      default:
        return operation satisfies never;
    }
  }

  /** What was answered to the key before. @throws GatewayError idempotency_mismatch where it was used for something else */
  async answered(keys: Keys, { digest, bodyDigest }: IdempotencyKey): Promise<string | undefined> {
    const [body, answer] = await guarded(() => this.#redis.hmget(keys.idempotency(digest), "body", "answer"));
    if (body && body !== bodyDigest) throw new GatewayError("idempotency_mismatch");
    return answer ?? undefined;
  }

  /** The approval's entries of the decision log, oldest first. */
  async audit(keys: Keys, id: string): Promise<AuditRecord[]> {
    return await guarded(async () => {
      const places = await this.#redis.lrange(keys.approvalAudit(id), 0, -1);
      const found = await Promise.all(places.map((place) => this.#redis.xrange(keys.audit, place, place)));
      return found.flat().flatMap(([place, fields]) => readAudit(place, fields) ?? []);
    });
  }

  /** Milliseconds by the store's clock. */
  async now(): Promise<number> {
    return await guarded(() => storeTime(this.#redis));
  }
}

function toOutcome([word, first, second]: readonly unknown[]): OperationOutcome {
  switch (word) {
    case "OK":
      return { outcome: "ok", fence: Number(first), seq: Number(second) };
    case "REPLAY":
      return { outcome: "replay", answer: String(first) };
    case "CONFLICT":
      return { outcome: "conflict", winner: String(first) };
    case "HASH":
      return { outcome: "stale_hash", hash: String(first) };
    case "EXPIRED":
      return { outcome: "expired" };
    case "EARLY":
      return { outcome: "early" };
    case "MISMATCH":
      return { outcome: "mismatch" };
    default:
      return { outcome: "none" };
  }
}

/** @param fields `entry`, `digest`, `link` with their values between */
function readAudit(place: string, fields: readonly string[]): AuditRecord | undefined {
  const [, entry, , digest, , link] = fields;
  if (entry === undefined || digest === undefined || link === undefined) return undefined;
  return { id: place, entry: JSON.parse(entry) as AuditEntry, digest, link };
}
