import { join } from "node:path";
import { storeOf } from "@interlock/contracts/settings";
import type { Redis } from "ioredis";
import { checkRedisUrl } from "../cli/src/redis.ts";
import { readRecord } from "../cli/src/run-record.ts";
import { dataDir } from "./paths.ts";

/** The Redis that REDIS_URL or REDIS_URL_FILE names, or the one of `npm start`. @throws where it does not answer */
export async function auditedRedis(env: NodeJS.ProcessEnv): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const { redisPort = 6379 } = readRecord(join(dataDir, "start.json"));
  const store = storeOf(env, { host: "localhost", fallback: `redis://127.0.0.1:${redisPort}` });
  const options = store?.url.startsWith("rediss:") ? { tls: store.tls } : {};
  await checkRedisUrl(store?.url ?? "", options);
  const redis = new Redis(store?.url ?? "", { ...options, disableClientInfo: true });
  redis.on("error", () => undefined);
  return redis;
}
