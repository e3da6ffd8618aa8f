import { readdirSync, readFileSync } from "node:fs";

/** Resource usage of processes, as the operating system reports it. */
export type Usage = {
  /** User and system CPU seconds, including children that have ended. */
  readonly cpuS: number;
  readonly rssKib: number;
};

/** Linux reports CPU times in hundredths of a second (USER_HZ), whatever the kernel's own tick is. */
const TICKS_PER_S = 100;

/** Fields of /proc/<pid>/stat after the name: user and system time of the process, then of the children it has waited for. */
const CPU_FIELDS = [11, 12, 13, 14];

/** Usage of the processes and all their descendants. A process that has ended counts once its parent has waited for it. */
export function usageOf(pids: readonly number[]): Usage {
  let ticks = 0;
  let rssKib = 0;
  for (const pid of withChildren(pids)) {
    const stat = read(`/proc/${pid}/stat`);
    // The name is enclosed in parentheses and may itself contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    for (const field of CPU_FIELDS) ticks += Number(fields[field] ?? 0);
    rssKib += Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  }
  return { cpuS: ticks / TICKS_PER_S, rssKib };
}

/** @returns a function that returns the share of a core that programs other than this one and its children have used since */
export function watchForeign(): () => number {
  const foreignS = () => machineBusyS() - usageOf([process.pid]).cpuS;
  const before = foreignS();
  const since = performance.now();
  return () => Math.max(0, (foreignS() - before) / ((performance.now() - since) / 1000));
}

/** CPU seconds of the whole machine so far, including time that the hypervisor stole. */
export function machineBusyS(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    read("/proc/stat").split("\n")[0] ?? ""
  )
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_S;
}

/** The limit of open files and sockets per process. */
export function mostOpenFiles(): number {
  const limit = /^Max open files\s+\S+\s+(\S+)/m.exec(read("/proc/self/limits"))?.[1];
  return limit === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(limit ?? 1024);
}

/** The CPU affinity of this process. */
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

/** Empty if the file does not exist, e.g. because the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
