import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../lib/paths.ts";
import { camel, type Order } from "./order.ts";

/** Names of the templates, which are agents themselves: types, lint and tests hold for them too. */
const TOKENS = /MINIMAL(?:_TURN)?|minimalAgent|minimal(?:-dialogue)?|8099|KIT_VERSION/g;

type Named = Pick<Order, "name" | "taskType" | "port">;

const TEMPLATES = join(import.meta.dirname, "templates");

/** The packages that an agent elsewhere is made with have the version of this repository. */
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/**
 * The files of a new agent by their path in its folder. A dialogue is the other agent of its language, with another task. An agent in a
 * repository of its own has what else belongs there, and tests that need no package.
 */
export function filesOf(order: Order): Map<string, string> {
  const { language, dialogue, standalone } = order;
  const kinds = [language, ...(standalone === undefined ? [] : ["standalone"])];
  const templates = kinds.flatMap((kind) => (dialogue ? [kind, `${kind}-dialogue`] : [kind]));
  return rendered(
    templates.map((template) => join(TEMPLATES, template)),
    order,
  );
}

/** The files of templates under other names, by their path. Of two files with the same path the later one counts. */
export function rendered(templates: readonly string[], order: Named): Map<string, string> {
  const files = new Map(templates.flatMap((template) => [...filesUnder(template)]));
  return new Map([...files].sort().map(([path, text]) => [path, text.replaceAll(TOKENS, renamed(order))]));
}

function filesUnder(template: string): Map<string, string> {
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(files.map((file) => [relative(template, file), readFileSync(file, "utf8")]));
}

function renamed({ name, taskType, port }: Named): (token: string) => string {
  return (token) => {
    if (token.startsWith("MINIMAL")) return taskType;
    if (token === "minimalAgent") return `${camel(name)}Agent`;
    if (token === "KIT_VERSION") return version;
    return token === "8099" ? String(port) : name;
  };
}
