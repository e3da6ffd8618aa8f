import { compileSchema, type JsonSchema, schemas, type Validator } from "@interlock/contracts";

/** Parts of a schema that judge an object described elsewhere. */
const ACROSS = new Set(["if", "then", "else", "not", "allOf"]);

/**
 * A response's schema that lets no undocumented field pass. Readers have to ignore fields that they do not know, so the contract
 * itself is open; the gateway must not send what the contract does not say.
 */
export function closed(name: string): Validator<unknown> {
  return compileSchema(closedSchema(name));
}

function closedSchema(name: string): JsonSchema {
  const { $id: _, $schema: __, ...schema } = schemas.gateway?.[name] ?? {};
  const result = close(schema);
  return isObject(result) ? result : {};
}

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (!isObject(node)) return node;
  const file = typeof node.$ref === "string" ? /^([a-z-]+)\.schema\.json$/.exec(node.$ref)?.[1] : undefined;
  if (file) return closedSchema(file.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
  const entries = Object.entries(node).map(([key, child]) => [key, ACROSS.has(key) ? child : close(child)]);
  const open = "properties" in node && !("additionalProperties" in node);
  return { ...Object.fromEntries(entries), ...(open ? { additionalProperties: false } : {}) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
