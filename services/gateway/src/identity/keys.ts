import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type KeyObject,
} from "jose";
import { TokenError } from "./token-error.ts";

/** A key, and the version of the set that it was found in. */
export type FoundKey = { readonly key: CryptoKey | KeyObject | Uint8Array; readonly version: number };

/** The keys of one issuer. */
export interface Keys {
  /** The key that a token names. @throws TokenError, or an error of jose */
  find(header: JWSHeaderParameters): Promise<FoundKey>;
  /** Whether tokens verified with a key of this version are still valid. */
  isCurrent(version: number): boolean;
}

type Local = ReturnType<typeof createLocalJWKSet>;

/** Keys that do not change: of a file. */
export function fixedKeys(jwks: JSONWebKeySet): Keys {
  const local = createLocalJWKSet(signing(jwks));
  return {
    find: async (header) => ({ key: await named(local, header), version: 0 }),
    isCurrent: () => true,
  };
}

/** One secret that issuer and gateway share, for HS256. */
export function sharedSecret(secret: Uint8Array): Keys {
  return { find: async () => ({ key: secret, version: 0 }), isCurrent: () => true };
}

export type RemoteKeysOptions = {
  /** Gets the JWKS; undefined where the issuer did not give one. */
  load: () => Promise<JSONWebKeySet | undefined>;
  /** Milliseconds for which keys are cached, and for which they may be used longer while the issuer is unreachable. */
  cacheMs: number;
  staleMs: number;
};

/** Pause between two fetches that unknown key ids cause: anybody can write one into a token. */
const COOL_DOWN_MS = 10_000;
/** Pause after a fetch that failed; it doubles with every further one. */
const BACK_OFF_MS = 1_000;
const MOST_BACK_OFF_MS = 60_000;

type Held = { readonly local: Local; readonly text: string; readonly version: number };

/**
 * Keys that an issuer publishes. They are fetched when they are first needed, again in the background once half of `cacheMs` is over, and
 * when a token names a key that is not among them, which is how a new key becomes known. Keys older than `cacheMs` count only if the issuer
 * is away, and then for `staleMs` more: a key that was withdrawn is refused in time even by a gateway that nobody has asked for hours.
 */
export class RemoteKeys implements Keys {
  readonly #options: RemoteKeysOptions;
  #held: Held | undefined;
  #versions = 0;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #loading: Promise<void> | undefined;

  constructor(options: RemoteKeysOptions) {
    this.#options = options;
  }

  async find(header: JWSHeaderParameters): Promise<FoundKey> {
    if (this.#isDue()) await this.#refresh();
    const held = this.#held;
    if (!held) throw new TokenError("issuer_away");
    try {
      return { key: await named(held.local, header), version: held.version };
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#refresh(COOL_DOWN_MS);
      if (!this.#held || this.#held === held) throw error;
      return { key: await named(this.#held.local, header), version: this.#held.version };
    }
  }

  isCurrent(version: number): boolean {
    return !this.#isDue() && this.#held?.version === version;
  }

  /** Whether keys must be fetched before one may be used. Refreshes them in the background shortly before that. */
  #isDue(): boolean {
    if (!this.#held) return true;
    const { cacheMs, staleMs } = this.#options;
    const age = performance.now() - this.#loadedAt;
    if (age <= cacheMs / 2) return false;
    if (age > cacheMs + staleMs) {
      this.#held = undefined;
      return true;
    }
    void this.#refresh();
    return age > cacheMs && this.#failures === 0;
  }

  /** Settles with the fetch under way, or with a new one, if the last one is long enough ago. */
  #refresh(coolDownMs = 0): Promise<void> {
    const backOff = this.#failures === 0 ? 0 : BACK_OFF_MS * 2 ** (this.#failures - 1);
    const pause = Math.max(coolDownMs, Math.min(backOff, MOST_BACK_OFF_MS));
    if (!this.#loading && performance.now() - this.#triedAt >= pause)
      this.#loading = this.#load().finally(() => {
        this.#loading = undefined;
      });
    return this.#loading ?? Promise.resolve();
  }

  async #load(): Promise<void> {
    this.#triedAt = performance.now();
    const jwks = await this.#options.load().catch(() => undefined);
    if (!jwks) {
      this.#failures += 1;
      return;
    }
    this.#failures = 0;
    this.#loadedAt = performance.now();
    const text = JSON.stringify(jwks);
    if (text === this.#held?.text) return;
    this.#versions += 1;
    this.#held = { local: createLocalJWKSet(signing(jwks)), text, version: this.#versions };
  }
}

/** Require a key id: without one, any key of the set would be tried. */
async function named(local: Local, header: JWSHeaderParameters): Promise<CryptoKey> {
  if (typeof header.kid !== "string") throw new TokenError("no_key_id");
  return await local(header, { payload: "", signature: "" });
}

const MOST_KEYS = 100;

/** The keys that may verify: a secret in a published set is a mistake. */
function signing({ keys }: JSONWebKeySet): JSONWebKeySet {
  return { keys: keys.filter(({ kty }) => kty !== "oct").slice(0, MOST_KEYS) };
}
