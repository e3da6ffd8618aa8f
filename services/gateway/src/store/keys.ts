/**
 * Builds every key of a tenant. All of them share one hash tag and therefore one cluster slot, so that a script may change several of
 * them atomically.
 */
export class Keys {
  readonly tenant: string;
  readonly #prefix: string;

  constructor(tenant: string) {
    this.tenant = tenant;
    this.#prefix = `il:{${tenant}}:`;
  }

  /** Hash: the run record. `notify` is the task whose receivers hear of it, `pushes` the ids of its own receivers, `push:<id>` one of them. */
  run(id: string): string {
    return `${this.#prefix}run:${id}`;
  }

  /** Stream: the run's event log; an entry id is the last seq it holds. */
  events(id: string): string {
    return `${this.#prefix}run:${id}:events`;
  }

  /** Hash: the run's journal, step id → result, `approval.<step>` → the decision, `begun.<step>` where an effect was begun, `run.warned`. */
  steps(id: string): string {
    return `${this.#prefix}run:${id}:steps`;
  }

  /**
   * Hash: a session's head, and its turns: `turn:<n>`, from `raw_from` to before `turns`. `summary` stands for turns before those;
   * `working` is what the session works with; `dialogue:<service>` is the stage of a dialogue, `state:<service>` its agent's state,
   * `effect:<service>:<id>` an effect of it; `runs` holds the ids of its latest runs, and `approvals` those of its approvals. `get_run`, `get_message` (hashed) and `get_told` (delivered) belong to the latest turn by
   * GET.
   */
  session(id: string): string {
    return `${this.#prefix}session:${id}`;
  }

  /** List: runs that wait for the session's run under way. */
  waiting(id: string): string {
    return `${this.#prefix}session:${id}:waiting`;
  }

  /** Hash: what an Idempotency-Key was used for. */
  idempotency(digest: string): string {
    return `${this.#prefix}idem:${digest}`;
  }

  /** Hash: an approval, its winner, and the answers to the operations on it. */
  approval(id: string): string {
    return `${this.#prefix}approval:${id}`;
  }

  /** List: the approval's entries of the audit log. */
  approvalAudit(id: string): string {
    return `${this.#prefix}approval:${id}:audit`;
  }

  /** Sorted set: session ids by last activity (ms). */
  get sessions(): string {
    return `${this.#prefix}sessions`;
  }

  /** Sorted set: run ids by creation (ms). */
  get runs(): string {
    return `${this.#prefix}runs`;
  }

  /** Sorted set: ids of the sessions of one principal by last activity (ms). */
  sessionsOf(owner: string): string {
    return `${this.#prefix}owner:${owner}:sessions`;
  }

  /** Sorted set: ids of the runs of one principal by creation (ms). */
  runsOf(owner: string): string {
    return `${this.#prefix}owner:${owner}:runs`;
  }

  /** Sorted set: ids of the runs of one principal that are not over, by creation (ms). */
  openRunsOf(owner: string): string {
    return `${this.#prefix}owner:${owner}:open`;
  }

  /** Sorted set: ids of the tenant's runs that are not over, by creation (ms). */
  get openRuns(): string {
    return `${this.#prefix}runs:open`;
  }

  /** Sorted set: ids of the runs of one index, `flow:<name>` or `state:<state>` for example, by creation (ms). */
  runsBy(index: string): string {
    return `${this.#prefix}runs:by:${index}`;
  }

  /** Sorted set: the names of the indexes that {@link runsBy} has keys for, by the time at which they were last trimmed (ms). */
  get runIndexes(): string {
    return `${this.#prefix}runs:indexes`;
  }

  /** Hash: day (since 1970) → the bytes that one principal's runs wrote on it. */
  storedOf(owner: string): string {
    return `${this.#prefix}owner:${owner}:bytes`;
  }

  /** Sorted set: the principals that have sessions or runs, by the time at which their indexes were last trimmed (ms). */
  get owners(): string {
    return `${this.#prefix}owners`;
  }

  /** Sorted set: ids of running runs by lease expiry (ms). A run that is not in it has no holder. */
  get leases(): string {
    return `${this.#prefix}leases`;
  }

  /** Counter: how often a run was taken from its holder. While it does not change, no holder has lost a run. */
  get taken(): string {
    return `${this.#prefix}taken`;
  }

  /** Sorted set: what has to be put on a queue, by the time it is due (ms): `run|<id>|<epoch>`, `approval|<id>|<seq>|<run>` or `webhook|…`, as lua/common.lua writes it. */
  get outbox(): string {
    return `${this.#prefix}outbox`;
  }

