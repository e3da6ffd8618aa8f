#!/usr/bin/env node
import { writeFileSync } from "node:fs";
import { checkTargets } from "./check-targets.ts";
import { HELP } from "./help.ts";
import { keepSmall } from "./keep-small.ts";
import { refuseMisspelt } from "./misspelt.ts";
import { type Options, readOptions, UsageError } from "./options.ts";
import { junitOf } from "./report/junit.ts";
import { progressOn } from "./report/progress.ts";
import { reportOf } from "./report/report.ts";
import { ruleList, tableOf } from "./report/table.ts";
import { tapOf } from "./report/tap.ts";
import { rules } from "./rules.ts";
import { VERSION } from "./version.ts";
import { untilReady } from "./wait.ts";

/** Exit status 0: every MUST is kept (with --strict, every SHOULD too). 1: a rule is broken. 2: invalid options, or no such task. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), {
    targets: process.env.AGENT_CONTRACT_TARGETS,
    token: process.env.AGENT_CONTRACT_TOKEN,
  });
  if (options === "help") return say(HELP);
  if (options === "version") return say(`${VERSION}\n`);
  if (options === "list") return say(ruleList());
  return check(options);
}

async function check(options: Options): Promise<number> {
  await untilReady(options.targets, options.waitMs);
  const startedAt = new Date();
  const progress = progressOn(process.stderr, options.targets.length);
  const checked = await checkTargets(options.targets, {
    ...options,
    onExchange: progress.step,
    afterRead: keepSmall(),
  });
  progress.end();
  refuseMisspelt(checked);
  const report = reportOf(checked, {
    ...options,
    rules: options.rules.size > 0 ? options.rules : new Set(rules.map(({ id }) => id)),
    version: VERSION,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
  });
  if (options.jsonFile !== undefined) save(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (options.junitFile !== undefined) save(options.junitFile, junitOf(report));
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  say(options.tap ? tapOf(report) : tableOf(report, { quiet: options.quiet, color }));
  return report.passed ? 0 : 1;
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    throw new UsageError(`${file} cannot be written`);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`conformance: ${error.message}\nconformance: --help shows how it is used\n`);
  process.exitCode = 2;
}
