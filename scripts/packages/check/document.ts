import { type Block, blocksOf } from "../../docs-check/blocks.ts";
import { outputDifference } from "../../docs-check/output.ts";
import { DOCUMENT } from "../packages.ts";

/** Where the blocks of a document are run. */
export interface Place {
  /** What is replaced in commands and files: addresses and folders that are others here. */
  readonly here: Readonly<Record<string, string>>;
  write(file: string, text: string): void;
  /** Runs a command to its end; resolves with its output. */
  run(command: string): Promise<string>;
  /** Starts a command that goes on, and waits until it is ready. */
  start(command: string): Promise<void>;
  /** Fails unless these packages of the registry are installed, which they are from tarballs. */
  installed(packages: readonly string[]): void;
}

/** The blocks of the document, which `docs:check` leaves to this check. */
export function blocksToRun(text: string): Block[] {
  return blocksOf(DOCUMENT, text.replace(/^<!-- no block is run here:.*?-->$/ms, ""));
}

/**
 * Runs the blocks of a document in order, and compares what commands print with the block behind them.
 * @returns how many were run
 * @throws Error with both texts where they differ
 */
export async function runBlocks(text: string, place: Place): Promise<number> {
  const blocks = blocksToRun(text);
  let output = "";
  for (const { language, text: written, marker } of blocks) {
    const code = replaced(written, place.here);
    if (marker?.kind === "file") place.write(marker.path, code);
    else if (language === "text") expectLike(output, code);
    else if (language !== "sh")
      throw new Error(`Nobody knows how to run a block of ${language}:\n${written}`);
    else if (marker?.kind === "in a second terminal") await place.start(code.trim());
    else if (/^npm install (?:--\S+ )*@interlock/.test(code))
      place.installed(code.match(/@interlock\/\S+/g) ?? []);
    else output = await place.run(code);
  }
  return blocks.length;
}

function replaced(text: string, here: Readonly<Record<string, string>>): string {
  return Object.entries(here).reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/** @throws Error with both texts where a command has not printed what is expected, as documents show it */
export function expectLike(output: string, expected: string): void {
  const found = outputDifference("text", expected, output);
  if (found !== undefined)
    throw new Error(`The document says:\n${expected}\nIt prints:\n${output}\n${found}`);
}
