import { readFileSync, writeFileSync } from "node:fs";

/** The JSON object of a file. @throws Error where it holds none */
export function readJson(file: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${file} holds no JSON object`);
  return { ...value };
}

/** The objects of a JSON Lines file. The caller says what they are; the file is the developer's own. */
export function readLines<T extends object>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as T);
}

export function writeLines(file: string, lines: readonly object[]): void {
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
