import type { IncomingHttpHeaders } from "node:http";
import { isCrossSite } from "./origin.ts";

const FORWARDED = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether an address to bind to is one of the loopback interface. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Whether a Host header can be meant for a gateway. With a loopback binding it can only name this machine, or the address that callers know:
 * any other name was made to resolve to this machine by somebody else. Other bindings may be reached by any name.
 * @param own the host of the address that callers know
 */
export function isOwnHost(host: string | undefined, loopback: boolean, own: string | undefined): boolean {
  return !loopback || (host !== undefined && (LOOPBACK_HOST.test(host) || host.toLowerCase() === own));
}

/**
 * Whether a request to a loopback binding comes from a program of this machine. The binding alone does not prove it. With DNS rebinding, a
 * page whose domain resolves to 127.0.0.1 reaches the gateway from a browser on this machine, with that domain as `Host`. And a proxy on
 * this machine forwards requests of others.
 * @param corsOrigins origins whose pages may call the API
 */
export function isFromHere(headers: IncomingHttpHeaders, corsOrigins: readonly string[]): boolean {
  if (headers.host === undefined || !LOOPBACK_HOST.test(headers.host)) return false;
  for (const name in headers) if (FORWARDED.test(name)) return false;
  return !isCrossSite(headers, corsOrigins);
}
