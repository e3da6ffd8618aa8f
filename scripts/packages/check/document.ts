/** A fenced block of a document, with what decides how it is run. */
export interface Block {
  readonly language: string;
  readonly code: string;
  /** The file that the block is to be written to: the line before it names that, as `` `file.mjs`: ``. */
  readonly file: string | undefined;
  /** The text between it and the next block. */
  readonly behind: string;
}

const FENCE = /^```(\w+)\n(.*?)^```$/gms;

export function blocksOf(text: string): Block[] {
  const found = [...text.matchAll(FENCE)];
  return found.map((match, at) => {
    const [whole, language = "", code = ""] = match;
    const before = text.slice(0, match.index).trimEnd();
    const end = match.index + whole.length;
    return {
      language,
      code,
      file: /(?:^|\n)`([^`\n]+)`:$/.exec(before)?.[1],
      behind: text.slice(end, found[at + 1]?.index).trim(),
    };
  });
}

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

/**
 * Runs the blocks of a document in order, and compares what commands print with the block behind them.
 * @returns how many were run
 * @throws Error with both texts where they differ
 */
export async function runBlocks(text: string, place: Place): Promise<number> {
  const blocks = blocksOf(text);
  let output = "";
  for (const { language, code: written, file, behind } of blocks) {
    const code = replaced(written, place.here);
    if (file !== undefined) place.write(file, code);
    else if (language === "text") expectLike(output, replaced(written, place.here));
    else if (language !== "sh")
      throw new Error(`Nobody knows how to run a block of ${language}:\n${written}`);
    else if (behind.startsWith("In another terminal")) await place.start(code.trim());
    else if (/^npm install (?:--\S+ )*@interlock/.test(code))
      place.installed(code.match(/@interlock\/\S+/g) ?? []);
    else output = await place.run(code);
  }
  return blocks.length;
}

function replaced(text: string, here: Readonly<Record<string, string>>): string {
  return Object.entries(here).reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/** A line of `…` stands for any lines, and `…` in a line for any text. */
export function expectLike(output: string, expected: string): void {
  const pattern = expected
    .trimEnd()
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\n)*?" : `${line.split("…").map(literally).join(".*")}\n`))
    .join("");
  if (!new RegExp(`^${pattern}$`).test(`${output.trimEnd()}\n`))
    throw new Error(`The document says:\n${expected}\nIt prints:\n${output}`);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
