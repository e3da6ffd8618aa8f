/**
 * `npm run -s audit:verify [tenants…]`: verifies the decision logs in the Redis at REDIS_URL, of the tenants named or of all.
 * Prints the first broken entry of each log; exit code 1 if there is one.
 */
import { Redis } from "ioredis";
import { auditTenants, type Break, verifyChain } from "./lib/audit-chain.ts";
import { fail, say } from "./lib/console.ts";
import { checkRedisUrl } from "./lib/redis.ts";

const REASONS: Readonly<Record<Break["why"], string>> = {
  incomplete: "lacks a field",
  digest: "has a text that its digest does not fit",
  link: "does not follow from the entries before it",
  cut_off: "is not reached: entries at the end are missing",
};

async function main(asked: readonly string[]): Promise<void> {
  const url = process.env.REDIS_URL || "redis://127.0.0.1:6379";
  await checkRedisUrl(url);
  const redis = new Redis(url);
  redis.on("error", () => undefined);
  try {
    const tenants = asked.length > 0 ? asked : await auditTenants(redis);
    for (const tenant of tenants) {
      const { entries, broken } = await verifyChain(redis, tenant);
      if (broken) {
        say(`${tenant}: BROKEN after ${entries} good entries: ${broken.place} ${REASONS[broken.why]}`);
        process.exitCode = 1;
      } else say(`${tenant}: ${entries} entries, unbroken`);
    }
    if (tenants.length === 0) say("no tenant has a decision log yet");
  } finally {
    redis.disconnect();
  }
}

await main(process.argv.slice(2)).catch(fail);
