/**
 * `npm run -s audit:anchor -- [--file FILE] [tenants…]`: prints what the decision logs in the Redis at REDIS_URL are now, one JSON object
 * a line, and appends it to the file. `audit:verify --anchor FILE` finds what was cut off or rewritten before. Exit code 1, and no anchor,
 * for a log that is broken already.
 */
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fail, say } from "./cli/src/console.ts";
import { auditTenants } from "./lib/audit.ts";
import type { Anchor } from "./lib/audit-anchors.ts";
import { verifyChain } from "./lib/audit-chain.ts";
import { auditedRedis } from "./lib/audited-redis.ts";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { file: { type: "string" } },
    allowPositionals: true,
  });
  const redis = await auditedRedis(process.env);
  try {
    const tenants = positionals.length > 0 ? positionals : await auditTenants(redis);
    for (const tenant of tenants) {
      const { entries, digest, broken } = await verifyChain(redis, tenant);
      if (broken) {
        process.exitCode = 1;
        console.error(`${tenant}: BROKEN after ${entries} good entries; see audit:verify`);
        continue;
      }
      const anchor: Anchor = { tenant, length: entries, digest, at: new Date().toISOString() };
      const line = JSON.stringify(anchor);
      if (values.file !== undefined) appendFileSync(values.file, `${line}\n`);
      say(line);
    }
  } finally {
    redis.disconnect();
  }
}

await main().catch(fail);
