export { type CheckedTarget, type CheckOptions, checkTargets } from "./check-targets.ts";
export type { Inputs } from "./evidence.ts";
export type { Result } from "./judge.ts";
export type { Target } from "./probes/agent-under-check.ts";
export { junitOf } from "./report/junit.ts";
export { type ReportOptions, reportOf } from "./report/report.ts";
export { tableOf } from "./report/table.ts";
export { tapOf } from "./report/tap.ts";
export { type RuleInfo, rules } from "./rules.ts";
