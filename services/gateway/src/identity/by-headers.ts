import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { ID_PATTERN } from "../ids.ts";
import { isCrossSite } from "./origin.ts";

/** Finds out who sends a request. @throws GatewayError unauthorized */
export type Identify = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

const LOCAL: Caller = { tenant: "default", issuer: "local", subject: "local", roles: ["analyst"] };
const ROLE = /^[A-Za-z0-9_:.-]{1,64}$/;
const HEADERS = ["x-user", "x-tenant", "x-roles"] as const;

const FORWARDED = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Takes the caller from `X-User`, `X-Tenant` and `X-Roles` (comma-separated). Anybody can send these headers, so they count only for
 * programs of this machine: on a gateway that is bound to the loopback interface. Elsewhere a request that carries one is refused.
 *
 * A loopback binding alone does not prove where a request comes from. A name of an attacker's domain can resolve to 127.0.0.1, and then a
 * page of that domain reaches the gateway in the browser of somebody who works here (DNS rebinding): its requests carry that name as
 * `Host`. And a proxy on this machine forwards what comes from others. Such requests are refused with or without identity headers, because
 * without them they would be served as a local user, who can decide approvals that need no role.
 */
export function identifyByHeaders({
  host,
  corsOrigins,
}: {
  /** The address that the gateway is bound to. */
  host: string;
  /** Origins whose pages may call the API. */
  corsOrigins: readonly string[];
}): Identify {
  const loopback = host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
  return (headers) => {
    if (loopback && !isFromHere(headers, corsOrigins))
      throw new GatewayError("unauthorized", "A loopback binding serves requests of this machine only.");
    if (HEADERS.every((name) => headers[name] === undefined)) return LOCAL;
    if (!loopback)
      throw new GatewayError("unauthorized", "Identity headers are taken on a loopback binding only.");
    return {
      issuer: "local",
      subject: idOf(headers["x-user"]) ?? LOCAL.subject,
      tenant: idOf(headers["x-tenant"]) ?? LOCAL.tenant,
      roles: rolesOf(headers["x-roles"]),
    };
  };
}

function isFromHere(headers: IncomingHttpHeaders, corsOrigins: readonly string[]): boolean {
  if (headers.host === undefined || !LOOPBACK_HOST.test(headers.host)) return false;
  for (const name in headers) if (FORWARDED.test(name)) return false;
  return !isCrossSite(headers, corsOrigins);
}

function idOf(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && ID_PATTERN.test(value)) return value;
  throw new GatewayError("unauthorized", "An identity header is not a valid id.");
}

function rolesOf(value: string | string[] | undefined): readonly string[] {
  if (value === undefined || value === "") return LOCAL.roles;
  const roles = String(value)
    .split(",")
    .map((role) => role.trim());
  if (roles.every((role) => ROLE.test(role))) return [...new Set(roles)];
  throw new GatewayError("unauthorized", "X-Roles is not a list of roles.");
}
