import { Redis } from "ioredis";
import type { Mesh } from "../../lib/mesh.ts";

/**
 * Has a Redis never rewrite its append-only file by itself: where two costs are compared, it must not be chance which of them the
 * rewriting falls on.
 */
export async function neverRewrite({ redisUrl }: Mesh): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.config("SET", "auto-aof-rewrite-percentage", "0");
  redis.disconnect();
}
