import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a page of another origin sends the request from a browser. Browsers name the page's origin in `Origin`, on everything but plain
 * reads, and in `Sec-Fetch-Site`; a page can change neither.
 * @param allowed origins that count as our own
 */
export function isCrossSite(headers: IncomingHttpHeaders, allowed: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return headers["sec-fetch-site"] === "cross-site";
  // A proxy may end TLS, so that the schemes need not be the same.
  return !allowed.includes(origin) && (host === undefined || URL.parse(origin)?.host !== host.toLowerCase());
}

/**
 * Whether a page made a browser send a GET, rather than a script of ours. Where a GET has an effect, more has to be refused than in
 * {@link isCrossSite}: links, images and pages of other ports of this machine send one too, without an `Origin`.
 * @param allowed origins that count as our own
 */
export function isForeignGet(headers: IncomingHttpHeaders, allowed: readonly string[]): boolean {
  if (isCrossSite(headers, allowed)) return true;
  const { "sec-fetch-site": site, "sec-fetch-dest": dest } = headers;
  if (dest !== undefined && dest !== "empty") return true;
  return headers.origin === undefined && site !== undefined && site !== "same-origin" && site !== "none";
}
