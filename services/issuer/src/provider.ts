import { randomBytes } from "node:crypto";
import Provider, {
  type ClientMetadata,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from "oidc-provider";
import { ALGORITHM, signingKey } from "./keys.ts";
import { type Client, clientsIn, usersIn } from "./people.ts";
import { AUDIENCE } from "./token.ts";

/** A resource is a URI (RFC 8707); there is only this one. */
const RESOURCE = "urn:interlock";
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Path of the sign-in page. */
export const SIGN_IN = "/sign-in/";

/**
 * An OpenID provider whose access tokens are JWTs (RFC 9068) for the gateway: by client credentials for programs, by the code flow with
 * PKCE for people.
 */
export function createProvider(issuer: string, dataDir: string): Provider {
  const clients = clientsIn(dataDir);
  usersIn(dataDir);
  const configuration: Configuration = {
    jwks: { keys: [signingKey(dataDir)] as never[] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    clients: Object.entries(clients).map(([id, client]) => metadataOf(id, client)),
    clientDefaults: { id_token_signed_response_alg: ALGORITHM },
    responseTypes: ["code"],
    pkce: { required: () => true },
    scopes: ["openid", "offline_access"],
    claims: { openid: ["sub", "name"], auth_time: null, iss: null },
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: 60,
      ClientCredentials: HOUR_S,
      Grant: DAY_S,
      IdToken: HOUR_S,
      Interaction: HOUR_S,
      RefreshToken: DAY_S,
      Session: DAY_S,
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== RESOURCE) throw new errors.InvalidTarget();
          return {
            scope: "",
            audience: AUDIENCE,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: ALGORITHM } },
          };
        },
      },
    },
    // Without a consent screen nobody can ask for offline access.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    findAccount(_ctx, id) {
      const user = Object.hasOwn(usersIn(dataDir), id) ? usersIn(dataDir)[id] : undefined;
      return user && { accountId: id, claims: () => ({ sub: id, name: user.name }) };
    },
    extraTokenClaims(ctx, token) {
      if (token.kind === "ClientCredentials") return ofProgram(clients[token.clientId ?? ""]);
      const user = "accountId" in token ? usersIn(dataDir)[String(token.accountId)] : undefined;
      return user && { tenant: user.tenant, roles: user.roles, auth_time: authTimeOf(ctx) };
    },
    loadExistingGrant: (ctx) => grantOf(ctx),
    interactions: { url: (_ctx, { uid }) => `${SIGN_IN}${uid}`, policy: withoutConsent() },
    clientBasedCORS: (_ctx, origin) => /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin),
    renderError(ctx, out) {
      ctx.type = "text/plain";
      ctx.body = `${out.error}: ${out.error_description ?? ""}\n`;
    },
  };
  return new Provider(issuer, configuration);
}

function metadataOf(id: string, { secret, redirect_uris }: Client): ClientMetadata {
  if (secret !== undefined)
    return {
      client_id: id,
      client_secret: secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    };
  return {
    client_id: id,
    application_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    redirect_uris: [...(redirect_uris ?? [])],
  };
}

function ofProgram({ tenant, roles }: Client = {}) {
  return { tenant, roles };
}

/** A token that is refreshed is as old as the sign-in behind it. */
function authTimeOf({ oidc }: KoaContextWithOIDC): number | undefined {
  const { RotatedRefreshToken, RefreshToken, AuthorizationCode } = oidc.entities;
  return [RotatedRefreshToken, RefreshToken, AuthorizationCode].find((one) => one?.authTime)?.authTime;
}

/** No consent screen: it would ask the same question at every sign-in. */
function withoutConsent(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.remove("consent");
  return policy;
}

async function grantOf({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  if (!client || !session?.accountId) return undefined;
  const id = session.grantIdFor(client.clientId);
  // A grant that was revoked, because its code was used twice, is not found.
  const known = id && (await provider.Grant.find(id));
  if (known) return known;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope("openid offline_access");
  grant.addResourceScope(RESOURCE, "");
  await grant.save();
  return grant;
}
