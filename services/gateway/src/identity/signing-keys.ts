import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  randomUUID,
  sign,
} from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { seal, unseal } from "../sealing.ts";

/** A public key as JWKS hold it. */
export type PublicJwk = { kty: string; crv: string; x: string; kid: string; alg: string; use: "sig" };

/** Costs half as much to sign with as ES256, and the same to verify. */
const ALG = "EdDSA";

/** A key file that cannot be used. The message never holds any of it. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

type SigningKey = { kid: string; private: KeyObject; public: PublicJwk; sealing: Buffer };

/** The gateway's own keys: the first one signs and seals, and all of them verify and open. */
export class SigningKeys {
  readonly #keys: readonly SigningKey[];
  readonly #first: SigningKey;
  /** The public keys, for verification. */
  readonly jwks: { readonly keys: readonly PublicJwk[] };

  private constructor(keys: readonly [SigningKey, ...SigningKey[]]) {
    this.#keys = keys;
    [this.#first] = keys;
    this.jwks = { keys: keys.map((key) => key.public) };
  }

  /** A key that exists only in this process. */
  static inMemory(): SigningKeys {
    return new SigningKeys([signingKey(generateKeyPairSync("ed25519").privateKey)]);
  }

  /**
   * The keys of a file: Ed25519 private keys in PEM, one after the other. Makes the file, with a new key, where there is none.
   * @throws KeyFileError
   */
  static ofFile(file: string): SigningKeys {
    const text = readOrMake(file);
    const blocks = text.match(/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g) ?? [];
    const [first, ...more] = blocks.map((pem) => signingKey(privateKeyOf(pem)));
    if (first === undefined) throw new KeyFileError("GATEWAY_KEY_FILE holds no private key in PEM");
    return new SigningKeys([first, ...more]);
  }

  /** Id of the gateway, from its keys: the same on every replica that shares them. */
  get id(): string {
    return this.#first.kid;
  }

  /** A compact JWS. Signs at once: a turn of the thread pool would cost more than the signature. */
  sign(type: string, claims: object): string {
    const { header, payload, signature } = this.#signed({ typ: type }, JSON.stringify(claims));
    return `${header}.${payload}.${signature}`;
  }

  /** The parts of a JWS whose payload its reader has. @param more of the protected header */
  signDetached(text: string, more: { typ: string; jku: string }): { protected: string; signature: string } {
    const { header, signature } = this.#signed(more, text);
    return { protected: header, signature };
  }

  /** Encrypts what gateways with the same keys may read. @param place where it is kept: see sealing.ts */
  seal(text: string, place: string): string {
    const { kid, sealing } = this.#first;
    return `${kid}.${seal(sealing, text, place).toString("base64url")}`;
  }

  /** @returns undefined where its key is not among these any more, or it was not sealed for this place */
  open(sealed: string, place: string): string | undefined {
    const [kid, bytes = ""] = sealed.split(".");
    const key = this.#keys.find((one) => one.kid === kid);
    try {
      return key && unseal(key.sealing, Buffer.from(bytes, "base64url"), place);
    } catch {
      return undefined;
    }
  }

  #signed(more: { typ: string; jku?: string }, text: string) {
    const { kid, private: key } = this.#first;
    const header = base64url(JSON.stringify({ alg: ALG, kid, ...more }));
    const payload = base64url(text);
    const signature = sign(null, Buffer.from(`${header}.${payload}`), key).toString("base64url");
    return { header, payload, signature };
  }
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function signingKey(key: KeyObject): SigningKey {
  const { kty, crv, x } = createPublicKey(key).export({ format: "jwk" });
  if (kty !== "OKP" || crv !== "Ed25519" || x === undefined)
    throw new KeyFileError("GATEWAY_KEY_FILE holds a key that is not Ed25519");
  // https://www.rfc-editor.org/rfc/rfc7638: the same key has the same id on every replica.
  const kid = hash("sha256", JSON.stringify({ crv, kty, x }), "base64url");
  const seed = key.export({ type: "pkcs8", format: "der" });
  const sealing = Buffer.from(hkdfSync("sha256", seed, "", "interlock sealing key", 32));
  return { kid, private: key, public: { kty, crv, x, kid, alg: ALG, use: "sig" }, sealing };
}

function privateKeyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new KeyFileError("GATEWAY_KEY_FILE holds something that is not a private key");
  }
}

/** Replicas that share the file may start together: the first one creates it atomically, and the others read it. */
function readOrMake(file: string): string {
  const known = readIfThere(file);
  if (known !== undefined) return known;
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const own = `${file}.${randomUUID()}`;
  try {
    writeFileSync(own, pem, { mode: 0o600, flag: "wx" });
    linkSync(own, file);
    return pem;
  } catch {
    const made = readIfThere(file);
    if (made !== undefined) return made;
    throw new KeyFileError("GATEWAY_KEY_FILE does not exist and cannot be made");
  } finally {
    rmSync(own, { force: true });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (Error.isError(error) && "code" in error && error.code === "ENOENT") return undefined;
    throw new KeyFileError("GATEWAY_KEY_FILE cannot be read");
  }
}
