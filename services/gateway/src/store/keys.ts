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
    /** Hash: the run's journal, step id → result. */
    steps: (id: string) => at(`run:${id}:steps`),
    /** Hash: a session's head. */
    session: (id: string) => at(`session:${id}`),
    /** List: a session's turns, oldest first. */
    turns: (id: string) => at(`session:${id}:turns`),
    /** Sorted set: session ids by last activity (ms). */
    sessions: at("sessions"),
    /** Sorted set: run ids by creation (ms). */
    runs: at("runs"),
    /** Sorted set: ids of running runs by lease expiry (ms). */
    leases: at("leases"),
  };
}

/** Ids on the wire and in keys. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;
