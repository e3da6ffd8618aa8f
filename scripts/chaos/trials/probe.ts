import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const EVERY_MS = 20;

/**
 * Asks a gateway's `/healthz` again and again, in a thread of its own: what holds up this process is not the gateway's.
 * @returns ends it, with the longest time that an answer took (ms)
 */
export function probe(url: string): () => Promise<number> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: url });
  return async () => {
    worker.postMessage("stop");
    const [longest] = await once(worker, "message");
    await worker.terminate();
    return Number(longest);
  };
}

async function ask(url: string): Promise<void> {
  let longest = 0;
  let stopped = false;
  parentPort?.once("message", () => {
    stopped = true;
  });
  while (!stopped) {
    const since = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    longest = Math.max(longest, performance.now() - since);
    await sleep(EVERY_MS);
  }
  parentPort?.postMessage(longest);
}

if (!isMainThread) await ask(String(workerData));
