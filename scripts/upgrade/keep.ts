import type { Redis } from "ioredis";

/** So far ahead that the fixture does not age. */
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/** Takes the expiries from a recorded store, and puts off those of its approvals, so that the tests find it in ten years as it is now. */
export async function keep(redis: Redis): Promise<void> {
  for (const key of await redis.keys("il:*")) await redis.persist(key);
  const expires = Date.now() + TEN_YEARS_MS;
  for (const pending of await redis.keys("il:*:approvals:pending")) {
    const tenant = pending.slice(0, -"approvals:pending".length);
    for (const id of await redis.zrange(pending, "0", "-1")) {
      await redis.hset(`${tenant}approval:${id}`, "expires", expires);
      await redis.zadd(pending, expires, id);
    }
  }
}
