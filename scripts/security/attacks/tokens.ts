import { createHmac, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { ask } from "../../../services/gateway/test/support/http.ts";
import { jwt, newKey } from "../../../services/gateway/test/support/issuer.ts";
import type { Area, Attack } from "../attack.ts";
import { said, verdict } from "../http.ts";
import { bearer, SHARED_SECRET, type World } from "../world.ts";

const PATH = "/api/v1/runs";

const using = (token: string, { url }: World): Promise<string> =>
  verdict(url + PATH, { headers: bearer(token) });

/** A token that must not count. */
function forged(name: string, make: (world: World) => string): Attack {
  return { name, expected: "401 unauthorized", run: (world) => using(make(world), world) };
}

const encoded = (value: object | string): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

const unsigned = (header: object, claims: object): string => `${encoded(header)}.${encoded(claims)}.`;

function hmac(header: object, claims: object, secret: string | Buffer): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const pemOf = ({ issuer }: World): string =>
  String(
    createPublicKey({ key: { ...issuer.key().jwk }, format: "jwk" }).export({ type: "spki", format: "pem" }),
  );

/** Signs an odd body with the right key. */
function signed(world: World, payload: string, header: object = {}): string {
  const { kid, privateKey } = world.issuer.key();
  const text = `${encoded({ alg: "ES256", typ: "JWT", kid, ...header })}.${encoded(payload)}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

const now = (): number => Math.floor(Date.now() / 1000);
const withHeader = (header: object) => (world: World) =>
  jwt(world.issuer.claims(), world.issuer.key(), header);
const withClaims = (claims: object) => (world: World) => world.issuer.token(claims);

export const TOKENS: Area = {
  title: "tokens",
  attacks: [
    { name: "a good token (control)", expected: "200", run: (world) => using(world.issuer.token(), world) },
    { name: "no token", expected: "401 unauthorized", run: ({ url }) => verdict(url + PATH) },
    ...["none", "None", "NONE", "nOnE", ""].map((alg) =>
      forged(`alg "${alg}" without a signature`, ({ issuer }) =>
        unsigned({ alg, typ: "JWT", kid: issuer.key().kid }, issuer.claims()),
      ),
    ),
    forged("no alg at all", ({ issuer }) => unsigned({ typ: "JWT", kid: issuer.key().kid }, issuer.claims())),
    forged("alg none with a real token's signature", (world) => {
      const [, body, signature] = world.issuer.token().split(".");
      return `${encoded({ alg: "none", typ: "JWT" })}.${body}.${signature}`;
    }),
    forged("the public key as the secret of HS256", (world) =>
      hmac({ alg: "HS256", typ: "JWT", kid: world.issuer.key().kid }, world.issuer.claims(), pemOf(world)),
    ),
    forged("the public JWK as the secret of HS256", (world) =>
      hmac(
        { alg: "HS256", typ: "JWT", kid: world.issuer.key().kid },
        world.issuer.claims(),
        JSON.stringify(world.issuer.key().jwk),
      ),
    ),
    forged("HS256 with an empty secret", ({ issuer }) =>
      hmac({ alg: "HS256", typ: "JWT", kid: issuer.key().kid }, issuer.claims(), Buffer.alloc(1)),
    ),
    forged("the shared secret of one issuer for another", ({ issuer }) =>
      hmac({ alg: "HS256", typ: "JWT", kid: issuer.key().kid }, issuer.claims(), SHARED_SECRET),
    ),
    forged("HS512 where HS256 was agreed", ({ issuer }) => {
      const text = `${encoded({ alg: "HS512", typ: "JWT" })}.${encoded(issuer.claims({ iss: "http://shared.test" }))}`;
      return `${text}.${createHmac("sha512", SHARED_SECRET).update(text).digest("base64url")}`;
    }),
    forged("a key of the attacker's with our key id", ({ issuer }) =>
      jwt(issuer.claims(), newKey(issuer.key().kid)),
    ),
    forged("another issuer's key", ({ issuer }) => jwt(issuer.claims(), issuer.key("second"))),
    forged("another issuer's key under our key id", ({ issuer }) =>
      jwt(issuer.claims(), { ...issuer.key("second"), kid: issuer.key().kid }),
    ),
    forged("no key id", withHeader({ kid: undefined })),
    forged("an empty key id", withHeader({ kid: "" })),
    forged("a key id that is a path", withHeader({ kid: "../../../../dev/null" })),
    forged("a key id that is an absolute path", withHeader({ kid: "/proc/self/environ" })),
    forged("a key id that is SQL", withHeader({ kid: "x' UNION SELECT 'secret" })),
    forged("a key id that is a command", withHeader({ kid: "main-1|id" })),
    forged("a key id with a null byte", withHeader({ kid: "main-1\u0000" })),
    forged("a key id of another case", withHeader({ kid: "MAIN-1" })),
    forged("a key id that is a list", withHeader({ kid: ["main-1"] })),
    forged("a key id that is __proto__", withHeader({ kid: "__proto__" })),
    ...["jku", "x5u"].map((field) =>
      forged(`${field} that leads to the attacker's keys`, (world) =>
        jwt(world.issuer.claims(), newKey("evil"), { [field]: `${world.issuer.urlOf("second")}/jwks` }),
      ),
    ),
    forged("an embedded key", ({ issuer }) => {
      const key = newKey("evil");
      return jwt(issuer.claims(), key, { jwk: key.jwk });
    }),
    forged("an embedded key with our key id", ({ issuer }) => {
      const key = newKey(issuer.key().kid);
      return jwt(issuer.claims(), key, { jwk: key.jwk });
    }),
    forged("an embedded certificate chain", ({ issuer }) =>
      jwt(issuer.claims(), newKey("evil"), { x5c: ["MIIB"] }),
    ),
    forged("a critical extension that nobody knows", withHeader({ crit: ["exp2"], exp2: 1 })),
    forged("an unencoded payload (b64: false)", withHeader({ crit: ["b64"], b64: false })),
    forged("an algorithm that the issuer does not use", ({ issuer }) => {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
      return jwt(issuer.claims(), { ...issuer.key(), privateKey }, { alg: "ES384" });
    }),
    forged(
      "a signature of zeros",
      ({ issuer }) => `${issuer.token().split(".").slice(0, 2).join(".")}.${encoded("\0".repeat(64))}`,
    ),
    forged("a signature cut short", ({ issuer }) => issuer.token().slice(0, -8)),
    forged("a signature with a byte more", ({ issuer }) => `${issuer.token()}AA`),
    forged("another token's body under a good signature", ({ issuer }) => {
      const [head, , signature] = issuer.token().split(".");
      return `${head}.${encoded(issuer.claims({ roles: ["admin"] }))}.${signature}`;
    }),
    forged("expired", withClaims({ exp: now() - 31 })),
    forged("expired long ago", withClaims({ exp: 1 })),
    forged("without an expiry", withClaims({ exp: undefined })),
    forged("an expiry that is text", withClaims({ exp: "9999999999" })),
    forged("an expiry that is not a number", withClaims({ exp: null })),
    forged("not valid yet", withClaims({ nbf: now() + 3_600 })),
    forged("for another audience", withClaims({ aud: "other" })),
    forged("for nobody", withClaims({ aud: [] })),
    forged("without an audience", withClaims({ aud: undefined })),
    forged("for an audience that begins like ours", withClaims({ aud: "interlock.evil.example" })),
    forged("of an unknown issuer", withClaims({ iss: "https://evil.example" })),
    forged("of an issuer that ends in a slash more", ({ issuer }) =>
      issuer.token({ iss: `${issuer.urlOf("main")}/` }),
    ),
    forged("of an issuer in capitals", ({ issuer }) =>
      issuer.token({ iss: issuer.urlOf("main").toUpperCase() }),
    ),
    forged("of two issuers", ({ issuer }) => issuer.token({ iss: [issuer.urlOf("main"), "x"] })),
    forged("without an issuer", withClaims({ iss: undefined })),
    forged("of an issuer named like an object's member", withClaims({ iss: "constructor" })),
    forged("without a subject", withClaims({ sub: undefined })),
    forged("a subject that is a list", withClaims({ sub: ["ann", "root"] })),
    forged("a subject with a line break", withClaims({ sub: "ann\r\nX-Role: admin" })),
    forged("a tenant that closes the key's braces", withClaims({ tenant: "a}{b" })),
    forged("a tenant that is a pattern", withClaims({ tenant: "*" })),
    forged("no tenant", withClaims({ tenant: undefined })),
    forged("an ID token's type", withHeader({ typ: "id+jwt" })),
    forged("a proof's type", withHeader({ typ: "dpop+jwt" })),
    forged("no type", withHeader({ typ: undefined })),
    forged(
      "an encrypted token",
      () =>
        `${encoded({ alg: "dir", enc: "A256GCM" })}..${encoded("iv")}.${encoded("text")}.${encoded("tag")}`,
    ),
    forged("a body that is no object", (world) => signed(world, '"text"')),
    forged("a body that is no JSON", (world) => signed(world, "{")),
    forged("two lists of roles in one body", (world) => {
      const text = JSON.stringify(world.issuer.claims());
      return signed(world, `{"roles":["admin"],${text.slice(1)}`);
    }),
    {
      name: "a token of 15 KB",
      expected: "401 or 431",
      accepts: /^(?:401|431) /,
      run: (world) => using(world.issuer.token({ pad: "x".repeat(12_500) }), world),
    },
    {
      name: "a token of 1 MB",
      expected: "431 headers_too_large",
      run: (world) => using("x".repeat(1_000_000), world),
    },
    {
      name: "two Authorization headers, the second of them good",
      expected: "400 invalid_request",
      run: async ({ url, issuer }) => {
        const { rawText } = await import("../http.ts");
        const { host } = new URL(url);
        const text = await rawText(
          url,
          `GET ${PATH} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer x\r\nAuthorization: Bearer ${issuer.token()}\r\nConnection: close\r\n\r\n`,
        );
        return said(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text);
      },
    },
    {
      name: "a token in the query",
      expected: "401 unauthorized",
      run: ({ url, issuer }) => verdict(`${url}${PATH}?access_token=${issuer.token()}`),
    },
    {
      name: "a token in a cookie",
      expected: "401 unauthorized",
      run: ({ url, issuer }) =>
        verdict(url + PATH, { headers: { cookie: `token=${issuer.token()}; session=${issuer.token()}` } }),
    },
    {
      name: "a token in another scheme",
      expected: "401 unauthorized",
      run: ({ url, issuer }) =>
        verdict(url + PATH, { headers: { authorization: `Token ${issuer.token()}` } }),
    },
    {
      name: "the old identity headers",
      expected: "401 unauthorized",
      run: ({ url }) =>
        verdict(url + PATH, { headers: { "x-user": "root", "x-roles": "admin", "x-tenant": "default" } }),
    },
    {
      name: "the old identity headers beside a token change nothing",
      expected: "ann of default",
      run: async ({ url, issuer }) => {
        const headers = { ...issuer.as("ann"), "x-user": "root", "x-roles": "admin", "x-tenant": "other" };
        const body = { message: "What is the optimal price?", session_id: `s-${Date.now()}` };
        const mine = await ask(`${url}/api/v1/chat`, { headers, body });
        const id = String(mine.json().thread_id);
        const seen = await verdict(`${url}/api/v1/runs/${id}`, { headers: issuer.as("ann") });
        return seen === "200" ? "ann of default" : seen;
      },
    },
    {
      name: "the refusal says nothing of the token or of why",
      expected: "says nothing",
      run: async (world) => {
        const token = world.issuer.token({ exp: 1 });
        const { text, headers } = await ask(world.url + PATH, { headers: bearer(token) });
        const told = text + JSON.stringify(headers);
        return /exp|signature|kid|jose/i.test(told.replaceAll("keep-alive", "")) || told.includes(token)
          ? told
          : "says nothing";
      },
    },
  ],
};
