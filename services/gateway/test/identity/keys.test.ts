import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { closing } from "../support/closing.ts";
import { type Gate, gate, type HttpIssuer, httpIssuer } from "../support/http-issuer.ts";
import { claimsOf, jwt, newKey, type SigningKey } from "../support/issuer.ts";
import { until } from "../support/until.ts";

const use = closing();
const KEY = newKey();

const issuerWith = async (...keys: SigningKey[]): Promise<HttpIssuer> => use(await httpIssuer(...keys));
const gateTo = (...args: Parameters<typeof gate>): Gate => use(gate(...args));

const tokenOf = ({ url }: HttpIssuer, key: SigningKey = KEY, claims: object = {}): string =>
  jwt(claimsOf({ iss: url, sub: "ann", roles: ["analyst"], ...claims }), key);

/** The caller's subject, or the code of the refusal. */
async function who({ identify, refusals }: Gate, token: string): Promise<string> {
  try {
    return (await identify({ authorization: `Bearer ${token}` })).subject;
  } catch (error) {
    const code = Error.isError(error) && "code" in error ? String(error.code) : "none";
    return `${code} ${refusals.at(-1)?.code}`;
  }
}

const AWAY = "issuer_unavailable issuer_away";
const NO_KEY = "unauthorized jwks_no_matching_key";

describe("an issuer that publishes its keys", () => {
  test("is found by discovery, or by the address of its keys", async () => {
    const issuer = await issuerWith(KEY);
    expect(await who(gateTo({ one: { issuer: issuer.url } }), tokenOf(issuer))).toBe("ann");
    expect(issuer.asked).toEqual(["/.well-known/openid-configuration", "/jwks"]);
    const direct = gateTo({ one: { issuer: issuer.url, keys: { url: `${issuer.url}/jwks` } } });
    expect(await who(direct, tokenOf(issuer))).toBe("ann");
    expect(issuer.asked.slice(2)).toEqual(["/jwks"]);
  });

  test("is asked once, however many tokens come at once", async () => {
    const issuer = await issuerWith(KEY);
    const all = gateTo({ one: { issuer: issuer.url } });
    const tokens = Array.from({ length: 50 }, (_, at) => tokenOf(issuer, KEY, { sub: `user-${at}` }));
    expect(await Promise.all(tokens.map((token) => who(all, token)))).toEqual(
      tokens.map((_, at) => `user-${at}`),
    );
    expect(issuer.asked.length).toBe(2);
  });

  test("may sign with a new key: the first token that names it has the keys fetched", async () => {
    const [issuer, next] = [await issuerWith(KEY), newKey()];
    const one = gateTo({ one: { issuer: issuer.url } });
    expect(await who(one, tokenOf(issuer))).toBe("ann");
    issuer.publish(KEY, next);
    // Not before the pause between two such fetches is over.
    await until(async () => (await who(one, tokenOf(issuer, next))) === "ann");
    expect(await who(one, tokenOf(issuer))).toBe("ann");
  });

  test("is not asked again for each key id that somebody makes up", async () => {
    const issuer = await issuerWith(KEY);
    const one = gateTo({ one: { issuer: issuer.url } });
    for (let at = 0; at < 20; at++)
      expect(await who(one, tokenOf(issuer, newKey(`made-up-${at}`)))).toBe(NO_KEY);
    expect(issuer.asked.length).toBeLessThanOrEqual(4);
  });

  test("withdraws a key: its tokens are refused once the cache is over, even if nobody came meanwhile", async () => {
    const [issuer, next] = [await issuerWith(KEY), newKey()];
    const one = gateTo({ one: { issuer: issuer.url, cache_s: 2 } });
    const old = tokenOf(issuer);
    expect(await who(one, old)).toBe("ann");
    issuer.publish(next);
    await delay(2_100);
    expect(await who(one, old)).toBe(NO_KEY);
    expect(await who(one, tokenOf(issuer, next))).toBe("ann");
  });

  test("withdraws all keys", async () => {
    const issuer = await issuerWith(KEY);
    const one = gateTo({ one: { issuer: issuer.url, cache_s: 1 } });
    expect(await who(one, tokenOf(issuer))).toBe("ann");
    issuer.publish();
    await delay(1_100);
    expect(await who(one, tokenOf(issuer))).toBe(NO_KEY);
  });
});

describe("an issuer that is away", () => {
  test("from the start: requests are told to come again, and are served once it is there", async () => {
    const issuer = await issuerWith(KEY);
    await issuer.stop();
    const one = gateTo({ one: { issuer: issuer.url } });
    expect(await who(one, tokenOf(issuer))).toBe(AWAY);
    await issuer.start();
    await until(async () => (await who(one, tokenOf(issuer))) === "ann");
  });

  test("later: its keys count for the grace time, and no longer", async () => {
    const issuer = await issuerWith(KEY);
    const one = gateTo({ one: { issuer: issuer.url, cache_s: 1, stale_s: 8 } });
    const known = tokenOf(issuer);
    expect(await who(one, known)).toBe("ann");
    await issuer.stop();
    await delay(1_100);
    expect(await who(one, tokenOf(issuer, KEY, { sub: "bo" }))).toBe("bo");
    expect(await who(one, known)).toBe("ann");
    await until(async () => (await who(one, known)) === AWAY);
    await issuer.start();
    await until(async () => (await who(one, known)) === "ann");
  });

  test("is asked ever less often", async () => {
    const issuer = await issuerWith(KEY);
    issuer.answer("/jwks", (_req, res) => void res.writeHead(500).end());
    const one = gateTo({ one: { issuer: issuer.url, keys: { url: `${issuer.url}/jwks` } } });
    for (const over = performance.now() + 2_500; performance.now() < over; await delay(10))
      expect(await who(one, tokenOf(issuer))).toBe(AWAY);
    // Now, after 1 s, and after 2 s more.
    expect(issuer.asked.length).toBeLessThanOrEqual(3);
  });
});

