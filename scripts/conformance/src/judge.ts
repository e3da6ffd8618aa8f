import { type Check, checks } from "./checks/index.ts";
import type { Evidence, ProbeName } from "./evidence.ts";
import { type RuleInfo, rules } from "./rules.ts";
import type { Verdict } from "./verdict.ts";

export type Result = Verdict & { readonly rule: RuleInfo };

/** Judges the evidence by each rule, in the order of the contract. A rule without a check has no result. */
export function judge(evidence: Evidence, used: readonly Check[] = checks): readonly Result[] {
  return rules.flatMap((rule) =>
    used.filter((check) => check.rule === rule.id).map((check) => ({ ...check.judge(evidence), rule })),
  );
}

/** Tells which probes these rules need. The two basic runs are always made. */
export function probesFor(ids: ReadonlySet<string>): (probe: ProbeName) => boolean {
  const needed = new Set(checks.filter(({ rule }) => ids.has(rule)).flatMap(({ probes }) => probes));
  return (probe) => needed.has(probe);
}
