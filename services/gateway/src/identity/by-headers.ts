import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { ID_PATTERN } from "../ids.ts";

/** Finds out who sends a request. @throws GatewayError unauthorized */
export type Identify = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

const LOCAL: Caller = { tenant: "default", subject: "local", roles: [] };
const ROLE = /^[A-Za-z0-9_:.-]{1,64}$/;
const HEADERS = ["x-user", "x-tenant", "x-roles"] as const;

/**
 * Takes the caller from `X-User`, `X-Tenant` and `X-Roles` (comma-separated). Anybody can send these headers, so they count only on a
 * gateway that is bound to the loopback interface. Elsewhere a request that carries one is refused.
 *
 * @param host the address that the gateway is bound to
 */
export function identifyByHeaders(host: string): Identify {
  const loopback = host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
  return (headers) => {
    if (HEADERS.every((name) => headers[name] === undefined)) return LOCAL;
    if (!loopback)
      throw new GatewayError("unauthorized", "Identity headers are taken on a loopback binding only.");
    return {
      subject: idOf(headers["x-user"]) ?? LOCAL.subject,
      tenant: idOf(headers["x-tenant"]) ?? LOCAL.tenant,
      roles: rolesOf(headers["x-roles"]),
    };
  };
}

function idOf(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && ID_PATTERN.test(value)) return value;
  throw new GatewayError("unauthorized", "An identity header is not a valid id.");
}

function rolesOf(value: string | string[] | undefined): string[] {
  if (value === undefined || value === "") return [];
  const roles = String(value)
    .split(",")
    .map((role) => role.trim());
  if (roles.every((role) => ROLE.test(role))) return [...new Set(roles)];
  throw new GatewayError("unauthorized", "X-Roles is not a list of roles.");
}
