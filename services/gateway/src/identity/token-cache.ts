import { hash } from "node:crypto";
import type { Caller } from "../caller.ts";
import type { Keys } from "./keys.ts";

export type VerifiedToken = {
  readonly caller: Caller;
  /** Unix milliseconds at which the token expires. */
  readonly expiresAt: number;
  readonly keys: Keys;
  /** Of the keys with which it was verified. */
  readonly version: number;
};

const MOST = 10_000;

/** Tokens that were verified, by their digest, until they expire or the issuer's keys change. The oldest makes room for the newest. */
export class TokenCache {
  readonly #tokens = new Map<string, VerifiedToken>();

  static idOf(token: string): string {
    return hash("sha256", token, "base64");
  }

  get(id: string, now: number): Caller | undefined {
    const found = this.#tokens.get(id);
    if (!found) return undefined;
    if (now < found.expiresAt && found.keys.isCurrent(found.version)) return found.caller;
    this.#tokens.delete(id);
    return undefined;
  }

  put(id: string, token: VerifiedToken, now: number): void {
    if (token.expiresAt <= now) return;
    if (this.#tokens.size >= MOST) {
      const [oldest] = this.#tokens.keys();
      if (oldest !== undefined) this.#tokens.delete(oldest);
    }
    this.#tokens.set(id, token);
  }
}
