import { createHmac, createPublicKey } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "../support/closing.ts";
import { testGateway } from "../support/gateway.ts";
import { ask } from "../support/http.ts";
import { type Gate, gate, type HttpIssuer, httpIssuer } from "../support/http-issuer.ts";
import { claimsOf, jwt, newKey, signed } from "../support/issuer.ts";
import { pricingMesh } from "../support/mesh.ts";
import { as } from "../support/people.ts";
import { testRedis } from "../support/redis.ts";

const keep = closingAtEnd();
const use = closing();
const KEY = newKey("key-1");
const MALLORY = newKey("key-1");
let issuer: HttpIssuer;
/** Serves keys of an attacker at every address that a token could point to. */
let evil: HttpIssuer;
let one: Gate;

beforeAll(async () => {
  issuer = keep(await httpIssuer(KEY));
  evil = keep(await httpIssuer(MALLORY));
  one = keep(gate({ one: { issuer: issuer.url } }));
});

const claims = (more: object = {}) => claimsOf({ iss: issuer.url, sub: "ann", roles: ["admin"], ...more });
const encoded = (text: string): string => Buffer.from(text).toString("base64url");

async function codeOf({ identify, refusals }: Gate, token: string): Promise<string | undefined> {
  await expect((async () => await identify({ authorization: `Bearer ${token}` }))()).rejects.toMatchObject({
    code: "unauthorized",
  });
  return refusals.at(-1)?.code;
}

/** A token of exactly these texts, properly signed. */
const signedText = (header: string, payload: string): string =>
  signed(`${encoded(header)}.${encoded(payload)}`, KEY);

