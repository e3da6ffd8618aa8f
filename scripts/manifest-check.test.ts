import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkManifest } from "@interlock/gateway/manifest";
import { afterAll, expect, test } from "@jest/globals";
import { root } from "./lib/paths.ts";

const dir = mkdtempSync(join(tmpdir(), "interlock-check-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function write(manifest: string, parts: Readonly<Record<string, string>> = {}): void {
  mkdirSync(join(dir, "parts"), { recursive: true });
  writeFileSync(join(dir, "mesh.yaml"), manifest);
  for (const [name, text] of Object.entries(parts)) writeFileSync(join(dir, "parts", name), text);
}

/** Runs the command. */
function check(manifest: string): { status: number | null; stdout: string } {
  write(manifest);
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, "scripts/manifest-check.ts"), "mesh.yaml"],
    { cwd: root, env: { ...process.env, INIT_CWD: dir }, encoding: "utf8" },
  );
  return { status, stdout };
}

/** The problems that the command prints, without a process for each manifest. */
function problemsOf(manifest: string, parts?: Readonly<Record<string, string>>): string[] {
  write(manifest, parts);
  const { problems } = checkManifest(join(dir, "mesh.yaml"), {});
  return problems.map((problem) => problem.replace(`${dir}/`, ""));
}

const AGENTS =
  "agents: { counter: { url: http://127.0.0.1:8090, tasks: { COUNT: Counts. }, label: Counting } }\n";
const flow = (steps: string) =>
  `${AGENTS}flows:\n  count:\n    goals: { done: [count] }\n    steps:\n${steps}`;

test("a manifest in one language, with a goal that is no service, is valid", () => {
  const manifest = `${flow("      count: { agent: counter, task_type: COUNT, inputs: request.inputs }\n")}services: { counting: { flow: count, label: { en: Count } } }\n`;
  expect(check(manifest)).toMatchObject({
    status: 0,
    stdout: "mesh.yaml is a valid manifest: 1 agent, 1 flow, 1 service.\n",
  });
});

test("a problem is a line, and exit code 1", () => {
  expect(check("services: {}\n")).toEqual({ status: 1, stdout: "mesh.yaml: agents: is required\n" });
});

test.each([
  [
    "a misspelt field",
    `${AGENTS}services: { counting: { agent: counter, task_typ: COUNT } }\n`,
    "mesh.yaml:2:41: services.counting.task_typ: is not a known field; did you mean task_type?",
  ],
  [
    "a field that nothing is near",
    `${AGENTS}colour: red\n`,
    /^mesh\.yaml:2:1: colour: is not a known field; allowed here: agents, flows, services, /,
  ],
  [
    "a misspelt task",
    `${AGENTS}services: { counting: { agent: counter, task_type: CUONT } }\n`,
    'mesh.yaml:2:41: services.counting.task_type: agent "counter" has no task "CUONT"; did you mean "COUNT"?',
  ],
  [
    "a reference to a step that is not there",
    flow(
      "      count: { agent: counter, task_type: COUNT, inputs: steps.mesure.outputs }\n      measure: { agent: counter, task_type: COUNT, inputs: request.inputs }\n",
    ),
    'mesh.yaml:6:50: flows.count.steps.count.inputs: there is no step "mesure"; did you mean "measure"?',
  ],
  [
    "a reference to a step that nothing waits for",
    flow(
      "      count: { agent: counter, task_type: COUNT, inputs: steps.measure.outputs }\n      measure: { agent: counter, task_type: COUNT, inputs: request.inputs }\n",
    ),
    'mesh.yaml:6:50: flows.count.steps.count.inputs: step "measure" may not be over by then: name it under `needs` or `after`',
  ],
  ["no YAML", "agents: {\n", /^mesh\.yaml:2:1: Flow map /],
  ["no agents", "services: {}\n", "mesh.yaml: agents: is required"],
])("%s is a line with file, line and column", (_what, manifest, line) => {
  expect(problemsOf(manifest)).toEqual([typeof line === "string" ? line : expect.stringMatching(line)]);
});

test("a problem of a part has the part's place", () => {
  const parts = { "a.yaml": "agents:\n  a: { url: http://127.0.0.1:1, task: {} }\n" };
  expect(problemsOf("include: [parts/a.yaml]\n", parts)).toEqual([
    "parts/a.yaml:2:33: agents.a.task: is not a known field; did you mean tasks?",
  ]);
});
