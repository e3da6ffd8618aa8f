import type { MeshOptions } from "../cli/src/layout.ts";
import { type Mesh, startMesh as startMeshIn } from "../cli/src/mesh.ts";
import { root } from "./paths.ts";
import { SERVICES } from "./services.ts";

export type { Mesh };

/** A mesh of this repository: all that it ships, unless the options say otherwise. */
export function startMesh(options: Partial<MeshOptions> = {}): Promise<Mesh> {
  return startMeshIn({ cwd: root, services: SERVICES, ...options });
}
