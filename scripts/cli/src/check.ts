import { relative, resolve } from "node:path";
import { checkManifest } from "@interlock/gateway/manifest";
import { say } from "./console.ts";

/**
 * Checks a manifest as the gateway does at its start, and prints a line for each problem, `file:line:column: where: what`; with one, the exit
 * code is 1.
 * @param from the folder of whoever asks: paths are printed as seen from there
 */
export function check(path: string, from: string): void {
  const absolute = resolve(from, path);
  const file = relative(from, absolute).startsWith("..") ? absolute : relative(from, absolute);
  process.chdir(from);
  const { problems, summary, notes } = checkManifest(file, process.env);
  say(
    problems.length > 0
      ? problems.join("\n")
      : [`${file} is a valid manifest: ${summary}.`, ...notes].join("\n"),
  );
  if (problems.length > 0) process.exitCode = 1;
}
