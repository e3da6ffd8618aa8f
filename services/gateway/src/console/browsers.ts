import type { IncomingMessage, ServerResponse } from "node:http";
import type { MeshIssuer } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";
import { headerOf } from "../http/index.ts";
import type { Identify } from "../identity/index.ts";
import type { BrowserStore } from "../store/index.ts";
import { readCookie, setCookie } from "./cookies.ts";
import {
  type Challenge,
  type ClientDeps,
  IssuerClient,
  type SignInIssuer,
  type Tokens,
} from "./issuer-client.ts";
import { returnPath } from "./return-path.ts";
import { idOf, isSecret, newSecret, open, seal } from "./sealed.ts";

export type BrowsersDeps = ClientDeps & {
  store: BrowserStore;
  /** The issuers of the manifest, by name. */
  issuers: () => Readonly<Record<string, MeshIssuer>>;
  identify: Identify;
  /** The gateway's address as its callers know it. */
  publicUrl: string | undefined;
  /** Whether a request can be meant for this gateway by its Host. */
  isOwnHost: (host: string | undefined) => boolean;
  /** Seconds without a request, and in all, after which somebody has to sign in again. */
  idleS: number;
  lifeS: number;
};

/** Why somebody is not signed in, for the page that says so. */
export type WhyNot = "no_issuer" | "issuer_away" | "refused" | "begin_again";

type Session = { issuer: string; begunAt: number; tokens: Tokens };
type SignIn = { issuer: string; challenge: Challenge; back: string; replaces?: string };

/** A token is renewed so long before it ends. */
const EARLY_MS = 30_000;
const RENEWAL_TRIES = 40;
const RENEWAL_LOOK_MS = 250;

/**
 * People who sign in from a browser. The gateway is a client of their issuer in their place (a backend for the frontend): tokens stay here,
 * sealed in the store; the browser has a cookie that no script can read.
 */
export class Browsers {
  readonly #deps: BrowsersDeps;
  readonly #clients = new Map<string, IssuerClient>();

  constructor(deps: BrowsersDeps) {
    this.#deps = deps;
  }

  /**
   * The token of whoever is signed in. Undefined where the request is no signed-in browser's, at once.
   * @param changes whether the request may change something: then it has to come from a script of our own pages
   * @throws GatewayError unauthorized (the session is over), forbidden
   */
  tokenOf(req: IncomingMessage, changes: boolean): Promise<string> | undefined {
    const mark = headerOf(req, "interlock-console");
    const secret = readCookie(req, "session", this.#secure);
    if (secret === undefined && !mark?.startsWith("session")) return undefined;
    return this.#tokenOf(req, { secret, mark, changes });
  }

  async #tokenOf(
    req: IncomingMessage,
    { secret, mark, changes }: { secret: string | undefined; mark: string | undefined; changes: boolean },
  ): Promise<string> {
    if (changes) this.#refuseForeign(req, mark);
    // What a page looks up by itself does not count as use.
    const found = await this.#find(secret, mark !== "session-background");
    if (!found) throw over();
    const { session } = found;
    if (Date.now() - session.begunAt > this.#deps.lifeS * 1000) {
      await this.#deps.store.remove(idOf(found.secret));
      throw over();
    }
    if (session.tokens.expiresAt - EARLY_MS > Date.now()) return session.tokens.token;
    return await this.#renewed(found.secret, session);
  }

