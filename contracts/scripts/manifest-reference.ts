import type { JsonSchema } from "../src/schemas.ts";

type Section = { readonly title: string; readonly about: string; readonly rows: readonly string[] };

/**
 * The reference of the manifest's fields, as Markdown: a table for each kind of object, in the order in which the manifest leads to them.
 * @param mesh the schema of the manifest
 */
export function manifestReference(mesh: JsonSchema): string {
  const sections: Section[] = [];
  const seen = new Set<string>();
  describe("the manifest", mesh);

  function describe(title: string, schema: JsonSchema): void {
    if (seen.has(title)) return;
    seen.add(title);
    const at = sections.push({ title, about: "", rows: [] }) - 1;
    const required = new Set(listIn(schema, "required"));
    const rows = Object.entries(objectIn(schema, "properties")).map(([name, field]) => {
      const { text, about } = typeOf(field, name, title);
      const said = descriptionOf(field) || about;
      return `| \`${name}\`${required.has(name) ? " *" : ""} | ${text} | ${cell(said)} |`;
    });
    sections[at] = { title, about: descriptionOf(schema), rows };
  }

  /** What a field holds, with links to objects that have a table of their own. */
  function typeOf(written: unknown, name: string, owner: string): { text: string; about: string } {
    const { schema, title } = resolved(written, name, owner);
    const about = descriptionOf(schema);
    const simple = (text: string) => ({ text, about });
    // In one language or in several: docs/manifest.md says how.
    if (schema.title === "MeshText") return simple("text");
    const values = listIn(schema, "enum");
    if (values.length > 0) return simple(values.map((value) => code(value)).join(", "));
    if ("const" in schema) return simple(code(schema.const));
    const branches = listIn(schema, "oneOf").concat(listIn(schema, "anyOf")).filter(isTyped);
    if (branches.length > 0 && !("properties" in schema)) {
      const types = branches.map((branch) => typeOf(branch, name, owner).text);
      return simple([...new Set(types)].join(" or "));
    }
    if ("properties" in schema) {
      describe(title, schema);
      return simple(
        `[${title}](#${title
          .replaceAll(/[^a-z0-9_ -]/gi, "")
          .replaceAll(" ", "-")
          .toLowerCase()})`,
      );
    }
    const members = schema.additionalProperties;
    if (typeof members === "object" && members !== null)
      return simple(`by name: ${typeOf(members, singular(name), owner).text}`);
    if ("items" in schema) return simple(`list of ${typeOf(schema.items, singular(name), owner).text}`);
    const { type, minimum, maximum, default: byDefault } = schema;
    const kind = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "any";
    const bounds =
      minimum === undefined && maximum === undefined ? "" : `, ${minimum ?? "…"} to ${shown(maximum)}`;
    return simple(`${kind}${bounds}${byDefault === undefined ? "" : `, default ${code(byDefault)}`}`);
  }

  function resolved(written: unknown, name: string, owner: string): { schema: JsonSchema; title: string } {
    const schema = isObject(written) ? written : {};
    const [, def] = /^#\/\$defs\/(\w+)$/.exec(String(schema.$ref ?? "")) ?? [];
    if (def !== undefined) return { schema: objectIn(objectIn(mesh, "$defs"), def), title: def };
    return { schema, title: owner === "the manifest" ? name : `${owner}.${name}` };
  }

  return [
    "<!-- Made from mesh.schema.json by npm run -s generate; do not edit. -->",
    "",
    "# The fields of the manifest",
    "",
    "Required fields have a *. A part of the manifest, a file that `include` names, has `agents`, `flows`, `services`, `endpoints` and `general`.",
    "",
    ...sections.flatMap(({ title, about, rows }) => [
      `## ${title}`,
      "",
      ...(about === "" ? [] : [about, ""]),
      "| field | holds | is |",
      "|---|---|---|",
      ...rows,
      "",
    ]),
  ].join("\n");
}

function descriptionOf(schema: unknown): string {
  return isObject(schema) && typeof schema.description === "string" ? schema.description : "";
}

/** A branch that says what a value is, rather than which fields go together. */
function isTyped(branch: unknown): boolean {
  return isObject(branch) && ["type", "$ref", "enum", "const"].some((keyword) => keyword in branch);
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}

function shown(maximum: unknown): string {
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? "…" : String(maximum);
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function listIn(schema: JsonSchema, keyword: string): unknown[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value : [];
}

function objectIn(schema: JsonSchema, keyword: string): JsonSchema {
  const value = schema[keyword];
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
