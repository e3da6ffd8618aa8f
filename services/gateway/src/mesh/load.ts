import type { MeshManifest } from "@interlock/contracts";
import { type EgressOptions, EgressRules } from "../egress/index.ts";
import { checkEgress } from "./check.ts";
import { compileMesh } from "./compile.ts";
import type { LargeReader } from "./data/index.ts";
import { LargeValues } from "./large/large-values.ts";
import { MeshError } from "./mesh-error.ts";
import type { Mesh } from "./model.ts";
import { parseInThread } from "./parse-in-thread.ts";
import { parseManifest } from "./parse-manifest.ts";
import type { Places } from "./places.ts";
import { editionHash, SourceFiles, type Sources } from "./sources.ts";
import { isTable } from "./table/index.ts";
import { atOnce, type InPieces, inTurns } from "./turns.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The gateway's binding, store and proxy, which affect what it may connect to. */
export type Surroundings = Omit<EgressOptions, "allow">;

/** What a manifest is read with. */
export type LoadOptions = {
  file: string;
  env: Env;
  /** Names of the parts to take; absent: all that the manifest includes. */
  only?: readonly string[] | undefined;
  /** Looks into values that are large. */
  large: LargeReader;
  surroundings: Surroundings;
};

/** A version of the manifest: the mesh that it declares, and what it was made from. */
export type LoadedEdition = {
  /** Names it, wherever it is loaded. */
  readonly hash: string;
  readonly mesh: Mesh;
  readonly manifest: MeshManifest;
  readonly sources: Sources;
  /** Where its members are declared. */
  readonly places: Places;
};

/**
 * Reads, checks and compiles a manifest.
 * @throws MeshError with every problem of the first stage that finds any: variables, shape, references, places, templates and conditions
 */
export function loadMesh(
  file: string,
  env: Env,
  large: LargeReader = new LargeValues({ largeTimeoutMs: 10_000, largeMemoryMb: 512 }),
  surroundings: Surroundings = { loopback: true },
): Mesh {
  return loadEdition({ file, env, large, surroundings }).mesh;
}

/** The same, with what is kept of an edition. For start-up. */
export function loadEdition(options: LoadOptions): LoadedEdition {
  const sources = new SourceFiles(options.file);
  const parsed = parseManifest(sources, options);
  const readObject = (name: string) => objectIn(sources.read(name));
  return atOnce(compiling(parsed, sources, readObject, options));
}

/**
 * The same, without holding the event loop.
 * @param parse reads JSON in turns
 * @param stored the sources of an earlier edition, instead of those on disk
 */
export async function loadEditionInTurns(
  options: LoadOptions & { parse: (json: Buffer) => Promise<unknown> },
  stored?: Sources,
): Promise<LoadedEdition> {
  const { file, env, only } = options;
  const parsed = await parseInThread({ options: { file, env: { ...env }, only }, stored });
  const sources = new SourceFiles(file, parsed.sources, stored === undefined);
  const objects = new Map<string, Record<string, unknown> | undefined>();
  for (const name of filesOf(parsed.manifest)) {
    const bytes = sources.read(name);
    const value = bytes && (await options.parse(bytes).catch(() => undefined));
    objects.set(name, asObject(value));
  }
  const readObject = (name: string) => (objects.has(name) ? objects.get(name) : objectIn(sources.read(name)));
  return await inTurns(compiling(parsed, sources, readObject, options));
}

/** The JSON files that a manifest names, as far as they may be large. */
function filesOf({ flows = {} }: MeshManifest): string[] {
  const named = Object.values(flows).flatMap((flow) => [jsonOf(flow.default_inputs), flow.intents ?? []]);
  return [...new Set(named.flat())];
}

/** A table is read where it is compiled. */
function jsonOf(file: string | undefined): string[] {
  return file === undefined || isTable(file) ? [] : [file];
}

function* compiling(
  { manifest, places }: { manifest: MeshManifest; places: Places },
  sources: SourceFiles,
  readObject: (name: string) => Record<string, unknown> | undefined,
  { file, large, surroundings }: LoadOptions,
): InPieces<LoadedEdition> {
  const refuseIfAny = (problems: readonly string[]): void => {
    if (problems.length > 0) throw new MeshError(file, problems, places);
  };
  // One variable may hold several entries.
  const allow = manifest.egress?.allow?.flatMap((entry) => entry.split(",").map((one) => one.trim()));
  refuseIfAny(EgressRules.problemsOf(allow ?? []).map((problem) => `egress.allow: ${problem}`));
  const { a2a } = manifest.peers ?? {};
  const pushTo = typeof a2a === "object" ? (a2a.push_to ?? []) : [];
  refuseIfAny(EgressRules.problemsOf(pushTo).map((problem) => `peers.a2a.push_to: ${problem}`));
  const egress = new EgressRules({ ...surroundings, allow });
  refuseIfAny(checkEgress(manifest, egress));
  const compiled = yield* compileMesh(
    manifest,
    {
      resolve: (path) => sources.resolve(path),
      readObject,
      readText: (path) => sources.read(path)?.toString(),
    },
    large,
  );
  refuseIfAny([...compiled.problems, ...sources.problems]);
  const { text, files } = sources;
  return {
    hash: editionHash(sources),
    mesh: { ...compiled.mesh, egress },
    manifest,
    sources: { text, files },
    places,
  };
}

/** The JSON object that a file holds, or undefined. */
function objectIn(bytes: Buffer | undefined): Record<string, unknown> | undefined {
  try {
    return bytes && asObject(JSON.parse(bytes.toString()));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
