import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";

/** Keys of an issuer of the tests. */
export type SigningKey = { kid: string; privateKey: KeyObject; jwk: Record<string, unknown> };

export function newKey(kid: string = randomUUID()): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { kid, privateKey, jwk: { ...publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" } };
}

/** The issuer whose tokens every test gateway takes. */
export const TEST_ISSUER = "https://issuer.test";
export const TEST_KEY = newKey("test");

/** Its place in a manifest, beside a file `jwks.json`. */
export const TEST_IDENTITY = {
  issuers: { test: { issuer: TEST_ISSUER, audience: ["interlock"], keys: { file: "jwks.json" } } },
};
export const TEST_JWKS = { keys: [TEST_KEY.jwk] };

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A signed JWT of exactly these claims. */
export function jwt(claims: object, key: SigningKey = TEST_KEY, header: object = {}): string {
  return signed(`${encoded({ alg: "ES256", typ: "JWT", kid: key.kid, ...header })}.${encoded(claims)}`, key);
}

/** A text with its signature. */
export function signed(text: string, key: SigningKey): string {
  const signature = sign("sha256", Buffer.from(text), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

/** The claims of a valid token. */
export function claimsOf(more: object = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return { iss: TEST_ISSUER, aud: "interlock", iat: now, exp: now + 3_600, tenant: "default", ...more };
}
