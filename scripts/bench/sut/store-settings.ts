import { Redis } from "ioredis";
import type { Mesh } from "../../lib/mesh.ts";

/**
 * Has a Redis never rewrite its append-only file by itself: where two costs are compared, it must not be chance which of them the
 * rewriting falls on.
 */
export async function neverRewrite(mesh: Mesh): Promise<void> {
  await set(mesh, "auto-aof-rewrite-percentage", "0");
}

/** When a Redis brings to the disk what it has written. */
export async function syncStore(mesh: Mesh, when: "always" | "everysec"): Promise<void> {
  await set(mesh, "appendfsync", when);
}

async function set({ redisUrl }: Mesh, name: string, value: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.config("SET", name, value);
  redis.disconnect();
}
