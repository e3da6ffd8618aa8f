import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayContract } from "@interlock/contracts";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import type { Dispatched } from "../caller.ts";
import type { Rows } from "./compile-roles.ts";
import { DISPATCH_TYPE, dispatchSigner } from "./dispatch-token.ts";
import { KeyFileError, SigningKeys } from "./signing-keys.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "interlock-keys-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const DISPATCHED: Dispatched = {
  agent: "optimizer",
  caller: { tenant: "acme", issuer: "staff", subject: "bo", roles: ["emea"] },
  runId: "run-1",
  step: "optimize",
  timeoutMs: 10_000,
};

/** One role may use rows of one region alone. */
const signerOf = (keys: SigningKeys) =>
  dispatchSigner({
    keys,
    issuer: "mesh-1",
    rowsOf: ({ roles }): Rows => (roles.includes("emea") ? { region: ["EMEA"] } : {}),
  });

const pemOf = (type: "ed25519" | "x25519" = "ed25519"): string =>
  (type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("x25519")).privateKey
    .export({ type: "pkcs8", format: "pem" })
    .toString();

const verify = (token: string, keys: SigningKeys) =>
  jwtVerify(token, createLocalJWKSet({ keys: keys.jwks.keys.map((key) => ({ ...key })) }), {
    algorithms: ["EdDSA"],
    typ: DISPATCH_TYPE,
    issuer: "mesh-1",
    audience: "optimizer",
  });

describe("a token of a dispatch", () => {
  const keys = SigningKeys.inMemory();
  const sign = signerOf(keys);

  test("says who asks, for which agent, run and step", async () => {
    const { payload } = await verify(sign(DISPATCHED), keys);
    expect(payload).toMatchObject({
      iss: "mesh-1",
      aud: "optimizer",
      sub: "bo",
      issuer: "staff",
      tenant: "acme",
      roles: ["emea"],
      rows: { region: ["EMEA"] },
      run_id: "run-1",
      step: "optimize",
    });
  });

  test("lasts no longer than a minute, nor than the attempt and the clocks' difference", () => {
    const lifetime = (timeoutMs: number): number => {
      const { exp = 0, iat = 0 } = decodeJwt(sign({ ...DISPATCHED, timeoutMs }));
      return exp - iat;
    };
    expect([1, 10_000, 600_000].map(lifetime)).toEqual([31, 40, 60]);
  });

  test("is another one each time", () => {
    expect(decodeJwt(sign(DISPATCHED)).jti).not.toBe(decodeJwt(sign(DISPATCHED)).jti);
  });

  test("leaves out what is not known", () => {
    const caller = { ...DISPATCHED.caller, roles: ["analyst"] };
    const claims = decodeJwt(sign({ agent: "a", caller, timeoutMs: 1 }));
    expect(Object.keys(claims).sort()).toEqual(
      ["aud", "exp", "iat", "iss", "issuer", "jti", "roles", "sub", "tenant"].sort(),
    );
  });

  test("is not verified by another gateway's key", async () => {
    await expect(verify(sign(DISPATCHED), SigningKeys.inMemory())).rejects.toThrow("no applicable key");
  });
});

describe("the key file", () => {
  test("is made where there is none, for its owner alone, and is read by whoever comes next", () => {
    const file = join(dir, "made.pem");
    const first = SigningKeys.ofFile(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(SigningKeys.ofFile(file).jwks).toEqual(first.jwks);
    expect(gatewayContract.keySet(first.jwks).ok).toBe(true);
  });

  test("may hold several keys: the first one signs, and all of them verify", async () => {
    const file = join(dir, "rotated.pem");
    const [older, newer] = [pemOf(), pemOf()];
    writeFileSync(file, older);
    const before = SigningKeys.ofFile(file);
    writeFileSync(file, `${older}a comment\n${newer}`);
    const announced = SigningKeys.ofFile(file);
    writeFileSync(file, `${newer}${older}`);
    const after = SigningKeys.ofFile(file);
    const token = (keys: SigningKeys) => signerOf(keys)(DISPATCHED);
    expect(decodeProtectedHeader(token(announced)).kid).toBe(before.jwks.keys[0]?.kid);
    expect(decodeProtectedHeader(token(after)).kid).toBe(announced.jwks.keys[1]?.kid);
    for (const keys of [before, announced, after]) await verify(token(keys), announced);
  });

  test("seals what whoever has the key may open, at its place alone", () => {
    const file = join(dir, "sealing.pem");
    const [older, newer] = [pemOf(), pemOf()];
    writeFileSync(file, older);
    const sealed = SigningKeys.ofFile(file).seal("s3cret", "acme");
    expect(sealed).not.toContain(Buffer.from("s3cret").toString("base64url"));
    // Also once another one has become the first.
    writeFileSync(file, `${newer}${older}`);
    const after = SigningKeys.ofFile(file);
    expect(after.open(sealed, "acme")).toBe("s3cret");
    expect(after.open(sealed, "other")).toBeUndefined();
    expect(after.open(`${sealed.slice(0, -2)}AA`, "acme")).toBeUndefined();
    writeFileSync(file, newer);
    expect(SigningKeys.ofFile(file).open(sealed, "acme")).toBeUndefined();
  });

  test.each([
    ["nothing", ""],
    ["no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
    ["a key of another kind", pemOf("x25519")],
  ])("that holds %s is refused", (_, text) => {
    const file = join(dir, "bad.pem");
    writeFileSync(file, text);
    expect(() => SigningKeys.ofFile(file)).toThrow(KeyFileError);
  });

  test("that cannot be made is refused", () => {
    const file = join(dir, "none", "key.pem");
    expect(() => SigningKeys.ofFile(file)).toThrow("cannot be made");
  });
});
