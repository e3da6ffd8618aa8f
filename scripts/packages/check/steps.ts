import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Guard } from "../../cli/src/guard.ts";
import { ManagedProcess } from "../../cli/src/managed-process.ts";
import { root } from "../../lib/paths.ts";
import { run } from "../npm.ts";
import type { Tarball } from "../pack.ts";
import { PACKAGES, publishedName } from "../packages.ts";
import { problemsOf } from "./contents.ts";
import type { Place } from "./document.ts";
import { PATIENCE_MS } from "./patience.ts";
import type { Stranger } from "./stranger.ts";

/** @returns the size of each package, in words */
export function checkContents(tarballs: readonly Tarball[], stranger: Stranger): string {
  const names = Object.entries(PACKAGES);
  const said = names.map(([name, entry]) => {
    const tarball = tarballs.find((one) => one.name === publishedName(name));
    if (tarball === undefined) throw new Error(`${name} was not packed.`);
    const problems = problemsOf(entry, tarball, stranger.installed(name));
    if (problems.length > 0) throw new Error(`${name} is not as it should be:\n  ${problems.join("\n  ")}`);
    return `${name} ${Math.round(tarball.size / 1000)} kB, ${tarball.files.length} files`;
  });
  return said.join("; ");
}

/** Starts an agent of the project, and resolves once it is ready. The guard ends it. */
export async function startAgent(
  stranger: Stranger,
  command: string,
  port: string,
  guard: Guard,
): Promise<void> {
  const [program = "", ...args] = command.split(" ");
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok === true;
  mkdirSync(stranger.folder, { recursive: true });
  const started = new ManagedProcess(
    {
      name: command,
      command: program,
      args,
      env: { ...stranger.env, PORT: port },
      cwd: stranger.folder,
      url,
      logFile: join(stranger.folder, "agent.log"),
      isReady,
    },
    guard,
  );
  started.start();
  await started.ready(PATIENCE_MS);
}

export interface DocumentPlace {
  readonly here: Readonly<Record<string, string>>;
  readonly agentPort: string;
  readonly guard: Guard;
}

/** The blocks are run in the project; commands of this repository, in it. */
export function placeOf(stranger: Stranger, { here, agentPort, guard }: DocumentPlace): Place {
  return {
    here,
    write: stranger.write,
    run: (command) =>
      command.startsWith("npm run -s pack")
        ? run("bash", ["-c", command], { cwd: root })
        : stranger.run("bash", "-c", command),
    async start(command) {
      await startAgent(stranger, command, agentPort, guard);
    },
    installed(packages) {
      for (const name of packages) readFileSync(join(stranger.folder, "node_modules", name, "package.json"));
    },
  };
}
