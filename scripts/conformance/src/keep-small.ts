import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collect unused buffers after this many bytes of new ones. */
const BETWEEN_BYTES = 12 * 1024 * 1024;

/**
 * Returns a function to call after each read, which limits the memory of a process that reads a lot. By default V8
 * collects unused buffers only after 64 MB of new ones. A collection takes milliseconds, as long as the heap is small:
 * use this only in a process that does nothing else.
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
