/**
 * Every key of the store is built here. One hash tag per tenant: all keys of a tenant lie in one cluster slot, so that a script may
 * touch several of them atomically.
 */
export type Keys = ReturnType<typeof keysOf>;

export function keysOf(tenant: string) {
  const at = (name: string) => `il:{${tenant}}:${name}`;
  return {
    tenant,
    /** Hash: the run record. */
    run: (id: string) => at(`run:${id}`),
    /** Stream: the run's event log; an entry id is the last seq it holds. */
    events: (id: string) => at(`run:${id}:events`),
    /** Hash: the run's journal, step id → result, and `approval.<step>` → the decision. */
    steps: (id: string) => at(`run:${id}:steps`),
    /** Hash: a session's head, and its turns: `turn:<n>` from 0, `turns` says how many. */
    session: (id: string) => at(`session:${id}`),
    /** List: runs that wait for the session's run under way. */
    waiting: (id: string) => at(`session:${id}:waiting`),
    /** Hash: what an Idempotency-Key was used for. */
    idempotency: (digest: string) => at(`idem:${digest}`),
    /** Hash: an approval, its winner, and the answers to the operations on it. */
    approval: (id: string) => at(`approval:${id}`),
    /** List: the approval's entries of the audit log. */
    approvalAudit: (id: string) => at(`approval:${id}:audit`),
    /** Sorted set: session ids by last activity (ms). */
    sessions: at("sessions"),
    /** Sorted set: run ids by creation (ms). */
    runs: at("runs"),
    /** Sorted set: ids of running runs by lease expiry (ms): who is not in it is not held. */
    leases: at("leases"),
    /** Sorted set: what has to be put on a queue, by the time it is due (ms): `run|<id>|<epoch>` or `approval|<id>`. */
    outbox: at("outbox"),
    /** Sorted set: approval ids by creation (ms). */
    approvals: at("approvals"),
    /** Sorted set: ids of pending approvals by expiry (ms). */
    pending: at("approvals:pending"),
    /** Sorted set: ids of parked runs by the time they were parked (ms). */
    parked: at("parked"),
    /** Stream: the decision log. */
    audit: at("audit"),
    /** String: the last link of the decision log. */
    auditHead: at("audit:head"),
    /** Stream: published prices. */
    priceBook: at("price-book"),
    /** Hash: `run:step` of every effect that was taken → its place in the price book. */
    effects: at("effects"),
  };
}

/** Set of all tenants that ever had a run; its own slot. */
export const TENANTS = "il:tenants";

/** Ids on the wire and in keys. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;
