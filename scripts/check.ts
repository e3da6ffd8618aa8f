/**
 * `npm run check`: types, lint, generated contracts, all tests. All of them run, whatever fails.
 * `npm run check -- --changed`: all types, but lint and tests only of what differs from HEAD. Tests count as related to a file when they
 * import it, so a change to a service that tests start as a process needs the full check too.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
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
}

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
  say("");
  for (const { name, ok, seconds } of tasks)
    say(`${ok ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s)`);
  report(tasks);
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

/** Counts each test, and every other step as one. */
function report(tasks: readonly Task[]): void {
  const summary = readSummary();
  const others = tasks.filter(({ name }) => name !== "tests");
  const uncounted = tasks.some(({ name, ok }) => name === "tests" && !ok) ? 1 : 0;
  const failedTests = summary ? summary.numFailedTests + summary.numRuntimeErrorTestSuites : uncounted;
  const passed = (summary?.numPassedTests ?? 0) + others.filter(({ ok }) => ok).length;
  const failed = failedTests + others.filter(({ ok }) => !ok).length;
  say(`${passed} passed, ${failed} failed`);
  if (tasks.some(({ ok }) => !ok)) process.exitCode = 1;
}

function readSummary(): Summary | undefined {
  try {
    return JSON.parse(readFileSync(summaryFile, "utf8")) as Summary;
  } catch {
    return undefined;
  }
}

await main().catch(fail);
