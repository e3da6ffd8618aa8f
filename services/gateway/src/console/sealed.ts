import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/**
 * Secrets of browsers, kept in cookies. Id and key of what the store holds for one are both made from it, so the store alone is not enough
 * to read anything, and replicas share no other key.
 */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function isSecret(text: string | undefined): text is string {
  return text !== undefined && SECRET.test(text);
}

/** Under which a secret's value is stored. */
export function idOf(secret: string): string {
  return createHash("sha256").update(`interlock browser id ${secret}`).digest("base64url");
}

/** AES-256-GCM: nonce (12 bytes), tag (16 bytes), text. */
export function seal(secret: string, value: unknown): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

/** @throws where the value was sealed with another secret, or changed */
export function open(secret: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8"));
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "interlock browser key", 32));
}
