import type { ConformanceReport, ConformanceResult, ConformanceTarget } from "@interlock/contracts";
import { wordFor } from "./words.ts";

/** JUnit XML as CI servers read it: a suite a target, a case a rule. Warnings are skipped cases with a message. */
export const junitOf = (report: ConformanceReport): string => {
  const suites = report.targets.map((target) => suiteOf(target, report.started_at));
  const cases = report.targets.flatMap((target) => target.results);
  const head = `name="Agent contract" ${counts(cases, report.stale.length)} time="${seconds(report.duration_ms)}"`;
  const body = [...suites, ...(report.stale.length > 0 ? [staleSuite(report)] : [])].join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}>\n${body}</testsuites>\n`;
};

const suiteOf = ({ url, task_type, duration_ms, results }: ConformanceTarget, startedAt: string): string => {
  const name = xml(`${url} ${task_type}`);
  const timestamp = startedAt.replace(/\.\d+Z$/, "");
  const head = `name="${name}" ${counts(results)} errors="0" time="${seconds(duration_ms)}" timestamp="${timestamp}"`;
  return `  <testsuite ${head}>\n${results.map((result) => caseOf(result, name)).join("")}  </testsuite>\n`;
};

const caseOf = (result: ConformanceResult, suite: string): string => {
  const name = xml(`${result.rule} ${result.title}`);
  const head = `    <testcase name="${name}" classname="${suite}" time="0"`;
  const outcome = outcomeOf(result);
  return outcome === undefined ? `${head}/>\n` : `${head}>\n      ${outcome}\n    </testcase>\n`;
};

const outcomeOf = (result: ConformanceResult): string | undefined => {
  const { severity, verdict, reason = "", hint = "", known, level } = result;
  if (severity === "error") {
    const text = xml([reason, hint].filter((part) => part !== "").join("\n"));
    return `<failure message="${xml(reason)}" type="${level}">${text}</failure>`;
  }
  if (severity === "none" && (verdict === "pass" || verdict === "not-applicable")) return undefined;
  return `<skipped message="${xml(`${wordFor(result)}: ${known ?? reason}`)}"/>`;
};

const staleSuite = ({ stale }: ConformanceReport): string => {
  const cases = stale.map(({ rule, reason }) => {
    const message = xml(`${rule} (${reason}) names no failure any more`);
    return `    <testcase name="${rule}" classname="baseline" time="0">\n      <failure message="${message}" type="stale"/>\n    </testcase>\n`;
  });
  const head = `name="baseline" tests="${stale.length}" failures="${stale.length}" skipped="0" errors="0" time="0"`;
  return `  <testsuite ${head}>\n${cases.join("")}  </testsuite>\n`;
};

const counts = (results: readonly ConformanceResult[], stale = 0): string => {
  const outcomes = results.map(outcomeOf);
  const starting = (tag: string): number => outcomes.filter((outcome) => outcome?.startsWith(tag)).length;
  return `tests="${results.length + stale}" failures="${starting("<failure") + stale}" skipped="${starting("<skipped")}"`;
};

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** XML 1.0 has no way to write most control characters. */
const xml = (text: string): string =>
  [...text]
    .filter((char) => char >= " " || char === "\n" || char === "\t")
    .map((char) => ENTITIES[char] ?? char)
    .join("");
