import type { Rate } from "../mesh/index.ts";
import type { Standing } from "./lots.ts";

/**
 * Items of the fields `RateLimit-Policy` and `RateLimit`: structured fields (RFC 9651), lists of strings with parameters. See
 * draft-ietf-httpapi-ratelimit-headers. @param name a word of ours, which needs no escape
 */
export function policyField(name: string, { points, perS }: Rate): string {
  return `"${name}";q=${points};w=${perS}`;
}

export function rateField(name: string, { remaining, resetMs }: Omit<Standing, "allowed">): string {
  return `"${name}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
}
