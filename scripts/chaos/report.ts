import type { Attempt, Ledger, Violation } from "./ledger.ts";
import type { MemoryReport } from "./memory.ts";
import type { TrialReport } from "./trials/index.ts";

/** The share of attempts outside of fault windows that must succeed. */
const MIN_SUCCESS = 0.95;
/** With fewer attempts the share is meaningless. */
const MIN_ATTEMPTS = 20;

/** Faults that the load itself causes. */
const LOAD_FAULTS = new Set([
  "duplicate POST",
  "decision race",
  "decisions in races",
  "client left",
  "agent stream cut at an offset",
  "client stream cut at an offset",
]);

export type Summary = {
  ledger: Ledger;
  seed: number;
  rounds: number;
  longestSettleMs: number;
  /** What the trials measured. */
  trials: TrialReport;
  memory: readonly MemoryReport[];
  longestStallMs: number;
  control: Ledger;
  seconds: number;
};

/** Adds a violation if too many attempts failed outside of fault windows. */
export function judgeSuccess(ledger: Ledger): void {
  const calm = ledger.attempts.filter((attempt) => !ledger.disturbed(attempt));
  const good = calm.filter(({ trouble }) => trouble === undefined).length;
  if (calm.length < MIN_ATTEMPTS || good / calm.length >= MIN_SUCCESS) return;
  const share = `${((100 * good) / calm.length).toFixed(1)} % of ${calm.length}`;
  ledger.violate("success outside of faults", share, worstOf(calm));
}

export function report(summary: Summary): string {
  const { ledger, seed, rounds, longestSettleMs, trials, memory, longestStallMs, control, seconds } = summary;
  const injected = [...ledger.faults].filter(([name]) => !LOAD_FAULTS.has(name));
  const other = [...ledger.faults].filter(([name]) => LOAD_FAULTS.has(name));
  const calm = ledger.attempts.filter((attempt) => !ledger.disturbed(attempt));
  const hit = ledger.attempts.filter((attempt) => ledger.disturbed(attempt));
  const lines = [
    `chaos, seed ${seed}: ${rounds} rounds in ${Math.round(seconds)} s`,
    "",
    ...table("faults injected into the mesh", injected),
    ...table("faults of the load", other),
    ...table("acknowledged", [
      ["runs", ledger.runs.size],
      ["events seen by readers", ledger.eventsSeen],
      ["answers to decisions and cancels", ledger.answers.filter(({ status }) => status === 200).length],
    ]),
    "attempts of users",
    row("outside of fault windows", rateOf(calm)),
    row("inside of fault windows", rateOf(hit)),
    "",
    "under pressure",
    ...trials.map(([what, figure]) => row(what, figure)),
    row("longest stall of a gateway's event loop", `${longestStallMs} ms`),
    row("plans that failed though everything healed", ledger.failedPlans.length),
    "",
    "after the faults",
    row("all runs ended within", `${(longestSettleMs / 1000).toFixed(1)} s`),
    row("longest gap of a stream, rolling", `${(ledger.longestGapMs / 1000).toFixed(1)} s`),
    ...memory.map(({ name, beforeMb, afterMb }) =>
      row(`memory of ${name}`, `${beforeMb.toFixed(1)} → ${afterMb.toFixed(1)} MB`),
    ),
    "",
    ...table("violations", counted(ledger.violations)),
    ...details(ledger.violations),
    ...table(
      "violations without fencing (negative control: there must be some)",
      counted(control.violations),
    ),
  ];
  return lines.join("\n");
}

function table(title: string, rows: readonly (readonly [string, number])[]): string[] {
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  const sorted = [...rows].sort(([a], [b]) => a.localeCompare(b));
  return [title, ...sorted.map(([name, count]) => row(name, count)), row("= total", total), ""];
}

function row(name: string, value: string | number): string {
  return `  ${name.padEnd(44)} ${String(value).padStart(10)}`;
}

function counted(violations: readonly Violation[]): [string, number][] {
  const kinds = Map.groupBy(violations, ({ kind }) => kind);
  return [...kinds].map(([kind, found]) => [kind, found.length]);
}

function rateOf(attempts: readonly Attempt[]): string {
  if (attempts.length === 0) return "none";
  const good = attempts.filter(({ trouble }) => trouble === undefined).length;
  return `${good} of ${attempts.length} good (${((100 * good) / attempts.length).toFixed(1)} %)`;
}

function worstOf(attempts: readonly Attempt[]): string {
  const failed = attempts.filter(({ trouble }) => trouble !== undefined);
  const kinds = Map.groupBy(failed, ({ scenario, trouble }) => `${scenario}: ${trouble}`);
  return [...kinds].map(([kind, { length }]) => `${length} × ${kind}`).join("; ");
}

const SHOWN = 40;

/** The first of them, a line each. */
export function details(violations: readonly Violation[]): string[] {
  if (violations.length === 0) return [];
  const shown = violations
    .slice(0, SHOWN)
    .map(({ kind, about, detail }) => `  ${kind} | ${about} | ${detail}`);
  const more = violations.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${more} more`] : []), ""];
}
