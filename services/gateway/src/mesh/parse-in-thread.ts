import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { MeshManifest } from "@interlock/contracts";
import type { ManifestTask, ParsedManifest } from "./manifest-worker.ts";
import { MeshError } from "./mesh-error.ts";
import { Places } from "./places.ts";
import type { Sources } from "./sources.ts";

/** Timeout, longer than parsing any manifest takes. */
const PATIENCE_MS = 60_000;
const MEMORY_MB = 512;

/**
 * Like parseManifest, in a thread of its own: a YAML text is parsed in one piece, and 40 KB of it may take longer than the event loop may
 * be held.
 * @throws MeshError
 */
export async function parseInThread(
  task: ManifestTask,
): Promise<{ manifest: MeshManifest; places: Places; sources: Sources }> {
  const worker = new Worker(new URL("./manifest-worker.ts", import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    const [parsed]: ParsedManifest[] = await once(worker, "message", {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const places = new Places(parsed?.lines);
    if (parsed && "manifest" in parsed) return { manifest: parsed.manifest, places, sources: parsed.sources };
    throw new MeshError(task.options.file, parsed?.problems ?? [], places);
  } finally {
    void worker.terminate();
  }
}
