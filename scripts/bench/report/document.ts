import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/paths.ts";
import { charts } from "./charts.ts";
import type { Results } from "./results.ts";
import { goalsTable, machineText } from "./tables.ts";

const FILE = "docs/performance.md";

/** Updates the generated sections of docs/performance.md and the charts. @returns the file */
export async function writeDocument(results: Results): Promise<string> {
  for (const [name, drawing] of Object.entries(await charts(results)))
    writeFileSync(join(root, "docs/performance", name), drawing);
  const sections = {
    results: goalsTable(results),
    machine: machineText(results.runs),
  };
  const document = Object.entries(sections).reduce(
    (text, [name, content]) => replaceSection(text, name, content),
    readFileSync(join(root, FILE), "utf8"),
  );
  writeFileSync(join(root, FILE), document);
  return FILE;
}

/** Replaces the text between `<!-- bench:name -->` and `<!-- /bench:name -->`. */
export function replaceSection(document: string, name: string, content: string): string {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${FILE} has lost its place for "${name}": ${begin} … ${end}`);
  return `${document.slice(0, from + begin.length)}\n${content}\n${document.slice(to)}`;
}
