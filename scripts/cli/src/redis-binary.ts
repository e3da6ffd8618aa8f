import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const SERVERS = ["redis-server", "valkey-server"];

interface PackageManager {
  readonly command: string;
  readonly needsRoot: boolean;
  readonly refresh?: readonly string[];
  readonly install: readonly string[];
  /** Tried in order until one can be installed. */
  readonly packages: readonly string[];
}

const MANAGERS: readonly PackageManager[] = [
  {
    command: "apt-get",
    needsRoot: true,
    refresh: ["update", "-qq"],
    install: ["install", "-y", "-qq", "--no-install-recommends"],
    packages: ["redis-server", "valkey-server"],
  },
  {
    command: "apk",
    needsRoot: true,
    install: ["add", "--quiet", "--no-cache"],
    packages: ["redis", "valkey"],
  },
  { command: "dnf", needsRoot: true, install: ["install", "-y", "-q"], packages: ["redis", "valkey"] },
  { command: "brew", needsRoot: false, install: ["install", "--quiet"], packages: ["redis", "valkey"] },
];

/** Whether commands may install system packages. Nothing is installed on somebody's machine unless they have said so. */
export function mayInstall(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.INTERLOCK_INSTALL === "yes";
}

/**
 * Returns the path of a Redis server program. Installs one if there is none, `INTERLOCK_INSTALL=yes` is set and this user may.
 * @param options.variable environment variable that names a running Redis instead, for the error message
 * @param options.signal ends an installation
 */
export async function ensureRedisServer(
  say: (text: string) => void,
  { variable = "REDIS_URL", signal }: { variable?: string; signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const instructions = (what: string) =>
    `A Redis is needed. Either ${what}, or set ${variable} to one that runs (redis://host:6379).`;
  const present = findServer();
  if (present) return present;
  const manager = MANAGERS.find(({ command }) => find(command));
  if (!manager) throw new Error(instructions("install redis-server (or valkey-server)"));
  const asUser = `${manager.command} ${manager.install[0]} ${manager.packages[0]}`;
  const byHand = `run: ${manager.needsRoot && process.getuid?.() !== 0 ? "sudo " : ""}${asUser}`;
  if (!mayInstall())
    throw new Error(instructions(`${byHand}, or set INTERLOCK_INSTALL=yes to have it installed`));
  const prefix = manager.needsRoot ? privilege() : [];
  if (!prefix) throw new Error(instructions(byHand));
  say(`no Redis on this machine: installing it (${asUser})…`);
  const output = await install(manager, prefix, signal);
  signal?.throwIfAborted();
  stopPackagedService(prefix);
  const installed = findServer();
  if (installed) return installed;
  process.stderr.write(output);
  throw new Error(instructions(`install redis-server in another way (${asUser} failed, see above)`));
}

/** Returns the output of the package manager, to be shown if there is still no server afterwards. */
async function install(
  manager: PackageManager,
  prefix: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const run = (args: readonly string[]) => outputOf([...prefix, manager.command, ...args], signal);
  let output = manager.refresh ? await run(manager.refresh) : "";
  for (const name of manager.packages) {
    if (!findServer()) output += await run([...manager.install, name]);
  }
  return output;
}

/** Runs a command to its end. An abort interrupts it and waits, so that a package manager can leave its records in order. */
async function outputOf(words: readonly string[], signal: AbortSignal | undefined): Promise<string> {
  if (signal?.aborted) return "";
  const [command = "", ...args] = words;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const interrupt = () => child.kill("SIGINT");
  signal?.addEventListener("abort", interrupt, { once: true });
  await once(child, "close").catch((error: NodeJS.ErrnoException) => (output += `${error.message}\n`));
  signal?.removeEventListener("abort", interrupt);
  return output;
}

function findServer(): string | undefined {
  return SERVERS.map(find).find((path) => path !== undefined);
}

/** The path of a program on this machine. */
export function find(program: string): string | undefined {
  const dirs = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return dirs.map((dir) => join(dir, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The prefix of a command that needs root, such as sudo, or undefined if this user may not run it. */
export function privilege(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  const sudo = find("sudo");
  return sudo && spawnSync(sudo, ["-n", "true"]).status === 0 ? [sudo, "-n"] : undefined;
}

/** Stops the system-wide Redis that some packages start when they are installed. */
function stopPackagedService(prefix: readonly string[]): void {
  const systemctl = find("systemctl");
  if (!systemctl) return;
  const [command = "", ...args] = [...prefix, systemctl, "disable", "--now", "--quiet", "redis-server"];
  spawnSync(command, args);
}
