import { hash } from "node:crypto";
import type { Redis } from "ioredis";

/**
 * The decision log in Redis, one per tenant, as the gateway writes it:
 *
 *     il:tenants               set of all tenants
 *     il:{<tenant>}:audit       stream; an entry has the fields entry (JSON text), digest, link
 *     il:{<tenant>}:audit:head  the last link
 *
 * digest = SHA-256 of the entry's text; link = SHA-1 of the previous link (empty for the first entry) followed by the digest; both in
 * hex.
 */
const TENANTS = "il:tenants";
const PAGE = 500;

function logKey(tenant: string): string {
  return `il:{${tenant}}:audit`;
}

function headKey(tenant: string): string {
  return `${logKey(tenant)}:head`;
}

/** The first break of a chain. `place` is the entry's id in the stream, or "head" if the last link is not in the log. */
export type Break = { place: string; why: "incomplete" | "digest" | "link" | "cut_off" };
export type ChainReport = { tenant: string; entries: number; broken?: Break };

export async function auditTenants(redis: Redis): Promise<string[]> {
  return (await redis.smembers(TENANTS)).sort();
}

/** Verifies a tenant's decision log from its first entry on. Entries may be appended while it runs. */
export async function verifyChain(redis: Redis, tenant: string): Promise<ChainReport> {
  // Read first, so that the walk must meet it even if entries are appended meanwhile.
  const head = (await redis.get(headKey(tenant))) ?? "";
  let headSeen = head === "";
  let link = "";
  let entries = 0;
  for (let after = "-"; ; ) {
    const page = await redis.xrange(logKey(tenant), after, "+", "COUNT", PAGE);
    for (const [place, pairs] of page) {
      const why = brokenBy(pairs, link);
      if (why) return { tenant, entries, broken: { place, why } };
      link = fieldsOf(pairs).link ?? "";
      headSeen ||= link === head;
      entries++;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = `(${last[0]}`;
  }
  return headSeen
    ? { tenant, entries }
    : { tenant, entries, broken: { place: "head", why: "cut_off" as const } };
}

function brokenBy(pairs: readonly string[], before: string): Break["why"] | undefined {
  const { entry, digest, link } = fieldsOf(pairs);
  if (entry === undefined || digest === undefined || link === undefined) return "incomplete";
  if (hash("sha256", entry) !== digest) return "digest";
  return hash("sha1", before + digest) === link ? undefined : "link";
}

function fieldsOf(pairs: readonly string[]): Record<string, string | undefined> {
  const fields: Record<string, string | undefined> = {};
  for (let at = 0; at + 1 < pairs.length; at += 2) fields[pairs[at] ?? ""] = pairs[at + 1];
  return fields;
}
