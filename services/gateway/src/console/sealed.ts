import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { seal as sealText, unseal } from "../sealing.ts";

/**
 * Secrets of browsers, kept in cookies. Id and key of what the store holds for one are both made from it, so the store alone is not enough
 * to read anything, and replicas share no other key.
 */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Each secret has a key of its own, and seals one value. */
const PLACE = "";

const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function isSecret(text: string | undefined): text is string {
  return text !== undefined && SECRET.test(text);
}

/** Under which a secret's value is stored. */
export function idOf(secret: string): string {
  return createHash("sha256").update(`interlock browser id ${secret}`).digest("base64url");
}

export function seal(secret: string, value: unknown): string {
  return sealText(keyOf(secret), JSON.stringify(value), PLACE).toString("base64url");
}

/** @throws where the value was sealed with another secret, or changed */
export function open(secret: string, sealed: string): unknown {
  return JSON.parse(unseal(keyOf(secret), Buffer.from(sealed, "base64url"), PLACE));
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "interlock browser key", 32));
}
