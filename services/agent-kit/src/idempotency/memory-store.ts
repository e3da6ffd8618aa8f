import type { Outcome } from "../runs/answer.ts";
import { type IdempotencyStore, KEEP_MS } from "./store.ts";

type Entry = {
  readonly fingerprint: string;
  readonly owner: string;
  readonly outcome?: Outcome;
  readonly bytes: number;
  readonly expiresAt: number;
};

/** Estimated size of an entry without its answer. Limits the number of entries. */
const ENTRY_BYTES = 512;

/** For a single process. Evicts the oldest answers at `maxBytes`; never evicts claims of runs in progress. */
export function memoryStore(maxBytes = 64 * 1024 * 1024, now: () => number = Date.now): IdempotencyStore {
  const entries = new Map<string, Entry>();
  let held = 0;

  const remove = (key: string): void => {
    held -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const put = (key: string, entry: Entry): void => {
    remove(key);
    entries.set(key, entry);
    held += entry.bytes;
  };
  const makeRoom = (): void => {
    for (const [key, entry] of entries) {
      if (held <= maxBytes && entry.expiresAt > now()) return;
      if (entry.outcome !== undefined) remove(key);
    }
  };
  const ownedBy = (key: string, owner: string): boolean => {
    const entry = entries.get(key);
    return entry?.owner === owner && entry.outcome === undefined;
  };

  return {
    leaseMs: Number.POSITIVE_INFINITY,
    async claim(key, fingerprint, owner) {
      const entry = entries.get(key);
      if (entry === undefined || entry.expiresAt <= now()) {
        put(key, { fingerprint, owner, bytes: ENTRY_BYTES, expiresAt: Number.POSITIVE_INFINITY });
        makeRoom();
        return { state: "mine" };
      }
      if (entry.fingerprint !== fingerprint) return { state: "conflict" };
      if (entry.outcome !== undefined) return { state: "done", outcome: entry.outcome };
      return { state: entry.owner === owner ? "mine" : "busy" };
    },
    async renew() {},
    async complete(key, fingerprint, owner, outcome) {
      if (!ownedBy(key, owner)) return;
      const bytes = ENTRY_BYTES + Buffer.byteLength(outcome.rest);
      put(key, { fingerprint, owner, outcome, bytes, expiresAt: now() + KEEP_MS });
      makeRoom();
    },
    async release(key, owner) {
      if (ownedBy(key, owner)) remove(key);
    },
    async close() {
      entries.clear();
      held = 0;
    },
  };
}