  /** Sorted set: ids of the webhooks' deliveries that are not known to have arrived, by the time of what they tell (ms). */
  get deliveries(): string {
    return `${this.#prefix}deliveries`;
  }

  /** Sorted set: runs that wait for a holder, as in the outbox, by the time at which they go there again (ms). */
  get queued(): string {
    return `${this.#prefix}queued`;
  }

  /** String: kept while the tenant's indexes need no trimming. */
  get trimmed(): string {
    return `${this.#prefix}trimmed`;
  }

  /** Sorted set: approval ids by creation (ms). */
  get approvals(): string {
    return `${this.#prefix}approvals`;
  }

  /** Sorted set: ids of pending approvals by expiry (ms). */
  get pending(): string {
    return `${this.#prefix}approvals:pending`;
  }

  /** Sorted set: ids of approvals by when to look at them next (ms). Those that are decided are removed when they are looked at. */
  get timers(): string {
    return `${this.#prefix}approvals:timers`;
  }

  /** Sorted set: ids of parked runs by the time they were parked (ms). */
  get parked(): string {
    return `${this.#prefix}parked`;
  }

  /** Stream: the decision log. */
  get audit(): string {
    return `${this.#prefix}audit`;
  }

  /** String: the secret with which the decision log's digests of erased principals are made. */
  get erasureKey(): string {
    return `${this.#prefix}erasure-key`;
  }

  /** String: the last link of the decision log. */
  get auditHead(): string {
    return `${this.#prefix}audit:head`;
  }

  /** Stream: what publish steps wrote to the book of this name. */
  book(name: string): string {
    return `${this.#prefix}book:${name}`;
  }

  /** Counter: requests in a window that ends when the key expires. @param of which one of several */
  rate(limit: "subject" | "tenant" | "agent" | "tool", of = ""): string {
    return `${this.#prefix}rate:${limit}:${of}`;
  }

  /** Counter: tokens of models that were used on a day (`2026-11-22`). */
  tokens(day: string): string {
    return `${this.#prefix}tokens:${day}`;
  }

  /**
   * Hash: a group's name → what models used for it on a day; see usage-store.ts.
   * @param owner of one principal; absent: of the whole tenant
   */
  usage(day: string, kind: "model" | "subject" | "session" | "run", owner?: string): string {
    const whose = owner === undefined ? "" : `owner:${owner}:`;
    return `${this.#prefix}${whose}usage:${day}:${kind}`;
  }

  /** Hash: what the tenant has used of a model's budget on a day, with its reservations. */
  modelBudget(model: string, day: string): string {
    return `${this.#prefix}budget:${day}:${model}`;
  }

  /** Sorted set: turns that their users rated, by the time of that (ms). */
  get feedback(): string {
    return `${this.#prefix}feedback`;
  }

  /** Hash: turn → its rating, as JSON without the comment. */
  get ratings(): string {
    return `${this.#prefix}feedback:ratings`;
  }

  /** Hash: turn → the comment, where it has one. */
  get comments(): string {
    return `${this.#prefix}feedback:comments`;
  }

  /** Hash: `run:step` of every publish step that took effect → its entry in its book. */
  get effects(): string {
    return `${this.#prefix}effects`;
  }
}

export function keysOf(tenant: string): Keys {
  return new Keys(tenant);
}

/** Set of all tenants that ever had a run; in a slot of its own. */
export const TENANTS = "il:tenants";

/** Counter: requests of all tenants in a window; in a slot of its own. */
export const GLOBAL_RATE = "il:rate";

/** Hash: what all tenants have used of a model's budget on a day; in a slot of its own. */
export function modelBudgetKey(model: string, day: string): string {
  return `il:budget:${day}:${model}`;
}

/** Hash: the sources of an edition of the manifest, `manifest` and `file:<name>`; in a slot of its own. */
export function editionKey(hash: string): string {
  return `il:edition:${hash}`;
}

/** Parts of the index of due tenants: a cluster spreads them over its nodes. */
export const DUE_SHARDS = 8;

/**
 * A part of the index of due tenants. `due`: sorted set of tenants by the time of their next look (ms); `marked`: sorted set of the same
 * tenants by the time of their last mark (ms).
 */
export function dueKeys(shard: number): { due: string; marked: string } {
  return { due: `il:{due-${shard}}`, marked: `il:{due-${shard}}:marked` };
}
