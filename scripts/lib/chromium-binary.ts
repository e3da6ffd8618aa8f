import { spawnSync } from "node:child_process";
import { find, mayInstall, privilege } from "../cli/src/redis-binary.ts";
import { chromiumPath } from "../report/browser.ts";

const PACKAGE = "chromium";
/** About 110 MB to fetch. A slow mirror must not hold up the tests for long. */
const MOST_MS = 90_000;

/** Whether a run of these arguments of jest includes the tests that open a browser: all tests, or those of the report, of pages or of EventSource. */
export function opensBrowser(args: readonly string[]): boolean {
  const narrows = (arg: string) => !arg.startsWith("-") || /^--(testMatch|findRelatedTests)\b/.test(arg);
  return (
    args.some((arg) => /report|event-source|pages|console/.test(arg) && narrows(arg)) || !args.some(narrows)
  );
}

/** Installs Debian's Chromium where there is none and INTERLOCK_INSTALL=yes; without one the tests that need it are skipped, and say so. */
export function ensureChromium(say: (text: string) => void): void {
  if (chromiumPath(process.env) !== undefined) return;
  if (!mayInstall()) {
    say(
      "no Chromium on this machine (INTERLOCK_INSTALL=yes installs it): tests that open a page are skipped.",
    );
    return;
  }
  const apt = find("apt-get");
  const prefix = apt && privilege();
  if (apt === undefined || prefix === undefined) return;
  say(
    "no Chromium on this machine: installing it for the tests that open a page (apt-get install chromium)…",
  );
  const until = Date.now() + MOST_MS;
  const run = (...args: string[]) => {
    const [command = "", ...rest] = [...prefix, apt, ...args];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const timeout = Math.max(1, until - Date.now());
    return spawnSync(command, rest, { env, stdio: "ignore", timeout }).status === 0;
  };
  const install = () => run("install", "-y", "-qq", "--no-install-recommends", PACKAGE);
  // The lists of a bare machine are empty.
  if (!install() && run("update", "-qq")) install();
  if (chromiumPath(process.env) === undefined)
    say("Chromium could not be installed: those tests are skipped.");
}
