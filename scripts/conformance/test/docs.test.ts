import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { brokenPeers, goodPeers } from "../agents/index.ts";
import { rules } from "../src/rules.ts";

const DOCS = resolve(import.meta.dirname, "../../../docs");
function read(file: string): string {
  return readFileSync(resolve(DOCS, file), "utf8");
}

describe("the agent contract", () => {
  const text = read("agent-contract.md");
  const excerpts = [...text.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

  test.each(excerpts)("shows the example as it is: %#", (code) => {
    expect(read("examples/agent.py")).toContain(code);
  });

  test.each([...text.matchAll(/→ (.+)/g)].map(([, hint = ""]) => hint))(
    "quotes a hint of today: %s",
    (hint) => {
      expect(rules.map((rule) => rule.hint)).toContain(hint);
    },
  );
});

test("the workflow names inputs and outputs that the action has, and a file, an address and a task of the example", () => {
  const [, text = ""] = /```yaml\n(name: agent contract[\s\S]*?)```/.exec(read("agent-contract.md")) ?? [];
  const action = parse(readFileSync(resolve(DOCS, "../.github/actions/conformance/action.yml"), "utf8"));
  const { steps } = parse(text).jobs.conformance;
  const check = steps.find(({ id }: { id?: string }) => id === "check");
  expect(check.uses).toBe("OWNER/interlock/.github/actions/conformance@v1");
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(check.with)));
  const outputs = [...text.matchAll(/steps\.check\.outputs\.(\w+)/g)].map(([, name]) => name);
  expect(outputs.sort()).toEqual(Object.keys(action.outputs).sort());
  const [url, task] = check.with.targets.split("=");
  const example = read("examples/agent.py");
  expect(example).toContain(new URL(url).port);
  expect(example).toContain(`"${task}"`);
});

test("the counts are those of today", () => {
  const must = rules.filter(({ level }) => level === "MUST").length;
  const counts = [
    `${rules.length} rules (${must} MUST, ${rules.length - must} SHOULD)`,
    `${brokenPeers.length} broken agents`,
    `${goodPeers.length} odd but legal ones`,
  ];
  for (const count of counts) expect(read("agent-contract.md")).toContain(count);
});
