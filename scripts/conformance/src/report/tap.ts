import type { ConformanceReport, ConformanceResult } from "@interlock/contracts";

/** TAP 14: one line per rule and target. A warning is a TODO, which does not fail the run. */
export function tapOf(report: ConformanceReport): string {
  const points = report.targets.flatMap(({ url, task_type, results }) =>
    results.map((result) => ({ result, text: `${result.rule} ${result.title} at ${url} ${task_type}` })),
  );
  const stale = report.stale.map(
    ({ rule, reason }) => `${rule} of the baseline names no failure any more: ${reason}`,
  );
  const lines = [
    ...points.map(({ result, text }, at) => pointOf(result, at + 1, text)),
    ...stale.map((text, at) => `not ok ${points.length + at + 1} - ${plain(text)}\n`),
  ];
  return `TAP version 14\n1..${lines.length}\n${lines.join("")}`;
}

function pointOf(result: ConformanceResult, place: number, text: string): string {
  const { severity, verdict, reason = "", hint, known } = result;
  const ok = severity === "none" ? "ok" : "not ok";
  const skipped = severity === "none" && (verdict === "not-reached" || verdict === "not-applicable");
  const directive = skipped
    ? ` # SKIP ${plain(reason)}`
    : severity === "warning" || severity === "known"
      ? ` # TODO ${plain(known ?? "a SHOULD")}`
      : "";
  const line = `${ok} ${place} - ${plain(text)}${directive}\n`;
  if (severity === "none") return line;
  const notes = { verdict, reason, ...(hint === undefined ? {} : { hint }) };
  const yaml = Object.entries(notes).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
  return `${line}  ---\n${yaml.join("")}  ...\n`;
}

/** An unescaped # would start a directive. */
function plain(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("#", "\\#").replaceAll(/\s+/g, " ");
}
