/** Writes src/types.generated.ts from the schemas of every contract. With --check it only compares. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
// biome-ignore lint/correctness/noUndeclaredDependencies: needed for development only, declared at the root
import { compile } from "json-schema-to-typescript";
import { contractFolders, type JsonSchema } from "../src/schemas.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const TARGET = fileURLToPath(new URL("../src/types.generated.ts", import.meta.url));

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

export async function typesAreFresh(): Promise<boolean> {
  return (await readFile(TARGET, "utf8").catch(() => "")) === (await generateTypes());
}

if (import.meta.main) {
  if (!process.argv.includes("--check")) await writeFile(TARGET, await generateTypes());
  else if (!(await typesAreFresh())) {
    console.error("contracts/src/types.generated.ts is stale: run npm run -s generate");
    process.exitCode = 1;
  }
}