describe("an issuer that misbehaves is as good as away", () => {
  const JWKS = { keys: [KEY.jwk] };
  const json = (body: unknown) => JSON.stringify(body);
  test.each<[string, string, (issuer: HttpIssuer) => Parameters<HttpIssuer["answer"]>[1]]>([
    ["never answers", "/jwks", () => () => undefined],
    ["begins an answer and stops", "/jwks", () => (_req, res) => void res.write('{"keys":[')],
    ["answers with a page", "/jwks", () => (_req, res) => void res.end("<html></html>")],
    ["answers with a list", "/jwks", () => (_req, res) => void res.end("[]")],
    ["answers with keys that are none", "/jwks", () => (_req, res) => void res.end('{"keys":[1]}')],
    [
      "answers with too much",
      "/jwks",
      () => (_req, res) => void res.end(json({ ...JWKS, pad: "x".repeat(600_000) })),
    ],
    [
      "answers with an error that has keys",
      "/jwks",
      () => (_req, res) => void res.writeHead(500).end(json(JWKS)),
    ],
    [
      "redirects",
      "/jwks",
      (issuer) => (_req, res) => void res.writeHead(302, { location: `${issuer.url}/elsewhere` }).end(),
    ],
    [
      "says in its discovery that it is another one",
      "/.well-known/openid-configuration",
      (issuer) => (_req, res) =>
        void res.end(json({ issuer: "https://other.test", jwks_uri: `${issuer.url}/jwks` })),
    ],
    [
      "says that it is another one, but for a slash",
      "/.well-known/openid-configuration",
      (issuer) => (_req, res) =>
        void res.end(json({ issuer: `${issuer.url}/`, jwks_uri: `${issuer.url}/jwks` })),
    ],
    [
      "names no keys in its discovery",
      "/.well-known/openid-configuration",
      (issuer) => (_req, res) => void res.end(json({ issuer: issuer.url })),
    ],
    [
      "names a file in its discovery",
      "/.well-known/openid-configuration",
      (issuer) => (_req, res) => void res.end(json({ issuer: issuer.url, jwks_uri: "file:///etc/passwd" })),
    ],
  ])("%s", async (_what, path, handler) => {
    const issuer = await issuerWith(KEY);
    issuer.answer("/elsewhere", (_req, res) => void res.end(json(JWKS)));
    issuer.answer(path, handler(issuer));
    expect(await who(gateTo({ one: { issuer: issuer.url } }, {}, 500), tokenOf(issuer))).toBe(AWAY);
    expect(issuer.asked).not.toContain("/elsewhere");
  });

  test("does not disturb another one", async () => {
    const [good, bad] = [await issuerWith(KEY), await issuerWith(KEY)];
    bad.answer("/jwks", () => undefined);
    const both = gateTo({ good: { issuer: good.url }, bad: { issuer: bad.url } }, {}, 4_000);
    const waiting = who(both, tokenOf(bad));
    expect(await who(both, tokenOf(good))).toBe("ann");
    expect(await waiting).toBe(AWAY);
  });
});

test("of a thousand keys the first hundred count", async () => {
  const keys = Array.from({ length: 1_000 }, () => newKey());
  const issuer = await issuerWith(...keys);
  const one = gateTo({ one: { issuer: issuer.url } });
  const [first = KEY, last = KEY] = [keys[99], keys[100]];
  expect(await who(one, tokenOf(issuer, first))).toBe("ann");
  expect(await who(one, tokenOf(issuer, last))).toBe(NO_KEY);
});

test("a token counts for the issuer that it names alone, whatever the others' keys are called", async () => {
  const [key, other] = [newKey("1"), newKey("1")];
  const [a, b] = [await issuerWith(key), await issuerWith(other)];
  const both = gateTo({ a: { issuer: a.url }, b: { issuer: b.url } });
  expect(await who(both, tokenOf(a, key))).toBe("ann");
  expect(await who(both, tokenOf(b, other))).toBe("ann");
  expect(await who(both, tokenOf(b, key))).toBe("unauthorized jws_signature_verification_failed");
  expect(both.refusals.at(-1)?.issuer).toBe("b");
  expect(await who(both, tokenOf(a, key, { iss: "https://stranger.test" }))).toBe(
    "unauthorized unknown_issuer",
  );
});

describe("a token that was verified", () => {
  test("is known: it takes neither the issuer nor a wait", async () => {
    const issuer = await issuerWith(KEY);
    const one = gateTo({ one: { issuer: issuer.url } });
    const headers = { authorization: `Bearer ${tokenOf(issuer)}` };
    const caller = await one.identify(headers);
    await issuer.stop();
    // The same object, without a promise: nothing was verified again.
    expect(one.identify(headers)).toBe(caller);
    expect(caller).toMatchObject({ issuer: "one", subject: "ann", tenant: "default", roles: ["analyst"] });
  });

  test("is forgotten when it expires", async () => {
    const issuer = await issuerWith(KEY);
    const one = gateTo({ one: { issuer: issuer.url } });
    // Clocks may differ by 30 s.
    const token = tokenOf(issuer, KEY, { exp: Math.floor(Date.now() / 1000) - 27 });
    expect(await who(one, token)).toBe("ann");
    await until(async () => (await who(one, token)) !== "ann");
    expect(await who(one, token)).toBe("unauthorized jwt_expired");
  });
});
