import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseAllDocuments } from "yaml";
import { type Block, blocksOf } from "./blocks.ts";
import { heldDifference } from "./dialogue.ts";
import { NotJson, parseShapes } from "./json-shape.ts";
import { addToManifest, checkManifest, isManifest, type Section } from "./manifest.ts";
import { outputDifference } from "./output.ts";
import type { DocumentPorts } from "./ports.ts";
import type { Ran, Shell } from "./shell.ts";

export type Outcome = "run" | "checked" | "marked" | "failed";

export interface Result {
  readonly block: Block;
  readonly outcome: Outcome;
  /** Why it failed, or is marked. */
  readonly note?: string;
}

export interface Surroundings {
  /** The tree in which commands run, and which they may change. */
  readonly tree: string;
  readonly ports: DocumentPorts;
  /** A new one, which is closed here. */
  readonly openShell: () => Shell;
  readonly limitMs: number;
}

/** What the blocks of one document have together. */
interface Document extends Omit<Surroundings, "openShell"> {
  shell: Shell;
  /** Sections of the manifest that it has shown. */
  readonly sections: Section[];
  /** What the command that makes the document has written. */
  made?: readonly Block[];
}

/** What an output block right after a block is compared with. */
type Before = Ran | "marked" | "failed" | undefined;
type Step = { readonly outcome: Outcome; readonly note?: string; readonly leaves?: Before };

const SHELL = new Set(["sh", "bash"]);
const OUTPUT = new Set(["", "text", "console", "json"]);
/** How a program in this language is run, and what its file ends with. */
const PROGRAMS: Readonly<Record<string, { ending: string; command: string }>> = {
  ts: { ending: ".ts", command: process.execPath },
  js: { ending: ".mjs", command: process.execPath },
  python: { ending: ".py", command: "python3" },
};

/** Whether it runs anything, which may ask the mesh. */
export function runsCommands(blocks: readonly Block[]): boolean {
  return blocks.some(({ language, marker }) => {
    if (marker?.kind === "dialogue" || marker?.kind === "made by") return true;
    const shown = marker?.kind === "not run" || marker?.kind === "file" || marker?.kind === "part of";
    return !shown && (SHELL.has(language) || language in PROGRAMS);
  });
}

/** Runs and checks the blocks of one document in order. */
export async function runDocument(blocks: readonly Block[], around: Surroundings): Promise<Result[]> {
  const results: Result[] = [];
  const document: Document = { ...around, shell: around.openShell(), sections: [] };
  let before: Before;
  try {
    for (const block of blocks) {
      const asked = block.adjacent ? before : undefined;
      const step = await stepOf(block, asked, document).catch((error: unknown) => failure(error));
      if (document.shell.ended) document.shell = around.openShell();
      before = step.leaves;
      const { outcome, note } = step;
      results.push({ block, outcome, ...(note === undefined ? {} : { note: around.ports.asShown(note) }) });
    }
  } finally {
    await document.shell.close();
  }
  return results;
}

function failure(error: unknown): Step {
  return { outcome: "failed", note: Error.isError(error) ? error.message : String(error), leaves: "failed" };
}

async function stepOf(block: Block, before: Before, around: Document): Promise<Step> {
  const { marker, language, problem } = block;
  if (problem !== undefined) return { outcome: "failed", note: problem, leaves: "failed" };
  switch (marker?.kind) {
    case "not run":
      return { outcome: "marked", note: marker.reason, leaves: "marked" };
    case "made by":
      return await made(block, marker.command, around);
    case "file":
      writeFile(join(around.tree, marker.path), around.ports.toRun(block.text));
      return { outcome: "run" };
    case "part of":
      return verdict(missingLine(block.text, readFileSync(join(around.tree, marker.path), "utf8")));
    case "dialogue":
      return verdict(
        await heldDifference(block.text, `http://127.0.0.1:${around.ports.of(8080)}`, block.line),
      );
  }
  if (language === "yaml") return yaml(block, around);
  if (language === "mermaid") return { outcome: "marked", note: "a picture" };
  if (marker?.kind === "in a second terminal") return await second(block, around);
  if (SHELL.has(language) || language in PROGRAMS) return await commands(block, around);
  if (!OUTPUT.has(language) && language !== "csv")
    return { outcome: "failed", note: `blocks in ${language} are not known` };
  if (before !== undefined) return output(block, before, around);
  if (language === "json") return syntax(block.text);
  if (language === "csv") return table(block.text);
  return { outcome: "failed", note: "nothing before it prints this: mark it, or show the command" };
}

