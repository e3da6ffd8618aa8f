import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Everything that making an agent changes. Paths are relative to the repository. */
export interface Changes {
  /** The agent's own folder, which must not exist. It is an absolute path if it is not in the repository. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  readonly edits: readonly { readonly file: string; readonly before: string; readonly after: string }[];
  /** A link in node_modules to the folder. */
  readonly link?: { readonly path: string; readonly target: string } | undefined;
}

/** Writes all of it or nothing. It is synchronous, so that no signal is handled in between. */
export function write(root: string, { folder, files, edits, link }: Changes): void {
  const undo: (() => void)[] = [];
  try {
    // Fails where the folder exists, before there is anything to undo.
    mkdirSync(resolve(root, folder));
    undo.push(() => rmSync(resolve(root, folder), { recursive: true }));
    for (const [path, text] of files) {
      const file = resolve(root, folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    if (link && linkedTo(join(root, link.path)) !== link.target) {
      symlinkSync(link.target, join(root, link.path));
      undo.push(() => rmSync(join(root, link.path), { force: true }));
    }
    for (const { file, before, after } of edits) {
      if (readFileSync(join(root, file), "utf8") !== before) throw new Error(`${file} was changed meanwhile`);
      replace(join(root, file), after);
      undo.push(() => replace(join(root, file), before));
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

function linkedTo(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whoever reads the file sees the old text or the new one. */
function replace(file: string, text: string): void {
  const next = `${file}.new-agent-${process.pid}`;
  try {
    writeFileSync(next, text);
    renameSync(next, file);
  } finally {
    rmSync(next, { force: true });
  }
}
