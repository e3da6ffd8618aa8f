import { execFileSync } from "node:child_process";

/** Files of a Git repository that differ from HEAD, as paths from its top: changed, staged or new, but not deleted or ignored. */
export function changedFiles(repository: string): string[] {
  const changed = list(repository, ["diff", "--name-only", "--diff-filter=d", "-z", "HEAD"]);
  const untracked = list(repository, ["ls-files", "--others", "--exclude-standard", "-z"]);
  return [...changed, ...untracked];
}

function list(repository: string, args: readonly string[]): string[] {
  const output = execFileSync("git", args, { cwd: repository, encoding: "utf8" });
  return output.split("\0").filter((path) => path !== "");
}
