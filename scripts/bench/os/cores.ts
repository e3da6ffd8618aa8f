import { spawnSync } from "node:child_process";
import { allowedCores, siblingsOf, withChildren } from "./proc.ts";

/** Which core does what, so that the load never takes time from what it measures. */
export type Cores = {
  /** The gateway and its Redis; of several gateways, the first. */
  readonly sut: number;
  /** Load generator and reference agent. */
  readonly harness: number;
  /** For a second gateway, and for a Redis of its own; only where the machine has that many. */
  readonly more: readonly number[];
};

/** @returns undefined where there is one core, or no `taskset`: then nothing is pinned */
export function chooseCores(): Cores | undefined {
  const [harness, ...others] = allowedCores();
  if (harness === undefined || spawnSync("taskset", ["--version"]).status !== 0) return undefined;
  // Two hardware threads of one core slow each other down: the gateway gets a core of its own where there is one.
  const siblings = siblingsOf(harness);
  const [sut, ...more] = [
    ...others.filter((core) => !siblings.includes(core)),
    ...others.filter((core) => siblings.includes(core)),
  ];
  return sut === undefined ? undefined : { sut, harness, more };
}

/** Keeps running processes, all their threads, and what they start from now on, on these cores. */
export function pin(pids: readonly number[], cores: readonly number[]): void {
  for (const pid of withChildren(pids)) {
    spawnSync("taskset", ["-a", "-p", "-c", cores.join(","), String(pid)], { stdio: "ignore" });
  }
}
