import { explain, gatewayContract, type MeshManifest, schemas } from "@interlock/contracts";
import { type AssembleOptions, assemble } from "./assemble.ts";
import { checkReferences } from "./check.ts";
import { serverProblems, withEndpoints } from "./compile-tools.ts";
import { credentialProblems } from "./credentials.ts";
import { MeshError } from "./mesh-error.ts";
import { dotted, type Places } from "./places.ts";
import type { SourceFiles } from "./sources.ts";

/**
 * Reads a manifest and its parts, and checks what can be known of them alone: their shape, and that names refer to something.
 * @throws MeshError
 */
export function parseManifest(
  sources: SourceFiles,
  options: AssembleOptions,
): { manifest: MeshManifest; places: Places } {
  const { file } = options;
  const { raw, places } = assemble(sources, options);
  const refuseIfAny = (problems: readonly string[]): void => {
    if (problems.length > 0) throw new MeshError(file, problems, places);
  };
  // First: what the schema finds wrong with a value may quote it.
  refuseIfAny(credentialProblems(raw).map(dotted));
  const checked = gatewayContract.mesh(raw);
  if (!checked.ok) {
    const { mesh } = schemas.gateway ?? {};
    throw new MeshError(file, mesh ? explain(mesh, raw).map(dotted) : [checked.problem.message], places);
  }
  const { manifest, problems } = withEndpoints(checked.value, options.env ?? {});
  const servers = serverProblems(manifest, options.env ?? {});
  refuseIfAny([...problems, ...servers, ...checkReferences(manifest)]);
  return { manifest, places };
}
