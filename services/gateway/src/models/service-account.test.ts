import { generateKeyPairSync } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { decodeJwt, importSPKI, jwtVerify } from "jose";
import { FORMATS } from "./test/recorded.ts";
import { callOf, errorOf, modelTests } from "./test/support.ts";

const shared = modelTests();
beforeAll(() => shared.start());

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const google = FORMATS.find(({ kind }) => kind === "vertex");

function open(path: string) {
  const account = {
    type: "service_account",
    client_email: "mesh@example.iam.gserviceaccount.com",
    private_key: privateKey,
    token_uri: `${shared.server.url}${path}/token`,
  };
  const provider = {
    name: "vertex",
    kind: "vertex" as const,
    baseUrl: `${shared.server.url}${path}`,
    keyEnv: "KEY",
    structuredOutputs: true,
  };
  return shared.open(
    {
      only: { does: google?.model ?? "", provider, settings: { fallbacks: ["other"] } },
      other: { does: "ok" },
    },
    { secret: () => JSON.stringify(account) },
  );
}

test("a service account gets one access token for many calls, which its requests carry", async () => {
  const path = "/account";
  const { stream = "", whole = "" } = google?.paths ?? {};
  expect(stream).not.toBe("");
  const json = "application/json";
  shared.server.record({
    path: `${path}/token`,
    contentType: json,
    body: '{"access_token":"at-1","expires_in":3599,"token_type":"Bearer"}',
  });
  shared.server.record({ path: path + whole, contentType: json, body: google?.whole ?? "" });
  const { gateway } = open(path);
  await Promise.all([gateway.generate(callOf()), gateway.generate(callOf())]);
  await gateway.generate(callOf());
  const asked = shared.server.requests.filter((request) => request.path.startsWith(`/v1${path}`));
  const [token, ...others] = asked.filter((request) => request.path.endsWith("/token"));
  expect(others).toEqual([]);
  const form = new URLSearchParams(token?.body);
  expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
  const assertion = form.get("assertion") ?? "";
  const audience = `${shared.server.url}${path}/token`;
  await jwtVerify(assertion, await importSPKI(publicKey, "RS256"), { audience });
  expect(decodeJwt(assertion)).toMatchObject({
    iss: "mesh@example.iam.gserviceaccount.com",
    scope: "https://www.googleapis.com/auth/cloud-platform",
  });
  const calls = asked.filter((request) => request.path.endsWith(whole));
  expect(calls).toHaveLength(3);
  for (const { headers } of calls) {
    expect(headers.authorization).toBe("Bearer at-1");
    expect(headers["x-goog-api-key"]).toBeUndefined();
  }
});

test("without an access token the fallback answers", async () => {
  const { gateway, attempts } = open("/nowhere");
  expect((await gateway.generate(callOf())).model).toBe("other");
  expect(attempts[0]).toMatchObject({ model: "only", outcome: "connection" });
  expect(await errorOf(gateway.generate(callOf({ disableFallbacks: true })))).toMatchObject({
    code: "AGT_002",
  });
});
