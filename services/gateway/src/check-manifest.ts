import { compileAccess } from "./identity/index.ts";
import { loadMesh, MeshError } from "./mesh/index.ts";

export type CheckedManifest = {
  /** A line each, after file, line and column where these are known. */
  readonly problems: readonly string[];
  /** What a manifest without problems declares. */
  readonly summary: string;
};

/**
 * Reads a manifest as a gateway does at its start, without starting or connecting to anything.
 * @param env fills in its variables
 */
export function checkManifest(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): CheckedManifest {
  const placed = (problem: string): string => (/:\d+:\d+: /.test(problem) ? problem : `${file}: ${problem}`);
  try {
    const mesh = loadMesh(file, env);
    const { problems } = compileAccess(mesh);
    const counts = [
      counted(mesh.agents.size, "agent"),
      counted(mesh.flows.size, "flow"),
      counted(mesh.services.size, "service"),
    ];
    return { problems: problems.map(placed), summary: counts.join(", ") };
  } catch (error) {
    if (error instanceof MeshError) return { problems: error.located.map(placed), summary: "" };
    throw error;
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
