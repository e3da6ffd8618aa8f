/**
 * `npm run -s manifest:check [-- FILE]`: checks a manifest as the gateway does at its start, by default that of MESH_FILE, or mesh.yaml. Each
 * problem is a line, `file:line:column: where: what`; with one, the exit code is 1.
 */
import { relative, resolve } from "node:path";
import { checkManifest } from "../services/gateway/src/check-manifest.ts";
import { fail, say } from "./lib/console.ts";
import { manifestFile } from "./lib/own-agents.ts";

function main([name]: readonly string[]): void {
  // npm has gone to the root; whoever typed the name may be elsewhere.
  const from = process.env.INIT_CWD ?? process.cwd();
  const path = name === undefined ? manifestFile() : resolve(from, name);
  const file = relative(from, path).startsWith("..") ? path : relative(from, path);
  process.chdir(from);
  const { problems, summary } = checkManifest(file, process.env);
  say(problems.length > 0 ? problems.join("\n") : `${file} is a valid manifest: ${summary}.`);
  if (problems.length > 0) process.exitCode = 1;
}

try {
  main(process.argv.slice(2));
} catch (error) {
  fail(error);
}
