import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How much may be read into buffers before those that are no longer in use are collected. */
const BETWEEN_BYTES = 12 * 1024 * 1024;

/**
 * Keeps the memory of a process small that reads a lot; to be called after each read. By itself V8 looks for unused
 * buffers only after another 64 MB of them, which would count as memory of the process. A collection takes some
 * milliseconds. Meant for a process that does nothing else: the heap of another may be large.
 */
export function keepSmall(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  let inUse = getHeapStatistics().external_memory;
  return () => {
    const now = getHeapStatistics().external_memory;
    if (now > inUse + BETWEEN_BYTES && typeof collect === "function") {
      collect();
      inUse = getHeapStatistics().external_memory;
    } else if (now < inUse) inUse = now;
  };
}