async function made(block: Block, command: string, around: Document): Promise<Step> {
  if (around.made === undefined) {
    const { status, stderr } = await around.shell.run(`${command}\n`, around.limitMs);
    if (status !== 0) return failure(new Error(`${command} ended with ${status}: ${stderr}`));
    around.made = blocksOf(block.file, readFileSync(join(around.tree, block.file), "utf8"));
  }
  const now = around.made.find(({ line }) => line === block.line);
  if (now === undefined) return failure(new Error(`${command} writes no block at this line`));
  return verdict(outputDifference("text", block.text, now.text));
}

function verdict(problem: string | undefined): Step {
  return problem === undefined ? { outcome: "checked" } : { outcome: "failed", note: problem };
}

/** Lines of an excerpt must be in the file, one right after the other, whatever their indentation. */
function missingLine(excerpt: string, file: string): string | undefined {
  const plain = (text: string) => text.split("\n").map((line) => line.trim());
  const wanted = plain(excerpt.trim());
  const there = plain(file);
  const begins = there.flatMap((line, at) => (line === wanted[0] ? [at] : []));
  if (begins.length === 0) return `the file has no line “${wanted[0]}”`;
  const reach = (from: number) => wanted.findIndex((line, at) => there[from + at] !== line);
  const reached = begins.map(reach);
  return reached.includes(-1) ? undefined : `the file does not go on with “${wanted[Math.max(...reached)]}”`;
}

function yaml({ text, marker }: Block, { tree, ports, sections }: Document): Step {
  for (const document of parseAllDocuments(ports.toRun(text))) {
    const [error] = document.errors;
    if (error) return { outcome: "failed", note: error.message };
    const value: unknown = document.toJS();
    if (marker?.kind === "added to mesh.yaml") {
      if (!isManifest(value)) return { outcome: "failed", note: "these are no sections of a manifest" };
      addToManifest(tree, value);
      return { outcome: "run" };
    }
    if (isManifest(value)) {
      checkManifest(tree, value, sections);
      sections.push(value);
    }
  }
  return { outcome: "checked" };
}

/** Every line has as many cells as the header. */
function table(text: string): Step {
  const [header = 0, ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split(",").length);
  return verdict(rows.every((cells) => cells === header) ? undefined : "a line has more or fewer cells");
}

function syntax(text: string): Step {
  try {
    parseShapes(text);
    return { outcome: "checked" };
  } catch (error) {
    if (error instanceof NotJson) return { outcome: "failed", note: error.message };
    throw error;
  }
}

async function commands(block: Block, around: Document): Promise<Step> {
  const ran = await around.shell.run(commandsOf(block, around), around.limitMs);
  const shouldFail = block.marker?.kind === "fails";
  if (ran.status !== 0 && !shouldFail) {
    const place = SHELL.has(block.language) ? `${block.file}:${block.line + ran.line}` : "the program";
    const printed = `${ran.stdout}${ran.stderr}`.trim().slice(-1_500);
    return {
      outcome: "failed",
      note: `${place} ended with ${ran.status} and printed:\n${printed}`,
      leaves: "failed",
    };
  }
  if (ran.status === 0 && shouldFail) return { outcome: "failed", note: "nothing failed", leaves: "failed" };
  return { outcome: "run", leaves: ran };
}

function commandsOf(block: Block, { tree, ports }: Document): string {
  const text = ports.toRun(block.text);
  const program = PROGRAMS[block.language];
  if (program === undefined) return text;
  // Inside of the tree, so that imports of its packages resolve.
  const file = join(tree, ".data/docs-check", `line-${block.line}${program.ending}`);
  writeFile(file, text);
  return `'${program.command}' '${file}'\n`;
}

/** How long a program in a second terminal has until it says something. */
const FIRST_WORD_MS = 120_000;

async function second(block: Block, around: Document): Promise<Step> {
  const said = await around.shell.background(commandsOf(block, around));
  for (const deadline = Date.now() + FIRST_WORD_MS; said() === ""; await delay(50))
    if (Date.now() > deadline) return { outcome: "failed", note: "it says nothing", leaves: "failed" };
  await delay(200);
  return { outcome: "run", leaves: { status: 0, line: 0, stdout: said(), stderr: "" } };
}

function output(block: Block, before: Exclude<Before, undefined>, { ports }: Document): Step {
  if (before === "marked") return { outcome: "marked", note: "what the block before would print" };
  if (before === "failed") return { outcome: "failed", note: "the block before failed" };
  return verdict(outputDifference(block.language, block.text, ports.asShown(before.stdout)));
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
