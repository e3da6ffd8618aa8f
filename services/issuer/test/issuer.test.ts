import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { readConfig } from "../src/config.ts";
import { issueToken, rotateKeys, tokenCommand } from "../src/index.ts";
import { issuerServer } from "../src/server.ts";

const REDIRECT = "http://127.0.0.1:5173/console/signed-in";

let dataDir = "";
let issuer = "";
let server: Server;
const failures: Error[] = [];

beforeAll(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), "interlock-issuer-")), "issuer");
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  server = issuerServer({ host: "127.0.0.1", port, issuer, dataDir }, (error) => failures.push(error));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  rmSync(join(dataDir, ".."), { recursive: true });
  expect(failures).toEqual([]);
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

const json = async (answer: Response) => (await answer.json()) as Record<string, unknown>;

/** Verifies as a gateway does: by what discovery says. */
async function verified(token: string): Promise<JWTPayload> {
  const found = await json(await fetch(`${issuer}/.well-known/openid-configuration`));
  expect(found.issuer).toBe(issuer);
  const keys = createRemoteJWKSet(new URL(String(found.jwks_uri)));
  const { payload } = await jwtVerify(token, keys, { issuer, audience: "interlock", typ: "at+jwt" });
  return payload;
}

const machine = (): { secret: string } =>
  JSON.parse(readFileSync(join(dataDir, "clients.json"), "utf8")).machine;

async function tokenFor(form: Record<string, string>, authorization?: string) {
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: authorization ? { authorization } : {},
    body: new URLSearchParams(form),
  });
  return { status: answer.status, body: await json(answer) };
}

test("keys, users and clients are made at the first start, for their owner's eyes only", () => {
  expect(readdirSync(dataDir).sort()).toEqual(["clients.json", "keys.json", "users.json"]);
  for (const path of [dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))])
    expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
});

