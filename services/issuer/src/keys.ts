import { generateKeyPairSync, type JsonWebKey, randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { readOrMake, replace } from "./files.ts";

export const ALGORITHM = "ES256";

/** The private key with which tokens are signed. */
export type SigningKey = JsonWebKey & { kid: string };

const fileIn = (dataDir: string): string => join(dataDir, "keys.json");

/** The key of a data directory; it is made where there is none yet. @throws Error where the file holds no key */
export function signingKey(dataDir: string): SigningKey {
  const file = fileIn(dataDir);
  const [key] = keysOf(readOrMake(file, newKeys));
  if (key === undefined || typeof key.kid !== "string" || typeof key.d !== "string")
    throw new Error(`${file} holds no signing key: remove it, and a new one is made`);
  return { ...key, kid: key.kid };
}

/** Replaces the key. Tokens of the old one are refused as soon as a gateway has fetched the keys again. */
export function rotateKeys(dataDir: string): void {
  replace(fileIn(dataDir), newKeys());
}

/** Changes whenever the key does. */
export function versionOfKeys(dataDir: string): string {
  const { mtimeNs, ino } = statSync(fileIn(dataDir), { bigint: true });
  return `${ino} ${mtimeNs}`;
}

export function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), alg: ALGORITHM, use: "sig" };
}

/** What gateways need of a key. */
export function publicKeys({ d: _, ...key }: SigningKey): { keys: JsonWebKey[] } {
  return { keys: [key] };
}

const newKeys = (): { keys: SigningKey[] } => ({ keys: [newKey()] });

function keysOf(value: unknown): JsonWebKey[] {
  const isSet = typeof value === "object" && value !== null && "keys" in value && Array.isArray(value.keys);
  return isSet ? (value.keys as JsonWebKey[]) : [];
}
