import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { judge, type Result } from "../src/judge.ts";
import { observe } from "../src/observe.ts";
import { rules } from "../src/rules.ts";
import { broke, SHORT } from "./observing.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../../docs/examples");
const folder = mkdtempSync(join(tmpdir(), "conformance-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function has(...command: readonly [string, ...string[]]): boolean {
  return spawnSync(command[0], command.slice(1), { stdio: "ignore" }).status === 0;
}

/** Inputs for a run that is long enough to show deadlines and disconnects. */
const SLOW = { text: "one two three ".repeat(7), pause_ms: 75 };

async function checkAgent(
  command: string,
  args: readonly string[],
  inputs?: typeof SLOW,
): Promise<readonly Result[]> {
  const child = spawn(command, args, {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const url = await firstLine(child);
    return judge(await observe({ url, taskType: "WORD_COUNT" }, { inputs, bounds: SHORT }));
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the agent has no output");
  for await (const line of createInterface({ input: stdout })) return line.trim();
  throw new Error("the agent did not start");
}

const LANGUAGES: readonly {
  name: string;
  present: boolean;
  start: () => [command: string, args: string[]];
}[] = [
  {
    name: "Python",
    present: has("python3", "--version"),
    start: () => ["python3", [join(EXAMPLES, "agent.py")]],
  },
  {
    name: "Python, in 80 lines",
    present: has("python3", "--version"),
    start: () => ["python3", [join(EXAMPLES, "small_agent.py")]],
  },
  {
    name: "Perl",
    present: has("perl", "-MJSON::PP", "-e1"),
    start: () => ["perl", [join(EXAMPLES, "agent.pl")]],
  },
  {
    name: "Go",
    present: has("go", "version"),
    start: () => {
      const binary = join(folder, "agent");
      const built = spawnSync("go", ["build", "-o", binary, join(EXAMPLES, "agent.go")]);
      if (built.status !== 0) throw new Error(`go build: ${built.stderr}`);
      return [binary, []];
    },
  },
];

/** Checks the installed languages concurrently, because most of the time is spent waiting. */
const seen = new Map<string, { readonly sample: readonly Result[]; readonly long: readonly Result[] }>();
beforeAll(async () => {
  const here = LANGUAGES.filter(({ present }) => present);
  await Promise.all(
    here.map(async ({ name, start }) => {
      const [command, args] = start();
      const sample = await checkAgent(command, args);
      seen.set(name, { sample, long: await checkAgent(command, args, SLOW) });
    }),
  );
}, 180_000);

describe.each(LANGUAGES)("the example in $name", ({ name, present }) => {
  if (!present) process.stdout.write(`${name} is not installed here: its example is not checked\n`);
  const check = present ? test : test.skip;

  check("keeps every rule on its sample", () => {
    expect(broke(seen.get(name)?.sample ?? [])).toEqual([]);
  });

  // The small one is never slow, which its sample cannot show.
  if (name.includes("80")) {
    check("has at most 80 lines", () => {
      expect(
        readFileSync(join(EXAMPLES, "small_agent.py"), "utf8").trimEnd().split("\n").length,
      ).toBeLessThanOrEqual(80);
    });
    return;
  }
  check("shows on a long run that it keeps all of them, deadline and leaving included", () => {
    const kept = (seen.get(name)?.long ?? []).filter(({ verdict }) => verdict === "pass");
    expect(kept.map(({ rule }) => rule.id)).toEqual(rules.map(({ id }) => id));
  });
});

/** Typical mistakes, each a change of one line of the example. */
const SLIPS = [
  [
    "the id is not copied",
    '{"request_id": run["request_id"], "task_type": TASK, "warnings"',
    '{"task_type": TASK, "warnings"',
    ["AC1-SYNC-004", "AC1-STREAM-009"],
  ],
  [
    "no empty line after the data",
    "data: {json.dumps(data)}\\n\\n",
    "data: {json.dumps(data)}\\n",
    ["AC1-STREAM-003"],
  ],
  ["the media type is forgotten", '"text/event-stream"', '"text/plain"', ["AC1-STREAM-002"]],
  ["the terminal event has another name", 'self.event("final"', 'self.event("result"', ["AC1-STREAM-006"]],
  [
    "a refusal is answered with 200",
    "self.answer(error.status, refusal",
    "self.answer(200, refusal",
    [
      "AC1-REFUSE-001",
      "AC1-REFUSE-002",
      "AC1-REFUSE-003",
      "AC1-REFUSE-010",
      "AC1-REFUSE-011",
      "AC1-REFUSE-012",
      "AC1-REFUSE-015",
    ],
  ],
  ["the parser's message is passed on", '"The body must be a JSON object.")', 'f"{body}")', ["AC1-LEAK-001"]],
  ["proxies may transform the stream", "no-cache, no-transform", "no-cache", ["AC1-STREAM-019"]],
] as const;

const python = LANGUAGES[0]?.present === true ? describe : describe.skip;
python("one line of the Python example, broken, is found", () => {
  test.each(SLIPS)("%s", async (name, line, slip, expected) => {
    const code = readFileSync(join(EXAMPLES, "agent.py"), "utf8");
    expect(code.split(line)).toHaveLength(2);
    const file = join(folder, `${name.replaceAll(" ", "-")}.py`);
    writeFileSync(file, code.replace(line, slip));
    const results = await checkAgent("python3", [file]);
    expect(broke(results).map((broken) => broken.split(":")[0])).toEqual(expected);
  });
});
