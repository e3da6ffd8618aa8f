import type { Redis } from "ioredis";
import { type Approval, readApproval } from "../approvals/approval.ts";
import type { AuditEntry, AuditRecord } from "../approvals/audit.ts";
import { GatewayError } from "../errors.ts";
import type { Keys } from "./keys.ts";
import { type PageCursor, readPage } from "./page.ts";
import { guarded } from "./redis.ts";
import { IDEMPOTENCY_TTL_S, type IdempotencyKey } from "./run-store.ts";
import { Script, words } from "./script.ts";

/** One operation on an approval; see lua/decide.lua. */
export type Decide = {
  action: "approve" | "reject" | "expire" | "edit" | "escalate" | "warn";
  /** The same operation, sent again, gets the same answer again. */
  operation: string;
  /** The proposal that the caller saw. */
  hash: string;
  /** JSON: what the caller hears, and hears again where the operation is repeated. */
  answer: string;
  /** JSON: what those who come later hear. */
  winner?: string;
  idempotency?: IdempotencyKey;
  event: readonly [before: string, after: string];
  journal: readonly [field: string, value: string];
  auditEntry: string;
  auditDigest: string;
  /** Whether this replica carries the run on. */
  claim: boolean;
  edit?: { proposal: string; hash: string; editors: string };
  escalation?: { roles: string; expiresInMs: number };
};

export type Decided =
  | { outcome: "ok"; fence: number; seq: number }
  | { outcome: "replay"; answer: string }
  | { outcome: "conflict"; winner: string }
  | { outcome: "stale_hash"; hash: string }
  | { outcome: "expired" | "early" | "mismatch" | "none" };

export class ApprovalStore {
  readonly #redis: Redis;
  readonly #leaseMs: number;
  readonly #decide = new Script("decide");

  /** @param leaseMs of a run that is claimed together with its decision */
  constructor(redis: Redis, leaseMs: number) {
    this.#redis = redis;
    this.#leaseMs = leaseMs;
  }

  async find(keys: Keys, id: string): Promise<Approval | undefined> {
    return readApproval(await guarded(() => this.#redis.hgetall(keys.approval(id))));
  }

  /** All by creation, latest first; pending ones by expiry, soonest first. */
  async list(
    keys: Keys,
    options: { pending: boolean; limit: number; cursor: PageCursor | undefined },
  ): Promise<{ approvals: Approval[]; next?: PageCursor }> {
    const { pending, limit, cursor } = options;
    return await guarded(async () => {
      const key = pending ? keys.pending : keys.approvals;
      const { ids, ...next } = await readPage(
        this.#redis,
        key,
        limit,
        cursor,
        pending ? "ascending" : "descending",
      );
      const all = await Promise.all(ids.map((id) => this.#redis.hgetall(keys.approval(id))));
      return { approvals: all.flatMap((fields) => readApproval(fields) ?? []), ...next };
    });
  }

  async decide(keys: Keys, approval: Approval, request: Decide): Promise<Decided> {
    const { edit, escalation, idempotency } = request;
    const answer = await guarded(() =>
      this.#decide.run(
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
          idempotency ? keys.idempotency(idempotency.digest) : keys.approval(approval.id),
        ],
        [
          request.action,
          request.operation,
          request.hash,
          request.answer,
          ...request.event,
          ...request.journal,
          request.auditEntry,
          request.auditDigest,
          request.claim ? this.#leaseMs : 0,
          edit?.proposal ?? "",
          edit?.hash ?? "",
          edit?.editors ?? "",
          escalation?.roles ?? "",
          escalation?.expiresInMs ?? 0,
          request.winner ?? "",
          idempotency?.bodyDigest ?? "",
          IDEMPOTENCY_TTL_S,
        ],
      ),
    );
    const [word, first, second] = words(answer);
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
    const [seconds, micros] = await guarded(() => this.#redis.time());
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  }
}

/** @param fields `entry`, `digest`, `link` with their values between */
export function readAudit(place: string, fields: readonly string[]): AuditRecord | undefined {
  const [, entry, , digest, , link] = fields;
  if (entry === undefined || digest === undefined || link === undefined) return undefined;
  return { id: place, entry: JSON.parse(entry) as AuditEntry, digest, link };
}
