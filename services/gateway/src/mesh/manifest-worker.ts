import { parentPort, workerData } from "node:worker_threads";
import type { MeshManifest } from "@interlock/contracts";
import { MeshError } from "./mesh-error.ts";
import { parseManifest } from "./parse-manifest.ts";

export type ManifestText = { file: string; text: string };
export type ParsedManifest = { manifest: MeshManifest } | { problems: readonly string[] };

const { file, text }: ManifestText = workerData;
parentPort?.postMessage(parsed() satisfies ParsedManifest);

function parsed(): ParsedManifest {
  try {
    return { manifest: parseManifest(file, text) };
  } catch (error) {
    if (error instanceof MeshError) return { problems: error.problems };
    throw error;
  }
}
