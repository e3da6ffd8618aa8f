import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";

export interface Ran {
  /** Exit code of the first command that failed, or 0. */
  readonly status: number;
  /** That command's line in the block, from 1. */
  readonly line: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `npm start` asks the runner, which has one mesh for all blocks, to start it anew. A request that is refused is a failure;
 * a reader that has enough, such as `head`, is none. */
const PRELUDE = `
set -E -o pipefail
npm() {
  if [ "$1" = start ]; then env -0 | curl -sS --data-binary @- "$DOCS_CHECK_START"; else command npm "$@"; fi
}
trap 'docs_check_code=$?; if [ "$docs_check_status" = 0 ] && [ $docs_check_code != 141 ]; then docs_check_status=$docs_check_code; docs_check_line=$LINENO; fi' ERR
`;

/** One Bash for all blocks of a document: they share variables and the working directory. */
export class Shell {
  private readonly scratch = mkdtempSync(join(tmpdir(), "interlock-docs-shell-"));
  private readonly bash: ChildProcess;
  private readonly reports: AsyncIterator<string>;
  private readonly lines: Interface;
  private count = 0;
  /** Whether its commands have ended it. */
  ended = false;

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    writeFileSync(join(this.scratch, ".curlrc"), "no-progress-meter\nfail-with-body\n");
    this.bash = spawn("bash", ["--noprofile", "--norc"], {
      cwd,
      env: { ...env, CURL_HOME: this.scratch },
      stdio: ["pipe", "ignore", "inherit", "pipe"],
      detached: true,
    });
    this.bash.stdin?.on("error", () => undefined);
    const reports = this.bash.stdio[3];
    if (!reports || !("read" in reports)) throw new Error("the shell has no pipe for reports");
    this.lines = createInterface({ input: reports });
    this.reports = this.lines[Symbol.asyncIterator]();
    this.bash.stdin?.write(PRELUDE);
  }

  /** @throws if the commands end the shell, or take longer than this */
  async run(commands: string, limitMs: number): Promise<Ran> {
    this.count += 1;
    const file = join(this.scratch, `block-${this.count}`);
    writeFileSync(`${file}.sh`, commands);
    this.bash.stdin?.write(
      `docs_check_status=0; docs_check_line=0; source '${file}.sh' >'${file}.out' 2>'${file}.err' </dev/null 3>&-; ` +
        `echo "$docs_check_status $docs_check_line" >&3\n`,
    );
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      this.kill();
    }, limitMs);
    const { value, done } = await this.reports.next();
    clearTimeout(limit);
    const stdout = read(`${file}.out`);
    const stderr = read(`${file}.err`);
    if (done) {
      this.ended = true;
      const why = isLate ? `took longer than ${limitMs / 1000} s` : "ended the shell";
      throw new Error(`the commands ${why}; they printed:\n${stdout}${stderr}`);
    }
    const [status = 0, line = 0] = value.split(" ").map(Number);
    return { status, line, stdout, stderr };
  }

  /** Starts a program that goes on until the shell is closed. @returns a function that reads what it has printed */
  async background(commands: string): Promise<() => string> {
    this.count += 1;
    const file = join(this.scratch, `block-${this.count}`);
    writeFileSync(`${file}.sh`, commands);
    this.bash.stdin?.write(`(source '${file}.sh') >'${file}.out' 2>&1 </dev/null 3>&- &\n`);
    return () => read(`${file}.out`);
  }

  /** Ends the shell and everything that was started in it. */
  async close(): Promise<void> {
    this.kill();
    if (this.bash.exitCode === null && this.bash.signalCode === null) await once(this.bash, "exit");
    this.lines.close();
    for (const stream of this.bash.stdio) stream?.destroy();
    rmSync(this.scratch, { recursive: true, force: true });
  }

  private kill(): void {
    if (this.bash.pid === undefined) return;
    try {
      process.kill(-this.bash.pid, "SIGKILL");
    } catch {
      // Nothing of it runs any more.
    }
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
