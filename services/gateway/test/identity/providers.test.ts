import { readFileSync } from "node:fs";
import { gatewayContract, type MeshIssuer, type MeshManifest } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { parse } from "yaml";
import type { Caller } from "../../src/caller.ts";
import { closing, closingAtEnd } from "../support/closing.ts";
import { gate, type HttpIssuer, httpIssuer } from "../support/http-issuer.ts";

/** The examples of docs/identity.md, with tokens of the shapes that the providers document. */
const DOCUMENT = readFileSync(new URL("../../../../docs/identity.md", import.meta.url), "utf8");
const EXAMPLES = [...DOCUMENT.matchAll(/^```yaml\n(identity:.*?)^```$/gms)].map(
  ([, text = ""]): NonNullable<MeshManifest["identity"]> => parse(text).identity,
);

const NOW = Math.floor(Date.now() / 1000);
const TIMES = { iat: NOW, nbf: NOW, exp: NOW + 3_600 };
const KEYCLOAK = {
  ...TIMES,
  auth_time: NOW - 60,
  jti: "onrtac:d58f5dc8-fd8f-462b-8a19-716f8f83985b",
  iss: "https://sso.example.com/realms/acme",
  aud: ["interlock", "account"],
  sub: "36fa0f91-f94d-4a0c-afed-6b7d952e47da",
  typ: "Bearer",
  azp: "console",
  sid: "2a88c258-f73a-4103-b862-e1fbd8f4e04e",
  acr: "1",
  "allowed-origins": ["https://console.example.com"],
  realm_access: { roles: ["offline_access", "default-roles-acme", "mesh-operators"] },
  resource_access: {
    interlock: { roles: ["analyst"] },
    account: { roles: ["manage-account", "view-profile"] },
  },
  scope: "openid email profile",
  email_verified: true,
  preferred_username: "ann",
};
const GOOGLE = {
  ...TIMES,
  iss: "https://accounts.google.com",
  azp: "1234567890-abc.apps.googleusercontent.com",
  aud: "1234567890-abc.apps.googleusercontent.com",
  sub: "110169484474386276334",
  at_hash: "HK6E_P6Dh8Y93mRNtsDB1Q",
  hd: "example.com",
  email: "ann@example.com",
  email_verified: true,
  nonce: "0394852-3190485-2490358",
};
const ENTRA = {
  ...TIMES,
  aud: "00001111-aaaa-2222-bbbb-3333cccc4444",
  iss: "https://login.microsoftonline.com/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0",
  aio: "AXQAi/8IAAAAtAaZLo3ChMif6KOnttRB7eBq4/DccQzjcJGxPYy",
  azp: "11112222-bbbb-3333-cccc-4444dddd5555",
  azpacr: "0",
  name: "Ann Example",
  oid: "aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb",
  preferred_username: "ann@contoso.com",
  rh: "0.ARoAv4j5cvGGr0GRqy180BHbR",
  roles: ["Pricing.Approver", "Reports.Read"],
  scp: "access_as_user",
  sub: "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ",
  tid: "aaaabbbb-0000-cccc-1111-dddd2222eeee",
  uti: "fqiBqXLPj0eQa82S-IYFAA",
  ver: "2.0",
};
const AUTH0 = {
  iss: "https://example.eu.auth0.com/",
  sub: "auth0|5f7c8ec7c33c6c004bbafe82",
  aud: ["https://interlock.example.com", "https://example.eu.auth0.com/userinfo"],
  azp: "my_client_id",
  iat: TIMES.iat,
  exp: TIMES.exp,
  scope: "openid profile",
  permissions: ["read:prices"],
  "https://example.com/tenant": "acme",
  "https://example.com/roles": ["analyst", "pricing_approver"],
};
const GITHUB = {
  ...TIMES,
  jti: "example-id",
  sub: "repo:octo-org/octo-repo:environment:prod",
  environment: "prod",
  aud: "interlock",
  ref: "refs/heads/main",
  sha: "example-sha",
  repository: "octo-org/octo-repo",
  repository_owner: "octo-org",
  actor_id: "12",
  repository_visibility: "private",
  repository_id: "74",
  repository_owner_id: "65",
  run_id: "example-run-id",
  run_number: "10",
  run_attempt: "2",
  runner_environment: "github-hosted",
  actor: "octocat",
  workflow: "example-workflow",
  head_ref: "",
  base_ref: "",
  event_name: "workflow_dispatch",
  ref_type: "branch",
  job_workflow_ref: "octo-org/octo-automation/.github/workflows/prices.yml@refs/heads/main",
  iss: "https://token.actions.githubusercontent.com",
};

const { privateKey, publicKey } = await generateKeyPair("RS256");
const KID = "nnniBrxL0qhG79pkF3ccQj_l0jDmxKrYYy2YLlEe1s";
const keep = closingAtEnd();
const use = closing();
/** Stands for all of them. */
let issuer: HttpIssuer;
let declared = "";

beforeAll(async () => {
  const jwk = { ...(await exportJWK(publicKey)), kid: KID, alg: "RS256", use: "sig" };
  issuer = keep(await httpIssuer());
  issuer.answer("/jwks", (_req, res) => void res.end(JSON.stringify({ keys: [jwk] })));
});

