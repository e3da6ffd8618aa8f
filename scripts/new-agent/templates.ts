import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { camel, type Order } from "./order.ts";

/** Names of the templates, which are agents themselves: types, lint and tests hold for them too. */
const TOKENS = /MINIMAL(?:_TURN)?|minimalAgent|minimal(?:-dialogue)?|8099/g;

const TEMPLATES = join(import.meta.dirname, "templates");

/** The files of a new agent by their path in its folder. A dialogue is the other agent of its language, with another task. */
export function filesOf(order: Order): Map<string, string> {
  const { language, dialogue } = order;
  const base = filesUnder(join(TEMPLATES, language));
  const files = dialogue ? new Map([...base, ...filesUnder(join(TEMPLATES, `${language}-dialogue`))]) : base;
  return new Map([...files].sort().map(([path, text]) => [path, text.replaceAll(TOKENS, renamed(order))]));
}

function filesUnder(template: string): Map<string, string> {
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(files.map((file) => [relative(template, file), readFileSync(file, "utf8")]));
}

function renamed({ name, taskType, port }: Order): (token: string) => string {
  return (token) => {
    if (token.startsWith("MINIMAL")) return taskType;
    if (token === "minimalAgent") return `${camel(name)}Agent`;
    return token === "8099" ? String(port) : name;
  };
}
