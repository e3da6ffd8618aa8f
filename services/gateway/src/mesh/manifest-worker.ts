import { parentPort, workerData } from "node:worker_threads";
import type { MeshManifest } from "@interlock/contracts";
import type { AssembleOptions } from "./assemble.ts";
import { MeshError } from "./mesh-error.ts";
import { parseManifest } from "./parse-manifest.ts";
import { SourceFiles, type Sources } from "./sources.ts";

export type ManifestTask = { options: AssembleOptions; stored: Sources | undefined };
export type ParsedManifest =
  | { manifest: MeshManifest; lines: ReadonlyMap<string, string>; sources: Sources }
  | { problems: readonly string[]; lines: ReadonlyMap<string, string> };

const { options, stored }: ManifestTask = workerData;
parentPort?.postMessage(parsed() satisfies ParsedManifest);

function parsed(): ParsedManifest {
  try {
    const sources = new SourceFiles(options.file, stored);
    const { manifest, places } = parseManifest(sources, options);
    const { text, files } = sources;
    return { manifest, lines: places.lines, sources: { text, files } };
  } catch (error) {
    if (error instanceof MeshError)
      return { problems: error.problems, lines: error.places?.lines ?? new Map() };
    throw error;
  }
}
