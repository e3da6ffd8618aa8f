import type { JsonSchema } from "../src/schemas.ts";

/** A variable such as `${PORT:-8080}`, somewhere in a text. */
const VARIABLE = String.raw`\$\{[A-Z]`;
const FILE = { type: "string", minLength: 1, description: "A YAML file that holds it, beside this one." };

/**
 * The schema of the manifest for editors, which see its files as they are written: with `include`, with variables in place of values, and
 * with names of files for what is kept in files of its own. A part of the manifest has the same shape.
 */
export function editorSchema(mesh: JsonSchema): JsonSchema {
  const { required: _agentsMayBeInParts, ...written } = withVariables(mesh);
  const $defs = objectAt(written, "$defs");
  return {
    ...written,
    $id: String(mesh.$id).replace("mesh.schema.json", "editor.schema.json"),
    title: "MeshManifestAsWritten",
    description: "The manifest of a mesh, mesh.yaml, or a part of it that it includes, as it is written.",
    properties: {
      include: {
        type: "array",
        items: { type: "string", minLength: 1 },
        uniqueItems: true,
        description:
          "The parts of the manifest, files relative to it: each declares agents, flows, services, endpoints, and what is said in general.",
      },
      ...objectAt(written, "properties"),
    },
    $defs: {
      ...$defs,
      flow: orFile(objectAt($defs, "flow"), ["slots", "slot_words", "measures"]),
      service: orFile(objectAt($defs, "service"), ["examples"]),
    },
  };
}

function orFile(owner: JsonSchema, members: readonly string[]): JsonSchema {
  const properties = objectAt(owner, "properties");
  const either = members.map((name) => {
    const { description, ...schema } = objectAt(properties, name);
    return [name, { description, anyOf: [FILE, schema] }];
  });
  return { ...owner, properties: { ...properties, ...Object.fromEntries(either) } };
}

/** Keywords whose schemas hold for values as they are, names of members, or rules across fields. */
const AS_THEY_ARE = new Set(["propertyNames", "if", "not", "enum", "const", "default", "required"]);
const BY_NAME = new Set(["properties", "$defs"]);

/** Allows a text with a variable wherever a value has a form that such a text has not. */
function withVariables(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (AS_THEY_ARE.has(keyword)) return [keyword, value];
    if (BY_NAME.has(keyword) && isObject(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inside(one)]))];
    return [keyword, inside(value)];
  });
  return orVariable(Object.fromEntries(entries));
}

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside);
  return isObject(value) ? withVariables(value) : value;
}

function orVariable(schema: JsonSchema): JsonSchema {
  const { type, pattern, enum: values, description, ...rest } = schema;
  if (values !== undefined)
    return {
      ...(description === undefined ? {} : { description }),
      anyOf: [
        { ...(type === undefined ? {} : { type }), enum: values, ...rest },
        { type: "string", pattern: VARIABLE },
      ],
    };
  if (type === "string" && typeof pattern === "string")
    return { ...schema, pattern: `(?:${pattern})|${VARIABLE}` };
  if (type === "integer" || type === "number" || type === "boolean")
    return { ...schema, type: [type, "string"], pattern: VARIABLE };
  return schema;
}

function objectAt(owner: JsonSchema, name: string): JsonSchema {
  const value = owner[name];
  if (!isObject(value)) throw new Error(`the schema of the manifest has no ${name}`);
  return value;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
