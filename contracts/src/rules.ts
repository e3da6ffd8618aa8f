import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { JsonSchema } from "./schemas.ts";
import { compileSchema } from "./validate.ts";

/** One normative statement of a contract. */
export type Rule = {
  readonly id: string;
  readonly level: "MUST" | "SHOULD";
  readonly text: string;
  readonly [more: string]: unknown;
};

const RULES: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["id", "level", "text"],
    properties: {
      id: { type: "string", pattern: "^[A-Z0-9]+(-[A-Z0-9]+)*$" },
      level: { enum: ["MUST", "SHOULD"] },
      text: { type: "string", pattern: "\\S" },
    },
  },
};

function readIfPresent(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The rules of the agent contract, in file order. The file holds a list, or a list under `rules`. */
export function loadRules(file: URL = new URL("../agent/v1/rules.yaml", import.meta.url)): readonly Rule[] {
  const text = readIfPresent(file);
  if (text === undefined) return [];
  const parsed: unknown = parse(text);
  const list = typeof parsed === "object" && parsed !== null && "rules" in parsed ? parsed.rules : parsed;
  const checked = compileSchema<Rule[]>(RULES)(list);
  if (!checked.ok) throw new Error(`rules.yaml: ${checked.problem.message}`);
  return checked.value;
}
