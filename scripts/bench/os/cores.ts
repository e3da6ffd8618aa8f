import { spawnSync } from "node:child_process";
import { allowedCores } from "./proc.ts";

/** Separates the load generator from what it measures. */
export type Cores = {
  /** The gateway and its Redis; of several gateways, the first. */
  readonly sut: number;
  /** The load generator, which is this process, and the reference agent. */
  readonly harness: number;
  /** The other cores, for a second gateway and a separate Redis. */
  readonly more: readonly number[];
};

/** @returns undefined if there is only one core, or no `taskset`: then nothing is pinned */
export function chooseCores(): Cores | undefined {
  const [harness, ...others] = allowedCores();
  // Take the last ones first: hardware threads of one physical core are usually numbered next to each other, or N/2 apart.
  const [sut, ...more] = others.reverse();
  if (harness === undefined || sut === undefined || spawnSync("taskset", ["--version"]).status !== 0)
    return undefined;
  return { sut, harness, more };
}

/** Pins all threads of a running process. Processes and threads that it starts later inherit this. */
export function pin(pid: number, cores: readonly number[]): void {
  spawnSync("taskset", ["-a", "-p", "-c", cores.join(","), String(pid)], { stdio: "ignore" });
}

/**
 * Starts processes on all cores, then pins this process, which makes the load, to its own core. Children inherit the affinity of their
 * parent, and a program that sizes its pools by the number of cores must not see the bench's pinning.
 */
export async function startUnpinned<T>(cores: Cores | undefined, start: () => Promise<T>): Promise<T> {
  if (!cores) return start();
  pin(process.pid, [cores.harness, cores.sut, ...cores.more]);
  try {
    return await start();
  } finally {
    pin(process.pid, [cores.harness]);
  }
}
