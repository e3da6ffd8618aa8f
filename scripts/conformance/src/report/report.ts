import type {
  ConformanceKnown,
  ConformanceReport,
  ConformanceResult,
  ConformanceTarget,
} from "@interlock/contracts";
import type { CheckedTarget } from "../check-targets.ts";
import type { Result } from "../judge.ts";

export type ReportOptions = {
  readonly strict: boolean;
  readonly baseline: readonly ConformanceKnown[];
  readonly version: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The rules that were checked. Baseline entries for other rules are ignored. */
  readonly rules: ReadonlySet<string>;
};

/** Classifies the results into errors, warnings and known failures. */
export function reportOf(checked: readonly CheckedTarget[], options: ReportOptions): ConformanceReport {
  const targets = checked.map((target) => targetOf(target, options));
  const results = targets.flatMap((target) => target.results);
  const count = (severity: ConformanceResult["severity"]): number =>
    results.filter((result) => result.severity === severity).length;
  const stale = staleIn(options, targets);
  const passed = targets.filter((target) => target.passed).length;
  return {
    format: "interlock-conformance/v1",
    contract: "agent/v1",
    tool: { name: "@interlock/conformance", version: options.version },
    started_at: options.startedAt.toISOString(),
    duration_ms: Math.round(options.durationMs),
    strict: options.strict,
    passed: passed === targets.length && stale.length === 0,
    totals: {
      targets: targets.length,
      targets_passed: passed,
      pass: results.filter(({ verdict }) => verdict === "pass").length,
      error: count("error"),
      warning: count("warning"),
      known: count("known"),
    },
    targets,
    stale,
  };
}

function targetOf(checked: CheckedTarget, options: ReportOptions): ConformanceTarget {
  const { url, taskType, results, requests, durationMs, inputsFrom } = checked;
  // A rule that was not reached is an error only if nothing else is broken that explains it.
  const hasDefect = results.some((result) => result.rule.level === "MUST" && isDefect(result));
  const reported = results.map((result) => resultOf(result, checked, hasDefect, options));
  return {
    url,
    task_type: taskType,
    passed: reported.every(({ severity }) => severity !== "error"),
    duration_ms: Math.round(durationMs),
    requests,
    inputs: inputsFrom,
    results: reported,
  };
}

function isDefect({ verdict }: { readonly verdict: string }): boolean {
  return verdict === "fail" || verdict === "needs-inputs";
}

function resultOf(
  result: Result,
  target: CheckedTarget,
  hasDefect: boolean,
  { strict, baseline }: ReportOptions,
): ConformanceResult {
  const { rule, verdict } = result;
  const counts = isDefect(result) || (verdict === "not-reached" && !hasDefect);
  const known = counts
    ? baseline.find((entry) => concerns(entry, rule.id, target.url, target.taskType))
    : undefined;
  const severity = known ? "known" : !counts ? "none" : rule.level === "MUST" || strict ? "error" : "warning";
  return {
    rule: rule.id,
    level: rule.level,
    title: rule.title,
    verdict,
    severity,
    ...(verdict === "pass" ? {} : { reason: result.reason }),
    ...(isDefect(result) ? { hint: rule.hint } : {}),
    ...(known === undefined ? {} : { known: known.reason }),
  };
}

function concerns(entry: ConformanceKnown, rule: string, url: string, taskType: string): boolean {
  return (
    entry.rule === rule &&
    (entry.url === undefined || entry.url.replace(/\/+$/, "") === url) &&
    (entry.task_type === undefined || entry.task_type === taskType)
  );
}

/** An entry is stale if no target matches it, or if all matching targets keep the rule. */
function staleIn(
  { baseline, rules }: ReportOptions,
  targets: readonly ConformanceTarget[],
): ConformanceKnown[] {
  return baseline
    .filter((entry) => rules.has(entry.rule))
    .filter((entry) =>
      targets
        .flatMap(({ url, task_type, results }) =>
          results.filter((result) => concerns(entry, result.rule, url, task_type)),
        )
        .every(({ verdict }) => verdict === "pass"),
    );
}
