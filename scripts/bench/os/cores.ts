import { spawnSync } from "node:child_process";
import { allowedCores } from "./proc.ts";

/** Which core does what, so that the load never takes time from what it measures. */
export type Cores = {
  /** The gateway and its Redis; of several gateways, the first. */
  readonly sut: number;
  /** Load generator, which is this process, and reference agent. */
  readonly harness: number;
  /** For a second gateway, and for a Redis of its own; only where the machine has that many. */
  readonly more: readonly number[];
};

/** @returns undefined where there is one core, or no `taskset`: then nothing is pinned */
export function chooseCores(): Cores | undefined {
  const [harness, ...others] = allowedCores();
  // The last ones first: hardware threads that share a core are mostly numbered side by side, or half the number apart.
  const [sut, ...more] = others.reverse();
  if (harness === undefined || sut === undefined || spawnSync("taskset", ["--version"]).status !== 0)
    return undefined;
  return { sut, harness, more };
}

/** Keeps all threads of a running process, and what it starts from now on, on these cores. */
export function pin(pid: number, cores: readonly number[]): void {
  spawnSync("taskset", ["-a", "-p", "-c", cores.join(","), String(pid)], { stdio: "ignore" });
}

/**
 * Starts processes that may use every core, then pins this process, which makes the load, to its own. What a program allots itself by the
 * number of its cores must not depend on the bench: a child begins with the cores of its parent.
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
