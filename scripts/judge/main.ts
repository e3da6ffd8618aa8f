/**
 * `npm run -s judge -- SET…`: holds the conversations of sets with a real mesh, and judges what its agents got. See README.md.
 * `--model oracle` has a scripted model read first, `--model 0.15` one of whose claims 15 % are wrong;
 * `--check` holds no conversation and says what the labels have wrong;
 * `--report FILE` writes figures and verdicts as JSON, `--verbose` prints what is not right, `--only ID` takes one conversation.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { root } from "../lib/paths.ts";
import { readDomain } from "./domain.ts";
import { figuresOf, type Held, tableOf } from "./figures.ts";
import { hold } from "./hold.ts";
import { toldInFull } from "./in-full.ts";
import { scriptedReader } from "./scripted-reader.ts";
import { type Conversation, catalogueOf, labelProblems, readSet } from "./set.ts";
import { startWorld } from "./world.ts";

/** Conversations that are held at once. */
const AT_ONCE = 4;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      set: { type: "string", multiple: true },
      report: { type: "string" },
      only: { type: "string" },
      verbose: { type: "boolean" },
      model: { type: "string" },
      check: { type: "boolean" },
    },
  });
  const files = [...(values.set ?? []), ...positionals];
  if (files.length === 0)
    throw new Error(
      "usage: npm run -s judge -- SET… [--check] [--report FILE] [--only ID] [--model oracle|RATE] [--verbose]",
    );
  const rate = values.model === undefined ? undefined : values.model === "oracle" ? 0 : Number(values.model);
  if (Number.isNaN(rate))
    throw new Error("--model is oracle, or the part of its claims that are wrong: 0.15");
  if (values.check) {
    for (const file of files) say(`${file}: ${checked(file).length} conversations fit`);
    return;
  }
  const signal = stopSignal();
  const reports: object[] = [];
  for (const file of files) {
    const started = performance.now();
    const held = await judgeSet(file, { only: values.only, rate }, signal);
    const seconds = (performance.now() - started) / 1000;
    const figures = figuresOf(held);
    if (values.verbose) for (const one of held) for (const line of toldInFull(one)) say(line);
    const messages = held.reduce((sum, { heard }) => sum + heard.length, 0);
    say(`${basename(file)}, ${messages} messages in ${seconds.toFixed(0)} s`);
    for (const line of tableOf(figures)) say(`  ${line}`);
    reports.push({ set: basename(file), seconds, figures, verdicts: verdictsOf(held) });
  }
  if (values.report)
    writeFileSync(values.report, `${JSON.stringify({ commit: commit(), sets: reports }, null, 2)}\n`);
}

async function judgeSet(
  file: string,
  { only, rate }: { only: string | undefined; rate: number | undefined },
  signal: AbortSignal,
): Promise<Held[]> {
  const set = checked(file).filter(({ id }) => only === undefined || id === only);
  const [first] = set;
  if (!first) throw new Error(`${file} has no such conversation`);
  const domain = readDomain(first.domain);
  const world = await startWorld(
    domain,
    signal,
    rate === undefined ? undefined : scriptedReader(set, domain, rate),
  );
  try {
    const people = {
      analyst: await world.mesh.token({ user: "ann", roles: ["analyst"] }),
      approver: await world.mesh.token({ user: "lee", roles: ["pricing_approver"] }),
    };
    const held: Held[] = [];
    const left = set.entries();
    const holdAll = async (): Promise<void> => {
      for (const [at, conversation] of left) {
        const heard = await hold(conversation, catalogueOf(conversation, file), { domain, world, people });
        held[at] = { conversation, heard };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, holdAll));
    return held;
  } finally {
    await world.stop();
  }
}

/** @throws Error that lists what does not fit the format or the domain */
function checked(file: string): Conversation[] {
  const set = readSet(file);
  const domain = readDomain(set[0]?.domain ?? "");
  const problems = set.flatMap((conversation) =>
    labelProblems(conversation, domain, catalogueOf(conversation, file)),
  );
  if (problems.length > 0) throw new Error(`${file}:\n${problems.join("\n")}`);
  return set;
}

/** Without a word of what was said: a set can stay sealed. */
function verdictsOf(held: readonly Held[]): object[] {
  return held.map(({ conversation: { id, language }, heard }) => ({
    id,
    language,
    turns: heard.map(({ verdict }) =>
      verdict
        ? {
            verdict: verdict.verdict,
            task: verdict.taskIsRight,
            ...(verdict.outOfScope ?? {}),
            ...(verdict.approval ? { approval: verdict.approval.length === 0 } : {}),
          }
        : null,
    ),
  }));
}

function commit(): string {
  return execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
}

await main().catch(fail);
