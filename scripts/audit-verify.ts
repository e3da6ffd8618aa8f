/**
 * `npm run -s audit:verify [tenants…]`: verifies the decision logs in the Redis at REDIS_URL, of the tenants named or of all, and
 * compares them with the approvals, the runs and the books. Prints the first broken entry of each log and every contradiction; exit
 * code 1 if there is one.
 */
import { Redis } from "ioredis";
import { auditTenant, auditTenants } from "./lib/audit.ts";
import type { Break } from "./lib/audit-chain.ts";
import { fail, say } from "./lib/console.ts";
import { checkRedisUrl } from "./lib/redis.ts";

const REASONS: Readonly<Record<Break["why"], string>> = {
  incomplete: "lacks a field",
  digest: "has a text that its digest does not fit",
  link: "does not follow from the entries before it",
  cut_off: "is not the link of the last entry: entries at the end, or the head, are missing or changed",
};

async function main(asked: readonly string[]): Promise<void> {
  const url = process.env.REDIS_URL || "redis://127.0.0.1:6379";
  const runTtl = process.env.RUN_TTL_S;
  await checkRedisUrl(url);
  const redis = new Redis(url);
  redis.on("error", () => undefined);
  try {
    const tenants = asked.length > 0 ? asked : await auditTenants(redis);
    for (const tenant of tenants) {
      const { entries, broken, problems } = await auditTenant(
        redis,
        tenant,
        runTtl ? { runTtlS: Number(runTtl) } : undefined,
      );
      if (broken)
        say(`${tenant}: BROKEN after ${entries} good entries: ${broken.place} ${REASONS[broken.why]}`);
      for (const problem of problems) say(`${tenant}: BROKEN: ${problem}`);
      if (broken || problems.length > 0) process.exitCode = 1;
      else say(`${tenant}: ${entries} entries, unbroken`);
    }
    if (tenants.length === 0) say("no tenant has a decision log yet");
  } finally {
    redis.disconnect();
  }
}

await main(process.argv.slice(2)).catch(fail);
