import { readFileSync } from "node:fs";

/**
 * Whether a process runs. One that has ended but was not collected yet does not: in a container whose first
 * process collects nobody, orphans stay like that for ever.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return Error.isError(error) && "code" in error && error.code === "EPERM";
  }
  return !isZombie(pid);
}

/** Told on Linux alone. */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
