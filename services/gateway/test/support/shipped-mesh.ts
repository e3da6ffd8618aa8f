import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MeshManifest } from "@interlock/contracts";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

export const SHIPPED_MESH = join(ROOT, "mesh.yaml");

/** The manifest that ships, with all of its agents at one address. The files that it names are found wherever it lies. */
export function shippedMesh(url: string): MeshManifest {
  const text = readFileSync(SHIPPED_MESH, "utf8").replaceAll(/\$\{\w+_URL:-[^}]*\}/g, url);
  const manifest: MeshManifest = parse(text);
  for (const flow of Object.values(manifest.flows ?? {})) {
    if (flow.default_inputs) flow.default_inputs = join(ROOT, flow.default_inputs);
    if (flow.intents) flow.intents = flow.intents.map((file) => join(ROOT, file));
  }
  return manifest;
}
