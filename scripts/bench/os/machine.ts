import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { ensureRedisServer } from "../../cli/src/redis-binary.ts";
import { root } from "../../lib/paths.ts";
import type { Cores } from "./cores.ts";
import { mostOpenFiles } from "./proc.ts";

export type Machine = Awaited<ReturnType<typeof describeMachine>>;

/** What the figures depend on. Contains nothing that identifies the machine. */
export async function describeMachine(pinned: Cores | undefined) {
  const redisServer = await ensureRedisServer(() => undefined);
  const changed = output("git", ["status", "--porcelain", "--untracked-files=no", "services", "contracts"]);
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "Linux";
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${system}, kernel ${release().split("-")[0]}`,
    node: process.version.slice(1),
    redis: /v=(\S+)/.exec(output(redisServer, ["--version"]))?.[1] ?? "unknown",
    openFiles: mostOpenFiles(),
    pinned,
    /** With a `+` if the working tree differs from it. */
    commit: output("git", ["rev-parse", "--short", "HEAD"]) + (changed ? "+" : ""),
  };
}

function output(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
}