test("the published key set holds nothing private", async () => {
  const { keys } = await json(await fetch(`${issuer}/jwks`));
  expect(keys).toMatchObject([{ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" }]);
  expect(keys).not.toHaveProperty("0.d");
});

test("a program gets a token for its secret", async () => {
  const basic = (secret: string) => `Basic ${Buffer.from(`machine:${secret}`).toString("base64")}`;
  const grant = { grant_type: "client_credentials" };
  const { status, body } = await tokenFor(grant, basic(machine().secret));
  expect(status).toBe(200);
  expect(await verified(String(body.access_token))).toMatchObject({
    sub: "machine",
    tenant: "default",
    roles: ["analyst"],
  });
  expect(await tokenFor(grant, basic("wrong"))).toMatchObject({ status: 401 });
  expect(
    await tokenFor({ ...grant, resource: "https://elsewhere.test" }, basic(machine().secret)),
  ).toMatchObject({
    status: 400,
    body: { error: "invalid_target" },
  });
});

/** A browser that keeps cookies and follows no redirect by itself. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(new URL(url, issuer), {
      redirect: "manual",
      headers: { cookie },
      ...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }
}

const authorizeUrl = (challenge: Record<string, string>, more: Record<string, string> = {}) =>
  `/auth?${new URLSearchParams({ client_id: "console", response_type: "code", redirect_uri: REDIRECT, scope: "openid", ...challenge, ...more })}`;

test("a person signs in with the code flow and PKCE, as whom they choose", async () => {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = {
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  const browser = new Browser();
  const began = await browser.open(authorizeUrl(challenge, { state: "s" }));
  const page = began.headers.get("location") ?? "";
  expect(page).toMatch(/^\/sign-in\//);

  const shown = await browser.open(page);
  expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(await shown.text()).toContain('value="bo"');
  // Another browser has no part in this sign-in.
  expect((await new Browser().open(page, { user: "ada" })).status).toBe(400);
  expect(failures.splice(0)).toMatchObject([{ name: "SessionNotFound" }]);
  expect((await browser.open(page, { user: "nobody" })).status).toBe(200);

  const signedIn = await browser.open(page, { user: "bo" });
  const resumed = await browser.open(signedIn.headers.get("location") ?? "");
  const back = new URL(resumed.headers.get("location") ?? "", issuer);
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
  expect([back.searchParams.get("state"), back.searchParams.get("iss")]).toEqual(["s", issuer]);

  const exchange = (code_verifier: string) =>
    tokenFor({
      grant_type: "authorization_code",
      client_id: "console",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: REDIRECT,
      code_verifier,
    });
  const { status, body } = await exchange(verifier);
  expect(status).toBe(200);
  const payload = await verified(String(body.access_token));
  expect(payload).toMatchObject({ sub: "bo", tenant: "default", roles: ["pricing_approver"] });
  expect(Math.abs(Number(payload.auth_time) - Number(payload.iat))).toBeLessThan(60);
  // A code counts once.
  expect(await exchange(verifier)).toMatchObject({ status: 400 });

  // The browser is known now, unless the console wants a fresh sign-in.
  const again = await browser.open(authorizeUrl(challenge));
  expect(again.headers.get("location")).toContain(`${REDIRECT}?code=`);
  const fresh = await browser.open(authorizeUrl(challenge, { max_age: "0" }));
  expect(fresh.headers.get("location")).toContain("/sign-in/");
});

test.each([
  ["without PKCE", authorizeUrl({})],
  ["to another address", authorizeUrl({}, { redirect_uri: "https://evil.example/" })],
])("no code is given %s", async (_what, url) => {
  const answer = await new Browser().open(url);
  expect(answer.headers.get("location") ?? "").not.toMatch(/[?&]code=|sign-in/);
});

test("is nobody but itself: another host's name is refused", async () => {
  const { port } = new URL(issuer);
  expect((await fetch(`http://localhost:${port}/jwks`)).status).toBe(421);
});

test("a token is signed without the issuer, and counts until the key is rotated", async () => {
  const command = (line: string) =>
    tokenCommand(line.split(" "), { DEVELOPMENT_ISSUER: issuer, ISSUER_DATA_DIR: dataDir });
  const token = await command("--user bo --role pricing_approver --role viewer --tenant acme --ttl 30m");
  const payload = await verified(token);
  expect(payload).toMatchObject({ sub: "bo", tenant: "acme", roles: ["pricing_approver", "viewer"] });
  expect(Number(payload.exp) - Number(payload.iat)).toBe(1_800);
  expect(await verified(await command("--user ann"))).toMatchObject({
    tenant: "default",
    roles: ["analyst"],
  });

  await command("--rotate-key");
  await expect(verified(token)).rejects.toMatchObject({ code: "ERR_JWKS_NO_MATCHING_KEY" });
  await verified(await command("--user bo"));
});

test.each([
  ["", /--user must be/],
  ["--user", /argument missing/],
  ["--user a b", /Unexpected argument|must be/],
  ["--user bo --role ,", /--role must match/],
  ["--user bo --tenant {a}", /--tenant must match/],
  ["--user bo --ttl 8", /--ttl must be/],
  ["--user bo --ttl 31d", /--ttl must be/],
  ["--nobody", /Unknown option/],
])("the command refuses: %s", async (line, message) => {
  const env = { DEVELOPMENT_ISSUER: issuer, ISSUER_DATA_DIR: dataDir };
  await expect(tokenCommand(line === "" ? [] : line.split(" "), env)).rejects.toThrow(message);
  await expect(tokenCommand(line === "" ? [] : line.split(" "), env)).rejects.toThrow(/usage: token/);
});

test("processes that make a key at once make one", async () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-issuer-"));
  const order = { user: "ann", roles: [], tenant: "default", ttlS: 60 };
  const tokens = await Promise.all(Array.from({ length: 8 }, () => issueToken(issuer, dir, order)));
  expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBe(1);
  rotateKeys(dir);
  expect(readdirSync(dir)).toEqual(["keys.json"]);
  rmSync(dir, { recursive: true });
});

test("binds to this machine alone unless it is told otherwise", () => {
  expect(readConfig({})).toEqual({
    host: "127.0.0.1",
    port: 8085,
    issuer: "http://127.0.0.1:8085",
    dataDir: ".data/issuer",
  });
  for (const HOST of ["0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.com", "localhost.example.com"])
    expect(() => readConfig({ HOST })).toThrow(/ISSUER_HOST/);
  expect(readConfig({ HOST: "127.0.0.1", ISSUER_HOST: "0.0.0.0" })).toMatchObject({ host: "0.0.0.0" });
  expect(() => readConfig({ DEVELOPMENT_ISSUER: "https://issuer.test" })).toThrow(/DEVELOPMENT_ISSUER/);
});
