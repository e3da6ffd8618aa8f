/**
 * `npm run -s manifest:check [-- FILE]`: checks a manifest as the gateway does at its start, by default that of MESH_FILE, or mesh.yaml. Each
 * problem is a line, `file:line:column: where: what`; with one, the exit code is 1.
 */
import { check } from "./cli/src/check.ts";
import { fail } from "./cli/src/console.ts";
import { manifestIn } from "./cli/src/own-agents.ts";
import { root } from "./lib/paths.ts";

try {
  // npm has gone to the root; whoever typed the name may be elsewhere.
  check(process.argv[2] ?? manifestIn(root), process.env.INIT_CWD ?? process.cwd());
} catch (error) {
  fail(error);
}
