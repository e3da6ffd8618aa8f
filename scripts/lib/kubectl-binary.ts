import { spawnSync } from "node:child_process";
import { find, mayInstall, privilege } from "../cli/src/redis-binary.ts";

/** About 8 MB to fetch. */
const MOST_MS = 60_000;

/** The path of kubectl, which has Kustomize in it. Installs Debian's where there is none and INTERLOCK_INSTALL=yes; undefined where that fails. */
export function ensureKubectl(): string | undefined {
  const present = find("kubectl");
  const apt = find("apt-get");
  const prefix = apt && privilege();
  if (present !== undefined || !mayInstall() || apt === undefined || prefix === undefined) return present;
  const until = Date.now() + MOST_MS;
  const run = (...args: string[]) => {
    const [command = "", ...rest] = [...prefix, apt, ...args];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const timeout = Math.max(1, until - Date.now());
    return spawnSync(command, rest, { env, stdio: "ignore", timeout }).status === 0;
  };
  const install = () => run("install", "-y", "-qq", "--no-install-recommends", "kubernetes-client");
  // The lists of a bare machine are empty.
  if (!install() && run("update", "-qq")) install();
  return find("kubectl");
}
