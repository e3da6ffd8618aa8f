/**
 * `npm run check`: types, lint, generated contracts, all tests. All of them run, whatever fails. Files with a failed test run once more
 * without others beside them, since a crowded machine can keep a test waiting for too long; what failed only then is named.
 * `npm run check -- --changed`: all types, but lint and tests only of what differs from HEAD. Tests count as related to a file when they
 * import it, so a change to a service that tests start as a process needs the full check too.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { changedFiles } from "./lib/changed-files.ts";
import { fail, say } from "./lib/console.ts";
import { dataDir, root } from "./lib/paths.ts";
import { stopSignal } from "./lib/stop-signal.ts";
import { program, runTask, type Task } from "./lib/tasks.ts";

const summaryFile = join(dataDir, "test-summary.json");

/** The part of jest's report that is read here. */
interface Summary {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: "passed" | "failed";
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** With more, something is broken rather than slow. */
const MOST_AGAIN = 8;

type Step = readonly [name: string, ...args: string[]];

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { changed: { type: "boolean", default: false } } });
  const signal = stopSignal();
  mkdirSync(dataDir, { recursive: true });
  rmSync(summaryFile, { force: true });
  const tasks: Task[] = [];
  for (const [name, ...args] of values.changed ? stepsForChanged() : allSteps()) {
    if (signal.aborted) return;
    say(`\n== ${name}`);
    tasks.push(await runTask(name, args, { signal }));
  }
  const first = readSummary();
  const again = signal.aborted ? undefined : await runAgain(first, signal);
  say("");
  for (const { name, ok, seconds } of again ? [...tasks, again] : tasks)
    say(`${ok ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s)`);
  report(tasks, first, again);
}

/** Runs the files with failed tests, one at a time; undefined where there are none, or too many. */
async function runAgain(first: Summary | undefined, signal: AbortSignal): Promise<Task | undefined> {
  const files = first?.testResults.flatMap(({ name, status }) => (status === "failed" ? [name] : [])) ?? [];
  if (files.length === 0 || files.length > MOST_AGAIN) return undefined;
  say(`\n== failed tests again, alone: ${files.map((file) => relative(root, file)).join(", ")}`);
  rmSync(summaryFile, { force: true });
  const [, ...args] = tests("--runInBand", "--runTestsByPath", ...files);
  return await runTask("failed tests again, alone", args, { signal });
}

const TYPES: Step = ["types", program("typescript/bin/tsc"), "-p", "tsconfig.json"];

function allSteps(): Step[] {
  return [TYPES, lint("."), ["generated contracts", "contracts/scripts/generate.ts", "--check"], tests()];
}

function stepsForChanged(): Step[] {
  const files = changedFiles(root);
  if (files.length === 0) return [TYPES];
  return [
    TYPES,
    lint("--no-errors-on-unmatched", ...files),
    tests("--passWithNoTests", "--findRelatedTests", ...files),
  ];
}

function lint(...args: readonly string[]): Step {
  const colors = process.stdout.isTTY ? [] : ["--colors=off"];
  return ["lint and format", program("@biomejs/biome/bin/biome"), "ci", ...colors, ...args];
}

function tests(...args: readonly string[]): Step {
  return ["tests", "scripts/test.ts", "--json", `--outputFile=${summaryFile}`, ...args];
}

/** Counts each test, and every other step as one. Tests that ran again count as they ended then. */
function report(tasks: readonly Task[], first: Summary | undefined, again: Task | undefined): void {
  const others = tasks.filter(({ name }) => name !== "tests");
  const testsOk = again?.ok ?? tasks.every(({ name, ok }) => name !== "tests" || ok);
  const last = again ? readSummary() : first;
  const failures = last ? last.numFailedTests + last.numRuntimeErrorTestSuites : 0;
  const failed = Math.max(failures, testsOk ? 0 : 1) + others.filter(({ ok }) => !ok).length;
  const passedAtFirst = again ? passedFiles(first) : 0;
  const passed = passedAtFirst + (last?.numPassedTests ?? 0) + others.filter(({ ok }) => ok).length;
  say(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

/** The tests of the files that did not have to run again. */
function passedFiles(summary: Summary | undefined): number {
  const files = summary?.testResults.filter(({ status }) => status === "passed") ?? [];
  return files.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "passed"))
    .length;
}

function readSummary(): Summary | undefined {
  try {
    return JSON.parse(readFileSync(summaryFile, "utf8")) as Summary;
  } catch {
    return undefined;
  }
}

await main().catch(fail);
