import { spawnSync } from "node:child_process";
import { find, mayInstall, privilege } from "../cli/src/redis-binary.ts";

/** Some 20 MB to fetch at the most. */
const MOST_MS = 60_000;

/**
 * The path of a program. Installs Debian's package of it where there is none and INTERLOCK_INSTALL=yes; undefined where that fails. What
 * the package starts as a service is of no use here, and is stopped.
 */
export function ensureProgram(name: string, debian: string): string | undefined {
  const present = find(name);
  const apt = find("apt-get");
  const prefix = apt && privilege();
  if (present !== undefined || !mayInstall() || apt === undefined || prefix === undefined) return present;
  const until = Date.now() + MOST_MS;
  const run = (...words: string[]) => {
    const [command = "", ...rest] = [...prefix, ...words];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const timeout = Math.max(1, until - Date.now());
    return spawnSync(command, rest, { env, stdio: "ignore", timeout }).status === 0;
  };
  const install = () => run(apt, "install", "-y", "-qq", "--no-install-recommends", debian);
  // The lists of a bare machine are empty.
  if (!install() && run(apt, "update", "-qq")) install();
  const systemctl = find("systemctl");
  if (systemctl) run(systemctl, "disable", "--now", "--quiet", debian);
  return find(name);
}
