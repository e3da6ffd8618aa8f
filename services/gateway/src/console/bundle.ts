import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import type { ContractFolder } from "@interlock/contracts";
import { parse } from "yaml";

export type JsonObject = { readonly [name: string]: unknown };

/** A description of an API in which every `$ref` is to a place of its own. */
export type Bundle = {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly paths: { readonly [path: string]: { readonly [method: string]: JsonObject } };
  readonly components: { readonly [kind: string]: { readonly [name: string]: JsonObject } };
};

const COMPONENTS = "#/components/schemas/";

/**
 * Reads `openapi.yaml` of a contract with all schemas that it refers to, which become components under their titles. Thus one file is the
 * whole description, wherever it is served.
 */
export function bundle({ folder, files }: ContractFolder): Bundle {
  const titles = new Map<string, string>();
  const schemas: Record<string, unknown> = {};

  /** @param own where a reference begins that names no file */
  function resolved(value: JsonObject, own: string): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === "$ref" && typeof member === "string" ? target(member, own) : within(member, own),
      ]),
    );
  }

  function within(value: unknown, own: string): unknown {
    if (Array.isArray(value)) return value.map((one) => within(one, own));
    return isObject(value) ? resolved(value, own) : value;
  }

  function target(reference: string, own: string): string {
    const [file = "", place = ""] = reference.split("#");
    return `${file === "" ? own : `${COMPONENTS}${titleOf(file)}`}${place}`;
  }

  function titleOf(file: string): string {
    const known = titles.get(file);
    if (known !== undefined) return known;
    const found = files.find(({ stem }) => file === `${stem}.schema.json`);
    if (!found) throw new Error(`${file} is not there`);
    const { $id: _, $schema: __, ...schema } = found.schema;
    const title = String(schema.title);
    titles.set(file, title);
    const example = exampleOf(new URL(`examples/${found.stem}/valid/`, folder));
    schemas[title] = { ...resolved(schema, COMPONENTS + title), ...(example ? { examples: [example] } : {}) };
    return title;
  }

  const document = resolved(parse(readFileSync(new URL("openapi.yaml", folder), "utf8")), "#") as Bundle;
  const sorted = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(sorted) as Bundle["paths"] },
  };
}

/** The smallest of the examples that the contract is tested with. Images may leave them out. */
function exampleOf(folder: URL): unknown {
  const files = (existsSync(folder) ? readdirSync(folder) : []).map((name) => new URL(name, folder));
  const [smallest] = files.sort((one, other) => statSync(one).size - statSync(other).size);
  return smallest && JSON.parse(readFileSync(smallest, "utf8"));
}

/** What a reference within the bundle is to. @throws Error where nothing is */
export function lookUp(document: Bundle, reference: string): JsonObject {
  let place: unknown = document;
  for (const name of reference.split("/").slice(1)) place = isObject(place) ? place[name] : undefined;
  if (!isObject(place)) throw new Error(`${reference} is not there`);
  return place;
}

/** The name of a schema that has an entry of its own, where a reference is to one. */
export function componentOf(reference: string): string | undefined {
  const name = reference.startsWith(COMPONENTS) ? reference.slice(COMPONENTS.length) : "";
  return name === "" || name.includes("/") ? undefined : name;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
