import type { MeshClaimSource, MeshClaims } from "@interlock/contracts";
import type { JWTPayload } from "jose";
import type { Caller } from "../caller.ts";
import { ID_PATTERN } from "../ids.ts";
import { TokenError } from "./token-error.ts";

/** Reads subject, tenant and roles from a token's claims. @throws TokenError where one is missing */
export type CallerOf = (payload: JWTPayload) => Caller;

/** Subjects of issuers hold `|`, `/` and `@`; none needs a space. */
const SUBJECT = /^[\x21-\x7e]{1,200}$/;
const ROLE = /^[A-Za-z0-9_:.-]{1,64}$/;
const MOST_ROLES = 64;

export function claimReader(issuer: string, claims: MeshClaims = {}): CallerOf {
  const { subject = "sub", tenant = [{ claim: "tenant" }], roles = [{ claim: "roles" }] } = claims;
  return (payload) => {
    const sub = claimOf(payload, subject);
    if (typeof sub !== "string" || !SUBJECT.test(sub)) throw new TokenError("no_subject");
    const [found] = tenant.flatMap((source) => valuesOf(textsOf, payload, source));
    if (found === undefined || !ID_PATTERN.test(found)) throw new TokenError("no_tenant");
    const named = roles
      .flatMap((source) => valuesOf(wordsOf, payload, source))
      .filter((role) => ROLE.test(role));
    return {
      tenant: found,
      issuer,
      subject: sub,
      roles: [...new Set(named)].slice(0, MOST_ROLES),
      authenticatedAt: timeOf(payload.auth_time) ?? timeOf(payload.iat) ?? 0,
    };
  };
}

type Read = (value: unknown) => string[];

function valuesOf(read: Read, payload: JWTPayload, { claim, map, is }: MeshClaimSource): readonly string[] {
  if (claim === undefined) return is ?? [];
  const value = claimOf(payload, claim);
  if (!map) return read(value);
  const mapped = (values: string[]) =>
    values.flatMap((one) => (Object.hasOwn(map, one) ? (map[one] ?? []) : []));
  const whole = mapped(textsOf(value));
  return whole.length > 0 ? whole : mapped(read(value));
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** OAuth writes lists as space-separated words. */
function wordsOf(value: unknown): string[] {
  return typeof value === "string" ? value.split(" ").filter((word) => word !== "") : textsOf(value);
}

/** A claim by its name, or by a JSON Pointer (RFC 6901). */
function claimOf(payload: JWTPayload, claim: string): unknown {
  if (!claim.startsWith("/")) return own(payload, claim);
  const parts = claim.slice(1).split("/");
  return parts.reduce<unknown>(
    (value, part) => own(value, part.replaceAll("~1", "/").replaceAll("~0", "~")),
    payload,
  );
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
