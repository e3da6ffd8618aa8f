import { styleText } from "node:util";
import type { ConformanceReport, ConformanceResult, ConformanceTarget } from "@interlock/contracts";
import { rules } from "../rules.ts";
import { summaryOf, wordFor } from "./words.ts";

export type TableOptions = {
  /** Show only rules that are not kept. */
  readonly quiet: boolean;
  readonly color: boolean;
};

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

const INDENT = " ".repeat(31);

/** The report for people: one row per rule. Under a broken rule come the reason and a hint. */
export function tableOf(report: ConformanceReport, { quiet, color }: TableOptions): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
  const blocks = report.targets.map((target) => blockOf(target, quiet, paint));
  const stale = report.stale.map(
    ({ rule, reason }) => `stale baseline entry: ${rule} (${reason}) names no failure\n`,
  );
  const verdict = report.passed ? paint("green", "PASS") : paint("red", "FAIL");
  return `${blocks.join("")}${stale.join("")}${verdict}  ${summaryOf(report)}\n`;
}

function blockOf(
  { url, task_type, inputs, requests, results }: ConformanceTarget,
  quiet: boolean,
  paint: Paint,
): string {
  const shown = quiet ? results.filter(({ severity }) => severity !== "none") : results;
  if (quiet && shown.length === 0) return "";
  const head = `${paint("bold", `${url} ${task_type}`)}  (${requests} answers, runs on ${INPUTS[inputs]})\n`;
  const judged = shown.filter((result) => !isUnreached(result));
  const rows = judged.map((result) => rowOf(result, paint)).join("");
  return `${head}${rows}${unreachedRows(shown.filter(isUnreached), paint)}\n`;
}

/** Not judged because of another rule, whose row says what is wrong. */
function isUnreached({ verdict, severity }: ConformanceResult): boolean {
  return verdict === "not-reached" && severity === "none";
}

/** One row for all that were not judged for the same reason. */
function unreachedRows(results: readonly ConformanceResult[], paint: Paint): string {
  const counts = new Map<string, number>();
  for (const { reason = "" } of results) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const rows = Array.from(counts, ([reason, count]) => {
    const rule = `${count} ${count === 1 ? "rule" : "rules"}`;
    return `  ${rule.padEnd(16)}${paint("gray", "not reached".padEnd(12))} ${reason}\n`;
  });
  return rows.join("");
}

const INPUTS = { sample: "its sample", given: "given inputs", card: "the example of its card" } as const;

function rowOf(result: ConformanceResult, paint: Paint): string {
  const word = wordFor(result).padEnd(12);
  const { rule, level, title, reason, hint, known } = result;
  const row = `  ${rule.padEnd(16)}${paint(styleFor(result), word)} ${level === "MUST" ? title : `${title} (should)`}\n`;
  const notes = [
    reason,
    hint === undefined ? undefined : `→ ${hint}`,
    known === undefined ? undefined : `known: ${known}`,
  ];
  return row + notes.flatMap((note) => (note === undefined ? [] : [`${INDENT}${note}\n`])).join("");
}

function styleFor({ severity, verdict }: ConformanceResult): "red" | "yellow" | "green" | "gray" {
  if (severity === "error") return "red";
  if (severity === "warning" || severity === "known") return "yellow";
  return verdict === "pass" ? "green" : "gray";
}

/** All rules, for --list. */
export function ruleList(): string {
  return rules.map(({ id, level, text }) => `${id.padEnd(16)}${level.padEnd(8)}${text}\n`).join("");
}
