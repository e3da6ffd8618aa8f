import type { Outcome } from "../runs/answer.ts";

/** What a store says of a key: ours to run, being run elsewhere, run already, or used for something else. */
export type Claim =
  | { readonly state: "mine" }
  | { readonly state: "busy" }
  | { readonly state: "done"; readonly outcome: Outcome }
  | { readonly state: "conflict" };

/**
 * Remembers by key what was run. `owner` is one run's own token: repeating a call with it changes nothing, so
 * that a call may be sent again after a lost reply. A claim lapses unless it is renewed, and then is free.
 */
export type IdempotencyStore = {
  /** How long an unrenewed claim holds, in ms; infinite where the holder's end is the store's end. */
  readonly leaseMs: number;
  claim(key: string, fingerprint: string, owner: string): Promise<Claim>;
  renew(key: string, owner: string): Promise<void>;
  /** Keeps the outcome for a day. */
  complete(key: string, fingerprint: string, owner: string, outcome: Outcome): Promise<void>;
  /** The run came to nothing: the key is free again. */
  release(key: string, owner: string): Promise<void>;
  close(): Promise<void>;
};

export const KEEP_MS = 24 * 60 * 60 * 1000;
