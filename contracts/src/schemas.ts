import { readdirSync, readFileSync } from "node:fs";

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The root of this package. Each contract is a folder `<name>/v1` in it. */
const ROOT = new URL("../", import.meta.url);

/** `run-request.schema.json` becomes `runRequest`. */
const SUFFIX = ".schema.json";
/** Generated from `mesh.schema.json` for editors; nobody sends or validates what it describes. */
const FOR_EDITORS = "editor.schema.json";
function camelCase(stem: string): string {
  return stem.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export type SchemaFile = { readonly stem: string; readonly name: string; readonly schema: JsonSchema };
export type ContractFolder = {
  readonly name: string;
  readonly folder: URL;
  readonly files: readonly SchemaFile[];
};

function readFolder(name: string): ContractFolder {
  const folder = new URL(`${name}/v1/`, ROOT);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX) && file !== FOR_EDITORS)
    .sort()
    .map((file) => {
      const stem = file.slice(0, -SUFFIX.length);
      const schema: JsonSchema = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
      return { stem, name: camelCase(stem), schema };
    });
  return { name, folder, files };
}

function isContract(name: string): boolean {
  try {
    return readdirSync(new URL(`${name}/v1/`, ROOT)).some((file) => file.endsWith(SUFFIX));
  } catch {
    return false;
  }
}

/** Every contract of this package. Adding a folder adds a contract. */
export const contractFolders: readonly ContractFolder[] = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && isContract(entry.name))
  .map((entry) => entry.name)
  .sort()
  .map(readFolder);

/** The raw schemas: `schemas.agent.runRequest`. */
export const schemas: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = Object.fromEntries(
  contractFolders.map(({ name, files }) => [
    name,
    Object.fromEntries(files.map((file) => [file.name, file.schema])),
  ]),
);
