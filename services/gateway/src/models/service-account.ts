import { importPKCS8, SignJWT } from "jose";
import { type Dispatcher, request } from "undici";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const LIFE_S = 3_600;
/** A token is replaced this long before it ends. */
const MARGIN_MS = 120_000;
const TIMEOUT_MS = 10_000;

type Account = { client_email: string; private_key: string; token_uri: string };

/** The service account that a key's text holds; undefined where it is another kind of key. */
export function serviceAccountOf(key: string): Account | undefined {
  if (!key.startsWith("{")) return undefined;
  try {
    const { client_email, private_key, token_uri = TOKEN_URL } = JSON.parse(key);
    return typeof client_email === "string" &&
      typeof private_key === "string" &&
      typeof token_uri === "string"
      ? { client_email, private_key, token_uri }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Access tokens of a service account (RFC 7523), each used until shortly before its end. Google's own library would look for credentials at
 * the metadata service, and open connections that the manifest's egress rules do not see.
 */
export function accessTokens(account: Account, dispatcher: Dispatcher): () => Promise<string> {
  let token: Promise<string> | undefined;
  let renewAt = 0;
  return () => {
    if (token === undefined || Date.now() >= renewAt) {
      renewAt = Date.now() + LIFE_S * 1000 - MARGIN_MS;
      token = requestToken(account, dispatcher);
      token.catch(() => {
        token = undefined;
      });
    }
    return token;
  };
}

async function requestToken(
  { client_email, private_key, token_uri }: Account,
  dispatcher: Dispatcher,
): Promise<string> {
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(client_email)
    .setAudience(token_uri)
    .setIssuedAt()
    .setExpirationTime(`${LIFE_S}s`)
    .sign(await importPKCS8(private_key, "RS256"));
  const { statusCode, body } = await request(token_uri, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    dispatcher,
  });
  const answer: unknown = statusCode === 200 ? await body.json() : await body.dump();
  if (typeof answer === "object" && answer !== null && "access_token" in answer)
    return String(answer.access_token);
  throw new Error("the service account got no access token");
}
