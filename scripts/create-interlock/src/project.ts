import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const LANGUAGES = ["ts", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** As npm wants the name of a package. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** Under their own names npm obeys these files, or leaves them out, where they lie in a package. */
const RENAMED = { gitignore: ".gitignore", "package.template.json": "package.json" };

/**
 * Makes an empty project in a folder that does not exist yet, or is empty.
 * @returns the paths of its files, in the folder
 * @throws Error where the folder's name is none for a package, or something is in it
 */
export function makeProject(folder: string, language: Language): string[] {
  const target = resolve(folder);
  const name = basename(target);
  if (!NAME.test(name))
    throw new Error(
      `${name} is no name for a project: lower-case letters, digits, dots, hyphens and underscores.`,
    );
  if (existsSync(target) && readdirSync(target).length > 0) throw new Error(`${target} is not empty.`);
  mkdirSync(target, { recursive: true });
  for (const part of ["common", language]) cpSync(join(ROOT, "template", part), target, { recursive: true });
  for (const [from, to] of Object.entries(RENAMED)) renameSync(join(target, from), join(target, to));
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const files = filesIn(target);
  for (const file of files) fillIn(join(target, file), { PROJECT_NAME: name, INTERLOCK_VERSION: version });
  return files;
}

function fillIn(file: string, values: Readonly<Record<string, string>>): void {
  const text = readFileSync(file, "utf8");
  const filled = text.replace(/PROJECT_NAME|INTERLOCK_VERSION/g, (token) => values[token] ?? token);
  if (filled !== text) writeFileSync(file, filled);
}

function filesIn(folder: string, within = ""): string[] {
  return readdirSync(join(folder, within), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(within, entry.name);
      return entry.isDirectory() ? filesIn(folder, path) : path;
    })
    .sort();
}
