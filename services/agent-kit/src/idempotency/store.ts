import type { Outcome } from "../runs/answer.ts";

/** State of a key: claimed by this run, claimed by another, done, or used with another request. */
export type Claim =
  | { readonly state: "mine" }
  | { readonly state: "busy" }
  | { readonly state: "done"; readonly outcome: Outcome }
  | { readonly state: "conflict" };

/**
 * Stores outcomes by idempotency key. `owner` identifies one run and makes every call idempotent, so a call can be
 * repeated after a lost reply. A claim expires unless it is renewed.
 */
export type IdempotencyStore = {
  /** Milliseconds until an unrenewed claim expires. Infinite for a store that dies with its process. */
  readonly leaseMs: number;
  claim(key: string, fingerprint: string, owner: string): Promise<Claim>;
  renew(key: string, owner: string): Promise<void>;
  /** Stores the outcome for a day. */
  complete(key: string, fingerprint: string, owner: string, outcome: Outcome): Promise<void>;
  /** Frees the key without an outcome. */
  release(key: string, owner: string): Promise<void>;
  close(): Promise<void>;
};

export const KEEP_MS = 24 * 60 * 60 * 1000;
