import { hash } from "node:crypto";
import type { Redis } from "ioredis";

/**
 * The decision log in Redis, one per tenant, as the gateway writes it:
 *
 *     il:{<tenant>}:audit       stream; an entry has the fields entry (JSON text), digest, link
 *     il:{<tenant>}:audit:head  the last link
 *
 * digest = SHA-256 of the entry's text; link = SHA-1 of the previous link (empty for the first entry) followed by the digest; both in
 * hex.
 */
const PAGE = 500;

function logKey(tenant: string): string {
  return `il:{${tenant}}:audit`;
}

function headKey(tenant: string): string {
  return `${logKey(tenant)}:head`;
}

/** The first break of a chain. `place` is the entry's id in the stream, or "head" if the head is not the last entry's link. */
export type Break = { place: string; why: "incomplete" | "digest" | "link" | "cut_off" };
export type ChainReport = {
  tenant: string;
  entries: number;
  /** Stands for all entries: SHA-256 over the digest of the entries before and the one of the last; empty for no entries. */
  digest: string;
  broken?: Break;
};

/** An entry as the log holds it. */
export type LogEntry = { place: string; text: string };

/**
 * Verifies a tenant's decision log from its first entry on. Entries may be appended while it runs.
 * @param onEntry gets every entry that has a text, those behind a break too
 * @returns `entries`: the number of entries before the break, or of all
 */
export async function verifyChain(
  redis: Redis,
  tenant: string,
  onEntry: (entry: LogEntry) => void = () => undefined,
  /** Gets the digest of the first `entries` entries, for each of them. */
  onDigest: (entries: number, digest: string) => void = () => undefined,
): Promise<ChainReport> {
  // Read before the walk, so that entries that are appended meanwhile do not matter.
  const headFits = await headIsLastLink(redis, tenant);
  let link = "";
  let entries = 0;
  let all = 0;
  let digest = "";
  let broken: Break | undefined;
  for (let after = "-"; ; ) {
    const page = await redis.xrange(logKey(tenant), after, "+", "COUNT", PAGE);
    for (const [place, pairs] of page) {
      const fields = fieldsOf(pairs);
      if (fields.entry !== undefined) onEntry({ place, text: fields.entry });
      const why = broken ? undefined : brokenBy(fields, link);
      if (why) broken = { place, why };
      if (!broken) entries++;
      // Of the text, not of the digest in the log: links are SHA-1, which alone would not hold for years.
      digest = hash("sha256", digest + hash("sha256", fields.entry ?? ""));
      onDigest(++all, digest);
      link = fields.link ?? "";
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = `(${last[0]}`;
  }
  if (!broken && !headFits) broken = { place: "head", why: "cut_off" };
  return broken ? { tenant, entries, digest, broken } : { tenant, entries, digest };
}

/** Reads both at one moment. A log without entries has no head. */
async function headIsLastLink(redis: Redis, tenant: string): Promise<boolean> {
  const answers = await redis
    .multi()
    .get(headKey(tenant))
    .xrevrange(logKey(tenant), "+", "-", "COUNT", 1)
    .exec();
  const [head, last] = (answers ?? []).map(([error, answer]) => {
    if (error) throw error;
    return answer;
  }) as [string | null, [place: string, pairs: string[]][]];
  return (head ?? undefined) === (last[0] && fieldsOf(last[0][1]).link);
}

function brokenBy(
  { entry, digest, link }: Record<string, string | undefined>,
  before: string,
): Break["why"] | undefined {
  if (entry === undefined || digest === undefined || link === undefined) return "incomplete";
  if (hash("sha256", entry) !== digest) return "digest";
  return hash("sha1", before + digest) === link ? undefined : "link";
}

export function fieldsOf(pairs: readonly string[]): Record<string, string | undefined> {
  const fields: Record<string, string | undefined> = {};
  for (let at = 0; at + 1 < pairs.length; at += 2) fields[pairs[at] ?? ""] = pairs[at + 1];
  return fields;
}
