import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MeshManifest } from "@interlock/contracts";
import { writtenManifest } from "../../src/mesh/index.ts";
import { TEST_IDENTITY, TEST_JWKS } from "./issuer.ts";

export const SHIPPED_MESH = fileURLToPath(new URL("../../../../mesh.yaml", import.meta.url));

/** The manifest that ships, in a file, with the issuer of the tests. */
export function shippedMeshFile(): { file: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "interlock-mesh-"));
  const file = join(dir, "mesh.yaml");
  writeFileSync(file, JSON.stringify({ ...writtenManifest(SHIPPED_MESH), identity: TEST_IDENTITY }));
  writeFileSync(join(dir, "jwks.json"), JSON.stringify(TEST_JWKS));
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The manifest that ships, with all of its agents at one address. The files that it names are found wherever it lies. */
export function shippedMesh(url: string): MeshManifest {
  const text = JSON.stringify(writtenManifest(SHIPPED_MESH));
  return JSON.parse(text.replaceAll(/\$\{\w+_URL:-[^}]*\}/g, url));
}

/** The variables that say where its agents are, all at one address: for editions in the store, which name them. */
export function agentVariables(url: string): Record<string, string> {
  const text = JSON.stringify(writtenManifest(SHIPPED_MESH));
  return Object.fromEntries([...text.matchAll(/\$\{(\w+_URL):-/g)].map(([, name = ""]) => [name, url]));
}
