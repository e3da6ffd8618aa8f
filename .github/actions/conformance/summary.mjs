/** The report of a check as the summary of a job. */

const VERDICTS = {
  pass: "kept",
  fail: "not kept",
  "needs-inputs": "needs inputs",
  "not-reached": "not reached",
  "not-applicable": "does not apply",
};

/** Text that Markdown and HTML leave as it is. */
const plain = (text) =>
  text.replaceAll(/[\\`*_{}[\]<>|#~&]/g, (char) => `&#${char.codePointAt(0)};`).replaceAll(/\s+/g, " ");

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");

const kept = (results) => results.filter(({ verdict }) => verdict === "pass").length;
const countOf = (results, severity) => results.filter((result) => result.severity === severity).length;

export const markdownOf = (report) => {
  const { passed, totals, targets, stale, duration_ms, strict } = report;
  const head = `## ${passed ? "✅" : "❌"} Agent contract: ${totals.targets_passed} of ${totals.targets} agents keep it\n\n`;
  const overview = table(
    ["agent", "task", "", "errors", "warnings", "known", "rules kept"],
    targets.map(({ url, task_type, passed, results }) => [
      plain(url),
      plain(task_type),
      passed ? "✅" : "❌",
      countOf(results, "error"),
      countOf(results, "warning"),
      countOf(results, "known"),
      `${kept(results)} of ${results.filter(({ verdict }) => verdict !== "not-applicable").length}`,
    ]),
  );
  const seconds = (duration_ms / 1000).toFixed(1);
  const foot = `\n${plain(report.contract)} in ${seconds} s${strict ? ", strict" : ""}\n`;
  return `${head}${overview}${targets.map(targetSection).join("")}${staleSection(stale)}${foot}`;
};

const targetSection = ({ url, task_type, results }) => {
  const shown = results.filter(({ severity }) => severity !== "none");
  if (shown.length === 0) return "";
  const rows = shown.map(({ rule, title, verdict, severity, reason = "", hint = "", known }) => [
    `${severity === "error" ? "❌" : "⚠️"} ${rule}`,
    `${plain(title)}: ${VERDICTS[verdict]}`,
    plain(reason),
    plain(known === undefined ? hint : `known: ${known}`),
  ]);
  return `\n### ${plain(url)} ${plain(task_type)}\n\n${table(["rule", "", "why", "how to mend it"], rows)}`;
};

const staleSection = (stale) =>
  stale.length === 0
    ? ""
    : `\n### Stale in the baseline\n\n${table(
        ["rule", "reason"],
        stale.map(({ rule, reason }) => [rule, plain(reason)]),
      )}`;
