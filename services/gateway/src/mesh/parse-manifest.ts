import { explain, gatewayContract, type MeshManifest, schemas } from "@interlock/contracts";
import { parse } from "yaml";
import { checkReferences } from "./check.ts";
import { credentialProblems } from "./credentials.ts";
import { MeshError } from "./mesh-error.ts";

/**
 * Reads a manifest whose variables are filled in, and checks what can be known of it alone: its shape, and that names refer to something.
 * @throws MeshError
 */
export function parseManifest(file: string, text: string): MeshManifest {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (error) {
    const [firstLine = "not YAML"] = Error.isError(error) ? error.message.split("\n") : [];
    throw new MeshError(file, [firstLine]);
  }
  // First: what the schema finds wrong with a value may quote it.
  const credentials = credentialProblems(raw);
  if (credentials.length > 0) throw new MeshError(file, credentials);
  const checked = gatewayContract.mesh(raw);
  if (!checked.ok) {
    const { mesh } = schemas.gateway ?? {};
    throw new MeshError(file, mesh ? explain(mesh, raw) : [checked.problem.message]);
  }
  const problems = checkReferences(checked.value);
  if (problems.length > 0) throw new MeshError(file, problems);
  return checked.value;
}
