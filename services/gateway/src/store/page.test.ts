import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { closingAtEnd } from "../../test/support/closing.ts";
import { testRedis } from "../../test/support/redis.ts";
import { type PageCursor, readPage } from "./page.ts";

const keep = closingAtEnd();
const KEY = "page-test";
let redis: Redis;

beforeAll(async () => {
  redis = new Redis(keep(await testRedis()).url);
});

beforeEach(async () => {
  await redis.del(KEY);
});

afterAll(() => redis.disconnect());

async function allPages(limit: number, order?: "ascending" | "descending"): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: PageCursor | undefined, more = true; more; ) {
    const page = await readPage(redis, { key: KEY, limit, behind: cursor, ...(order ? { order } : {}) });
    pages.push(page.ids);
    cursor = page.next;
    more = cursor !== undefined;
  }
  return pages;
}

describe("the pages of a sorted set", () => {
  test("hold every member once, latest first, and the last one has no next", async () => {
    await redis.zadd(KEY, 1, "a", 2, "b", 3, "c", 4, "d");
    expect(await allPages(2)).toEqual([
      ["d", "c"],
      ["b", "a"],
    ]);
    expect(await allPages(3)).toEqual([["d", "c", "b"], ["a"]]);
    expect(await allPages(3, "ascending")).toEqual([["a", "b", "c"], ["d"]]);
  });

  test("hold every member once where many have the same score", async () => {
    const members = Array.from({ length: 25 }, (_, index) => `m${String(index).padStart(2, "0")}`);
    for (const member of members) await redis.zadd(KEY, 7, member);
    for (const limit of [1, 2, 7, 24, 25, 26]) {
      expect((await allPages(limit)).flat()).toEqual(members.toReversed());
      expect((await allPages(limit, "ascending")).flat()).toEqual(members);
    }
  });

  test("go on from the cursor even where its member is gone", async () => {
    await redis.zadd(KEY, 1, "a", 2, "b", 2, "c", 3, "d");
    const { next } = await readPage(redis, { key: KEY, limit: 2 });
    expect(next).toEqual({ id: "c", score: 2 });
    await redis.zrem(KEY, "c");
    expect(await readPage(redis, { key: KEY, limit: 2, behind: next })).toEqual({ ids: ["b", "a"] });
  });

  test("of nothing are one empty page", async () => {
    expect(await readPage(redis, { key: KEY, limit: 5 })).toEqual({ ids: [] });
  });
});
