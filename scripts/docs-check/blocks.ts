/**
 * Finds the fenced blocks of a Markdown text, and the marker in the HTML comment right before each. A comment at the beginning of a line that
 * begins with `no block is run here:` or `made by:` marks all of them.
 */

export type Marker =
  /** Not run, for a reason that a reader can judge. */
  | { readonly kind: "not run"; readonly reason: string }
  /** Of a document that a command writes: what it writes is compared. */
  | { readonly kind: "made by"; readonly command: string }
  /** Written to this path of the clone, for later blocks. */
  | { readonly kind: "file"; readonly path: string }
  /** Lines of this file of the repository, in its order. */
  | { readonly kind: "part of"; readonly path: string }
  /** Merged into the clone's mesh.yaml, for later blocks. */
  | { readonly kind: "added to mesh.yaml" }
  /** Goes on while later blocks run, as in a second terminal. */
  | { readonly kind: "in a second terminal" }
  /** A conversation with the gateway, of lines that begin with `user` and answers. */
  | { readonly kind: "dialogue" }
  /** The commands are meant to fail, such as a request that is refused. */
  | { readonly kind: "fails" };

export interface Block {
  readonly file: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  /** The first word after the fence in lower case, or "". */
  readonly language: string;
  /** Without the indentation of the fence. */
  readonly text: string;
  readonly marker?: Marker;
  /** What is wrong with the marker or the fence itself. */
  readonly problem?: string;
  /** Whether nothing but empty lines is between this block and the one before. */
  readonly adjacent: boolean;
}

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([\w+-]*)/;
const WHOLE = /^<!--\s*(no block is run here|made by):\s*((?:(?!-->)[\s\S])*?\S)\s*-->$/m;
const COMMENT = /<!--((?:(?!-->)[\s\S])*)-->\s*$/;

export function blocksOf(file: string, markdown: string): Block[] {
  const lines = markdown.split("\n");
  const whole = markerOfAll(markdown);
  const blocks: Block[] = [];
  let after = -1;
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = "", fence = "", language = ""] = FENCE.exec(lines[at] ?? "") ?? [];
    if (fence === "") continue;
    const end = closing(lines, at + 1, fence);
    const body = lines.slice(at + 1, end).map((line) => withoutIndent(line, indent));
    const before = lines.slice(after + 1, at).join("\n");
    const found = COMMENT.exec(before);
    const comment = found?.[1]?.replace(/\s+/g, " ").trim();
    const marker = whole === undefined ? markerOf(comment) : { marker: whole };
    blocks.push({
      file,
      line: at + 1,
      language: language.toLowerCase(),
      text: `${body.join("\n")}\n`,
      ...marker,
      ...(end === lines.length ? { problem: "the block has no closing fence" } : {}),
      adjacent: after >= 0 && before.replace(COMMENT, "").trim() === "",
    });
    after = end;
    at = end;
  }
  return blocks;
}

function closing(lines: readonly string[], from: number, fence: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]?.trim() ?? "";
    if (line.length >= fence.length && line === (fence[0] ?? "").repeat(line.length)) return at;
  }
  return lines.length;
}

function withoutIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
}

function markerOfAll(markdown: string): Marker | undefined {
  const [, word, text] = WHOLE.exec(markdown) ?? [];
  if (text === undefined) return undefined;
  if (word === "made by") return { kind: "made by", command: text };
  return { kind: "not run", reason: text.replace(/\s+/g, " ") };
}

function marked(reason: string): { marker: Marker } {
  return { marker: { kind: "not run", reason } };
}

function markerOf(comment: string | undefined): { marker?: Marker } | { problem: string } {
  if (comment === undefined) return {};
  const [, word = comment, rest = ""] = /^([\w .]+?)(?::\s*(.*))?$/.exec(comment) ?? [];
  switch (word) {
    case "not run":
      if (rest === "") return { problem: "the marker names no reason: <!-- not run: because … -->" };
      return marked(rest);
    case "file":
    case "part of":
      if (rest === "") return { problem: `the marker names no file: <!-- ${word}: path -->` };
      return { marker: { kind: word, path: rest } };
    case "added to mesh.yaml":
    case "in a second terminal":
    case "dialogue":
    case "fails":
      return { marker: { kind: word } };
    default:
      return { problem: `no marker is called “${comment}”` };
  }
}
