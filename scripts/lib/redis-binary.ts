import { spawnSync } from "node:child_process";
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

/**
 * Returns the path of a Redis server program. Installs one if there is none and this user is allowed to.
 * @param variable environment variable that names a running Redis instead, for the error message
 */
export function ensureRedisServer(say: (text: string) => void, variable = "REDIS_URL"): string {
  const instructions = (what: string) =>
    `A Redis is needed. Either ${what}, or set ${variable} to one that runs (redis://host:6379).`;
  const present = findServer();
  if (present) return present;
  const manager = MANAGERS.find(({ command }) => find(command));
  if (!manager) throw new Error(instructions("install redis-server (or valkey-server)"));
  const asUser = `${manager.command} ${manager.install[0]} ${manager.packages[0]}`;
  const prefix = manager.needsRoot ? privilege() : [];
  if (!prefix) throw new Error(instructions(`run: sudo ${asUser}`));
  say(`no Redis on this machine: installing it (${asUser})…`);
  const output = install(manager, prefix);
  stopPackagedService(prefix);
  const installed = findServer();
  if (installed) return installed;
  process.stderr.write(output);
  throw new Error(instructions(`install redis-server in another way (${asUser} failed, see above)`));
}

/** Returns the output of the package manager, to be shown if there is still no server afterwards. */
function install(manager: PackageManager, prefix: readonly string[]): string {
  const run = (args: readonly string[]) => {
    const [command = "", ...rest] = [...prefix, manager.command, ...args];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const { stdout, stderr } = spawnSync(command, rest, { env, encoding: "utf8" });
    return `${stdout}${stderr}`;
  };
  let output = manager.refresh ? run(manager.refresh) : "";
  for (const name of manager.packages) {
    if (!findServer()) output += run([...manager.install, name]);
  }
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
