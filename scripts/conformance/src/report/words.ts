import type { ConformanceReport, ConformanceResult } from "@interlock/contracts";

/** The word for a result, the same in all kinds of report. */
export function wordFor({ verdict, severity }: ConformanceResult): string {
  if (severity === "known") return "known";
  if (verdict === "needs-inputs") return "needs inputs";
  if (verdict === "fail") return severity === "warning" ? "warn" : "FAIL";
  if (verdict === "not-reached") return "not reached";
  return verdict === "not-applicable" ? "n/a" : "pass";
}

function plural(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** "3 of 4 targets pass: 1 error, 2 warnings, 1 known, 240 rules kept, in 2.1 s". */
export function summaryOf({ totals, stale, duration_ms }: ConformanceReport): string {
  const parts = [
    plural(totals.error, "error"),
    plural(totals.warning, "warning"),
    ...(totals.known > 0 ? [`${totals.known} known`] : []),
    ...(stale.length > 0 ? [`${stale.length} stale in the baseline`] : []),
    `${totals.pass} kept`,
  ];
  return `${totals.targets_passed} of ${plural(totals.targets, "target")} pass: ${parts.join(", ")}, in ${(duration_ms / 1000).toFixed(1)} s`;
}
