import { readFileSync } from "node:fs";

/**
 * Whether a process runs. A zombie does not: in a container whose init process reaps no children, orphans stay
 * zombies for ever.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return Error.isError(error) && "code" in error && error.code === "EPERM";
  }
  return !isZombie(pid);
}

/** Only known on Linux. */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
