import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemas } from "@interlock/contracts";
import { parse, stringify } from "yaml";
import { loadMesh } from "../../services/gateway/src/mesh/index.ts";

type Value = Record<string, unknown>;

/** Whether a YAML document has sections of the manifest and nothing else. */
export function isManifest(value: unknown): value is Value {
  const known = Object.keys(schemas.gateway?.mesh?.properties ?? {});
  return isObject(value) && Object.keys(value).every((name) => known.includes(name));
}

/** Merges sections into a tree's manifest and has the gateway read it. @throws MeshError */
export function checkManifest(tree: string, fragment: Value): void {
  const file = join(tree, "mesh-docs-check.yaml");
  writeFileSync(file, merged(tree, fragment));
  try {
    loadMesh(file, {}, { evaluate: async () => undefined });
  } finally {
    rmSync(file);
  }
}

/** As somebody does who adds the sections by hand. */
export function addToManifest(tree: string, fragment: Value): void {
  const text = merged(tree, fragment);
  writeFileSync(join(tree, "mesh.yaml"), text);
}

function merged(tree: string, fragment: Value): string {
  const shipped: unknown = parse(readFileSync(join(tree, "mesh.yaml"), "utf8"));
  return stringify(merge(shipped, fragment), { lineWidth: 0 });
}

/** Members of objects are added or replaced, all the way down; everything else is replaced. */
function merge(base: unknown, more: unknown): unknown {
  if (!isObject(base) || !isObject(more)) return more;
  const result: Value = { ...base };
  for (const [name, value] of Object.entries(more)) result[name] = merge(base[name], value);
  return result;
}

function isObject(value: unknown): value is Value {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
