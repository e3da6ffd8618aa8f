import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { root } from "../../lib/paths.ts";
import { ensureRedisServer } from "../../lib/redis-binary.ts";
import type { Cores } from "./cores.ts";
import { mostOpenFiles } from "./proc.ts";

/** What the figures depend on. Contains nothing that identifies the machine. */
export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly system: string;
  readonly node: string;
  readonly redis: string;
  readonly openFiles: number;
  /** Absent if nothing is pinned. */
  readonly pinned?: Cores;
  /** The measured commit, with a `+` if the working tree differs from it. */
  readonly commit: string;
};

export function describeMachine(pinned: Cores | undefined): Machine {
  const info = cpus();
  const redisServer = ensureRedisServer(() => undefined);
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "Linux";
  const changed = output("git", ["status", "--porcelain", "--untracked-files=no", "services", "contracts"]);
  return {
    cpu: info[0]?.model.trim() ?? "unknown",
    cores: info.length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${system}, kernel ${release().split("-")[0]}`,
    node: process.version.slice(1),
    redis: /v=(\S+)/.exec(output(redisServer, ["--version"]))?.[1] ?? "unknown",
    openFiles: mostOpenFiles(),
    ...(pinned ? { pinned } : {}),
    commit: (output("git", ["rev-parse", "--short", "HEAD"]) || "unknown") + (changed ? "+" : ""),
  };
}

function output(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
}
