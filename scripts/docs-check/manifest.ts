import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemas } from "@interlock/contracts";
import { parse, stringify } from "yaml";
import { loadMesh, writtenManifest } from "../../services/gateway/src/mesh/index.ts";

/** Sections of a manifest, by name. */
export type Section = Readonly<Record<string, unknown>>;

/** Whether a YAML document has sections of the manifest and nothing else. */
export function isManifest(value: unknown): value is Section {
  const known = Object.keys(schemas.gateway?.mesh?.properties ?? {});
  return isObject(value) && Object.keys(value).every((name) => known.includes(name));
}

/**
 * Merges sections into a tree's manifest and has the gateway read it: alone, and, where they are not complete without those that the
 * document has shown before, with these.
 * @throws MeshError
 */
export function checkManifest(tree: string, fragment: Section, before: readonly Section[]): void {
  try {
    load(tree, [fragment]);
  } catch (error) {
    if (before.length === 0) throw error;
    load(tree, [...before, fragment]);
  }
}

function load(tree: string, sections: readonly Section[]): void {
  const file = join(tree, "mesh-docs-check.yaml");
  const shipped: unknown = writtenManifest(join(tree, "mesh.yaml"));
  writeFileSync(file, stringify(sections.reduce(merge, shipped), { lineWidth: 0 }));
  try {
    loadMesh(file, {});
  } finally {
    rmSync(file);
  }
}

/** As somebody does who adds the sections by hand. */
export function addToManifest(tree: string, fragment: Section): void {
  const file = join(tree, "mesh.yaml");
  const shipped: unknown = parse(readFileSync(file, "utf8"));
  writeFileSync(file, stringify(merge(shipped, fragment), { lineWidth: 0 }));
}

/** Members of objects are added or replaced, all the way down; everything else is replaced. */
function merge(base: unknown, more: unknown): unknown {
  if (!isObject(base) || !isObject(more)) return more;
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(more)) result[name] = merge(base[name], value);
  return result;
}

function isObject(value: unknown): value is Section {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
