/**
 * `npm run check`: types, lint, generated contracts, all tests. All of them run, whatever fails.
 * `npm run check -- --no-tests`: without the tests, which `npm test` runs.
 * `npm run check -- --changed`: all types, but lint and tests only of what differs from HEAD. Tests count as related to a file when they
 * import it, so a change to a service that tests start as a process needs the full check too.
 */
import { parseArgs } from "node:util";
import { fail, say } from "./cli/src/console.ts";
import { stopSignal } from "./cli/src/stop-signal.ts";
import { changedFiles } from "./lib/changed-files.ts";
import { root } from "./lib/paths.ts";
import { program, runTask, type Task } from "./lib/tasks.ts";

type Step = readonly [name: string, ...args: string[]];

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: { changed: { type: "boolean", default: false }, tests: { type: "boolean", default: true } },
  });
  const signal = stopSignal();
  const steps = values.changed ? stepsForChanged() : allSteps();
  const tasks: Task[] = [];
  for (const [name, ...args] of steps) {
    if (name === TESTS && !values.tests) continue;
    if (signal.aborted) return;
    say(`\n== ${name}`);
    tasks.push(await runTask(name, args, { signal }));
  }
  say("");
  for (const { name, ok, seconds } of tasks)
    say(`${ok ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s)`);
  if (tasks.some(({ ok }) => !ok)) process.exitCode = 1;
}

const TYPES: Step = ["types", program("typescript/bin/tsc"), "-p", "tsconfig.json"];
const TESTS = "tests";

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
  return [TESTS, "scripts/test.ts", ...args];
}

await main().catch(fail);
