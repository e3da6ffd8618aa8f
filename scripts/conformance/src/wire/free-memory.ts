import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Outside of V8's own heap: what there is before anything is read, and more than all bodies at once need. */
const ENOUGH_BYTES = getHeapStatistics().external_memory + 12 * 1024 * 1024;

const collector = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? () => collect() : () => {};
};
const collect = collector();

/**
 * V8 looks for buffers to free only after it has handed out another 64 MB of them. A flood would so make this
 * process large with what it has long read; asking for a collection in time, which takes some milliseconds, keeps
 * it small.
 */
export const freeMemory = (): void => {
  if (getHeapStatistics().external_memory > ENOUGH_BYTES) collect();
};
