import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { MadeDocument } from "./documents-worker.ts";
import { type Files, staticFile, staticPage } from "./files.ts";

/** Timeout, longer than rendering takes on any machine. */
const PATIENCE_MS = 60_000;

/**
 * The descriptions of the APIs, as pages, JSON and YAML. Rendered at the first request, in a thread: reading and writing that much YAML
 * takes longer than the event loop may be held, and most gateways never need them.
 */
export function documentsInThread(importMap: string): () => Promise<Files> {
  let made: Promise<Files> | undefined;
  return () => {
    made ??= make(importMap).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function make(importMap: string): Promise<Files> {
  const worker = new Worker(new URL("./documents-worker.ts", import.meta.url));
  try {
    const [documents]: MadeDocument[][] = await once(worker, "message", {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return new Map(
      documents?.map(({ path, type, text }) => [
        path,
        type === "page" ? staticPage(text, importMap) : staticFile(type, text),
      ]),
    );
  } finally {
    void worker.terminate();
  }
}
