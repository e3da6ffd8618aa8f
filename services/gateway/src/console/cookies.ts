import type { IncomingMessage, ServerResponse } from "node:http";

/** What a cookie is for: who is signed in, or a sign-in under way. */
export type CookieKind = "session" | "sign-in";

/**
 * Cookies are bound to this very origin by the prefix `__Host-`, which browsers accept over TLS alone. On plain http, which only this machine
 * gets, they have no prefix. The cookie of a sign-in is `Lax`: the issuer sends the browser back from another site.
 */
function nameOf(kind: CookieKind, secure: boolean): string {
  return `${secure ? "__Host-" : ""}interlock-${kind}`;
}

export function readCookie(req: IncomingMessage, kind: CookieKind, secure: boolean): string | undefined {
  const prefix = `${nameOf(kind, secure)}=`;
  const found = (req.headers.cookie ?? "").split(";").flatMap((part) => {
    const pair = part.trim();
    return pair.startsWith(prefix) ? pair.slice(prefix.length) : [];
  });
  // Of two with one name, one was put there by somebody else.
  return found.length === 1 ? found[0] : undefined;
}

/** @param value of letters, digits, `-` and `_`; absent: the cookie is removed */
export function setCookie(
  res: ServerResponse,
  kind: CookieKind,
  { value, secure }: { value?: string; secure: boolean },
): void {
  const sameSite = kind === "session" ? "Strict" : "Lax";
  // A session lasts as long as the browser's, at most; the rest is for the store to say.
  const life = value === undefined ? "; Max-Age=0" : kind === "sign-in" ? `; Max-Age=${SIGN_IN_S}` : "";
  const bound = secure ? "; Secure" : "";
  res.appendHeader(
    "set-cookie",
    `${nameOf(kind, secure)}=${value ?? ""}; Path=/; HttpOnly; SameSite=${sameSite}${bound}${life}`,
  );
}

/** What somebody has for signing in at the issuer. */
const SIGN_IN_S = 600;
