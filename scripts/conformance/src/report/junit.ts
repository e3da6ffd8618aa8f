import type { ConformanceReport, ConformanceResult } from "@interlock/contracts";
import { wordFor } from "./words.ts";

type Suite = { readonly name: string; readonly ms: number; readonly cases: readonly Case[] };
type Case = { readonly name: string; readonly outcome: Outcome };
type Outcome =
  | { readonly kind: "passed" }
  | { readonly kind: "skipped"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string; readonly type: string; readonly text: string };

/** JUnit XML for CI servers: one suite per target, one case per rule. Warnings are skipped cases with a message. */
export function junitOf(report: ConformanceReport): string {
  const suites = suitesOf(report);
  const cases = suites.flatMap((suite) => suite.cases);
  const timestamp = report.started_at.replace(/\.\d+Z$/, "");
  const root = attributes({
    name: "Agent contract",
    tests: cases.length,
    failures: countOf(cases, "failed"),
    errors: 0,
    time: seconds(report.duration_ms),
  });
  const body = suites.map((suite) => suiteXml(suite, timestamp)).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${root}>\n${body}</testsuites>\n`;
}

function suitesOf({ targets, stale }: ConformanceReport): readonly Suite[] {
  const suites = targets.map(({ url, task_type, duration_ms, results }) => ({
    name: `${url} ${task_type}`,
    ms: duration_ms,
    cases: results.map((result) => ({ name: `${result.rule} ${result.title}`, outcome: outcomeOf(result) })),
  }));
  if (stale.length === 0) return suites;
  const cases = stale.map(({ rule, reason }): Case => {
    const message = "it names no failure any more";
    return { name: rule, outcome: { kind: "failed", message, type: "stale", text: reason } };
  });
  return [...suites, { name: "baseline", ms: 0, cases }];
}

function outcomeOf(result: ConformanceResult): Outcome {
  const { severity, verdict, level, reason = "", hint = "", known } = result;
  if (severity === "error")
    return { kind: "failed", message: reason, type: level, text: `${reason}\n${hint}`.trim() };
  if (severity === "none" && verdict !== "not-reached") return { kind: "passed" };
  return { kind: "skipped", message: `${wordFor(result)}: ${known ?? reason}` };
}

function suiteXml({ name, ms, cases }: Suite, timestamp: string): string {
  const head = attributes({
    name,
    tests: cases.length,
    failures: countOf(cases, "failed"),
    errors: 0,
    skipped: countOf(cases, "skipped"),
    time: seconds(ms),
    timestamp,
  });
  return `  <testsuite${head}>\n${cases.map((each) => caseXml(each, name)).join("")}  </testsuite>\n`;
}

function caseXml({ name, outcome }: Case, classname: string): string {
  const open = `    <testcase${attributes({ name, classname, time: seconds(0) })}`;
  if (outcome.kind === "passed") return `${open}/>\n`;
  const { message } = outcome;
  const inner =
    outcome.kind === "skipped"
      ? `<skipped${attributes({ message })}/>`
      : `<failure${attributes({ message, type: outcome.type })}>${escaped(outcome.text)}</failure>`;
  return `${open}>\n      ${inner}\n    </testcase>\n`;
}

function countOf(cases: readonly Case[], kind: Outcome["kind"]): number {
  return cases.filter(({ outcome }) => outcome.kind === kind).length;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** Drops control characters, most of which XML 1.0 cannot represent. */
function escaped(text: string): string {
  return [...text]
    .filter((char) => char >= " " || char === "\n" || char === "\t")
    .map((char) => ENTITIES[char] ?? char)
    .join("");
}
