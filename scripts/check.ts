/** `npm run check`: types, lint, generated contracts, all tests. All of them run, whatever fails. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fail, say } from "./lib/console.ts";
import { dataDir } from "./lib/paths.ts";
import { stopSignal } from "./lib/stop-signal.ts";
import { program, runTask, type Task } from "./lib/tasks.ts";

const summaryFile = join(dataDir, "test-summary.json");

/** What jest counts, as far as it is looked at here. */
interface Summary {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

async function main(): Promise<void> {
  const signal = stopSignal();
  mkdirSync(dataDir, { recursive: true });
  rmSync(summaryFile, { force: true });
  const colors = process.stdout.isTTY ? [] : ["--colors=off"];
  const steps: readonly (readonly [name: string, ...args: string[]])[] = [
    ["types", program("typescript/bin/tsc"), "-p", "tsconfig.json"],
    ["lint and format", program("@biomejs/biome/bin/biome"), "ci", ...colors, "."],
    ["generated contracts", "contracts/scripts/generate.ts", "--check"],
    ["tests", "scripts/test.ts", "--json", `--outputFile=${summaryFile}`],
  ];
  const tasks: Task[] = [];
  for (const [name, ...args] of steps) {
    if (signal.aborted) return;
    say(`\n== ${name}`);
    tasks.push(await runTask(name, args, { signal }));
  }
  say("");
  for (const { name, ok, seconds } of tasks)
    say(`${ok ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s)`);
  report(tasks);
}

/** The tests by number; any other step counts once. */
function report(tasks: readonly Task[]): void {
  const summary = readSummary();
  const others = tasks.filter(({ name }) => name !== "tests");
  const failedTests = summary ? summary.numFailedTests + summary.numRuntimeErrorTestSuites : 1;
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
