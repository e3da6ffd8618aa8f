import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { LargeValues } from "./large/large-values.ts";
import { type LoadOptions, loadEdition, loadEditionInTurns } from "./load.ts";
import { MeshError } from "./mesh-error.ts";

const large = new LargeValues({ largeTimeoutMs: 10_000, largeMemoryMb: 512 });
const parse = async (json: Buffer): Promise<unknown> => JSON.parse(json.toString());

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "interlock-parts-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const LABEL = "label: { en: Count, ko: 세기 }";

/** A mesh of two parts, each with an agent and a service. */
const FILES: Readonly<Record<string, string>> = {
  "mesh.yaml":
    "include: [parts/words/domain.yaml, parts/sums.yaml]\nlimits: { subject: { points: 5, per_s: 1 } }\n",
  "parts/words/domain.yaml": `
agents:
  counter: { url: "\${COUNTER_URL:-http://127.0.0.1:9001}", tasks: { COUNT: Counts. } }
flows:
  count:
    default_inputs: sample.json
    slots: language/slots.yaml
    steps: { count: { agent: counter, task_type: COUNT, inputs: request.inputs } }
    goals: { counter: [count] }
services:
  counter: { agent: counter, task_type: COUNT, examples: language/examples.yaml }
general: { en: I count words., ko: 단어를 셉니다. }
`,
  "parts/words/sample.json": '{ "text": "one two" }',
  "parts/words/language/slots.yaml": `top: { kind: count, ${LABEL} }\n`,
  "parts/words/language/examples.yaml": "[count the words]\n",
  "parts/sums.yaml": `
agents:
  adder: { url: http://127.0.0.1:9002, tasks: { ADD: Adds. } }
services:
  adder: { agent: adder, task_type: ADD }
general: { en: I add numbers., ko: 수를 더합니다. }
`,
};

function options(
  files: Readonly<Record<string, string>> = FILES,
  more: Partial<LoadOptions> = {},
): LoadOptions {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return { file: join(dir, "mesh.yaml"), env: {}, large, surroundings: { loopback: true }, ...more };
}

/** What is wrong with a manifest, a line each. */
function refusal(change: Readonly<Record<string, string>>, more: Partial<LoadOptions> = {}): string {
  try {
    loadEdition(options({ ...FILES, ...change }, more));
  } catch (error) {
    if (error instanceof MeshError) return error.message.replaceAll(`${dir}/`, "");
    throw error;
  }
  return "";
}

test("parts make one mesh, and what they name lies beside them", () => {
  const { mesh } = loadEdition(options());
  expect([...mesh.agents.keys()]).toEqual(["counter", "adder"]);
  expect(mesh.flows.get("count")?.defaultInputs).toEqual({ text: "one two" });
  expect(mesh.flows.get("count")?.slots?.slots.map(({ name }) => name)).toEqual(["top"]);
  expect(mesh.services.get("counter")?.examples).toEqual(["count the words"]);
  expect(mesh.general.en).toBe("I count words.\nI add numbers.");
});

test("some parts can be left out", () => {
  const { mesh } = loadEdition(options(FILES, { only: ["words"] }));
  expect([...mesh.services.keys()]).toEqual(["counter"]);
  expect(refusal({}, { only: ["word"] })).toContain('include: there is no part "word"');
});

test("an edition is its parts, too, and is read again without the files on disk", async () => {
  const edition = loadEdition(options());
  const inTurns = await loadEditionInTurns({ ...options(), parse });
  expect(inTurns.hash).toBe(edition.hash);
  const changed = { ...FILES, "parts/words/language/slots.yaml": `most: { kind: count, ${LABEL} }\n` };
  expect(loadEdition(options(changed)).hash).not.toBe(edition.hash);
  rmSync(join(dir, "parts"), { recursive: true });
  const again = await loadEditionInTurns({ ...options({}), parse }, edition.sources);
  expect(again.hash).toBe(edition.hash);
  expect([...again.mesh.services.keys()]).toEqual(["counter", "adder"]);
});

test("an edition of some parts is read again without the others", async () => {
  const edition = loadEdition(options(FILES, { only: ["sums"] }));
  const again = await loadEditionInTurns({ ...options(), parse }, edition.sources);
  expect([...again.mesh.services.keys()]).toEqual(["adder"]);
});

test.each([
  [
    "a name is declared twice",
    { "parts/sums.yaml": 'agents:\n  counter: { url: "http://127.0.0.1:9002", tasks: { ADD: Adds. } }\n' },
    "parts/sums.yaml:2:3: agents.counter: is declared at parts/words/domain.yaml:3:3 already",
  ],
  [
    "a part has what is the mesh's own",
    { "parts/sums.yaml": "limits: { subject: { points: 5, per_s: 1 } }\n" },
    "parts/sums.yaml:1:1: limits: a part has agents, flows, services, endpoints and general, and nothing else",
  ],
  [
    "a part is not there",
    { "mesh.yaml": "include: [none.yaml]\n" },
    "mesh.yaml:1:11: include.0: the file none.yaml cannot be read",
  ],
  [
    "a part is included twice",
    { "mesh.yaml": "include: [parts/sums.yaml, ./parts/sums.yaml]\n" },
    "mesh.yaml:1:1: include: parts/sums.yaml is included twice",
  ],
  ["the list of parts is none", { "mesh.yaml": "include: parts\n" }, "include: must be a list of files"],
  [
    "a name is there twice in one file",
    { "parts/sums.yaml": "services:\n  adder: { agent: counter }\n  adder: { agent: counter }\n" },
    'parts/sums.yaml:3:3: "adder" is there twice',
  ],
  ["a part is no YAML", { "parts/sums.yaml": "a: [\n" }, "parts/sums.yaml:2:1: "],
  [
    "a field is misspelt in a part",
    { "parts/sums.yaml": "services:\n  adder: { agent: counter, task_type: COUNT, keyword: [add] }\n" },
    "parts/sums.yaml:2:46: services.adder.keyword: is not a known field; did you mean keywords?",
  ],
  [
    "a name in a part refers to nothing",
    { "parts/sums.yaml": "services:\n\n  adder: { agent: added, task_type: ADD }\n" },
    'parts/sums.yaml:3:12: services.adder.agent: there is no agent "added"',
  ],
  [
    "a file of a part has a fault",
    { "parts/words/language/slots.yaml": `# Slots.\ntop: { kind: sum, ${LABEL} }\n` },
    "parts/words/language/slots.yaml:2:8: flows.count.slots.top.kind: ",
  ],
  [
    "a template of a part is none",
    { "parts/words/domain.yaml": (FILES["parts/words/domain.yaml"] ?? "").replace("request.inputs", "'('") },
    "parts/words/domain.yaml:8:57: flows.count.steps.count.inputs: ",
  ],
])("where %s, the problem says in which line of which file", async (_what, change, said) => {
  expect(refusal(change)).toContain(said);
  // A reload, in a thread of its own, says the same.
  const reloaded = await loadEditionInTurns({ ...options({}), parse }).catch((error: Error) => error.message);
  expect(String(reloaded).replaceAll(`${dir}/`, "")).toContain(said);
});
