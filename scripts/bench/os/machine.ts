import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { root } from "../../lib/paths.ts";
import { ensureRedisServer } from "../../lib/redis-binary.ts";
import { type Cores, chooseCores } from "./cores.ts";
import { mostOpenFiles } from "./proc.ts";

/** What the figures depend on and what identifies no machine. */
export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  readonly virtual: boolean;
  readonly memoryGib: number;
  readonly system: string;
  readonly node: string;
  readonly redis: string;
  readonly openFiles: number;
  /** Absent where nothing is pinned. */
  readonly pinned?: Cores;
  readonly commit: string;
};

export function describeMachine(): Machine {
  const info = cpus();
  const pinned = chooseCores();
  return {
    cpu: info[0]?.model.trim() ?? "unknown",
    cores: info.length,
    virtual: /^flags.*\bhypervisor\b/m.test(read("/proc/cpuinfo")),
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${/^PRETTY_NAME="(.*)"$/m.exec(read("/etc/os-release"))?.[1] ?? type()}, kernel ${release().split("-")[0]}`,
    node: process.version.slice(1),
    redis:
      /v=(\S+)/.exec(
        output(
          ensureRedisServer(() => undefined),
          ["--version"],
        ),
      )?.[1] ?? "unknown",
    openFiles: mostOpenFiles(),
    ...(pinned ? { pinned } : {}),
    commit: commitOf(),
  };
}

/** The commit that was measured; with a `+` where the working tree differs from it. */
function commitOf(): string {
  const commit = output("git", ["rev-parse", "--short", "HEAD"]);
  const changed = output("git", ["status", "--porcelain", "--untracked-files=no", "services", "contracts"]);
  return commit === "" ? "unknown" : `${commit}${changed === "" ? "" : "+"}`;
}

function output(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
