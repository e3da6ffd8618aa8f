import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { brokenPeers, goodPeers } from "../agents/index.ts";
import { rules } from "../src/rules.ts";

const DOCS = resolve(import.meta.dirname, "../../../docs");
function read(file: string): string {
  return readFileSync(resolve(DOCS, file), "utf8");
}

describe("an agent in your language", () => {
  const text = read("an-agent-in-your-language.md");
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

test("the counts are those of today", () => {
  const must = rules.filter(({ level }) => level === "MUST").length;
  const counts = [
    `${rules.length} rules (${must} MUST, ${rules.length - must} SHOULD)`,
    `${brokenPeers.length} broken agents`,
    `${goodPeers.length} odd but legal ones`,
  ];
  for (const count of counts) expect(read("conformance.md")).toContain(count);
});
