import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MeshManifest } from "@interlock/contracts";
import { writtenManifest } from "../../services/gateway/src/mesh/index.ts";
import { root } from "./paths.ts";

/**
 * Writes a copy of a manifest with other models. The files that it names are still found, and its variables are left as they are.
 * @param models replaces the section; a function gets what stands there
 */
export function manifestWithModels(
  file: string,
  models: (before: MeshManifest["models"]) => MeshManifest["models"],
): { file: string; remove: () => void } {
  const manifest: Partial<MeshManifest> = writtenManifest(file);
  const dir = mkdtempSync(join(tmpdir(), "interlock-models-"));
  const copy = join(dir, "mesh.yaml");
  writeFileSync(copy, JSON.stringify({ ...manifest, models: models(manifest.models) }, null, 1));
  return { file: copy, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export const SHIPPED_MANIFEST = join(root, "mesh.yaml");
