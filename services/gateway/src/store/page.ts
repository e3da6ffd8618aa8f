import type { Redis } from "ioredis";

/** Where a page of a sorted set begins, latest first: behind this member. */
export type PageCursor = { score: number; id: string };

/**
 * Reads a page of a sorted set by score, latest first. The cursor names a member, not only a score: members of one millisecond lie on
 * both sides of a page's edge.
 *
 * @returns the members, and the cursor of the next page where there is one
 */
export async function readPage(
  redis: Redis,
  key: string,
  limit: number,
  before?: PageCursor,
): Promise<{ ids: string[]; next?: PageCursor }> {
  const page: PageCursor[] = [];
  // One more than is shown tells whether there is another page.
  const count = limit + 1;
  for (let offset = 0; page.length < count; offset += count) {
    const max = before?.score ?? "+inf";
    const flat = await redis.zrevrangebyscore(key, max, "-inf", "WITHSCORES", "LIMIT", offset, count);
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const entry = { id: flat[at] ?? "", score: Number(flat[at + 1]) };
      // Members of one score come in reverse order of their names.
      if (!before || entry.score < before.score || entry.id < before.id) page.push(entry);
    }
    if (flat.length < 2 * count) break;
  }
  const shown = page.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const last = shown.at(-1);
  return last && page.length > limit ? { ids, next: last } : { ids };
}
