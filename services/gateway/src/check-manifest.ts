import { compileAccess } from "./identity/index.ts";
import { LargeValues, loadEdition, MeshError } from "./mesh/index.ts";

export type CheckedManifest = {
  /** A line each, after file, line and column where these are known. */
  readonly problems: readonly string[];
  /** What a manifest without problems declares. */
  readonly summary: string;
  /** How its tables were read, a line each. */
  readonly notes: readonly string[];
};

/**
 * Reads a manifest as a gateway does at its start, without starting or connecting to anything.
 * @param env fills in its variables
 * @param only names of the parts to take; absent: all
 */
export function checkManifest(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  only?: readonly string[],
): CheckedManifest {
  const placed = (problem: string): string => (/:\d+:\d+: /.test(problem) ? problem : `${file}: ${problem}`);
  try {
    const large = new LargeValues({ largeTimeoutMs: 10_000, largeMemoryMb: 512 });
    const { mesh, places } = loadEdition({ file, env, only, large, surroundings: { loopback: true } });
    const { problems } = compileAccess(mesh);
    if (problems.length > 0) throw new MeshError(file, problems, places);
    const counts = [
      counted(mesh.agents.size, "agent"),
      counted(mesh.flows.size, "flow"),
      counted(mesh.services.size, "service"),
    ];
    const notes = [...mesh.flows.values()].flatMap(({ tableNote }) => tableNote?.en ?? []);
    return { problems: [], summary: counts.join(", "), notes };
  } catch (error) {
    if (error instanceof MeshError) return { problems: error.located.map(placed), summary: "", notes: [] };
    throw error;
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
