import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Reads a JSON file, and makes it first where it is missing. Only its owner may read it. If several processes make it at once, one
 * wins, and all read its file.
 */
export function readOrMake(file: string, make: () => unknown): unknown {
  const found = readJson(file);
  if (found !== undefined) return found;
  const mine = writeBeside(file, make());
  try {
    // Unlike a rename, a link does not replace what another process has made meanwhile.
    linkSync(mine, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  return readJson(file);
}

/** Replaces a JSON file in one step. */
export function replace(file: string, value: unknown): void {
  renameSync(writeBeside(file, value), file);
}

function writeBeside(file: string, value: unknown): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const path = `${file}.${randomUUID()}`;
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  return path;
}

/** @throws Error that names the file, not what is in it */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    if (error instanceof SyntaxError) throw new Error(`${file} does not hold JSON`);
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return Error.isError(error) && "code" in error && error.code === code;
}
