/**
 * `npm run -s audit:verify -- [--anchor FILE] [tenants…]`: verifies the decision logs in the Redis at REDIS_URL, of the tenants named or
 * of all, and compares them with the approvals, the runs and the books, and with the anchors in the file. Prints the first broken entry
 * of each log and every contradiction; exit code 1 if there is one.
 */
import { parseArgs } from "node:util";
import { fail, say } from "./cli/src/console.ts";
import { auditTenant, auditTenants } from "./lib/audit.ts";
import { readAnchors } from "./lib/audit-anchors.ts";
import type { Break } from "./lib/audit-chain.ts";
import { auditedRedis } from "./lib/audited-redis.ts";

const REASONS: Readonly<Record<Break["why"], string>> = {
  incomplete: "lacks a field",
  digest: "has a text that its digest does not fit",
  link: "does not follow from the entries before it",
  cut_off: "is not the link of the last entry: entries at the end, or the head, are missing or changed",
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { anchor: { type: "string" } },
    allowPositionals: true,
  });
  const runTtl = process.env.RUN_TTL_S;
  const anchors = values.anchor === undefined ? [] : readAnchors(values.anchor);
  const redis = await auditedRedis(process.env);
  try {
    // A log of which nothing is left has only its anchors.
    const anchored = anchors.map(({ tenant }) => tenant);
    const tenants =
      positionals.length > 0
        ? positionals
        : [...new Set([...(await auditTenants(redis)), ...anchored])].sort();
    for (const tenant of tenants) {
      const { entries, broken, problems } = await auditTenant(redis, tenant, {
        ...(runTtl ? { runTtlS: Number(runTtl) } : {}),
        anchors: anchors.filter((anchor) => anchor.tenant === tenant),
      });
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

await main().catch(fail);
