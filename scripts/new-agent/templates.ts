import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { camel, type Order } from "./order.ts";

/** Names of the templates, which are agents themselves: types, lint and tests hold for them too. */
const TOKENS = /MINIMAL(?:_TURN)?|minimalAgent|minimal(?:-dialogue)?|8099/g;

const TEMPLATES = join(import.meta.dirname, "templates");

/** The files of a new agent by their path in its folder. */
export function filesOf({ name, language, dialogue, taskType, port }: Order): Map<string, string> {
  const template = join(TEMPLATES, dialogue ? `${language}-dialogue` : language);
  const renamed = (token: string): string => {
    if (token.startsWith("MINIMAL")) return taskType;
    if (token === "minimalAgent") return `${camel(name)}Agent`;
    return token === "8099" ? String(port) : name;
  };
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map(({ parentPath, name: file }) => join(parentPath, file))
    .sort();
  return new Map(
    files.map((file) => [
      file.slice(template.length + 1),
      readFileSync(file, "utf8").replaceAll(TOKENS, renamed),
    ]),
  );
}
