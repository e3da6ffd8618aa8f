import { readFileSync } from "node:fs";
import type { MeshIssuer } from "@interlock/contracts";
import type { JSONWebKeySet } from "jose";
import { canonicalJson } from "../canonical-json.ts";
import { type CallerOf, claimReader } from "./claims.ts";
import { fixedKeys, type Keys, RemoteKeys, sharedSecret } from "./keys.ts";

/** An issuer of tokens, ready to verify them. */
export type Issuer = {
  /** Its name in the manifest. */
  readonly name: string;
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  /** Lower case, without `application/`. */
  readonly types: ReadonlySet<string>;
  readonly keys: Keys;
  readonly callerOf: CallerOf;
  /** As the manifest has it. */
  readonly declared: MeshIssuer;
};

export type IssuerSources = {
  /** The text of a secret's variable. */
  secret: (variable: string) => string | undefined;
  /** The JSON that a URL answers; undefined where it does not. */
  getJson: (url: string) => Promise<unknown>;
  /** Seconds for which keys are cached, unless the manifest says otherwise. */
  cacheS: number;
};

/** An issuer of the manifest that cannot be used; the message names it, never a secret. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const TYPES = ["jwt", "at+jwt"];
const MIN_SECRET_BYTES = 32;
const STALE_S = 3_600;

/**
 * @param before those of the edition before, whose fetched keys go on to count where nothing has changed
 * @throws IssuerError
 */
export function issuersOf(
  named: Readonly<Record<string, MeshIssuer>>,
  sources: IssuerSources,
  before: readonly Issuer[] = [],
): Issuer[] {
  const issuers = Object.entries(named).map(([name, one]) => {
    const same = before.find(({ declared }) => canonicalJson(declared) === canonicalJson(one));
    return issuerOf(name, one, same?.keys instanceof RemoteKeys ? same.keys : keysOf(name, one, sources));
  });
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length)
    throw new IssuerError("identity.issuers: two have the same issuer");
  return issuers;
}

function issuerOf(name: string, declared: MeshIssuer, found: Keys): Issuer {
  const { issuer, audience, algorithms = ALGORITHMS, types = TYPES, claims, keys } = declared;
  return {
    name,
    issuer,
    audience,
    algorithms: keys?.secret_env === undefined ? algorithms : ["HS256"],
    types: new Set(types.map((type) => type.toLowerCase())),
    keys: found,
    callerOf: claimReader(name, claims),
    declared,
  };
}

function keysOf(name: string, declared: MeshIssuer, sources: IssuerSources): Keys {
  const where = `identity.issuers.${name}`;
  const { issuer, keys = {}, cache_s = sources.cacheS, stale_s = STALE_S } = declared;
  const { secret_env: variable, file, url } = keys;
  if (variable !== undefined) {
    const secret = Buffer.from(sources.secret(variable) ?? "");
    if (secret.length >= MIN_SECRET_BYTES) return sharedSecret(secret);
    throw new IssuerError(`${where}: ${variable} must hold a secret of at least ${MIN_SECRET_BYTES} bytes`);
  }
  if (file !== undefined) {
    const jwks = readJsonFile(file);
    if (isJwks(jwks) && jwks.keys.length > 0) return fixedKeys(jwks);
    throw new IssuerError(`${where}: ${file} is not a file that holds a JWKS`);
  }
  const load = async () => {
    const from = url ?? (await discovered(issuer, sources));
    const jwks = from === undefined ? undefined : await sources.getJson(from);
    return isJwks(jwks) ? jwks : undefined;
  };
  return new RemoteKeys({ load, cacheMs: cache_s * 1000, staleMs: stale_s * 1000 });
}

/** OpenID Connect Discovery 1.0, section 4. */
async function discovered(issuer: string, { getJson }: IssuerSources): Promise<string | undefined> {
  const found = await getJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (!isObject(found) || found.issuer !== issuer || typeof found.jwks_uri !== "string") return undefined;
  // An issuer whose name is an https URL must serve its keys over TLS, too.
  const isSafe = found.jwks_uri.startsWith("https://") || issuer.startsWith("http://");
  return isSafe ? found.jwks_uri : undefined;
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function isJwks(value: unknown): value is JSONWebKeySet {
  return isObject(value) && Array.isArray(value.keys) && value.keys.every(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