/** Whom the token of a provider stands for, by the document's example of it. */
async function callerOf(name: string, claims: object, header: object = {}): Promise<Caller> {
  const one: MeshIssuer | undefined = EXAMPLES.map(({ issuers }) => issuers?.[name]).find(Boolean);
  if (!one) throw new Error(`the document has no example ${name}`);
  declared = one.issuer;
  const asked: string[] = [];
  const answer = { issuer: declared, jwks_uri: "https://keys.test/jwks" };
  const path = new URL(`${declared.replace(/\/$/, "")}/.well-known/openid-configuration`).pathname;
  issuer.answer(path, (_req, res) => void res.end(JSON.stringify(answer)));
  const here = (url: string) => {
    asked.push(url);
    return `${issuer.url}${new URL(url).pathname}`;
  };
  const { identify } = use(gate({ [name]: one }, {}, { here }));
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: KID, ...header })
    .sign(privateKey);
  const caller = await identify({ authorization: `Bearer ${token}` });
  expect(asked).toEqual([`${new URL(declared).origin}${path}`, "https://keys.test/jwks"]);
  return caller;
}

test("every example of the document is a valid part of a manifest", () => {
  expect(EXAMPLES.length).toBe(6);
  const agents = { one: { url: "http://127.0.0.1:1", tasks: { A: "Does A." } } };
  for (const identity of EXAMPLES)
    expect(
      gatewayContract.mesh({ agents, identity, models: { default: "rules", allow: ["rules"] } }),
    ).toMatchObject({
      ok: true,
    });
});

describe("a token of", () => {
  test.each<[string, object, Partial<Caller>, object?]>([
    [
      "entra",
      ENTRA,
      { tenant: "contoso", subject: "aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb", roles: ["pricing_approver"] },
    ],
    [
      "auth0",
      AUTH0,
      { tenant: "acme", subject: "auth0|5f7c8ec7c33c6c004bbafe82", roles: ["analyst", "pricing_approver"] },
    ],
    [
      "auth0",
      { ...AUTH0, "https://example.com/tenant": undefined, org_id: "org_9ybsU1dN2dKfDkBi" },
      { tenant: "org_9ybsU1dN2dKfDkBi" },
      { typ: "at+jwt" },
    ],
    [
      "keycloak",
      KEYCLOAK,
      {
        tenant: "acme",
        subject: "36fa0f91-f94d-4a0c-afed-6b7d952e47da",
        roles: ["analyst", "operator"],
        authenticatedAt: NOW - 60,
      },
    ],
    [
      "google",
      GOOGLE,
      { tenant: "example", subject: "110169484474386276334", roles: ["analyst", "pricing_approver"] },
    ],
    ["google", { ...GOOGLE, sub: "1" }, { tenant: "example", subject: "1", roles: ["analyst"] }],
    [
      "github",
      GITHUB,
      { tenant: "octo", subject: "repo:octo-org/octo-repo:environment:prod", roles: ["analyst"] },
      { x5t: "example-thumbprint" },
    ],
    [
      "github",
      { ...GITHUB, job_workflow_ref: "octo-org/octo-repo/.github/workflows/prices.yml@refs/heads/main" },
      { tenant: "octo", roles: [] },
    ],
  ])("%s", async (name, claims, caller, header = {}) => {
    expect(await callerOf(name, claims, header)).toMatchObject({ issuer: name, ...caller });
  });
});

describe("is refused:", () => {
  test.each<[string, string, object]>([
    ["another directory of Entra ID", "entra", { ...ENTRA, tid: "ffffbbbb-0000-cccc-1111-dddd2222eeee" }],
    ["another application of the directory", "entra", { ...ENTRA, aud: ENTRA.azp }],
    ["a v1 token of Entra ID", "entra", { ...ENTRA, iss: `https://sts.windows.net/${ENTRA.tid}/` }],
    ["a token for Auth0's user info alone", "auth0", { ...AUTH0, aud: AUTH0.aud[1] }],
    ["a tenant that is no id", "auth0", { ...AUTH0, "https://example.com/tenant": "acme evil" }],
    [
      "a tenant that is a list within a list",
      "auth0",
      { ...AUTH0, "https://example.com/tenant": [["acme"]] },
    ],
    ["a client of the realm that is not the mesh", "keycloak", { ...KEYCLOAK, aud: "account" }],
    ["a Google account outside of any Workspace", "google", { ...GOOGLE, hd: undefined }],
    ["another Workspace", "google", { ...GOOGLE, hd: "example.org" }],
    ["a name that an object has from its prototype", "google", { ...GOOGLE, hd: "constructor" }],
    ["Google's other name of itself", "google", { ...GOOGLE, iss: "accounts.google.com" }],
    ["another owner's workflow", "github", { ...GITHUB, repository_owner_id: "66" }],
  ])("%s", async (_what, name, claims) => {
    await expect(callerOf(name, claims)).rejects.toMatchObject({ code: "unauthorized" });
  });
});
