import type { CryptoKey, JWSHeaderParameters, KeyObject } from "jose";
import { createLocalJWKSet, type JSONWebKeySet } from "jose";
import { TokenError } from "./token-error.ts";

/** The keys of one issuer. */
export interface Keys {
  /** The key that a token names. @throws TokenError, or jose's JWKSNoMatchingKey */
  find(header: JWSHeaderParameters): Promise<CryptoKey | KeyObject | Uint8Array>;
  /** A number that changes whenever a key may have gone: tokens that were verified before have to be verified again. */
  versionAt(now: number): number;
}

type Local = ReturnType<typeof createLocalJWKSet>;

/** Keys that do not change: of a file. */
export function fixedKeys(jwks: JSONWebKeySet): Keys {
  const local = createLocalJWKSet(signing(jwks));
  return { find: (header) => named(local, header), versionAt: () => 0 };
}

/** One secret that issuer and gateway share, for HS256. */
export function sharedSecret(secret: Uint8Array): Keys {
  return { find: () => Promise.resolve(secret), versionAt: () => 0 };
}

export type RemoteKeysOptions = {
  /** Gets the JWKS; undefined where the issuer did not give one. */
  load: () => Promise<JSONWebKeySet | undefined>;
  /** Milliseconds after which keys are fetched again, and for which older ones still count while the issuer is away. */
  cacheMs: number;
  staleMs: number;
};

/** Pause after a fetch before an unknown key id, or a failure, causes another one; it doubles with every failure. */
const COOL_DOWN_MS = 10_000;
const MOST_BACK_OFF_MS = 160_000;

/**
 * Keys that an issuer publishes. They are fetched when they are first needed, again in the background once they are `cacheMs` old, and when
 * a token names a key that is not among them, which is how a new key becomes known. An issuer that is away is asked ever less often; its
 * keys count for `staleMs` more.
 */
export class RemoteKeys implements Keys {
  readonly #options: RemoteKeysOptions;
  #local: Local | undefined;
  #text = "";
  #version = 0;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #loading: Promise<void> | undefined;

  constructor(options: RemoteKeysOptions) {
    this.#options = options;
  }

  async find(header: JWSHeaderParameters): Promise<CryptoKey | KeyObject | Uint8Array> {
    this.versionAt(Date.now());
    if (!this.#local) await this.#refresh();
    if (!this.#local) throw new TokenError("issuer_away");
    try {
      return await named(this.#local, header);
    } catch (error) {
      const before = this.#version;
      await this.#refresh();
      if (this.#version === before || !this.#local) throw error;
      return await named(this.#local, header);
    }
  }

  versionAt(now: number): number {
    const age = now - this.#loadedAt;
    if (age > this.#options.cacheMs) {
      if (this.#local) void this.#refresh();
      if (age > this.#options.cacheMs + this.#options.staleMs) this.#forget();
    }
    return this.#version;
  }

  #forget(): void {
    if (!this.#local) return;
    this.#local = undefined;
    this.#text = "";
    this.#version += 1;
  }

  /** At most one fetch at a time, and not sooner than the last one allows. */
  #refresh(): Promise<void> {
    const pause = Math.min(COOL_DOWN_MS * 2 ** this.#failures, MOST_BACK_OFF_MS);
    if (!this.#loading && Date.now() - this.#triedAt >= pause)
      this.#loading = this.#load().finally(() => {
        this.#loading = undefined;
      });
    return this.#loading ?? Promise.resolve();
  }

  async #load(): Promise<void> {
    this.#triedAt = Date.now();
    const jwks = await this.#options.load().catch(() => undefined);
    if (!jwks) {
      this.#failures += 1;
      return;
    }
    this.#failures = 0;
    this.#loadedAt = Date.now();
    const text = JSON.stringify(jwks);
    if (text === this.#text) return;
    this.#text = text;
    this.#local = createLocalJWKSet(signing(jwks));
    this.#version += 1;
  }
}

/** A key is found by its id alone: without one, any key of the set would do. */
async function named(local: Local, header: JWSHeaderParameters): Promise<CryptoKey> {
  if (typeof header.kid !== "string") throw new TokenError("no_key_id");
  return await local(header, { payload: "", signature: "" });
}

const MOST_KEYS = 100;

/** The keys that may verify: a secret in a published set is a mistake. */
function signing({ keys }: JSONWebKeySet): JSONWebKeySet {
  return { keys: keys.filter(({ kty }) => kty !== "oct").slice(0, MOST_KEYS) };
}
