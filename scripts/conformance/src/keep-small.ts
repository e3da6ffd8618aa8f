import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** More than all bodies that are read at once need. */
const ENOUGH_BYTES = 12 * 1024 * 1024;

/**
 * Keeps a process that reads floods small; to be called after each read. V8 looks for buffers to free only after it
 * has handed out another 64 MB of them: what was long read would make the process large. Asking for a collection in
 * time takes some milliseconds. It is for a process that does nothing else: the heap of another may be large.
 */
export const keepSmall = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const atFirst = getHeapStatistics().external_memory;
  return () => {
    const isMuch = getHeapStatistics().external_memory > atFirst + ENOUGH_BYTES;
    if (isMuch && typeof collect === "function") collect();
  };
};
