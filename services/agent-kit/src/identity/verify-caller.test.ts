import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { returning, start, until } from "../../test/agents.ts";
import { runToExit, startProcess } from "../../test/process.ts";
import { runSync } from "../testing.ts";
import type { VerifiedCaller } from "./caller.ts";
import { callerVerifier } from "./verify-caller.ts";

type Signer = { kid: string; key: CryptoKey; jwk: JWK };

async function signer(kid: string, alg = "EdDSA"): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

let own: Signer;
beforeAll(async () => {
  own = await signer("own");
});

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function serving(...parts: Parameters<typeof start>) {
  const agent = await start(...parts);
  open.push(() => agent.close());
  return agent;
}

const now = (): number => Math.floor(Date.now() / 1_000);
const CLAIMS = { sub: "bo", issuer: "staff", tenant: "acme", roles: ["analyst"], aud: "worker", jti: "one" };

type Change = { header?: Record<string, unknown>; claims?: Record<string, unknown>; by?: Signer };

/** A token as the gateway makes them, but for what the test changes. */
function tokenOf({ header, claims, by = own }: Change = {}): Promise<string> {
  return new SignJWT({ ...CLAIMS, iat: now(), exp: now() + 60, ...claims })
    .setProtectedHeader({ alg: "EdDSA", typ: "dispatch+jwt", kid: by.kid, ...header })
    .sign(by.key);
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** An agent that answers the caller that its task was told of. */
async function verifying(keys: readonly JWK[] = [own.jwk]) {
  const verifyCaller = callerVerifier({ text: JSON.stringify({ keys }) }, "worker");
  const agent = await serving({ WHO: returning(({ caller }) => ({ caller })) }, { verifyCaller });
  const ask = async (extra: object = {}) => {
    const { status, headers, body } = await agent.sync({ task_type: "WHO" }, extra);
    return { status, headers, body };
  };
  return { agent, ask };
}

test("a task is told on whose behalf it runs", async () => {
  const { ask } = await verifying();
  const claims = { rows: { region: ["EMEA"] }, run_id: "run-1", step: "optimize" };
  const { status, body } = await ask(bearer(await tokenOf({ claims })));
  expect([status, body.outputs]).toEqual([
    200,
    {
      caller: {
        subject: "bo",
        issuer: "staff",
        tenant: "acme",
        roles: ["analyst"],
        rows: { region: ["EMEA"] },
        runId: "run-1",
        step: "optimize",
      } satisfies VerifiedCaller,
    },
  ]);
});

test("an agent that verifies nothing tells of nobody, whatever it is sent", async () => {
  const agent = await serving({ WHO: returning(({ caller }) => ({ caller: caller ?? "nobody" })) });
  const { body } = await agent.sync({ task_type: "WHO" }, bearer(await tokenOf()));
  expect(body.outputs).toEqual({ caller: "nobody" });
});

describe("a run is refused in the contract's form", () => {
  const refusal = { ok: false, status: "error", outputs: {}, error: { code: "UNAUTHORIZED" } };

  test.each<[string, Change]>([
    ["for another agent", { claims: { aud: "other" } }],
    ["for nobody", { claims: { aud: undefined } }],
    ["that has expired", { claims: { exp: now() - 60 } }],
    ["without an end", { claims: { exp: undefined } }],
    ["that is not valid yet", { claims: { nbf: now() + 600 } }],
    ["of another type", { header: { typ: "at+jwt" } }],
    ["without a type", { header: { typ: undefined } }],
    ["by an unknown key", { header: { kid: "unknown" } }],
    ["without a subject", { claims: { sub: undefined } }],
    ["without a tenant", { claims: { tenant: undefined } }],
    ["with a tenant that is no text", { claims: { tenant: ["acme"] } }],
    ["with roles that are no list", { claims: { roles: "admin" } }],
    ["with row filters that are none", { claims: { rows: "all" } }],
    ["without an id", { claims: { jti: undefined } }],
    ["with a critical extension", { header: { crit: ["x"], x: 1 } }],
  ])("with a token %s", async (_, change) => {
    const { ask } = await verifying();
    const token = await tokenOf(change).catch(() => "not.a.token");
    const { status, headers, body } = await ask(bearer(token));
    expect([status, body]).toMatchObject([401, refusal]);
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });

  test("with a token of another gateway whose key has the same id", async () => {
    const { ask } = await verifying();
    expect(await ask(bearer(await tokenOf({ by: await signer("own") })))).toMatchObject({ status: 401 });
  });

  test("with a token of another algorithm, though its key is in the set", async () => {
    const other = await signer("es", "ES256");
    const { ask } = await verifying([own.jwk, other.jwk]);
    expect(await ask(bearer(await tokenOf({ by: other, header: { alg: "ES256" } })))).toMatchObject({
      status: 401,
    });
  });

  test("with a token that is not signed, or was changed", async () => {
    const { ask } = await verifying();
    const [head = "", claims = "", signature = ""] = (await tokenOf()).split(".");
    const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const none = base64({ alg: "none", typ: "dispatch+jwt" });
    const admin = base64({ ...CLAIMS, roles: ["admin"], exp: now() + 60, iat: now() });
    for (const token of [`${none}.${claims}.`, `${head}.${admin}.${signature}`, `${head}.${claims}.`, "x"])
      expect(await ask(bearer(token))).toMatchObject({ status: 401 });
  });

  test.each([
    ["no header", {}],
    ["another scheme", { headers: { Authorization: "Basic Ym86Ym8=" } }],
    ["nothing after the scheme", { headers: { Authorization: "Bearer " } }],
  ])("with %s", async (_, extra) => {
    const { ask } = await verifying();
    expect(await ask(extra)).toMatchObject({ status: 401, body: refusal });
  });

  test("before its body is read, on both endpoints; probes and the card stay open", async () => {
    const { agent } = await verifying();
    for (const how of ["sync", "stream"]) {
      const body = "x".repeat(64 * 1024);
      const response = await fetch(`${agent.url}/agents/run/${how}`, { method: "POST", body });
      expect([response.status, await response.json()]).toMatchObject([401, refusal]);
    }
    for (const path of ["health", "health/ready", "agents/card", "metrics"])
      expect((await fetch(`${agent.url}/${path}`)).status).toBe(200);
  });
});

test("clocks may differ by half a minute", async () => {
  const { ask } = await verifying();
  const late = { iat: now() - 80, exp: now() - 20 };
  const early = { iat: now() + 20, nbf: now() + 20, exp: now() + 80 };
  for (const claims of [late, early])
    expect(await ask(bearer(await tokenOf({ claims })))).toMatchObject({ status: 200 });
});

test("a key belongs to its caller: another one does not get the first one's answer", async () => {
  let runs = 0;
  const verifyCaller = callerVerifier({ text: JSON.stringify({ keys: [own.jwk] }) }, "worker");
  const agent = await serving({ COUNT: returning(() => ({ run: ++runs })) }, { verifyCaller });
  const send = async (claims: object) => {
    const { headers } = bearer(await tokenOf({ claims: { ...claims } }));
    const { body } = await agent.sync(
      { task_type: "COUNT" },
      { headers: { ...headers, "Idempotency-Key": "key" } },
    );
    return body.outputs;
  };
  expect(await send({})).toEqual({ run: 1 });
  expect(await send({})).toEqual({ run: 1 });
  expect(await send({ tenant: "other" })).toEqual({ run: 2 });
  expect(await send({ sub: "eve" })).toEqual({ run: 3 });
  expect(await send({ issuer: "guests" })).toEqual({ run: 4 });
  expect(await send({ rows: { region: ["EMEA"] } })).toEqual({ run: 5 });
});

describe("the gateway's keys", () => {
  async function keyServer() {
    const state = { keys: [own.jwk], status: 200, asked: 0 };
    const server = createServer((_req, res) => {
      state.asked += 1;
      res.writeHead(state.status, { "Content-Type": "application/json" });
      res.end(JSON.stringify({ keys: state.keys }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    open.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys` };
  }

  const MAIN = fileURLToPath(new URL("../../test/main.ts", import.meta.url));

  async function started(env: Record<string, string>) {
    const agent = await startProcess(MAIN, env);
    open.push(async () => {
      agent.child.kill("SIGKILL");
      await agent.exited;
    });
    const status = async (change: Change = {}) => {
      const token = await tokenOf({ ...change, claims: { aud: "child", ...change.claims } });
      return (await runSync(agent.url, { task_type: "COUNT" }, bearer(token))).status;
    };
    return { agent, status };
  }

  test("are fetched when they are needed, once, and again for a key that is new", async () => {
    const { state, url } = await keyServer();
    const { status } = await started({ GATEWAY_JWKS_URL: url });
    expect([await status(), await status(), state.asked]).toEqual([200, 200, 1]);
    const next = await signer("next");
    state.keys = [own.jwk, next.jwk];
    // Not sooner than the pause between two fetches.
    await until(async () => (await status({ by: next })) === 200);
    expect(await status()).toBe(200);
  });

  test("that cannot be fetched are no fault of the request: it may come again", async () => {
    const { state, url } = await keyServer();
    state.status = 500;
    const { agent, status } = await started({ GATEWAY_JWKS_URL: url });
    expect(await status()).toBe(503);
    state.status = 200;
    await until(async () => (await status()) === 200);
    expect(agent.output()).not.toContain("Bearer");
  });

  test("may be in a file, and the agent may have another name in the mesh", async () => {
    const dir = mkdtempSync(join(tmpdir(), "interlock-kit-"));
    open.push(() => rmSync(dir, { recursive: true, force: true }));
    const file = join(dir, "keys.json");
    writeFileSync(file, JSON.stringify({ keys: [own.jwk] }));
    const { status } = await started({ GATEWAY_JWKS_FILE: file, GATEWAY_AUDIENCE: "counter" });
    expect([await status({ claims: { aud: "counter" } }), await status()]).toEqual([200, 401]);
  });

  test.each([
    [{ GATEWAY_JWKS_URL: "ftp://gateway/keys" }, "GATEWAY_JWKS_URL must begin with http"],
    [{ GATEWAY_JWKS_FILE: "/nowhere/keys.json" }, "GATEWAY_JWKS_FILE must be a file"],
    [{ GATEWAY_JWKS_FILE: MAIN }, "GATEWAY_JWKS_FILE must be a file"],
    [{ GATEWAY_JWKS_FILE: MAIN, GATEWAY_JWKS_URL: "http://gateway" }, "not both"],
  ])("that the settings %j do not name are refused at start", async (env, why) => {
    const { code, output } = await runToExit(MAIN, { ...env });
    expect([code, output]).toEqual([1, expect.stringContaining(why)]);
  });
});
