import { readdirSync, readFileSync } from "node:fs";

/** What processes cost so far, from the operating system. */
export type Usage = {
  /** Seconds on a core, user and system, with children that have ended. */
  readonly cpuS: number;
  readonly rssKib: number;
};

/** Linux tells times to programs in hundredths of a second, whatever its own tick is. */
const TICKS_PER_S = 100;

/** Fields of /proc/<pid>/stat after the name: own user and system time, then those of children that were waited for. */
const CPU_FIELDS = [11, 12, 13, 14];

/** Of the processes and everything they have started. One that has ended counts where its parent has waited for it. */
export function usageOf(pids: readonly number[]): Usage {
  let ticks = 0;
  let rssKib = 0;
  for (const pid of withChildren(pids)) {
    const stat = read(`/proc/${pid}/stat`);
    // The name stands in parentheses and may hold blanks and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    for (const field of CPU_FIELDS) ticks += Number(fields[field] ?? 0);
    rssKib += Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  }
  return { cpuS: ticks / TICKS_PER_S, rssKib };
}

/** Call the result for the share of one core that programs other than this one and its children have used since. */
export function watchForeign(): () => number {
  const foreignS = () => machineBusyS() - usageOf([process.pid]).cpuS;
  const before = foreignS();
  const since = performance.now();
  return () => Math.max(0, (foreignS() - before) / ((performance.now() - since) / 1000));
}

/** Seconds that the whole machine has worked so far, time that a hypervisor took included. */
export function machineBusyS(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    read("/proc/stat").split("\n")[0] ?? ""
  )
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_S;
}

/** How many files and sockets a process of this user may open at the most. */
export function mostOpenFiles(): number {
  const limit = /^Max open files\s+\S+\s+(\S+)/m.exec(read("/proc/self/limits"))?.[1];
  return limit === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(limit ?? 1024);
}

/** The cores that this process may run on. */
export function allowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(read("/proc/self/status"))?.[1] ?? "0";
  return list.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function withChildren(pids: readonly number[]): number[] {
  return pids.flatMap((pid) => [pid, ...withChildren(childrenOf(pid))]);
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Empty where there is no such file (any more). */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
