/** Writes src/types.generated.ts from the schemas of every contract, the editors' schema of the manifest, and the reference of its fields. With --check it only compares. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
// biome-ignore lint/correctness/noUndeclaredDependencies: needed for development only, declared at the root
import { compile } from "json-schema-to-typescript";
import { contractFolders, type JsonSchema, schemas } from "../src/schemas.ts";
import { editorSchema } from "./editor-schema.ts";
import { manifestReference } from "./manifest-reference.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** One interface per contract, `AgentContract {runRequest: RunRequest, …}`, which gives the validators their types. */
function aggregate(): Parameters<typeof compile>[0] {
  return {
    title: "Contracts",
    type: "object",
    properties: Object.fromEntries(
      contractFolders.map(({ name, files }) => [
        name,
        {
          title: `${name.charAt(0).toUpperCase()}${name.slice(1)}Contract`,
          type: "object",
          properties: Object.fromEntries(
            files.map((file) => [file.name, { $ref: `${name}/v1/${file.stem}.schema.json` }]),
          ),
          required: files.map((file) => file.name),
        },
      ]),
    ),
    required: contractFolders.map(({ name }) => name),
  };
}

/** Keywords that relate fields to each other (`ok` or `status`). Only validators use them; in types they would widen every field. */
const ACROSS_FIELDS = new Set(["allOf", "anyOf", "if", "then", "else", "not"]);

function fieldsOnly(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(fieldsOnly);
  if (typeof node !== "object" || node === null) return node;
  const isObject = "properties" in node;
  const kept = Object.entries(node).filter(([key]) => !(isObject && ACROSS_FIELDS.has(key)));
  return Object.fromEntries(
    kept.map(([key, child]) => [key, key === "properties" ? openFields(child) : fieldsOnly(child)]),
  );
}

/** Without a `tsType`, the compiler generates an object type for a field that allows any JSON value. */
function openFields(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const allowsAny = Object.keys(field).every((key) => key === "description" || key === "not");
      return [name, allowsAny ? { ...field, tsType: "unknown" } : fieldsOnly(field)];
    }),
  );
}

const readSchema = {
  order: 1,
  canRead: true,
  read: async ({ url }: { url: string }): Promise<string> => {
    const schema: JsonSchema = JSON.parse(await readFile(url.replace(/^file:\/\//, ""), "utf8"));
    return JSON.stringify(fieldsOnly(schema));
  },
};

export function generateTypes(): Promise<string> {
  return compile(aggregate(), "Contracts", {
    cwd: ROOT,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    $refOptions: { resolve: { file: readSchema } },
    bannerComment: "/** Generated from the schemas by scripts/generate.ts; do not edit. */",
  });
}

type Generated = { readonly file: string; readonly text: string };

/** What is generated, by its path in this package. */
async function generated(): Promise<Generated[]> {
  const { mesh } = schemas.gateway ?? {};
  if (!mesh) throw new Error("there is no schema of the manifest");
  return [
    { file: "src/types.generated.ts", text: await generateTypes() },
    { file: "gateway/v1/editor.schema.json", text: `${JSON.stringify(editorSchema(mesh), null, 2)}\n` },
    { file: "gateway/v1/manifest.md", text: manifestReference(mesh) },
  ];
}

/** The files that are not as they would be generated. */
export async function staleFiles(): Promise<string[]> {
  const stale = (await generated()).filter(({ file, text }) => textOf(file) !== text);
  return stale.map(({ file }) => file);
}

function textOf(file: string): string {
  return existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), "utf8") : "";
}

if (import.meta.main) {
  if (!process.argv.includes("--check"))
    for (const { file, text } of await generated()) writeFileSync(join(ROOT, file), text);
  else {
    for (const file of await staleFiles()) {
      console.error(`contracts/${file} is stale: run npm run -s generate`);
      process.exitCode = 1;
    }
  }
}
