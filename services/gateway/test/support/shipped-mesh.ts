import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MeshManifest } from "@interlock/contracts";
import { parse } from "yaml";
import { TEST_IDENTITY, TEST_JWKS } from "./issuer.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The manifest that ships, in a file, with the issuer of the tests. */
export function shippedMeshFile(): { file: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "interlock-mesh-"));
  const file = join(dir, "mesh.yaml");
  const manifest = parse(readFileSync(join(ROOT, "mesh.yaml"), "utf8"));
  writeFileSync(file, JSON.stringify({ ...withAbsolutePaths(manifest), identity: TEST_IDENTITY }));
  writeFileSync(join(dir, "jwks.json"), JSON.stringify(TEST_JWKS));
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The manifest that ships, with all of its agents at one address. The files that it names are found wherever it lies. */
export function shippedMesh(url: string): MeshManifest {
  const text = readFileSync(join(ROOT, "mesh.yaml"), "utf8").replaceAll(/\$\{\w+_URL:-[^}]*\}/g, url);
  return withAbsolutePaths(parse(text));
}

function withAbsolutePaths(manifest: MeshManifest): MeshManifest {
  for (const flow of Object.values(manifest.flows ?? {})) {
    if (flow.default_inputs) flow.default_inputs = join(ROOT, flow.default_inputs);
    if (flow.intents) flow.intents = flow.intents.map((file) => join(ROOT, file));
  }
  return manifest;
}
