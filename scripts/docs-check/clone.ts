import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../lib/paths.ts";

/** A copy of this tree as it is now, with a Git history of its own, in which blocks may change what they like. */
export class Clone {
  readonly path: string;
  private readonly folder: string;

  constructor() {
    // In a folder of its own, so that what documents put beside it is removed with it.
    this.folder = mkdtempSync(join(tmpdir(), "interlock-docs-"));
    this.path = join(this.folder, "interlock");
    mkdirSync(this.path);
    const files = run(root, "git", "ls-files", "-co", "--exclude-standard", "-z").split("\0");
    for (const file of files.filter((name) => name !== "" && existsSync(join(root, name)))) {
      mkdirSync(dirname(join(this.path, file)), { recursive: true });
      copyFileSync(join(root, file), join(this.path, file));
    }
    const to = join(this.path, "node_modules");
    // Links to the files take no room and a second; where the two are on different disks, or `cp` knows no links, they are copied.
    const linked = spawnSync("cp", ["-al", join(root, "node_modules"), to]);
    if (linked.status !== 0) {
      rmSync(to, { recursive: true, force: true });
      run(root, "cp", "-R", "-P", join(root, "node_modules"), to);
    }
    run(this.path, "git", "init", "-q");
    run(this.path, "git", "add", "-A");
    run(this.path, "git", ...AUTHOR, "commit", "-q", "-m", "As it is");
  }

  isAsInRepository(): boolean {
    return run(this.path, "git", "status", "--porcelain") === "";
  }

  /** Undoes what blocks have changed. */
  reset(): void {
    run(this.path, "git", "checkout", "-q", "--", ".");
    run(this.path, "git", "clean", "-fdq");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const AUTHOR = ["-c", "user.name=docs-check", "-c", "user.email=docs-check@localhost"];

function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}
