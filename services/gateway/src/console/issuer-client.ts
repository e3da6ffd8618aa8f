import type { MeshIssuer } from "@interlock/contracts";
import { type Dispatcher, fetch } from "undici";

/** An issuer where people sign in: `sign_in` of its entry in the manifest. */
export type SignInIssuer = Pick<MeshIssuer, "issuer"> & { sign_in: NonNullable<MeshIssuer["sign_in"]> };

export type Tokens = {
  /** What the gateway verifies, as if it came in `Authorization`. */
  token: string;
  refresh?: string;
  /** Of OpenID Connect, to sign out at the issuer. */
  id?: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
};

/** What of a sign-in has to be known when the browser comes back. */
export type Challenge = { verifier: string; state: string; nonce: string };

export type ClientDeps = { dispatcher: Dispatcher; secret: (variable: string) => string | undefined };

const DEFAULT_SCOPE = "openid offline_access";
const ANSWER_S = 5;
/** Of a token whose issuer does not say how long it counts. */
const SHORT_MS = 300_000;

type Library = typeof import("openid-client");
type Answer = Pick<
  Awaited<ReturnType<Library["refreshTokenGrant"]>>,
  "access_token" | "refresh_token" | "id_token" | "expiresIn"
>;
type Ready = { library: Library; config: Awaited<ReturnType<Library["discovery"]>> };

/** The code flow with PKCE at one issuer (RFC 9700), over the connections that the manifest allows. */
export class IssuerClient {
  readonly #issuer: SignInIssuer;
  readonly #deps: ClientDeps;
  #ready: Promise<Ready> | undefined;

  constructor(issuer: SignInIssuer, deps: ClientDeps) {
    this.#issuer = issuer;
    this.#deps = deps;
  }

  /**
   * @param options.maxAgeS the sign-in has to be no older, so the user is asked anew
   * @returns where to send the browser, and what to remember
   */
  async begin(
    redirectUri: string,
    options: { maxAgeS?: number | undefined },
  ): Promise<{ url: string; challenge: Challenge }> {
    const { library, config } = await this.#client();
    const challenge = {
      verifier: library.randomPKCECodeVerifier(),
      state: library.randomState(),
      nonce: library.randomNonce(),
    };
    const { scope = DEFAULT_SCOPE, parameters = {} } = this.#issuer.sign_in;
    const url = library.buildAuthorizationUrl(config, {
      ...parameters,
      scope,
      redirect_uri: redirectUri,
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(challenge.verifier),
      code_challenge_method: "S256",
      ...(options.maxAgeS === undefined ? {} : { prompt: "login", max_age: String(options.maxAgeS) }),
    });
    return { url: url.href, challenge };
  }

  /** @param address that the issuer sent the browser to @throws where the answer is not the one to this challenge */
  async finish(address: string, { verifier, state, nonce }: Challenge): Promise<Tokens> {
    const { library, config } = await this.#client();
    const answer = await library.authorizationCodeGrant(config, new URL(address), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    return this.#tokensOf(answer);
  }

  /** @throws where the issuer gives no more tokens */
  async refresh(tokens: Tokens & { refresh: string }): Promise<Tokens> {
    const { library, config } = await this.#client();
    const renewed = this.#tokensOf(await library.refreshTokenGrant(config, tokens.refresh));
    return { ...tokens, ...renewed };
  }

  /** Ends what the issuer keeps, as far as it lets us. @returns where the user can sign out there, too */
  async end({ refresh, id }: Tokens): Promise<string | undefined> {
    const { library, config } = await this.#client();
    const { revocation_endpoint: revokes, end_session_endpoint: ends } = config.serverMetadata();
    if (revokes && refresh) await library.tokenRevocation(config, refresh).catch(() => undefined);
    return ends ? library.buildEndSessionUrl(config, id ? { id_token_hint: id } : {}).href : undefined;
  }

  #tokensOf(answer: Answer): Tokens {
    const { access_token: access, refresh_token: refresh, id_token: id } = answer;
    const token = this.#issuer.sign_in.token === "id_token" ? (id ?? "") : access;
    const seconds = answer.expiresIn();
    return {
      token,
      ...(refresh === undefined ? {} : { refresh }),
      ...(id === undefined ? {} : { id }),
      expiresAt: Date.now() + (seconds === undefined ? SHORT_MS : seconds * 1000),
    };
  }

  /** Discovered once; again after a failure. */
  #client(): Promise<Ready> {
    this.#ready ??= this.#discover().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #discover(): Promise<Ready> {
    // Loaded when somebody signs in: most gateways serve programs alone.
    const library = await import("openid-client");
    const { issuer, sign_in } = this.#issuer;
    const { client_id, secret_env } = sign_in;
    const { dispatcher, secret } = this.#deps;
    const auth =
      secret_env === undefined ? library.None() : library.ClientSecretBasic(secret(secret_env) ?? "");
    const config = await library.discovery(new URL(issuer), client_id, undefined, auth, {
      timeout: ANSWER_S,
      execute: issuer.startsWith("http://") ? [library.allowInsecureRequests] : [],
      [library.customFetch]: async (url, options) => {
        const answer = await fetch(url, { ...options, dispatcher } as Parameters<typeof fetch>[1]);
        return answer as unknown as Response;
      },
    });
    return { library, config };
  }
}