const hmac = (header: object, payload: object, secret: string | Buffer): string => {
  const text = `${encoded(JSON.stringify(header))}.${encoded(JSON.stringify(payload))}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};
const unsigned = (header: object) =>
  `${encoded(JSON.stringify(header))}.${encoded(JSON.stringify(claims()))}.`;
const pem = (): string =>
  createPublicKey({ key: KEY.jwk, format: "jwk" }).export({ type: "spki", format: "pem" }).toString();

test("the honest token is taken", async () => {
  expect(await one.identify({ authorization: `Bearer ${jwt(claims(), KEY)}` })).toMatchObject({
    subject: "ann",
  });
});

describe("no key but the issuer's verifies", () => {
  test.each<[string, () => string, string]>([
    ["alg none", () => unsigned({ alg: "none", typ: "JWT", kid: "key-1" }), "jose_alg_not_allowed"],
    ["alg None", () => unsigned({ alg: "None", typ: "JWT", kid: "key-1" }), "jose_alg_not_allowed"],
    ["no alg", () => unsigned({ typ: "JWT", kid: "key-1" }), "jws_invalid"],
    ["another's key under the same id", () => jwt(claims(), MALLORY), "jws_signature_verification_failed"],
    [
      "the public key as a shared secret (PEM)",
      () => hmac({ alg: "HS256", typ: "JWT", kid: "key-1" }, claims(), pem()),
      "jose_alg_not_allowed",
    ],
    [
      "the public key as a shared secret (JWK)",
      () => hmac({ alg: "HS256", typ: "JWT", kid: "key-1" }, claims(), JSON.stringify(KEY.jwk)),
      "jose_alg_not_allowed",
    ],
    [
      "the public key as a shared secret, called ES256",
      () => hmac({ alg: "ES256", typ: "JWT", kid: "key-1" }, claims(), pem()),
      "jws_signature_verification_failed",
    ],
    [
      "an algorithm that the key is not for",
      () => jwt(claims(), KEY, { alg: "RS256" }),
      "jwks_no_matching_key",
    ],
    [
      "an embedded key",
      () => jwt(claims(), { ...MALLORY, kid: "evil" }, { jwk: MALLORY.jwk }),
      "jwks_no_matching_key",
    ],
    [
      "an embedded key under a known id",
      () => jwt(claims(), MALLORY, { jwk: MALLORY.jwk }),
      "jws_signature_verification_failed",
    ],
    ["jku", () => jwt(claims(), MALLORY, { jku: `${evil.url}/jwks` }), "jws_signature_verification_failed"],
    ["x5u", () => jwt(claims(), MALLORY, { x5u: `${evil.url}/jwks` }), "jws_signature_verification_failed"],
    ["x5c", () => jwt(claims(), MALLORY, { x5c: ["MIIB"] }), "jws_signature_verification_failed"],
    [
      "a key id that is a path",
      () => jwt(claims(), MALLORY, { kid: "../../../dev/null" }),
      "jwks_no_matching_key",
    ],
    [
      "a key id that is a query",
      () => jwt(claims(), MALLORY, { kid: "x' UNION SELECT 'k" }),
      "jwks_no_matching_key",
    ],
    ["a key id of a prototype", () => jwt(claims(), MALLORY, { kid: "__proto__" }), "jwks_no_matching_key"],
    ["a key id that is no text", () => jwt(claims(), KEY, { kid: ["key-1"] }), "no_key_id"],
    ["no key id", () => jwt(claims(), KEY, { kid: undefined }), "no_key_id"],
    [
      "an extension that nobody knows",
      () => jwt(claims(), KEY, { crit: ["exp2"], exp2: 1 }),
      "jose_not_supported",
    ],
    ["an unencoded payload", () => jwt(claims(), KEY, { crit: ["b64"], b64: false }), "jwt_invalid"],
    ["an encrypted token", () => `${encoded('{"alg":"dir","enc":"A256GCM"}')}....`, "not_a_token"],
    [
      "a nested token",
      () => signedText('{"alg":"ES256","typ":"JWT","cty":"JWT","kid":"key-1"}', jwt(claims(), MALLORY)),
      "not_a_token",
    ],
  ])("%s", async (_what, token, code) => {
    expect(await codeOf(one, token())).toBe(code);
    expect(evil.asked).toEqual([]);
  });
});

describe("a signed token that can be read in two ways is refused", () => {
  const header = '{"alg":"ES256","typ":"JWT","kid":"key-1"}';
  const body = (more: string) => `${JSON.stringify(claims()).slice(0, -1)},${more}}`;
  test.each([
    ["a repeated claim", header, () => body('"sub":"bo"')],
    ["a repeated claim, written otherwise", header, () => body('"s\\u0075b":"bo"')],
    ["a repeated claim further down", header, () => body('"realm_access":{"roles":["a"],"roles":["b"]}')],
    [
      "a repeated member of the header",
      '{"alg":"ES256","typ":"JWT","kid":"key-1","kid":"key-1"}',
      () => body('"x":1'),
    ],
  ])("%s", async (_what, head, payload) => {
    expect(await codeOf(one, signedText(head, payload()))).toBe("repeated_member");
  });

  test("one name in two objects, or as a value, is none", async () => {
    const fine = signedText(
      header,
      body('"a":{"sub":1,"b":[{"sub":2},{"sub":3}]},"c":"sub","d":"\\"sub\\":"'),
    );
    expect(await one.identify({ authorization: `Bearer ${fine}` })).toMatchObject({ subject: "ann" });
  });
});

describe("a shared secret", () => {
  const SECRET = "a secret of the tests, longer than 32 bytes";
  const shared = { issuer: "https://shared.test", keys: { secret_env: "SHARED_SECRET" } };
  const header = { alg: "HS256", typ: "JWT" };
  const payload = () => claimsOf({ iss: shared.issuer, sub: "ann", roles: ["analyst"] });

  test("verifies HS256, by explicit configuration, and nothing else", async () => {
    const both = use(gate({ shared, one: { issuer: issuer.url } }, { SHARED_SECRET: SECRET }));
    const good = hmac(header, payload(), SECRET);
    expect(await both.identify({ authorization: `Bearer ${good}` })).toMatchObject({
      issuer: "shared",
      subject: "ann",
    });
    expect(await codeOf(both, hmac(header, payload(), `${SECRET}.`))).toBe(
      "jws_signature_verification_failed",
    );
    expect(await codeOf(both, jwt(payload(), KEY))).toBe("jose_alg_not_allowed");
    // It vouches for its own issuer alone.
    expect(await codeOf(both, hmac({ ...header, kid: "key-1" }, claims(), SECRET))).toBe(
      "jose_alg_not_allowed",
    );
  });

  test.each([
    ["is missing", {}],
    ["is short", { SHARED_SECRET: "x".repeat(31) }],
  ])("that %s is refused at the start, without a word of it", (_what, env) => {
    expect(() => gate({ shared }, env)).toThrow(
      "identity.issuers.shared: SHARED_SECRET must hold a secret of at least 32 bytes",
    );
  });
});

test("a refusal is counted and logged by its code; the token is nowhere", async () => {
  const redis = use(await testRedis());
  const gateway = use(
    await testGateway({ manifest: pricingMesh("http://127.0.0.1:9"), redisUrl: redis.url }),
  );
  const url = `${gateway.url}/api/v1/runs`;
  const [, token = ""] = (as("ann").authorization ?? "").split(" ");
  const [head = "", body = "", signature = ""] = token.split(".");
  const bad = `${head}.${body}.${signature.slice(0, -4)}AAAA`;
  const answer = await ask(url, { headers: { authorization: `Bearer ${bad}`, "x-request-id": "req-1" } });
  expect([answer.status, answer.headers["www-authenticate"]]).toEqual([
    401,
    'Bearer realm="interlock", error="invalid_token"',
  ]);
  expect(answer.text).not.toMatch(/signature|expired/);
  const lines = gateway
    .logs()
    .split("\n")
    .filter((line) => line.includes("req-1"));
  expect(lines.map((line) => JSON.parse(line).cause)).toEqual([
    "TokenError:jws_signature_verification_failed < JWSSignatureVerificationFailed:ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  ]);
  for (const part of [head, body, signature.slice(0, -4)]) expect(gateway.logs()).not.toContain(part);
  const metrics = (await ask(`${gateway.url}/metrics`)).text;
  expect(metrics).toContain(
    'interlock_tokens_refused_total{issuer="test",code="jws_signature_verification_failed"} 1',
  );
});
