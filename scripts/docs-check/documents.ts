import { readdirSync } from "node:fs";
import { join } from "node:path";

const FIRST = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
/** Pages of their own folders; what the shipped mesh answers, as commands write it. */
const WRITTEN = [
  "scripts/eval/README.md",
  "scripts/transcripts/shipped.md",
  "scripts/transcripts/with-models.md",
];
/** Decisions say what was so when they were made. */
const LEFT_OUT = /^docs\/decisions\//;

/** The documents whose blocks are run, by their paths in the repository. */
export function documentsOf(root: string): string[] {
  const found = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
    .filter((name) => !LEFT_OUT.test(name));
  return [...FIRST, ...found.sort(), ...WRITTEN];
}
