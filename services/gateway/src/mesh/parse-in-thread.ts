import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { MeshManifest } from "@interlock/contracts";
import type { ManifestText, ParsedManifest } from "./manifest-worker.ts";
import { MeshError } from "./mesh-error.ts";

/** Longer than any manifest takes. */
const PATIENCE_MS = 60_000;
const MEMORY_MB = 512;

/**
 * Like parseManifest, in a thread of its own: a YAML text is parsed in one piece, and 40 KB of it may take longer than the event loop may
 * be held.
 * @throws MeshError
 */
export async function parseInThread(file: string, text: string): Promise<MeshManifest> {
  const worker = new Worker(new URL("./manifest-worker.ts", import.meta.url), {
    workerData: { file, text } satisfies ManifestText,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    const [parsed]: ParsedManifest[] = await once(worker, "message", {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (parsed && "manifest" in parsed) return parsed.manifest;
    throw new MeshError(file, parsed?.problems ?? []);
  } finally {
    void worker.terminate();
  }
}
