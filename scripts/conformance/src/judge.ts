import { type Check, checks } from "./checks/index.ts";
import type { Evidence, ProbeName } from "./evidence.ts";
import { type RuleInfo, rules } from "./rules.ts";
import type { Verdict } from "./verdict.ts";

export type Result = Verdict & { readonly rule: RuleInfo };

/** Judges what was observed, rule by rule in the contract's order; a rule without a check has no result. */
export function judge(evidence: Evidence, used: readonly Check[] = checks): readonly Result[] {
  return rules.flatMap((rule) =>
    used.filter((check) => check.rule === rule.id).map((check) => ({ ...check.judge(evidence), rule })),
  );
}

/** Which probes some rules need; every run probe builds on the two runs, which are always asked for. */
export function probesFor(ids: ReadonlySet<string>): (probe: ProbeName) => boolean {
  const needed = new Set(checks.filter(({ rule }) => ids.has(rule)).flatMap(({ probes }) => probes));
  return (probe) => needed.has(probe);
}