  /** @returns where to send the browser: to the issuer, or to a page that says why not */
  async begin(
    req: IncomingMessage,
    res: ServerResponse,
    {
      back,
      maxAgeS,
      issuer: wanted,
    }: { back: string | undefined; maxAgeS: number | undefined; issuer?: string | undefined },
  ): Promise<string> {
    const chosen = this.#choose(wanted);
    const base = this.#baseOf(req);
    if (!chosen || base === undefined) return signedOut("no_issuer");
    let begun: Awaited<ReturnType<IssuerClient["begin"]>>;
    try {
      begun = await chosen.client.begin(`${base}/console/signed-in`, { maxAgeS });
    } catch {
      return signedOut("issuer_away");
    }
    const before = readCookie(req, "session", this.#secure);
    const signIn: SignIn = {
      issuer: chosen.name,
      challenge: begun.challenge,
      back: returnPath(back),
      ...(isSecret(before) ? { replaces: idOf(before) } : {}),
    };
    // Kept by the browser itself: whoever is not signed in yet writes nothing into the store.
    const value = Buffer.from(JSON.stringify(signIn)).toString("base64url");
    setCookie(res, "sign-in", { value, secure: this.#secure });
    return begun.url;
  }

  /** @returns where to send the browser that comes back from the issuer */
  async finish(req: IncomingMessage, res: ServerResponse): Promise<string> {
    const signIn = readSignIn(readCookie(req, "sign-in", this.#secure));
    setCookie(res, "sign-in", { secure: this.#secure });
    const chosen = signIn && this.#choose(signIn.issuer);
    const base = this.#baseOf(req);
    if (!signIn || !chosen || base === undefined) return signedOut("begin_again");
    const { url = "" } = req;
    let tokens: Tokens;
    try {
      tokens = await chosen.client.finish(`${base}${url}`, signIn.challenge);
      // The issuer vouches for them; whether this mesh takes its word is for the same check to say that every request gets.
      await this.#deps.identify({ authorization: `Bearer ${tokens.token}` });
    } catch {
      return signedOut("refused");
    }
    const session: Session = { issuer: chosen.name, begunAt: Date.now(), tokens };
    // Always another secret than before: one that somebody planted is worth nothing.
    const own = newSecret();
    await this.#deps.store.put(idOf(own), seal(own, session), this.#deps.idleS);
    if (signIn.replaces !== undefined) await this.#deps.store.remove(signIn.replaces);
    setCookie(res, "session", { value: own, secure: this.#secure });
    return returnPath(signIn.back);
  }

  /** Signs out here. @returns where to sign out at the issuer, too */
  async end(req: IncomingMessage, res: ServerResponse): Promise<string | undefined> {
    this.#refuseForeign(req, headerOf(req, "interlock-console"));
    const secret = readCookie(req, "session", this.#secure);
    setCookie(res, "session", { secure: this.#secure });
    const session = isSecret(secret) ? ((await this.#take(secret)) as Session | undefined) : undefined;
    const client = session && this.#choose(session.issuer)?.client;
    return session && (await client?.end(session.tokens).catch(() => undefined));
  }

  get #secure(): boolean {
    return this.#deps.publicUrl?.startsWith("https:") === true;
  }

  /** Where the issuer sends the browser back to: plain http only on this machine. */
  #baseOf({ headers: { host } }: IncomingMessage): string | undefined {
    const { publicUrl, isOwnHost } = this.#deps;
    if (publicUrl !== undefined) return publicUrl;
    return isOwnHost(host) && LOOPBACK.test(host ?? "") ? `http://${host}` : undefined;
  }

  /** A header that only scripts can set, and an origin that only the browser can: both of our own pages. */
  #refuseForeign(req: IncomingMessage, mark: string | undefined): void {
    const origin = headerOf(req, "origin");
    const own = this.#deps.publicUrl ?? `http://${req.headers.host}`;
    const isOwn = origin === own || (origin === undefined && req.method === "GET");
    if (mark === undefined || !isOwn)
      throw new GatewayError(
        "forbidden",
        "A signed-in browser may do this only from a page of this gateway.",
      );
  }

  #choose(name?: string): { name: string; client: IssuerClient } | undefined {
    const issuers = Object.entries(this.#deps.issuers()).flatMap(([key, { issuer, sign_in }]) =>
      sign_in && (name === undefined || key === name) ? [{ name: key, issuer, sign_in }] : [],
    );
    const [first] = issuers;
    return first && { name: first.name, client: this.#clientOf(first) };
  }

  #clientOf({ issuer, sign_in }: SignInIssuer): IssuerClient {
    const key = JSON.stringify([issuer, sign_in]);
    const client = this.#clients.get(key) ?? new IssuerClient({ issuer, sign_in }, this.#deps);
    this.#clients.set(key, client);
    return client;
  }

  async #find(
    secret: string | undefined,
    isUse: boolean,
  ): Promise<{ secret: string; session: Session } | undefined> {
    if (!isSecret(secret)) return undefined;
    const sealed = await this.#deps.store.get(idOf(secret), isUse ? this.#deps.idleS : undefined);
    const session = opened(secret, sealed) as Session | undefined;
    return session && { secret, session };
  }

  async #take(secret: string): Promise<unknown> {
    return opened(secret, await this.#deps.store.take(idOf(secret)));
  }

  /** Of the requests that find a token at its end, on all replicas, one renews it: issuers take a second use of a refresh token for theft. */
  async #renewed(secret: string, session: Session): Promise<string> {
    const { store } = this.#deps;
    const id = idOf(secret);
    for (let tries = 0; tries < RENEWAL_TRIES; tries += 1) {
      if (await store.mayRenew(id)) {
        try {
          // Somebody may have renewed it just before.
          const now = (opened(secret, await store.get(id)) as Session | undefined) ?? session;
          if (now.tokens.expiresAt - EARLY_MS > Date.now()) return now.tokens.token;
          const tokens = await this.#refresh(now);
          await store.replace(id, seal(secret, { ...now, tokens }));
          return tokens.token;
        } finally {
          await store.renewed(id);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RENEWAL_LOOK_MS));
      const now = opened(secret, await store.get(id)) as Session | undefined;
      if (!now) throw over();
      if (now.tokens.expiresAt - EARLY_MS > Date.now()) return now.tokens.token;
    }
    throw new GatewayError("issuer_unavailable");
  }

  async #refresh({ issuer, tokens }: Session): Promise<Tokens> {
    const { refresh } = tokens;
    const client = this.#choose(issuer)?.client;
    if (refresh === undefined || !client) {
      if (tokens.expiresAt > Date.now()) return tokens;
      throw over();
    }
    try {
      return await client.refresh({ ...tokens, refresh });
    } catch (cause) {
      throw over(cause);
    }
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** What the cookie of a sign-in says; undefined where it is none of ours. */
function readSignIn(cookie: string | undefined): SignIn | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(cookie ?? "", "base64url").toString());
    return isSignIn(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function isSignIn(value: unknown): value is SignIn {
  const { issuer, challenge, back, replaces = "" } = Object(value);
  const { verifier, state, nonce } = Object(challenge);
  return [issuer, back, replaces, verifier, state, nonce].every((one) => typeof one === "string");
}

function opened(secret: string, sealed: string | undefined): unknown {
  if (sealed === undefined) return undefined;
  try {
    return open(secret, sealed);
  } catch {
    return undefined;
  }
}

function over(cause?: unknown): GatewayError {
  return new GatewayError("unauthorized", "The session is over: sign in again.", {
    cause,
    extra: { sign_in: "/console/sign-in" },
    headers: { "www-authenticate": 'Bearer realm="interlock"' },
  });
}

const signedOut = (why: WhyNot): string => `/console/signed-out?why=${why}`;
