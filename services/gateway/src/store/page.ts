import type { RedisClient } from "./redis-url.ts";

/** Where a page of a sorted set begins: behind this member. */
export type PageCursor = { score: number; id: string };

export type PageRequest = {
  /** The sorted set. */
  key: string;
  limit: number;
  /** The member that the page before ended with. */
  behind?: PageCursor | undefined;
  /** Scores that members may have. */
  from?: number | undefined;
  to?: number | undefined;
  order?: Order;
};

type Order = "ascending" | "descending";

/**
 * Reads a page of a sorted set by score. The cursor names a member, not only a score: members with the same millisecond may lie on both
 * sides of a page's edge.
 *
 * @returns the members, and the cursor of the next page where there is one
 */
export async function readPage(
  redis: RedisClient,
  { key, limit, behind, from, to, order = "descending" }: PageRequest,
): Promise<{ ids: string[]; next?: PageCursor }> {
  const page: PageCursor[] = [];
  // One more than is shown tells whether there is another page.
  const count = limit + 1;
  for (let offset = 0; page.length < count; offset += count) {
    const window = ["WITHSCORES", "LIMIT", offset, count] as const;
    const flat =
      order === "descending"
        ? await redis.zrevrangebyscore(key, behind?.score ?? to ?? "+inf", from ?? "-inf", ...window)
        : await redis.zrangebyscore(key, behind?.score ?? from ?? "-inf", to ?? "+inf", ...window);
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const entry = { id: flat[at] ?? "", score: Number(flat[at + 1]) };
      if (!behind || isBehind(entry, behind, order)) page.push(entry);
    }
    if (flat.length < 2 * count) break;
  }
  const shown = page.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const last = shown.at(-1);
  return last && page.length > limit ? { ids, next: last } : { ids };
}

/** Members with the same score are ordered by name. */
export function isBehind(entry: PageCursor, cursor: PageCursor, order: Order): boolean {
  if (entry.score !== cursor.score) return entry.score < cursor.score === (order === "descending");
  return entry.id < cursor.id === (order === "descending") && entry.id !== cursor.id;
}
